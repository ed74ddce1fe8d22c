"""Tables on their side, and logs that only look like them."""

import csv
import json

import openpyxl
import pytest

from trace_core.datasets import read_dataset
from trace_core.errors import InputError

ASKED, OTHER, A, C = "When does it open?", "Is it free?", "It opens at nine.", "Entry costs two euros."
SIDE = [("Field", "Case 1", "Case 2"), ("Question", ASKED, OTHER), ("Context", A, C), ("Answer", "At nine.", "No.")]
ROWS = [(ASKED, [A], "At nine."), (OTHER, [C], "No.")]


def read(tmp_path, rows):
    path = tmp_path / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return read_dataset(path, name="rows.csv")


def test_each_column_but_the_first_is_a_row(tmp_path):
    found = [(row.question, row.documents, row.response) for row in read(tmp_path, SIDE).items]
    assert found == ROWS


@pytest.mark.parametrize("corner", ["", " ", "Field"])
@pytest.mark.parametrize("cases", [1, 2])
def test_its_corner_may_be_empty(tmp_path, corner, cases):
    rows = [(corner, *SIDE[0][1:]), *SIDE[1:], ("Rating", "good", "bad")]
    found = read(tmp_path, [row[: cases + 1] for row in rows])
    assert [(row.question, row.documents, row.response) for row in found.items] == ROWS[:cases]


@pytest.mark.parametrize("corner", [None, "Field"])
def test_a_sheet_may_be_on_its_side(tmp_path, corner):
    book = openpyxl.Workbook()
    for row in [(corner, *SIDE[0][1:]), *SIDE[1:]]:
        book.active.append(row)
    book.save(tmp_path / "rows.xlsx")
    found = [(row.question, row.documents, row.response) for row in read_dataset(tmp_path / "rows.xlsx").items]
    assert found == ROWS


def test_a_drawn_table_may_be_on_its_side(tmp_path):
    path = tmp_path / "rows.md"
    lines = [("", *SIDE[0][1:]), ("---",) * 3, *SIDE[1:]]
    path.write_text("".join(f"| {' | '.join(line)} |\n" for line in lines), encoding="utf-8")
    found = [(row.question, row.documents, row.response) for row in read_dataset(path).items]
    assert found == ROWS


def test_a_column_without_a_name_is_not_read_beside_questions(tmp_path):
    assert "Field" not in read(tmp_path, [("", "question", "answer"), ("0", ASKED, "At nine.")]).mapping.columns


@pytest.mark.parametrize(
    "rows",
    [
        [*SIDE, ("Question", ASKED, OTHER)],
        SIDE[:2],
        [("Field", "Case 1", "Changed"), ("Question", ASKED, "4 May"), ("Answer", "At nine.", "5 May")],
    ],
    ids=["a field twice", "no other field", "times"],
)
def test_other_tables_are_not_turned(tmp_path, rows):
    assert not read(tmp_path, rows).items


def test_an_error_among_the_rows_stays(tmp_path):
    found = read(tmp_path, [*SIDE, ("Score", "1")])
    assert (len(found.items), [error.row for error in found.errors]) == (2, [4])


@pytest.mark.parametrize("wrap", [lambda groups: {"suites": groups}, lambda groups: groups])
def test_rows_in_groups_keep_what_the_group_says(tmp_path, wrap):
    path = tmp_path / "rows.json"
    groups = [
        {"passage": text, "questions": [{"question": q, "answer": "Yes."}]} for q, text in ((ASKED, A), (OTHER, C))
    ]
    path.write_text(json.dumps(wrap(groups)), encoding="utf-8")
    found = [(row.question, row.documents) for row in read_dataset(path, name="rows.json").items]
    assert found == [(ASKED, [A]), (OTHER, [C])]


def test_a_history_is_no_group(tmp_path):
    path = tmp_path / "rows.json"
    row = {"history": [{"question": OTHER, "answer": "No."}], "message": ASKED, "answer": "Yes."}
    path.write_text(json.dumps({"rows": [row, row]}), encoding="utf-8")
    assert [row.question for row in read_dataset(path, name="rows.json").items] == [ASKED, ASKED]


@pytest.mark.parametrize(
    "header",
    ["السؤال,المقاطع المسترجعة,إجابة النظام,الإجابة الصحيحة", "שאלה,קטעים,תשובת הבוט,תשובה נכונה",
     "Pertanyaan,Dokumen yang ditemukan,Jawaban bot,Jawaban yang benar"],
)  # fmt: skip
def test_headings_of_further_languages(tmp_path, header):
    [row] = read(tmp_path, [header.split(","), (ASKED, A, "At nine.", "Nine.")]).items
    assert (row.question, row.documents, row.response, row.reference_answer) == (ASKED, [A], "At nine.", "Nine.")


def test_a_reply_of_an_agent_beside_a_suggestion_of_the_ai_may_be_a_persons(tmp_path):
    found = read(tmp_path, [("question", "articles_used", "ai_suggestion", "agent_reply"), (ASKED, A, "Nine.", "Ten.")])
    assert found.items[0].response is None
    assert "ai_suggestion, agent_reply" in found.mapping.notes[0]


def test_a_file_without_names_of_columns_is_refused(tmp_path):
    with pytest.raises(InputError, match="Begin the file with the names of its columns"):
        read(tmp_path, [(ASKED, A, "At nine."), (OTHER, C, "No.")])


def test_commas_between_json_lines_do_no_harm(tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = [{"question": q, "answer": "Yes."} for q in (ASKED, OTHER)]
    path.write_text(",\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert [row.question for row in read_dataset(path, name="rows.jsonl").items] == [ASKED, OTHER]


def test_questions_may_be_the_headings_of_a_form(tmp_path):
    form = [("What was on your mind?", "And then?", "Was it right?"), (ASKED, "At nine.", "yes")]
    assert [row.question for row in read(tmp_path, form).items] == [ASKED]
