import json
import re
import zipfile
from datetime import UTC, datetime

import openpyxl
import pandas as pd
import pytest
from label_examples import KEY_LISTS
from run_examples import in_lines, support

from trace_core.datasets import read_dataset, read_whole
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError
from trace_core.runs.files.row_records import to_record, to_row

ROW = {
    "id": "007",
    "question": "How much?",
    "documents": ["It holds 1.8 litres. It is red.", "Cats purr."],
    "response": "1.8 litres.",
    "documents_sentences": [[["0a", "It holds 1.8 litres."], ["0b", "It is red."]], [["1a", "Cats purr."]]],
    "response_sentences": [["a", "1.8 litres."]],
    "all_relevant_sentence_keys": ["0a"],
    "all_utilized_sentence_keys": ["0a"],
    "sentence_support_information": [support("a") | {"explanation": "0a."}],
    "unsupported_response_sentence_keys": [],
    "generation_model_name": "g",
    "relevance_score": 1 / 3,
    "utilization_score": 1 / 3,
    "completeness_score": 1.0,
    "adherence_score": True,
    "trulens_groundedness": None,
}
LISTS = [name for name, value in ROW.items() if isinstance(value, list)]


def write(path, rows):
    """The rows in the format that the file's ending names."""
    if path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif path.suffix in (".jsonl", ".ndjson"):
        in_lines(path, rows)
    elif path.suffix == ".csv":
        flat = [{n: json.dumps(v) if n in LISTS else v for n, v in row.items()} for row in rows]
        pd.DataFrame(flat).to_csv(path, index=False)
    else:
        frame = pd.DataFrame([row | {"documents_sentences": None, "response_sentences": None} for row in rows])
        frame.to_parquet(path)
    return path


