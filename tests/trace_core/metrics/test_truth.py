import math

import pytest
from metric_examples import labels, sized
from metric_examples import scored as predicted

from trace_core.errors import InputError
from trace_core.facts.records import Scores, Truth
from trace_core.metrics import METRICS, Scoring
from trace_core.metrics.truth import compare_run_to_truth, compare_to_truth, truth_scores

NAMES = list(METRICS)


def true(*four):
    return dict(zip(NAMES, four, strict=True))


def test_truth_is_recomputed_from_its_labels_under_the_convention_asked_for():
    truth = Truth(labels=labels("0a 0b", "0a", "a+ b-0a"), scores=true(0, 0, 0, 0))
    sentences = sized(5, response=2)
    assert list(truth_scores(truth, sentences, "trace").values()) == [2 / 20, 1 / 2, 1 / 2, 0]
    assert list(truth_scores(truth, sentences, "ragbench").values()) == [2 / 5, 1 / 5, 1 / 2, 1]
    assert list(truth_scores(truth, sentences, "graded").values()) == [2 / 5, 1 / 5, 1 / 2, 1 / 2]


def test_truth_follows_the_divisor():
    truth = Truth(labels=labels("0a 0b"))
    assert truth_scores(truth, sized(5), Scoring("trace", 4))["context_relevance"] == 2 / 4


def test_truth_that_is_only_scores_is_used_as_it_is_under_its_convention_alone():
    truth = Truth(scores=true(0.1, 0.2, 0.3, 1), convention="ragbench")
    assert truth_scores(truth, sized(5), "ragbench") == true(0.1, 0.2, 0.3, 1)
    with pytest.raises(InputError, match="'ragbench', not 'trace'"):
        truth_scores(truth, sized(5), "trace")


def test_a_true_score_that_is_missing_is_undefined():
    truth = Truth(scores={"completeness": 0.5})
    assert truth_scores(truth, sized(5), "ragbench") == true(None, None, 0.5, None)


def test_one_record_gives_the_root_of_the_mean_of_the_squares():
    found = compare_to_truth(predicted(0.5, 0.25, 1, 0), true(0.25, 0.5, 1, 1))
    assert found["per_metric"] == true(1 / 4, 1 / 4, 0, 1)
    assert found["aggregated_rmse"] == pytest.approx(math.sqrt((1 / 16 + 1 / 16 + 0 + 1) / 4))


@pytest.mark.parametrize(
    ("p", "t"),
    [(predicted(None, 0.5, 0.5, 1), true(0.5, 0.5, 0.5, 1)), (predicted(0.5, 0.5, 0.5, 1), true(None, 0.5, 0.5, 1))],
)
def test_one_record_with_a_metric_undefined_on_either_side_has_no_aggregate(p, t):
    assert compare_to_truth(p, t) == {"per_metric": true(None, 0, 0, 0), "aggregated_rmse": None}


RUN = [(predicted(0.5, 0.5, 1, 1), true(0.25, 0.5, 0.5, 0)), (predicted(0.5, 0.5, 1, 1), true(0.25, 1, 1, 1))]


def test_a_run_gives_the_root_mean_square_error_of_each_metric():
    errors = true(1 / 4, math.sqrt(1 / 8), math.sqrt(1 / 8), math.sqrt(1 / 2))
    assert compare_run_to_truth(RUN)["per_metric_rmse"] == pytest.approx(errors)


def test_a_run_aggregates_the_squares_of_the_metrics():
    found = compare_run_to_truth(RUN)
    assert found["aggregated_rmse"] == pytest.approx(math.sqrt((1 / 16 + 1 / 8 + 1 / 8 + 1 / 2) / 4))
    assert found["consistency_score"] == pytest.approx(1 - math.sqrt((1 / 16 + 1 / 8 + 1 / 8 + 1 / 2) / 4))
    assert found["num_evaluations"] == 2
    assert found["evaluated_metrics"] == NAMES


def test_a_run_leaves_out_undefined_pairs_and_counts_them_by_reason():
    pairs = [
        (predicted(None, 0.5, 1, 1, context_relevance="nothing retrieved"), true(0, 0.5, 1, 1)),
        (predicted(0.5, 0.5, 1, 1), true(None, 0.5, 1, 1)),
        (predicted(0.5, 0.5, 1, 1), true(0.25, 0.5, 1, 1)),
    ]
    found = compare_run_to_truth(pairs)
    assert found["per_metric_rmse"]["context_relevance"] == 1 / 4
    assert found["left_out"] == {"context_relevance": {"nothing retrieved": 1, "no ground truth": 1}}
    assert found["num_evaluations"] == 3


def test_a_run_aggregates_only_the_metrics_that_could_be_evaluated():
    found = compare_run_to_truth([(predicted(0.5, None, None, None), true(0.25, 1, 1, 1))])
    assert found["evaluated_metrics"] == ["context_relevance"]
    assert found["aggregated_rmse"] == 1 / 4


@pytest.mark.parametrize("pairs", [[], [(predicted(None, None, None, None), true(1, 1, 1, 1))]])
def test_a_run_without_any_pair_has_no_aggregate(pairs):
    found = compare_run_to_truth(pairs)
    assert [found[name] for name in ("per_metric_rmse", "aggregated_rmse", "consistency_score")] == [{}, None, None]


# What is no comparison


@pytest.mark.parametrize("value", [math.nan, 1.5, -0.1, "high", [1]])
def test_a_value_that_is_no_number_from_0_to_1_is_refused(value):
    given = {"context_relevance": value}
    with pytest.raises(InputError, match="not a number from 0 to 1"):
        compare_to_truth(given, {"context_relevance": 0.5})
    with pytest.raises(InputError, match="not a number from 0 to 1"):
        compare_run_to_truth([{"metrics": {"context_relevance": 0.5}, "ground_truth_scores": given}])


@pytest.mark.parametrize("of", [lambda scores: scores, Scores.model_dump])
def test_two_conventions_are_refused_in_scores_and_in_objects_that_name_them(of):
    halves = [0.5] * 4
    one, other = of(predicted(*halves, convention="trace")), predicted(*halves, convention="graded").model_dump()
    with pytest.raises(InputError, match="under 'trace', the ground truth under 'graded'"):
        compare_to_truth(one, other)
    with pytest.raises(InputError, match="under 'graded', the ground truth under 'trace'"):
        compare_run_to_truth([{"metrics": other, "ground_truth_scores": one}])
    assert compare_to_truth(one, dict.fromkeys(NAMES, 0.5))["aggregated_rmse"] == 0  # it names none
