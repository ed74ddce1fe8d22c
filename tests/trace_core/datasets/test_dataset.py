"""Data sets in every layout, and what a run still has to do for a row."""

import json

import pytest

from trace_core.datasets import read_dataset, scores_record
from trace_core.errors import InputError

RAGAS = {
    "user_input": "How much?",
    "retrieved_contexts": ["It holds 1.8 litres."],
    "response": "1.8 litres.",
    "reference": "1.8",
}
GOLDEN = {"question": "How much?", "expected_documents": ["manual"], "reference_answer": "1.8", "category": "fact"}
FOUR = {"context_relevance": 0.8, "context_utilization": 0.75, "completeness": 0.5, "adherence": 1.0}


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


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
    found = read_dataset(lines(tmp_path / "r.jsonl", [row]))
    assert found.kinds == {kind: 1}


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
        ({"metrics": {"adherence": 1.5}}, "metrics.adherence", "less than or equal to 1"),
        ({"metrics": {"other": 1}}, "metrics", "None of the four"),
        ({"question": "x" * 2_000_001}, "question", "at most 2000000 characters"),
    ],
)
def test_a_bad_row_is_named_as_the_file_names_it_and_the_good_ones_stay(tmp_path, row, field, said):
    good = dict.fromkeys(row) | ({"metrics": FOUR} if "metrics" in row else {"question": "?"})
    if "user_input" in row:
        good = RAGAS
    found = read_dataset(lines(tmp_path / "r.jsonl", [good, row]), name="mine.jsonl")
    (error,) = found.errors
    assert (error.file, error.row, error.field, len(found.items)) == ("mine.jsonl", 2, field, 1)
    assert said in str(error)


def test_a_cause_is_said_once_with_the_rows_that_have_it(tmp_path):
    found = read_dataset(lines(tmp_path / "r.jsonl", [{"question": ""}, {"question": "Why?"}, {"question": ""}]))
    assert found.causes == {"question: A question was expected. Choose its column: --map question=COLUMN.": [1, 3]}


def test_the_first_rows_are_kept_as_they_came(tmp_path):
    rows = [{"question": f"Why {n}?", "more": {"n": n}} for n in range(5)]
    found = read_dataset(lines(tmp_path / "r.jsonl", rows))
    assert (found.sample, len(found.items)) == (rows[:3], 5)


def test_rows_in_another_language_are_said_with_what_to_set(tmp_path):
    german = {"question": "Wie groß ist der Tank?", "documents": ["Der Tank fasst zwei Liter und ist aus dem Glas."]}
    found = read_dataset(lines(tmp_path / "r.jsonl", [german, GOLDEN]))
    said = "\n".join(found.describe())
    assert "1 of the first 2 rows are not in English." in said
    assert "TRACE_EMBEDDING_MODEL" in said


def test_of_several_lists_the_one_with_questions_is_read_and_two_of_them_are_refused_by_name(tmp_path):
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
