import numpy as np
import pytest

from trace_core.facts.labels import Expected, Labels, Probabilities, Support
from trace_core.facts.records import Document, Failure, Record, Response, Truth, with_sentences
from trace_core.summary.calibration import (
    bias,
    hallucination,
    judge,
    measured,
    paired_difference,
    reliability,
    rmse,
    roc,
    sentence_columns,
    worst,
)
from trace_core.summary.peers import benchmark


def labels(relevant, supported, **more):
    entry = Support(
        response_sentence_key="a", supporting_sentence_keys=["0a"] if supported else [], fully_supported=supported
    )
    return Labels(
        all_relevant_sentence_keys=relevant,
        all_utilized_sentence_keys=["0a"] if supported else [],
        sentence_support_information=[entry],
        **more,
    )


def record(record_id, said, true):
    made = Record(
        id=record_id,
        question="Which?",
        documents=[Document(id="0", rank=1, text="The part is red. The part is small.")],
        response=Response(text="The part is red."),
        labels=said,
        ground_truth=Truth(labels=true),
    )
    return with_sentences(made)


@pytest.fixture
def records():
    """Two that agree with the truth, one that calls a supported response unsupported."""
    good, bad = labels(["0a"], True), labels(["0a", "0b"], False)
    return [record("r1", good, good), record("r2", bad, bad), record("r3", bad, good)]


# Columns


def test_scores_of_labels_stand_under_ragbenchs_convention(records):
    m = measured(records)
    assert m.said["context_relevance"].tolist() == [0.5, 1.0, 1.0]
    assert m.truth["context_relevance"].tolist() == [0.5, 1.0, 0.5]
    assert not m.estimate


def test_an_estimate_comes_before_the_score_of_the_labels(records):
    expected = Expected(context_relevance=0.25)
    records[0].labels = records[0].labels.model_copy(update={"expected": expected})
    m = measured(records)
    assert m.estimate
    assert m.said["context_relevance"][0] == 0.25
    assert m.said["adherence"][0] == 1.0


def test_what_failed_or_has_no_truth_is_left_out_and_not_zero(records):
    records[0].error = Failure(step="label", message="no")
    records[1].ground_truth = None
    assert len(measured(records).pair("adherence")[0]) == 1


def test_no_records_are_no_figures():
    found = judge([])
    assert found["records"] == {"total": 0, "compared": 0, "failed": 0}
    assert found["adherence_auroc"] == {"value": None, "interval": None, "n": 0}


# Figures


def test_rmse_and_bias_by_hand():
    said, truth = np.array([0.5, 1.0]), np.array([0.2, 0.6])
    assert rmse(said, truth) == pytest.approx(np.sqrt((0.09 + 0.16) / 2))
    assert bias(said, truth) == pytest.approx(0.35)


def test_a_paired_difference_of_a_judge_with_itself_is_zero():
    said, truth = np.tile([0.5, 1.0, 0.3], 10), np.tile([0.2, 0.6, 0.0], 10)
    same = {"value": 0.0, "interval": (0, 0), "n": 30}
    assert paired_difference(rmse, said, said, truth) == same
    assert paired_difference(hallucination, said, said, (truth > 0.1).astype(float)) == same


def test_a_judge_on_three_records_says_that_they_are_too_few(records):
    assert judge(records)["classes"] == [1, 2]
    assert benchmark(records, [{}, {}, {}])["classes"] == [1, 2]


def test_bins_hold_the_mean_probability_and_the_true_share():
    bins = reliability(np.array([0.05, 0.05, 0.95, 1.0]), np.array([0.0, 1.0, 1.0, 1.0]))
    assert bins[0] == {"low": 0.0, "high": 0.1, "n": 2, "said": 0.05, "true": 0.5}
    assert bins[9]["n"] == 2
    assert bins[4]["said"] is None


def test_the_roc_goes_from_corner_to_corner_and_ties_move_together():
    assert roc(np.array([1.0, 0.0, 1.0]), np.array([0.9, 0.1, 0.1])) == [(0, 0, 2), (0, 0.5, 0.9), (1, 1, 0.1)]


# Sentences and records


def test_sentences_are_compared_with_their_probabilities(records):
    probabilities = Probabilities(relevant={"0a": 0.9, "0b": 0.2}, unsupported={"a": 0.3})
    records[0].labels = records[0].labels.model_copy(update={"probabilities": probabilities})
    said, true = sentence_columns(records, "relevant")
    assert (said.tolist(), true.tolist()) == ([0.9, 0.2], [1.0, 0.0])
    assert [v.tolist() for v in sentence_columns(records, "unsupported")] == [[0.3], [0.0]]


def test_the_worst_misses_name_their_records(records):
    assert worst(records, "adherence") == [{"id": "r3", "said": 0.0, "truth": 1.0, "error": -1.0}]


# Peers


def test_a_peer_is_measured_on_the_rows_that_have_its_values(records):
    columns = [
        {"trulens_groundedness": 0.9, "trulens_context_relevance": 0.5},
        {"trulens_groundedness": 0.2, "trulens_context_relevance": "0.5"},
        {"trulens_groundedness": 0.4, "trulens_context_relevance": None},
    ]
    peer = benchmark(records, columns)["peers"]["trulens"]
    assert (peer["n"], peer["dropped"]) == (2, 1)
    assert peer["adherence_auroc"] == 1.0
    assert peer["relevance_rmse"] == pytest.approx(np.sqrt(0.25 / 2))
    assert peer["utilization_rmse"] is None
    few = "too few (1 not adherent, 1 adherent)"
    assert peer["too_few"] == {"adherence_auroc": few, "relevance_rmse": "too few (2)"}
