"""Data sets in every layout, and what a run still has to do for a row."""

import json

import pytest
from run_examples import in_lines as lines

from trace_core.datasets import read_dataset
from trace_core.errors import InputError
from trace_core.runs.files.row_records import scores_record

RAGAS = {"user_input": "How much?", "retrieved_contexts": ["It holds 1.8 litres."], "response": "1.8 litres."}
GOLDEN = {"question": "How much?", "expected_documents": ["manual"], "reference_answer": "1.8", "category": "fact"}
FOUR = {"context_relevance": 0.8, "context_utilization": 0.75, "completeness": 0.5, "adherence": 1.0}


def read(folder, rows, **options):
    return read_dataset(lines(folder / "r.jsonl", rows), **options)


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        (GOLDEN, "ask"),
        ({"question": "?", "documents": ["D."]}, "answer"),
        ({"question": "?", "documents": ["D."], "response": "R."}, "label"),
        ({"question": "?", "documents": ["D."], "response": "R.", "all_relevant_sentence_keys": []}, "labeled"),
        ({"metrics": FOUR}, "scores"),
    ],
)
def test_a_row_says_what_a_run_still_has_to_do(tmp_path, row, kind):
    found = read(tmp_path, [row])
    assert [item.kind for item in found.items] == [kind]


def test_scores_with_ground_truth_are_read_under_the_convention_that_is_given(tmp_path):
    path = lines(tmp_path / "s.jsonl", [{"metrics": FOUR, "ground_truth_scores": FOUR | {"completeness": None}}])
    (item,) = read_dataset(path).items
    record = scores_record(item, "1", "graded")
    assert record.scores.average == pytest.approx(3.05 / 4)
    assert (record.scores.convention, record.ground_truth.convention) == ("graded", "graded")
    assert record.ground_truth.scores["completeness"] is None


def test_a_score_that_is_missing_is_undefined_and_leaves_no_average(tmp_path):
    (item,) = read_dataset(lines(tmp_path / "s.jsonl", [{"metrics": {"adherence": 1}}])).items
    scores = scores_record(item, "1", "trace").scores
    assert (scores.adherence, scores.completeness, scores.average) == (1, None, None)
    assert scores.undefined["completeness"] == "not given"


@pytest.mark.parametrize(
    ("row", "field", "said"),
    [
        ({"user_input": "?", "retrieved_contexts": ["D.", {"a": 1}]}, "retrieved_contexts", "Document 2 has no text"),
        ({"metrics": {"adherence": 1.5}}, "metrics.adherence", "A number from 0 to 1 was expected."),
        ({"metrics": {"other": 1}}, "metrics", "None of the four"),
        ({"question": "x" * 2_000_001}, "question", "at most 2,000,000 characters"),
    ],
)
def test_a_bad_row_is_named_as_the_file_names_it_and_the_good_ones_stay(tmp_path, row, field, said):
    good = dict.fromkeys(row) | ({"metrics": FOUR} if "metrics" in row else {"question": "?"})
    if "user_input" in row:
        good = RAGAS
    found = read(tmp_path, [good, row], name="mine.jsonl")
    (error,) = found.errors
    assert (error.file, error.row, error.field, len(found.items)) == ("mine.jsonl", 2, field, 1)
    assert said in str(error)


WHOLE = {"question": "How much?", "contexts": ["It holds 1.8 litres."], "answer": "1.8 litres."}


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("query_type", ["fact"], "A text was expected."),
        ("model", {"name": "g", "seed": 1}, "A text was expected."),
        ("reference", {"must_contain": ["1.8"]}, "A text was expected."),
        ("reference", False, "A text was expected."),
        ("reference", [["1.8"], ["litres"]], "A text was expected."),
        ("expectations", {"expected_facts": ["It holds 1.8 litres."]}, "A text was expected."),
        ("_id", {"$oid": "65f0"}, "A text was expected."),
        ("document_scores", ["high"], "A number was expected."),
        ("adherence_score", 4, "A number from 0 to 1 was expected. Where it is a grade, say which values"),
    ],
)
def test_an_optional_field_of_another_shape_is_left_out_and_said_and_stays_a_column(tmp_path, column, value, said):
    found = read(tmp_path, [WHOLE | {column: value}, WHOLE])
    assert (len(found.items), found.errors) == (2, [])
    (sentence,) = found.without
    assert sentence.startswith(f"Read without {column} ({said}")
    assert sentence.endswith("): 1 row.")
    if not column.endswith(("_scores", "_score")):  # names of ours cannot hold it
        assert found.items[0].model_extra[column] == value


