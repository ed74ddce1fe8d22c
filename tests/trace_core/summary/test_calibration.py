"""How far predictions agree with the truth, by hand-written fractions."""

import numpy as np
import pytest
from metric_examples import column, labels

from trace_core.facts.labels import Expected
from trace_core.facts.records import Document, Failure, Record, Response, Truth
from trace_core.metrics import METRICS
from trace_core.summary.calibration import (
    TruthPairs,
    accuracy_of,
    bias,
    judge_labeler,
    rmse,
    sentence_agreement,
    sentence_counts,
    truth_pairs,
    worst,
)
from trace_core.summary.peers import benchmark
from trace_core.summary.statistics import auroc


def record(record_id, said, true, text="The part is red.", document="The part is red. The part is small."):
    texts = {"documents": [Document(id="0", rank=1, text=document)], "response": Response(text=text)}
    return Record(id=record_id, question="Which?", labels=said, ground_truth=Truth(labels=true), **texts)


@pytest.fixture
def records():
    """Two that agree with the truth, one that calls a supported response unsupported."""
    good, bad = labels("0a", "0a", "a+0a"), labels("0a 0b", "", "a-")
    return [record("r1", good, good), record("r2", bad, bad), record("r3", bad, good)]


# Columns


def test_scores_of_labels_stand_under_ragbenchs_convention(records):
    m = truth_pairs(records)
    assert m.predicted["context_relevance"].tolist() == [0.5, 1.0, 1.0]
    assert m.truth["context_relevance"].tolist() == [0.5, 1.0, 0.5]
    assert not m.estimate


def test_an_estimate_comes_before_the_score_of_the_labels(records):
    expected = Expected(context_relevance=0.25)
    records[0].labels = records[0].labels.model_copy(update={"expected": expected})
    m = truth_pairs(records)
    assert m.estimate
    assert m.predicted["context_relevance"][0] == 0.25
    assert m.predicted["adherence"][0] == 1.0


def test_what_failed_or_has_no_truth_is_left_out_and_not_zero(records):
    records[0].error = Failure(step="label", message="no")
    records[1].ground_truth = None
    assert len(truth_pairs(records).pair("adherence")[0]) == 1


def test_no_records_are_no_figures():
    found = judge_labeler([])
    assert found["records"] == {"total": 0, "compared": 0, "failed": 0}
    assert (found["adherence_auroc"]["value"], found["adherence_auroc"]["n"]) == (None, 0)


# Figures


def accuracy(predicted, truth):
    columns = [{**dict.fromkeys(METRICS, column()), "adherence": column(*values)} for values in (predicted, truth)]
    return accuracy_of(TruthPairs(*columns, estimate=False))


def test_adherence_is_a_detector_of_hallucination():
    found = accuracy((0, 1, 0, 1, 1), (0, 0, 1, 1, 1))
    agreement = found["hallucination"]
    assert (agreement["accuracy"], agreement["precision"], agreement["recall"]) == (3 / 5, 1 / 2, 1 / 2)
    assert agreement["kappa"] == pytest.approx((3 / 5 - 13 / 25) / (1 - 13 / 25))
    area = (1 / 2) * (2 / 3) + (1 / 2) * (2 / 3) / 2 + (1 / 2) * (1 / 3) / 2
    assert found["adherence_auroc"]["value"] == pytest.approx(area)


@pytest.mark.parametrize(
    ("score", "area"), [((0.1, 0.2, 0.8, 0.9), 1), ((0.9, 0.8, 0.2, 0.1), 0), ((0.5, 0.5, 0.5, 0.5), 1 / 2)]
)
def test_auroc_is_the_share_of_pairs_in_the_right_order_ties_counted_half(score, area):
    assert auroc(column(0, 0, 1, 1), column(*score)) == area


def test_without_an_interval_it_says_how_few_there_are():
    found = accuracy((0, 1, 1), (0, 1, 1))
    assert found["bias"]["adherence"] == {"value": 0.0, "interval": None, "n": 3, "too_few": "too few (3)"}
    few = "too few (1 not adherent, 2 adherent)"
    assert found["adherence_auroc"] == {"value": 1, "interval": None, "n": 3, "too_few": few}
    assert (found["bias"]["completeness"]["value"], found["classes"]) == (None, [1, 2])
    many = accuracy([0] * 10 + [1] * 10, [0] * 10 + [1] * 10)
    assert not any("too_few" in many[figure] for figure in ("adherence_auroc", "rmse"))


def test_rmse_and_bias_by_hand():
    said, truth = np.array([0.5, 1.0]), np.array([0.2, 0.6])
    assert rmse(said, truth) == pytest.approx(np.sqrt((0.09 + 0.16) / 2))
    assert bias(said, truth) == pytest.approx(0.35)


# Sentences and records


def both_labeled(text, said, true):
    """What the sentences of a record say that has these labels, and these as its ground truth."""
    made = record("1", said, true, text, "One is here. Two is here. Three is here. Four is here.")
    return sentence_agreement(np.array([sentence_counts(made)], dtype=float))


def test_sentences_are_compared_where_both_sides_have_labels():
    found = both_labeled("One is here. Two is here.", labels("0a 0b", "0a", "a+ b+"), labels("0a 0c", "0a", "a+ b-"))
    assert (found["relevant"]["n"], found["relevant"]["precision"], found["relevant"]["recall"]) == (4, 1 / 2, 1 / 2)
    assert (found["relevant"]["kappa"], found["utilized"]["kappa"]) == (0, 1)
    assert (found["supported"]["precision"], found["supported"]["recall"]) == (1 / 2, 1)


def test_a_sentence_that_one_side_leaves_unlabeled_is_not_compared():
    found = both_labeled("One is here. Two is here. Three.", labels("", "", "a+"), labels("", "", "a+ b- c+"))
    assert found["supported"]["n"] == 1
    assert sentence_agreement(np.array([sentence_counts(Record(id="1", question="?"))], dtype=float)) is None


def test_the_worst_misses_name_their_records(records):
    assert worst(records, "adherence") == [{"id": "r3", "predicted": 0.0, "truth": 1.0, "error": -1.0}]


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
