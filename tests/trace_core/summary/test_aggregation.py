import json
import math

import metric_examples
import pytest
from metric_examples import labels

from trace_core.facts.records import Document, Failure, Record, Response, Truth
from trace_core.metrics import METRICS, Scoring, undefined
from trace_core.summary.aggregation import aggregate, count_columns
from trace_core.summary.columns import columns_of


def scored(*four, truth=None, **more):
    known = None if truth is None else Truth(scores=dict(zip(METRICS, truth, strict=True)))
    return Record(id="1", question="?", scores=metric_examples.scored(*four, **more), ground_truth=known)


def failed():
    return Record(id="1", question="?", scores=undefined("failed: no"), error=Failure(step="label", message="no"))


def counts(run):
    convention = next((r.scores.convention for r in run if r.scores), "trace")
    return count_columns(columns_of(run).score(convention, stored_scores=True))


def balanced(rmse):
    """Its four scores lie so far from their mean, ½, that this is its balance."""
    return scored(0.5 - rmse, 0.5 + rmse, 0.5 - rmse, 0.5 + rmse)


PENDING = Record(id="1", question="?")
FULL = scored(0.1, 0.5, 1, 0, derived=(0.4, math.sqrt(0.155), 1 - math.sqrt(0.155)))
EVEN = scored(0.3, 1, 0.5, 1, derived=(0.7, math.sqrt(0.095), 1 - math.sqrt(0.095)))
LACKING = scored(None, None, 0, 1, context_relevance="nothing retrieved", context_utilization="nothing retrieved")
RUN = [FULL, EVEN, LACKING, failed(), PENDING]


def test_records_are_counted_once_each():
    assert counts(RUN) == {"total": 5, "scored": 2, "undefined": 1, "failed": 1, "failed_generations": 0, "pending": 1}
    assert counts([]) == {"total": 0, "scored": 0, "undefined": 0, "failed": 0, "failed_generations": 0, "pending": 0}


@pytest.mark.parametrize(
    ("name", "mean", "median", "known"),
    [
        ("context_relevance", 4 / 20, 2 / 10, 2),
        ("context_utilization", 3 / 4, 3 / 4, 2),
        ("completeness", 1 / 2, 1 / 2, 3),
        ("adherence", 2 / 3, 1, 3),
    ],
)
def test_means_are_of_what_is_defined(name, mean, median, known):
    found = aggregate(RUN)["metrics"][name]
    assert (found["mean"], found["median"]) == pytest.approx((mean, median))
    assert found["scored"] == known


def test_what_is_not_defined_is_counted_beside_the_mean_with_its_reason():
    found = aggregate([FULL, EVEN, LACKING, failed()])["metrics"]["context_relevance"]
    assert (found["scored"], found["undefined"], found["failed"]) == (2, 1, 1)
    assert found["reasons"] == {"not labeled": 1}


def test_the_histogram_has_ten_bins_and_holds_both_ends():
    found = aggregate([scored(v, 0, 0, 0) for v in (0, 0.05, 0.1, 0.95, 1)])["metrics"]["context_relevance"]
    assert found["histogram"] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]


def test_balance_and_consistency_are_means():
    found = aggregate([balanced(0.1), balanced(0.3)])
    assert found["average"] == pytest.approx(1 / 2)
    assert found["rmse_aggregation"] == pytest.approx(2 / 10)
    assert found["consistency_score"] == pytest.approx(8 / 10)
    assert found["random_rmse_reference"] == 0.237


def test_bands_are_shares_of_the_records_with_a_balance():
    run = [balanced(rmse) for rmse in (0, 0.1, 0.15, 0.2, 0.3)] + [LACKING]
    assert aggregate(run)["bands"] == {"excellent": 1 / 5, "good": 2 / 5, "acceptable": 1 / 5, "poor": 1 / 5}


def test_a_balance_that_rounding_left_under_its_band_is_in_it():
    run = [balanced(0.3 - 1e-16), balanced(0.1 - 2e-17)]
    assert aggregate(run)["bands"] == {"excellent": 0, "good": 1 / 2, "acceptable": 0, "poor": 1 / 2}


def test_metrics_are_set_beside_each_other_in_pairs():
    run = [scored(0, 0, 1, 1), scored(0.5, 1, 0, 1)]
    found = {tuple(pair["metrics"]): (pair["covariance"], pair["correlation"]) for pair in aggregate(run)["together"]}
    assert len(found) == 6
    assert found["context_relevance", "context_utilization"] == pytest.approx((1 / 4, 1))
    assert found["context_relevance", "completeness"] == pytest.approx((-1 / 4, -1))
    assert found["context_relevance", "adherence"] == (0, None)


@pytest.mark.parametrize("run", [[], [PENDING], [failed()], [LACKING], RUN])
def test_the_summary_is_strict_json(run):
    json.dumps(aggregate(run), allow_nan=False)


def test_a_run_of_nothing_has_nothing():
    found = aggregate([PENDING])
    assert (found["average"], found["bands"], found["ground_truth"]) == (None, {}, None)
    adherence = found["metrics"]["adherence"]
    assert (adherence["mean"], adherence["undefined"], adherence["too_few"]) == (None, 0, "too few (0)")


# Ground truth


def test_the_batch_of_seed_003_against_its_truth():
    run = [scored(0.545, 0.562, 0.538, 0.591, convention="ragbench", truth=[0.5] * 4)]
    found = aggregate(run)["ground_truth"]
    assert list(found["per_metric_rmse"].values()) == pytest.approx([0.045, 0.062, 0.038, 0.091])
    # the seed says 0.058 and 0.942; its own formula gives these
    assert found["aggregated_rmse"] == pytest.approx(math.sqrt((45**2 + 62**2 + 38**2 + 91**2) / 4) / 1000)
    assert found["aggregated_rmse"] == pytest.approx(0.062, abs=0.0005)
    assert found["consistency_score"] == pytest.approx(0.938, abs=0.0005)
    assert found["num_evaluations"] == 1


def test_true_labels_are_scored_as_the_run_was():
    texts = {"documents": [Document(id="0", rank=1, text="One. Two.")], "response": Response(text="One.")}
    truth = Truth(labels=labels("0a", "0a", "a+0a"))
    record = Record(id="1", question="?", scores=scored(1 / 4, 1, 1, 1).scores, ground_truth=truth, **texts)
    assert aggregate([record], Scoring("trace", 4))["ground_truth"]["aggregated_rmse"] == 0
    by_twenty = aggregate([record])["ground_truth"]["per_metric_rmse"]["context_relevance"]
    assert by_twenty == pytest.approx(1 / 4 - 1 / 20)
