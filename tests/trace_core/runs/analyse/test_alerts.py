import numpy as np
import pytest
from stored_examples import LIKE, timed

from bench.simulations import caught, false_alerts
from trace_core.metrics import LABELS, METRICS
from trace_core.runs.analyse.alerts import alerts
from trace_core.runs.analyse.trends import Condition, RunPoint
from trace_core.summary.charts import Estimate

SEED_003 = [0.08, 0.09, 0.12, 0.15, 0.20]
N = 40


def levels(metric, *means, spread=0.2, **more):
    """Runs of 40 records: the metric has these means, its values stand `spread` to both sides; the others are 1."""
    around = np.tile([-spread, spread], N // 2)
    columns = [{name: np.ones(N) for name in METRICS} | {metric: mean + around} for mean in means]
    return timed(*(column.values() for column in columns), **more)


def fired(found):
    return [(alert.rule.quantity, alert.at) for alert in alerts(found)]


def test_a_fall_of_completeness_from_09_to_02_alerts_at_once():
    (alert,) = [a for a in alerts(levels("completeness", 0.9, 0.2, spread=0.1)) if a.rule.quantity == "completeness"]
    assert alert.at == 1
    assert alert.reason == "down from 0.90, the run before, to 0.20: more than chance explains"


def test_a_small_fall_that_stays_is_found_in_the_newest_two_together():
    rng = np.random.default_rng(1)
    runs = [(rng.random((4, 100)) < share).astype(float) for share in (0.9, 0.9, 0.9, 0.9, 0.77, 0.77)]
    assert any("the newest 2" in alert.reason and alert.at == 5 for alert in alerts(timed(*runs)))


def test_too_few_records_do_not_alert():
    assert fired(timed(*([np.full(7, value)] * 4 for value in (1.0, 0.0)))) == []


def test_runs_over_other_records_are_compared_as_a_whole():
    one, other = levels("adherence", 0.9, spread=0.1), levels("adherence", 0.3, spread=0.1)
    other[0].ids[:] = [f"other {i}" for i in range(N)]
    assert ("adherence", 1) in fired(one + other)


@pytest.mark.parametrize(
    "other",
    [Condition("others", "local", "graded"), Condition("rows", "gpt", "graded"), Condition("rows", "local", "token")],
)
def test_other_data_labeler_or_convention_is_not_compared(other):
    assert fired(levels("adherence", 0.9) + levels("adherence", 0.2, condition=other)) == []


def test_a_count_divided_by_20_has_no_alert_of_its_own():
    counted, shares = Condition("rows", "local", "trace"), Condition("rows", "local", "graded")
    assert ("context_relevance", 1) not in fired(levels("context_relevance", 0.9, 0.2, spread=0.1, condition=counted))
    assert ("context_relevance", 1) in fired(levels("context_relevance", 0.9, 0.2, spread=0.1, condition=shares))


def of_means(quantity, *means):
    """Runs without records."""
    unknown = dict.fromkeys(LABELS, Estimate(None))
    return [
        RunPoint(str(n), "", "", LIKE, unknown | {quantity: Estimate(mean)}, np.array([]), {})
        for n, mean in enumerate(means)
    ]


def balance(*values):
    return [at for _, at in fired(of_means("rmse_aggregation", *values))]


def test_the_series_of_seed_003_alerts():
    found = alerts(of_means("rmse_aggregation", *SEED_003))
    assert [(a.rule.quantity, a.at) for a in found] == [("rmse_aggregation", 3), ("rmse_aggregation", 4)]
    assert found[-1].reason == "up 4 runs in a row (0.08 → 0.09 → 0.12 → 0.15 → 0.20)"


def test_steps_in_a_row_begin_anew_after_another_and_skip_unknown_values():
    assert balance(0.01, 0.02, 0.03, 0.02, 0.03, 0.04, 0.05) == [6]
    assert balance(0.08, None, 0.09, 0.12, None, 0.15) == [5]


def test_a_large_fall_alerts_and_a_rise_does_not():
    assert fired(of_means("completeness", 0.9, 0.2)) == [("completeness", 1)]
    assert fired(of_means("completeness", 0.2, 0.9)) == []


def test_equal_runs_seldom_alert():
    assert false_alerts(20, repeats=25) <= 0.2  # at most 0.1 is promised: above 5 of 25 in 1 of 30 by chance


def test_a_fall_of_a_tenth_is_caught_within_two_runs():
    assert caught("completeness", repeats=25) >= 0.7
