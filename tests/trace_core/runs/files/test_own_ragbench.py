"""A run as RAGBench rows comes back: texts, labels, who made them, and no ground truth but its own."""

import json

import pytest
from run_examples import failed, labeled, with_truth, written

from trace_core.datasets import read_dataset
from trace_core.facts.records import Truth
from trace_core.metrics import METRICS
from trace_core.pipeline import rescore
from trace_core.runs.files.row_records import to_record


def recorded(record, labeler="recorded", version=None):
    """The record with its labels from that labeler."""
    labels = record.labels.model_copy(update={"labeler": labeler, "labeler_version": version})
    return rescore(record.model_copy(update={"labels": labels}), "trace")


@pytest.mark.parametrize("labeler", [("local", "local-0"), ("recorded", None), ("somebody's judge", None)])
def test_scores_of_labels_never_come_back_as_their_ground_truth(tmp_path, labeler):
    [item] = read_dataset(written(tmp_path, "ragbench", "trace", [recorded(labeled("1"), *labeler)])).items
    again = to_record(item, "1")
    assert (again.ground_truth, again.labels.expected) == (None, None)
    assert (again.labels.labeler, again.labels.labeler_version) == labeler


@pytest.mark.parametrize(
    "truth",
    [
        Truth(scores=dict.fromkeys(METRICS, 0.25), convention="graded"),
        with_truth(labeled("1"), all_relevant_sentence_keys=["0b"]).ground_truth,
    ],
    ids=["of another convention", "labels"],
)
@pytest.mark.parametrize("labels", [True, False])
def test_the_ground_truth_of_recorded_labels_is_not_replaced_by_their_own_scores(tmp_path, truth, labels):
    record = recorded(labeled("1")) if labels else failed("1")
    record = record.model_copy(update={"ground_truth": truth})
    [item] = read_dataset(written(tmp_path, "ragbench", "trace", [record])).items
    assert to_record(item, "1").ground_truth == truth


@pytest.mark.parametrize("response", ["<think>Hm.</think> Cats purr. Birds sing.", "<think>Hm.</think> nan"])
def test_notes_come_back_as_they_were_and_no_other(tmp_path, response):
    record = labeled("1", response=response, second=None)
    if record.failed_generation:
        record = rescore(record.model_copy(update={"labels": None}), "trace")
    assert any("taken off" in note for note in record.cleaning)
    [item] = read_dataset(written(tmp_path, "ragbench", "trace", [record])).items
    for with_labels in (True, False):
        assert to_record(item, "1", with_labels=with_labels).cleaning == record.cleaning


def test_released_scores_of_rows_stay_what_they_were(tmp_path):
    record = recorded(labeled("1"))
    record.ground_truth = Truth(scores=dict.fromkeys(METRICS, 0.25) | {"adherence": 0.0}, convention="ragbench")
    path = written(tmp_path, "ragbench", "trace", [record])
    row = json.loads(path.read_text())
    assert [row[f"{name}_score"] for name in ("relevance", "utilization", "completeness")] == [0.25] * 3
    assert row["adherence_score"] is False
