"""A run as RAGBench rows comes back: texts, labels, who made them, and no ground truth but its own."""

import json

import pytest
from run_examples import failed, labeled, with_truth, written

from trace_core.datasets import read_dataset, to_record
from trace_core.facts.records import Truth
from trace_core.metrics import METRICS
from trace_core.pipeline import rescore


def test_ragbench_rows_of_our_own_labels_bring_no_ground_truth_of_their_own(tmp_path):
    record = labeled("1")
    record.labels = record.labels.model_copy(update={"labeler": "local", "labeler_version": "local-0"})
    [item] = read_dataset(written(tmp_path, "ragbench", "trace", [rescore(record, "trace")])).items
    again = to_record(item, "1")
    assert again.ground_truth is None
    assert (again.labels.labeler, again.labels.labeler_version) == ("local", "local-0")


def recorded(record, labeler="recorded"):
    """The record with its labels from that labeler."""
    return rescore(record.model_copy(update={"labels": record.labels.model_copy(update={"labeler": labeler})}), "trace")


@pytest.mark.parametrize("labeler", ["recorded", "somebody's judge"])
def test_scores_of_recorded_labels_never_come_back_as_their_ground_truth(tmp_path, labeler):
    path = written(tmp_path, "ragbench", "trace", [recorded(labeled(str(n)), labeler) for n in range(3)])
    for item in read_dataset(path).items:
        again = to_record(item, "1")
        assert (again.ground_truth, again.labels.labeler, again.labels.expected) == (None, labeler, None)


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


def test_released_scores_of_rows_stay_what_they_were(tmp_path):
    record = recorded(labeled("1"))
    record.ground_truth = Truth(scores=dict.fromkeys(METRICS, 0.25) | {"adherence": 0.0}, convention="ragbench")
    path = written(tmp_path, "ragbench", "trace", [record])
    row = json.loads(path.read_text())
    assert [row[f"{name}_score"] for name in ("relevance", "utilization", "completeness")] == [0.25] * 3
    assert row["adherence_score"] is False
