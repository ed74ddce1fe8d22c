import pytest
from stored_examples import run, stored

from trace_core.errors import SettingsError
from trace_core.metrics import METRICS
from trace_core.runs.analyse.trends import (
    ALERT_RULES,
    QUANTITIES,
    Level,
    Target,
    alert_rules,
    alerts,
    diagnosis,
    plan,
    points,
    series,
    targets,
)

SEED_003 = [0.08, 0.09, 0.12, 0.15, 0.20]
USE_CASE_3 = dict(zip(METRICS, (0.95, 0.50, 0.85, 0.70), strict=True))
ITS_TARGET = dict(zip(METRICS, (0.87, 0.85, 0.85, 0.82), strict=True))


def balance(*values, **overrides):
    """Where the rule on balance fires."""
    given = {"balance_trend": overrides} if overrides else None
    return [alert.at for alert in alerts({"rmse_aggregation": values}, given)]


# Points


def test_runs_are_ordered_by_time():
    late = run(stored("1"), created_at="2026-02-01T00:00:00+00:00", name="late")
    early = run(stored("1"), created_at="2026-01-01T00:00:00+00:00", name="early")
    assert [point.name for point in points([late, early])] == ["early", "late"]


def test_a_level_is_the_mean_over_the_records_that_have_it():
    (point,) = points([run(stored("1", (1, 1, 1, 1)), stored("2", (0, 1, None, 1)), stored("3", (1, 1, None, 1)))])
    assert point.levels["context_relevance"].mean == pytest.approx(2 / 3)
    assert point.levels["completeness"] == Level(1, None, 1, 3)
    low, high = point.levels["context_relevance"].interval
    assert 0 <= low < 2 / 3 < high <= 1


def test_a_run_without_a_score_has_no_level():
    (point,) = points([run(stored("1") | {"scores": None})])
    assert point.levels["adherence"] == Level(None, None, 0, 1)


def test_a_series_is_what_alerts_take():
    found = series(points([run(stored("1", (1, 1, 1, 0)))]))
    assert list(found) == list(QUANTITIES)
    assert found["rmse_aggregation"] == [pytest.approx(3**0.5 / 4)]


# Alerts


def test_the_series_of_seed_003_alerts():
    found = alerts({"rmse_aggregation": SEED_003})
    assert [(a.rule.name, a.at) for a in found] == [("balance_trend", 3), ("balance_trend", 4)]
    assert found[-1].reason == "up 4 runs in a row (0.08 → 0.09 → 0.12 → 0.15 → 0.20)"


def test_two_rises_are_not_three():
    assert balance(0.08, 0.09, 0.12) == []
    assert balance(0.08, 0.09, 0.12, 0.12, 0.13) == []


def test_above_the_limit_and_not_at_it():
    assert balance(0.20) == []
    assert balance(0.21) == [0]


def test_a_fall_begins_the_count_anew():
    assert balance(0.01, 0.02, 0.03, 0.02, 0.03, 0.04) == []
    assert balance(0.01, 0.02, 0.03, 0.02, 0.03, 0.04, 0.05) == [6]


def test_a_run_that_lacks_the_value_is_passed_over():
    assert balance(0.08, None, 0.09, 0.12, None, 0.15) == [5]


def test_a_metric_that_falls_three_times_alerts_by_its_name():
    found = alerts({"adherence": [0.9, 0.8, 0.7, 0.6]})
    assert [(a.rule.name, a.at, a.rule.worse) for a in found] == [("adherence_trend", 3, "down")]
    assert alerts({"adherence": [0.6, 0.7, 0.8, 0.9]}) == []


def test_every_threshold_can_be_edited_or_switched_off():
    assert balance(0.15, limit=0.1) == [0]
    assert balance(0.01, 0.02, in_a_row=1) == [1]
    assert balance(*SEED_003, in_a_row=None) == []
    assert balance(0.9, limit=None) == []


@pytest.mark.parametrize(
    "overrides",
    [{"none": {}}, {"balance_trend": {"above": 1}}, {"balance_trend": {"in_a_row": 0}}],
)
def test_an_override_without_meaning_is_refused(overrides):
    with pytest.raises(SettingsError):
        alert_rules(overrides)


def test_there_is_a_rule_for_balance_and_each_metric():
    assert {rule.quantity for rule in ALERT_RULES} == {"rmse_aggregation", *METRICS}


# Targets


def test_the_default_targets_are_those_of_the_sources_but_relevance_has_none():
    assert targets() == {
        "context_utilization": Target(0.6), "completeness": Target(0.8), "adherence": Target(1.0)
    }  # fmt: skip
    assert targets({"context_relevance": 0.7})["context_relevance"] == Target(0.7)
    assert "adherence" not in targets({"adherence": None})


def test_a_target_may_be_a_value_that_is_missed_from_either_side():
    exact = {"context_relevance": Target(0.87, exact=True)}
    (gap,) = [g for g in plan({"context_relevance": 0.95}, exact).gaps if g.metric == "context_relevance"]
    assert gap.missing == pytest.approx(0.08)
    assert plan({"context_relevance": 0.95}, {"context_relevance": 0.87}).gaps[0].met


def test_use_case_3_of_seed_003():
    found = plan(USE_CASE_3, ITS_TARGET)
    assert found.balance == pytest.approx(0.16956, abs=1e-5)  # the seed says 0.154
    assert found.focus == "context_utilization"
    gaps = {gap.metric: gap.missing for gap in found.gaps}
    assert gaps == pytest.approx(dict(zip(METRICS, (0, 0.35, 0, 0.12), strict=True)))
    # relevance stays at 0.95, where it is already
    assert found.balance_at_target == pytest.approx(0.04918, abs=1e-5)


def test_the_target_of_use_case_3_itself():
    assert plan(ITS_TARGET, ITS_TARGET).balance == pytest.approx(0.01785, abs=1e-5)  # the seed says 0.019


def test_targets_that_are_met_leave_nothing_to_do():
    found = plan(dict.fromkeys(METRICS, 1.0))
    assert all(gap.met for gap in found.gaps)
    assert found.focus is None


def test_an_undefined_value_is_neither_met_nor_missed():
    found = plan({"adherence": 0.5})
    assert [gap.met for gap in found.gaps] == [None, None, False]
    assert found.balance is None


@pytest.mark.parametrize("overrides", [{"quality": 0.5}, {"adherence": 1.5}])
def test_a_target_without_meaning_is_refused(overrides):
    with pytest.raises(SettingsError):
        targets(overrides)


# Diagnosis and choice


def four(*values):
    return dict(zip(METRICS, values, strict=True))


def test_use_case_4_of_seed_003():
    def names(values):
        return {f.name for f in diagnosis(values, "graded")}

    assert names(four(0.9, 0.45, 0.8, 1)) == {"good_retrieval_poor_generation"}
    assert names(four(0.6, 0.6, 0.5, 1)) == {"conservative", "low_completeness"}
    assert names(four(0.2, 0.8, 0.8, 1)) == {"hallucination_risk", "low_context_relevance"}
    assert names(four(0.8, 0.8, 0.8, 1)) == {"healthy"}
