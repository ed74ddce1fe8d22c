"""The sources' worked examples. Where a source prints another number than its formula, the formula holds."""

import math

import numpy as np
import pytest
from metric_examples import WALKTHROUGH, labels, sized
from metric_examples import scored as given

from trace_core.facts.records import Sentences
from trace_core.metrics import METRICS, band, combine, score
from trace_core.metrics.truth import compare_run_to_truth, compare_to_truth


def combined(*four):
    """Average, RMSE and consistency of four metrics."""
    return [float(value[0]) for value in combine(np.array([[metric] for metric in four]))]


def four(scores):
    return [getattr(scores, name) for name in METRICS]


def thousandths(number):
    return pytest.approx(number, abs=0.0005)


# Seed 000: the visual guide


def test_000_first_example():
    scores = score(labels("0a 0b", "0a 0b", "a+ b+ c-"), sized(3, response=3), "trace")
    assert four(scores) == [2 / 20, 2 / 2, 2 / 2, 0]


def test_000_walkthrough_balance_is_0_333_and_not_0_437():
    scores = score(labels("0b 0c 1a 1b", "0b 0c 1a", "a+ b+ c-"), Sentences.split(*WALKTHROUGH), "trace")
    assert four(scores) == [4 / 20, 3 / 4, 3 / 4, 0]
    assert scores.average == pytest.approx((4 / 20 + 3 / 4 + 3 / 4) / 4)  # 0.425
    # average 17/40; deviations -9/40, 13/40, 13/40, -17/40
    assert scores.rmse_aggregation == pytest.approx(math.sqrt((81 + 169 + 169 + 289) / 1600 / 4))
    assert scores.rmse_aggregation == thousandths(0.333)
    assert scores.consistency_score == thousandths(0.667)
    assert scores.fully_supported_sentences == 2
    assert scores.unsupported_sentences == 1


# Seed 001: labeling

TWELVE = "0a 0b 0c 0d 0e 0f 1a 1b 1c 1d 1e 1f"


def test_001_twelve_of_thirty_sentences_are_0_60_and_not_0_40_except_under_ragbench():
    made, sentences = labels(TWELVE, ""), sized(15, 15)
    assert score(made, sentences, "trace").context_relevance == 12 / 20
    assert score(made, sentences, "ragbench").context_relevance == 12 / 30 == 0.40


def test_001_with_nothing_relevant_or_utilized_completeness_is_1():
    assert score(labels("", ""), sized(7), "trace").completeness == 1
    assert score(labels("", "0a"), sized(7), "trace").completeness == 0


def test_001_labeling_example():
    scores = score(labels("0a 0b 1a", "0a 1a 1b", "a+ b-1b"), sized(2, 2, response=2), "trace")
    assert four(scores) == [3 / 20, 3 / 3, 2 / 3, 0]


def test_001_complete_example():
    made = labels("0a 0b 1a 1b", "0a 0b 1a 1b", "a+0a b+1a c-1b")
    scores = score(made, sized(3, 2, 2, response=3), "trace")
    assert four(scores) == [4 / 20, 4 / 4, 4 / 4, 0]
    assert scores.average == pytest.approx(0.55)
    assert scores.partially_supported_sentences == 1


# Seed 003: balance


@pytest.mark.parametrize(
    ("four", "average", "rmse", "name"),
    [
        ((0.85, 0.82, 0.88, 0.84), 0.8475, math.sqrt(0.000469), "excellent"),  # example 1: not 0.000488
        ((0.95, 0.50, 0.85, 0.70), 0.75, 0.170, "good"),  # example 2: not 0.154, "concerning"
        ((0.87, 0.85, 0.85, 0.82), 0.8475, 0.018, "excellent"),  # the target: not 0.019
    ],
)
def test_003_balance_is_what_its_formula_gives(four, average, rmse, name):
    assert combined(*four)[:2] == [pytest.approx(average), thousandths(rmse)]
    assert combined(*four)[1] == pytest.approx(math.sqrt(sum((one - average) ** 2 for one in four) / 4))
    assert band(combined(*four)[1]).name == name


def test_003_one_record_against_truth_is_0_078_and_not_0_074():
    truth = dict.fromkeys(METRICS, 0.5)
    found = compare_to_truth(given(0.55, 0.58, 0.53, 0.62), truth)
    assert list(found["per_metric"].values()) == pytest.approx([0.05, 0.08, 0.03, 0.12])
    assert found["aggregated_rmse"] == pytest.approx(math.sqrt((25 + 64 + 9 + 144) / 4) / 100)
    assert found["aggregated_rmse"] == thousandths(0.078)


def test_003_batch_is_0_062_and_0_938_and_not_0_058_and_0_942():
    truth = dict.fromkeys(METRICS, 0.5)
    found = compare_run_to_truth([(given(0.545, 0.562, 0.538, 0.591), truth)])
    assert list(found["per_metric_rmse"].values()) == pytest.approx([0.045, 0.062, 0.038, 0.091])
    assert found["aggregated_rmse"] == pytest.approx(math.sqrt((45**2 + 62**2 + 38**2 + 91**2) / 4) / 1000)
    assert found["aggregated_rmse"] == thousandths(0.062)
    assert found["consistency_score"] == thousandths(0.938)


def test_003_eight_full_and_one_partial_sentence_are_0_889_or_0_and_not_0_84():
    made = labels(support="a+ b+ c+ d+ e+ f+ g+ h+ i-0a")
    graded = score(made, sized(3, response=9), "graded")
    assert (graded.fully_supported_sentences, graded.partially_supported_sentences) == (8, 1)
    assert graded.adherence == 8 / 9
    assert score(made, sized(3, response=9), "trace").adherence == 0


def test_003_random_metrics_have_0_237_and_not_0_27():
    metrics = np.random.default_rng(2407).random((4, 1_000_000))
    mean = float(combine(metrics)[1].mean())
    assert mean == thousandths(0.237)
    assert mean * math.sqrt(4 / 3) == thousandths(0.273)  # with n - 1


# Seed 004: the endpoint's request, under the convention that counts tokens


def test_004_uses_six_of_ten_tokens_and_not_0_86():
    contexts = Sentences.split(["Paris is the capital of France.", "Lyon is in France."], "Paris")
    found = score(labels("0a", "0a", "a+0a"), contexts, "token")
    assert found.context_utilization == 6 / 10
