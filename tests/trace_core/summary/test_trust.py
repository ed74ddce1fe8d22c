"""How far predictions agree with the truth, by hand-written fractions."""

import numpy as np
import pytest

from trace_core.errors import InputError
from trace_core.facts.labels import Labels, Support
from trace_core.facts.records import Document, Record, Response, Truth, with_sentences
from trace_core.summary.calibration import bias, hallucination, reliability, rmse, roc
from trace_core.summary.statistics import agreement, auroc
from trace_core.summary.trust import sentence_agreement, sentence_counts, trust_columns


def column(*values):
    return np.array(values, dtype=float)


def trust(predicted, truth):
    return trust_columns({"adherence": (column(*predicted), column(*truth))})


def test_bias_is_signed():
    assert trust((0.5, 0.5), (0.25, 0.75))["bias"]["adherence"]["value"] == 0
    assert trust((0.5, 0.5), (0.25, 0.5))["bias"]["adherence"]["value"] == 1 / 8


def test_adherence_is_a_detector_of_hallucination():
    hallucination = trust((0, 1, 0, 1, 1), (0, 0, 1, 1, 1))["hallucination"]
    assert hallucination["accuracy"] == 3 / 5
    assert hallucination["precision"] == 1 / 2
    assert hallucination["recall"] == 1 / 2
    assert hallucination["auroc"] == pytest.approx((1 / 2) * (2 / 3) + (1 / 2) * (2 / 3) / 2 + (1 / 2) * (1 / 3) / 2)
    assert hallucination["kappa"] == pytest.approx((3 / 5 - 13 / 25) / (1 - 13 / 25))


@pytest.mark.parametrize(
    ("score", "area"), [((0.1, 0.2, 0.8, 0.9), 1), ((0.9, 0.8, 0.2, 0.1), 0), ((0.5, 0.5, 0.5, 0.5), 1 / 2)]
)
def test_auroc_is_the_share_of_pairs_in_the_right_order_ties_counted_half(score, area):
    assert auroc(column(0, 0, 1, 1), column(*score)) == area


def test_nothing_to_compare_is_none_and_not_zero():
    assert agreement(column(), column()) == {"n": 0, "accuracy": None, "precision": None, "recall": None, "kappa": None}
    assert trust((), ())["bias"] == {}
    assert trust((), ())["hallucination"]["auroc"] is None


def test_without_an_interval_it_says_how_few_there_are():
    found = trust((0, 1, 1), (0, 1, 1))
    assert found["rmse_intervals"]["adherence"] is None
    assert found["too_few"]["adherence"] == "too few (3)"
    assert found["bias"]["adherence"] == {"value": 0.0, "interval": None, "too_few": "too few (3)"}
    hallucination = found["hallucination"]
    assert (hallucination["auroc"], hallucination["auroc_interval"], hallucination["classes"]) == (1, None, [1, 2])
    assert hallucination["too_few"] == "too few (1 not adherent, 2 adherent)"
    many = trust([0] * 10 + [1] * 10, [0] * 10 + [1] * 10)
    assert "too_few" not in many
    assert "too_few" not in many["bias"]["adherence"]
    assert "too_few" not in many["hallucination"]


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (np.ones(3), np.ones(2), "shapes"),
        (np.ones((3, 1)), np.ones((3, 1)), "shapes"),
        (np.ones(2), column(1, None), "NaN"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "measure",
    [auroc, agreement, rmse, bias, hallucination, reliability, roc, lambda *pair: trust_columns({"adherence": pair})],
)  # fmt: skip
def test_columns_of_wrong_shapes_and_unknown_labels_are_one_clear_error(measure, one, other, words):
    with pytest.raises(InputError, match=words):
        measure(one, other)


def labels(relevant, utilized, fully):
    support = [Support(response_sentence_key=k, fully_supported=v) for k, v in fully.items()]
    return Labels(
        all_relevant_sentence_keys=relevant, all_utilized_sentence_keys=utilized, sentence_support_information=support
    )


def sentences_of(record):
    return sentence_agreement(np.array([sentence_counts(with_sentences(record))], dtype=float))


def test_sentences_are_compared_where_both_sides_have_labels():
    record = Record(
        id="1",
        question="?",
        documents=[Document(id="d", rank=1, text="One is here. Two is here. Three is here. Four is here.")],
        response=Response(text="One is here. Two is here."),
        labels=labels(["0a", "0b"], ["0a"], {"a": True, "b": True}),
        ground_truth=Truth(labels=labels(["0a", "0c"], ["0a"], {"a": True, "b": False})),
    )
    found = sentences_of(record)
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
    assert sentences_of(record)["supported"]["n"] == 1


def test_without_labels_on_both_sides_there_is_no_sentence_comparison():
    assert sentences_of(Record(id="1", question="?")) is None