@pytest.mark.parametrize(
    "row",
    [
        {"answer": {"value": "R.", "confidence": 0.9}},
        {"answer": {"content": "R.", "citations": [1]}},
        {"answer": [{"text": "R."}]},
        {"response": {"choices": [{"message": {"role": "assistant", "content": "R."}}]}},
    ],
)
def test_an_answer_that_is_an_object_is_its_text(tmp_path, row):
    asked = {"question": {"text": "Why?"}, "contexts": ["D."]}
    (item,) = read(tmp_path, [asked | row]).items
    assert (item.question, item.response) == ("Why?", "R.")


def test_an_answer_that_is_an_object_of_unknown_parts_says_how_to_name_one(tmp_path):
    path = lines(tmp_path / "r.jsonl", [WHOLE | {"answer": {"said": "R.", "sure": 0.9}}])
    (error,) = read_dataset(path).errors
    assert "field answer: This is an object without a text" in str(error)
    assert "--map response=answer.NAME, one of said, sure." in str(error)
    assert read_dataset(path, mapping={"response": "answer.said"}).items[0].response == "R."


def test_a_required_field_of_another_shape_says_how_to_name_a_part_of_it(tmp_path):
    path = lines(tmp_path / "r.jsonl", [WHOLE | {"answer": ["1.8 litres.", "Two."]}])
    (error,) = read_dataset(path).errors
    assert str(error).endswith("A text was expected. Name another column, or a part of it: --map response=PATH.")
    assert read_dataset(path, mapping={"response": "answer[0]"}).items[0].response == "1.8 litres."


@pytest.mark.parametrize("name", ["citations", "documents", "retrieved_docs"])
def test_an_object_with_a_list_of_documents_is_these(tmp_path, name):
    context = {name: [{"id": "a", "content": "It is so."}], "query": "Why?"}
    (item,) = read(tmp_path, [WHOLE | {"contexts": context}]).items
    assert (item.documents, item.document_ids) == (["It is so."], ["a"])


@pytest.mark.parametrize("nothing", ["nan", "NaN", "N/A", "null", "#N/A", " None ", "<NA>"])
def test_placeholders_are_nothing_in_every_field(tmp_path, nothing):
    names = ("id", "category", "reference", "generation_model_name")
    row = WHOLE | dict.fromkeys(names, nothing)
    row |= {"contexts": [nothing, "D.", None], "document_ids": ["x", " d1", "y"], "expected_documents": [nothing, "e "]}
    found = read(tmp_path, [row, row | {"contexts": nothing}, row | {"question": nothing}])
    (item, empty), (error,) = found.items, found.errors
    assert (item.id, item.category, item.reference_answer, item.generation_model_name) == (None,) * 4
    assert (item.documents, item.document_ids, item.expected_documents) == (["D."], ["d1"], ["e"])
    assert (empty.documents, empty.has_documents) == ([], True)
    assert "A question was expected." in str(error)


def test_documents_that_labels_point_at_stay_in_their_places(tmp_path):
    row = WHOLE | {"contexts": ["nan", "D."], "all_relevant_sentence_keys": ["1a"]}
    assert read(tmp_path, [row]).items[0].documents == ["nan", "D."]


FILES = ["manual.pdf", "Price list 2026.v2.docx", "manual.pdf, page 3", "C:\\docs\\manual.md", "s3://bucket/manual"]
IDS = ["https://studio.example/kiln.html#top", "6c1f7f9e-6a55-4c57-9a9a-3a1b2cf0a8d1", "doc_12", "12", "kiln-manual"]