def written(tmp_path, text, name="rows.jsonl"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def read_rows(path, **options):
    data = read_whole(path, **options)
    return data.items, data.errors


@pytest.mark.parametrize("ending", ["jsonl", "ndjson", "json", "csv", "parquet", "JSONL"])
def test_every_format_gives_the_same_record(tmp_path, ending):
    path = write(tmp_path / f"rows.{ending.lower()}", [ROW, ROW])
    path = path.rename(tmp_path / f"rows.{ending}")
    good, bad = read_rows(path, labels=True)
    assert bad == []
    (expected,), _ = read_rows(write(tmp_path / "expected.jsonl", [ROW]))
    assert expected.documents_sentences[1] == [("1a", "Cats purr.")]
    left_out = {"trulens_groundedness"}
    left_out |= {"documents_sentences", "response_sentences"} if ending == "parquet" else set()
    assert [row.model_dump(exclude=left_out) for row in good] == [expected.model_dump(exclude=left_out)] * 2
    scores = rescore(to_record(good[0], "1"), "ragbench").scores
    assert (scores.context_relevance, scores.completeness, scores.adherence) == (1 / 3, 1, 1)


@pytest.mark.parametrize(
    ("line", "field", "said"),
    [
        ('{"question": "?"', "", "not JSON"),
        ("[1]", "", "object was expected"),
        ("[" * 100_000, "", "not JSON"),
        ('{"documents": ["D."], "response": "R."}', "question", "question was expected"),
        ('{"question": "?", "response": "R."}', "documents", "Documents were expected"),
        ('{"question": "?", "documents": ["D."]}', "response", "response was expected"),
        ('{"question": "?", "documents": [{"a": 1}], "response": "R."}', "documents", "Document 1 has no text"),
        ('{"question": "?", "response_sentences": [["a"]]}', "response_sentences[0][1]", "It is missing."),
    ],
)
def test_a_bad_row_is_named_with_file_row_field_and_what_was_expected(tmp_path, line, field, said):
    path = written(tmp_path, json.dumps(ROW) + "\n\n" + line + "\n" + json.dumps(ROW))
    good, (error,) = read_rows(path)
    assert len(good) == 2
    assert (error.file, error.row, error.field) == (str(path), 2, field)
    assert said in str(error)


def test_a_row_without_labels_is_bad_where_labels_are_needed(tmp_path):
    path = written(tmp_path, json.dumps({"question": "?", "documents": ["D."], "response": "R."}))
    assert read_rows(path)[1] == []
    assert read_rows(path, labels=True)[1][0].field == "all_relevant_sentence_keys"


@pytest.mark.parametrize(("field", "value"), list(zip(KEY_LISTS, [7, "0a, 0b", {"a": 1}], strict=True)))
def test_lists_that_cannot_be_counted_make_a_row_bad_only_with_raw(tmp_path, field, value):
    path = write(tmp_path / "rows.jsonl", [ROW | {field: value}])
    assert read_rows(path, labels=True)[1] == []
    assert read_rows(path, labels=True, raw=True)[1][0].field == field


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("rows.jsonl", b"", "no rows"),
        ("rows.json", b"{}", "no list of rows"),
        ("rows.json", b"[", "not JSON"),
        ("rows.csv", b"question,answer", "no rows"),
        ("rows.parquet", b"no", "cannot be read"),
        ("rows.xlsx", b"", "as XLSX"),
        ("rows.xls", b"", "kind"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_that_names_it(tmp_path, name, content, said):
    with pytest.raises(InputError, match=said) as caught:
        read_rows(written(tmp_path, content, name))
    assert caught.value.file.endswith(name)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    table = b'question,response,documents\n?,R.,"[""D.""]"\n'
    for name, text in (("r.jsonl", json.dumps(ROW).encode()), ("r.csv", table)):
        assert len(read_rows(written(tmp_path, b"\xef\xbb\xbf" + text, name))[0]) == 1


def test_an_endless_line_is_named_and_nothing_after_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("trace_core.datasets.files.MAX_LINE", 2_000_000)
    path = written(tmp_path, "\n".join([json.dumps(ROW), '{"question": "' + "x" * 3_000_000, json.dumps(ROW)]))
    good, bad = read_rows(path)
    assert len(good) == 1
    assert ["A line of more than 2 MB is not read." in str(error) for error in bad] == [True]


def test_only_a_newline_ends_a_row(tmp_path):
    line = json.dumps(ROW | {"question": "a\u2028b\x85c"}, ensure_ascii=False)
    assert read_rows(written(tmp_path, line))[0][0].question == "a\u2028b\x85c"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", '"NaN"', "null"])
def test_a_number_that_is_none_is_null_wherever_it_stands(tmp_path, number):
    line = json.dumps(ROW | {"relevance_score": 9, "other": {"deep": [9]}}).replace("9", number)
    (row,), _ = read_rows(written(tmp_path, line))
    assert row.relevance_score is None
    record = rescore(to_record(row, "1"), "trace")
    json.dumps([record.to_dict(), to_row(row, record, record.scores)], allow_nan=False)


def test_lone_surrogates_are_replaced_wherever_they_stand(tmp_path):
    (row,), _ = read_rows(written(tmp_path, json.dumps(ROW | {"question": "\ud800", "other": ["\ud800"]})))
    assert row.question == "\ufffd"
    assert row.model_extra["other"] == ["\ufffd"]


def test_words_in_a_table_stay_words(tmp_path):
    text = 'id,question,response,documents,other\n007,[1],None,"[""It is null.""]",\n'
    (row,), _ = read_rows(written(tmp_path, text, "rows.csv"))
    assert (row.id, row.question, row.response, row.documents) == ("007", "[1]", "None", ["It is null."])
    assert row.model_extra["other"] is None


def test_dates_and_bytes_in_a_table_become_text(tmp_path):
    path = tmp_path / "rows.parquet"
    more = {"at": datetime(2024, 1, 2, tzinfo=UTC), "raw": b"\xff", "n": 3, "x": float("nan"), "never": pd.NaT}
    pd.DataFrame([{"question": "?", "documents": ["D."], "response": "R."} | more]).to_parquet(path)
    (row,), _ = read_rows(path)
    extra = row.model_extra
    assert extra["at"].startswith("2024-01-02")
    assert (extra["n"], extra["x"], extra["never"]) == (3, None, None)
    record = rescore(to_record(row, "1"), "trace")
    json.dumps(to_row(row, record, record.scores), allow_nan=False)


def test_true_and_false_of_a_table_are_scores(tmp_path):
    text = "question,response,documents,adherence_score\n?,R.,D.,True\n?,R.,D.,False\n?,R.,D.,\n"
    good, bad = read_rows(written(tmp_path, text, "rows.csv"))
    assert ([row.adherence_score for row in good], bad) == ([1, 0, None], [])


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_under_which_all_rows_have_as_many_cells(tmp_path, delimiter):
    rows = [["Question", "Answer"], ["How much; how many?", "1.8 litres, or | two"], ["Why?", "So."]]
    text = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    found = read_dataset(written(tmp_path, text, "rows.csv"))
    assert [(row.question, row.response) for row in found.items] == [tuple(row) for row in rows[1:]]


def test_a_row_with_more_or_fewer_cells_than_headings_is_bad_and_the_others_stay(tmp_path):
    found = read_dataset(written(tmp_path, "question,answer\nWhy?,So, it is.\nHow?\nWho?,She.\n", "rows.csv"))
    assert [item.question for item in found.items] == ["Who?"]
    said = [(row, f"{cells} cells where the header has 2 columns.") for row, cells in ((1, 3), (2, 1))]
    assert [(error.row, error.message) for error in found.errors] == said


def test_below_a_broken_quotation_mark_nothing_is_read(tmp_path):
    found = read_dataset(written(tmp_path, 'question,answer\nWhy?,So.\nHow?,"a" b\nWho?,She.\n', "rows.csv"))
    assert ([item.question for item in found.items], [error.row for error in found.errors]) == (["Why?"], [2])


def test_a_heading_that_is_missing_or_repeated_gets_a_name_of_its_own(tmp_path):
    found = read_dataset(written(tmp_path, "question,,note,note\nWhy?,a,b,c\n", "rows.csv"))
    assert found.items[0].model_extra == {"column 2": "a", "note": "b", "note (2)": "c"}


@pytest.mark.parametrize("cell", ["| a | b |\n|---|---|\n| 1 | 2 |", "Question: Why?\nAnswer: So.", "[1] See.", "{x}"])
def test_a_table_a_log_or_a_mark_within_a_cell_is_its_text(tmp_path, cell):
    (item,) = read_dataset(write(tmp_path / "rows.csv", [{"question": "Why?", "contexts": cell, "answer": cell}])).items
    assert (item.documents, item.response) == ([cell], cell)


@pytest.mark.parametrize(
    "cell",
    [
        '["It is so.", "And so."]',
        "['It is so.', 'And so.']",
        "['It is so.' 'And so.']",
        "['It is so.'\n 'And so.']",
        "array(['It is so.', 'And so.'], dtype=object)",
        '[{"text": "It is so."}, {"page_content": "And so."}]',
        "[Document(metadata={'a': 1}, page_content='It is so.'), Document(page_content='And so.')]",
    ],
)
def test_a_whole_cell_that_is_a_list_is_opened_as_json_python_or_numpy_writes_it(tmp_path, cell):
    found = read_dataset(write(tmp_path / "rows.csv", [{"question": "Why?", "contexts": cell}]))
    assert found.items[0].documents == ["It is so.", "And so."]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_another_encoding_is_read_and_a_guessed_one_named(tmp_path, encoding):
    text = "question,answer\n" + "Où se trouve la bibliothèque de l’école ?,Près de l’hôtel à côté du théâtre.\n" * 5
    found = read_dataset(written(tmp_path, text.encode(encoding), "rows.csv"))
    assert found.items[0].response == "Près de l’hôtel à côté du théâtre."
    assert any("cp1252" in note for note in found.mapping.notes) == (encoding == "cp1252")


def test_in_a_file_that_is_utf_8_but_for_some_bytes_only_their_rows_are_bad(tmp_path):
    data = b"question\n" + "Où est-elle là-bas ?\n".encode() * 3 + b"Caf\xe9?\n"
    found = read_dataset(written(tmp_path, data, "rows.csv"))
    assert ([len(found.items)], [error.row for error in found.errors]) == ([3], [4])


def workbook(path, **sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_the_first_sheet_with_rows_is_read_and_the_others_can_be_named(tmp_path):
    head = ["question", "answer"]
    path = workbook(tmp_path / "b.xlsx", Notes=[["Read me"]], One=[head, ["Why?", "So."]], Two=[head, ["How?", None]])
    found = read_dataset(path)
    assert ([item.question for item in found.items], found.mapping.sheets) == (["Why?"], ("One", "Notes", "Two"))
    assert found.mapping.notes == ("The sheet 'One' was read. Other sheets: Notes, Two (--map sheet=NAME).",)
    assert [item.question for item in read_dataset(path, mapping={"sheet": "Two"}).items] == ["How?"]
    with pytest.raises(InputError, match="no sheet 'Three'"):
        read_dataset(path, mapping={"sheet": "Three"})


def test_a_sheet_whose_stored_size_is_wrong_loses_no_row(tmp_path):
    path = workbook(tmp_path / "b.xlsx", One=[["question", "answer"], *([f"Why {n}?", "So."] for n in range(5))])
    wrong = tmp_path / "wrong.xlsx"
    with zipfile.ZipFile(path) as given, zipfile.ZipFile(wrong, "w") as made:
        for part in given.infolist():
            made.writestr(part, re.sub(rb'<dimension ref="[^"]+"', b'<dimension ref="A1:B2"', given.read(part)))
    assert len(read_dataset(wrong).items) == 5
