"""How far predictions agree with the truth, by hand-written fractions."""

import numpy as np
import pytest

from trace_core.facts.labels import Labels, Support
from trace_core.facts.records import Document, Record, Response, Truth, with_sentences
from trace_core.metrics import undefined
from trace_core.summary.statistics import agreement, auroc
from trace_core.summary.trust import trust

FOUR = ("context_relevance", "context_utilization", "completeness", "adherence")


def pair(predicted, truth):
    scores = undefined("not labeled").model_copy(update=dict(zip(FOUR, predicted, strict=True)))
    return scores, dict(zip(FOUR, truth, strict=True))


def column(*values):
    return np.array(values, dtype=float)


def test_bias_is_signed():
    found = trust([pair((0.5, 1, 1, 1), (0.25, 1, 1, 1)), pair((0.5, 1, 1, 1), (0.75, 1, 1, 1))], [])
    assert found["bias"]["context_relevance"]["value"] == 0
    found = trust([pair((0.5, 1, 1, 1), (0.25, 1, 1, 1)), pair((0.5, 1, 1, 1), (0.5, 1, 1, 1))], [])
    assert found["bias"]["context_relevance"]["value"] == 1 / 8


def test_a_pair_with_an_undefined_side_is_left_out():
    found = trust([pair((None, 1, 1, 1), (0.25, 1, 1, 1)), pair((0.5, 1, 1, 1), (None, 1, 1, 1))], [])
    assert "context_relevance" not in found["bias"]


def test_adherence_is_a_detector_of_hallucination():
    truth = (0, 0, 1, 1, 1)
    predicted = (0, 1, 0, 1, 1)
    found = trust([pair((1, 1, 1, p), (1, 1, 1, t)) for p, t in zip(predicted, truth, strict=True)], [])
    hallucination = found["hallucination"]
    assert hallucination["accuracy"] == 3 / 5
    assert hallucination["precision"] == 1 / 2
    assert hallucination["recall"] == 1 / 2
    assert hallucination["auroc"] == pytest.approx((1 / 2) * (2 / 3) + (1 / 2) * (2 / 3) / 2 + (1 / 2) * (1 / 3) / 2)
    assert hallucination["kappa"] == pytest.approx((3 / 5 - 13 / 25) / (1 - 13 / 25))


def test_auroc_is_none_with_one_class():
    assert auroc(column(1, 1), column(0.2, 0.9)) is None


@pytest.mark.parametrize(
    ("score", "area"), [((0.1, 0.2, 0.8, 0.9), 1), ((0.9, 0.8, 0.2, 0.1), 0), ((0.5, 0.5, 0.5, 0.5), 1 / 2)]
)
def test_auroc_is_the_share_of_pairs_in_the_right_order_ties_counted_half(score, area):
    assert auroc(column(0, 0, 1, 1), column(*score)) == area


def test_kappa_is_none_where_chance_alone_agrees():
    assert agreement(column(1, 1), column(1, 1))["kappa"] is None
    assert agreement(column(1, 0), column(1, 0))["kappa"] == 1


def test_nothing_to_compare_is_none_and_not_zero():
    assert agreement(column(), column()) == {"n": 0, "accuracy": None, "precision": None, "recall": None, "kappa": None}
    assert trust([], [])["bias"] == {}
    assert trust([], [])["hallucination"]["auroc"] is None


def test_the_auroc_says_how_many_of_each_class_it_stands_on():
    found = trust([pair((1, 1, 1, t), (1, 1, 1, t)) for t in (0, 1, 1)], [])["hallucination"]
    assert (found["auroc"], found["auroc_interval"], found["classes"]) == (1, None, [1, 2])
    assert found["too_few"] == "too few (1 not adherent, 2 adherent)"


def test_without_an_interval_it_says_how_few_there_are():
    found = trust([pair((1, 1, 1, t), (1, 1, 1, t)) for t in (0, 1, 1)], [])
    assert found["rmse_intervals"]["adherence"] is None
    assert found["too_few"]["adherence"] == "too few (3)"
    assert found["bias"]["adherence"] == {"value": 0.0, "interval": None, "too_few": "too few (3)"}
    many = trust([pair((1, 1, 1, t), (1, 1, 1, t)) for t in [0] * 10 + [1] * 10], [])
    assert "too_few" not in many
    assert "too_few" not in many["bias"]["adherence"]
    assert "too_few" not in many["hallucination"]


def labels(relevant, utilized, fully):
    support = [Support(response_sentence_key=k, fully_supported=v) for k, v in fully.items()]
    return Labels(
        all_relevant_sentence_keys=relevant, all_utilized_sentence_keys=utilized, sentence_support_information=support
    )


def test_sentences_are_compared_where_both_sides_have_labels():
    record = Record(
        id="1",
        question="?",
        documents=[Document(id="d", rank=1, text="One is here. Two is here. Three is here. Four is here.")],
        response=Response(text="One is here. Two is here."),
        labels=labels(["0a", "0b"], ["0a"], {"a": True, "b": True}),
        ground_truth=Truth(labels=labels(["0a", "0c"], ["0a"], {"a": True, "b": False})),
    )
    found = trust([], [with_sentences(record)])["sentences"]
    assert (found["relevant"]["n"], found["relevant"]["precision"], found["relevant"]["recall"]) == (4, 1 / 2, 1 / 2)
    assert found["relevant"]["kappa"] == 0
    assert found["utilized"]["kappa"] == 1
    assert (found["supported"]["precision"], found["supported"]["recall"]) == (1 / 2, 1)


def test_a_sentence_that_one_side_leaves_unlabeled_is_not_compared():
    record = Record(
        id="1",
        question="?",
        response=Response(text="One is here. Two is here. Three is here."),
        labels=labels([], [], {"a": True, "b": None}),
        ground_truth=Truth(labels=labels([], [], {"a": True, "b": False, "c": True})),
    )
    assert trust([], [with_sentences(record)])["sentences"]["supported"]["n"] == 1


def test_without_labels_on_both_sides_there_is_no_sentence_comparison():
    assert trust([], [Record(id="1", question="?")])["sentences"] is None