@pytest.mark.parametrize("name", [*FILES, *IDS])
def test_documents_that_are_no_texts_are_said_with_the_way_out(tmp_path, name):
    path = lines(tmp_path / "r.jsonl", [WHOLE | {"contexts": [name]}, WHOLE | {"contexts": [name, "It is so."]}])
    found = read_dataset(path)
    assert [item.documents for item in found.items] == [[name, "It is so."]]
    assert "--map document_ids=contexts --collection NAME" in str(found.errors[0])
    looked_up = read_dataset(path, mapping={"document_ids": "contexts"}).items[0]
    assert (looked_up.document_ids, looked_up.kind) == ([name], "ask")


@pytest.mark.parametrize(
    "text", ["Yes.", "Paris", "See manual.pdf for it.", "It is in hall 2", "水温は40度です", "Dr. No"]
)
def test_a_short_document_is_a_text(tmp_path, text):
    assert read(tmp_path, [WHOLE | {"contexts": [text]}]).items[0].documents == [text]


@pytest.mark.parametrize("second", ["questions,answers,context", "question,answer,contexts", "question,,"])
def test_headings_again_are_no_row(tmp_path, second):
    path = tmp_path / "r.csv"
    path.write_text(f"question,answer,contexts\n{second}\nWhy?,So.,It is so.\n")
    found = read_dataset(path)
    assert [item.question for item in found.items] == (["question", "Why?"] if second == "question,," else ["Why?"])


def test_a_field_is_read_by_a_function_of_the_row_or_all_are(tmp_path):
    path = lines(tmp_path / "r.jsonl", [{"ask": "Why?", "found": {"a": "D."}, "reply": {"so": "R."}}, {"ask": "How?"}])
    functions = {"documents": lambda row: list(row["found"].values()), "response": lambda row: row["reply"]["so"]}
    by_field = read_dataset(path, mapping={"question": "ask", **functions})
    whole = read_dataset(path, mapping=lambda row: {"question": row["ask"], "documents": [row["found"]["a"]]})
    for found in (by_field, whole):
        assert [(item.question, item.documents) for item in found.items] == [("Why?", ["D."])]
        assert "raised KeyError: 'found'." in str(found.errors[0])
    assert by_field.items[0].response == "R."


def test_a_cause_is_said_once_with_the_rows_that_have_it(tmp_path):
    found = read(tmp_path, [{"question": ""}, {"question": "Why?"}, {"question": ""}])
    assert found.causes == {"question: A question was expected. Choose its column: --map question=COLUMN.": [1, 3]}


def test_the_first_rows_are_kept_as_they_came(tmp_path):
    rows = [{"question": f"Why {n}?", "more": {"n": n}} for n in range(5)]
    found = read(tmp_path, rows)
    assert (found.sample, len(found.items)) == (rows[:3], 5)


def test_rows_in_another_language_are_said_with_what_to_set(tmp_path):
    german = {"question": "Wie groß ist der Tank?", "documents": ["Der Tank fasst zwei Liter und ist aus dem Glas."]}
    found = read(tmp_path, [german, GOLDEN])
    assert "Not in English: 1 of the first 2 rows." in found.languages
    assert "TRACE_EMBEDDING_MODEL" in found.languages


def test_of_several_lists_the_one_with_questions_is_read_and_two_are_refused(tmp_path):
    path = tmp_path / "two.json"
    path.write_text(json.dumps({"data": [{"question": "Why?"}], "about": [{"n": 1}]}))
    assert [item.question for item in read_dataset(path).items] == ["Why?"]
    path.write_text(json.dumps({"data": [{"question": "Why?"}], "more": {"rows": [{"query": "How?"}]}}))
    with pytest.raises(InputError, match=r"several lists: data, more\.rows"):
        read_dataset(path)


def test_a_list_that_was_cut_when_it_was_printed_is_an_error(tmp_path):
    path = tmp_path / "cut.csv"
    path.write_text("question,contexts\nWhy?,\"['It is so.', 'And so.', ...]\"\nHow?,\"['It is so.']\"\n")
    found = read_dataset(path)
    assert [item.question for item in found.items] == ["How?"]
    (error,) = found.errors
    assert (error.row, error.field) == (1, "contexts")
    assert "This list was shortened when it was written." in str(error)
