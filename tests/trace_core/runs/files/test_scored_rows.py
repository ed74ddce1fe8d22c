"""Rows with labels or scores become a run without any labeler."""

import json

import pytest
from run_examples import exported, failed, labeled, written

from trace_core.runs.files.exported import from_store
from trace_core.runs.files.scored_rows import import_rows, read_scored_rows

TRUE = {"context_relevance": 0.6, "context_utilization": 0.6, "completeness": 0.8, "adherence": 1.0}
PREDICTED = TRUE | {"context_relevance": 0.8, "completeness": 0.5}
LABELED = {
    "question": "?",
    "documents": ["D."],
    "response": "R.",
    "all_relevant_sentence_keys": ["0a"],
    "all_utilized_sentence_keys": [],
    "sentence_support_information": [],
}


def write(tmp_path, *rows):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(rows))
    return path


def imported(store, path, convention="graded"):
    return import_rows(store, path, read_scored_rows(path).items, convention, {})


def test_scores_are_compared_with_ground_truth(store, tmp_path):
    path = write(tmp_path, {"metrics": PREDICTED, "ground_truth_scores": TRUE}, {"metrics": TRUE})
    run_id, new = imported(store, path)
    assert new
    truth = json.loads(exported(from_store(store, run_id)))["summary"]["ground_truth"]
    assert truth["num_evaluations"] == 1
    assert truth["per_metric_rmse"] == pytest.approx(
        {"context_relevance": 0.2, "context_utilization": 0, "completeness": 0.3, "adherence": 0}
    )
    assert truth["aggregated_rmse"] == pytest.approx(((0.2**2 + 0.3**2) / 4) ** 0.5)


def test_the_same_rows_again_do_nothing_and_another_convention_is_another_run(store, tmp_path):
    path = write(tmp_path, LABELED)
    run_id, _ = imported(store, path)
    assert imported(store, path) == (run_id, False)
    assert imported(store, path, "trace")[0] != run_id
    assert store.load_run(run_id).means["context_relevance"] == 1  # 1 of 1 sentence


def test_a_row_without_labels_or_scores_is_an_error_that_says_what_makes_them(tmp_path):
    found = read_scored_rows(write(tmp_path, LABELED, {"question": "?"}))
    (error,) = found.errors
    assert (len(found.items), error.row) == (1, 2)
    assert "trace_core run" in str(error)


CHANGED = [
    ({"ground_truth": {"scores": {"adherence": 4}}}, "ground_truth.scores.adherence: A number of at most 1 was"),
    ({"ground_truth": {"scores": "high"}}, "ground_truth.scores: An object was expected."),
    ({"expected_adherence": -1}, "expected_adherence: A number of at least 0 was expected."),
    ({"label_probabilities": 3}, "label_probabilities: An object was expected."),
    ({"label_probabilities": {"relevant": ["0a"]}}, "label_probabilities.relevant: An object was expected."),
    ({"label_probabilities": {"relevant": {"0a": float("nan")}}}, "label_probabilities.relevant: A number was"),
    ({"label_probabilities": {"relevant": {"0a": "high"}}}, "label_probabilities.relevant: A number was expected."),
    ({"label_probabilities": {"utilized": {"0a": 1.1}}}, "label_probabilities.utilized: A number of at most 1 was"),
    ({"label_probabilities": {"unsupported": {"z": 0.5}}}, "label_probabilities.unsupported: 'z' is not a sentence"),
]


@pytest.mark.parametrize(("change", "error"), CHANGED, ids=[error.partition(" was")[0] for _, error in CHANGED])
def test_what_was_changed_beside_our_own_labels_is_named_by_row_and_field(tmp_path, change, error):
    keys = {"documents_sentences": [[["0a", "D."]]], "response_sentences": [["a", "R."]]}
    found = read_scored_rows(write(tmp_path, LABELED, LABELED | keys | {"scored_by": "trace"} | change))
    assert len(found.items) == 1
    assert f"row 2, field {error}" in str(found.errors[0])


@pytest.mark.parametrize("lost", [{}, {"documents": [], "response": None}], ids=["while it was labeled", "before"])
def test_failed_records_come_back_failed_with_their_reason(store, tmp_path, lost):
    lost = failed("2").model_copy(update=lost)
    path = written(tmp_path, "ragbench", "graded", [labeled("1", convention="graded"), lost])
    good, again = store.records(imported(store, path)[0])
    assert (good.error, bool(good.labels)) == (None, True)
    assert (again.question, again.error.message) == (lost.question, "The judge fell asleep.")
    assert [len(again.documents), bool(again.response)] == [len(lost.documents), bool(lost.response)]
    assert again.scores.undefined["adherence"] == "failed: The judge fell asleep."
