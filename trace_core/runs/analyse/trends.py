"""Runs over time: where the metrics go, when to worry, and how far the targets are.

Alert rules are data, like those of findings: the defaults stand here, settings hold changes only.
Source: seed 003's use cases 1 (monitoring), 3 (targets) and 4 (diagnosis).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.diagnose import find
from trace_core.errors import SettingsError
from trace_core.facts.records import Finding, Record, Scores
from trace_core.metrics import DERIVED, METRICS, combine
from trace_core.runs.analyse.compare import Run
from trace_core.statistics import bootstrap_mean

QUANTITIES = (*METRICS, *DERIVED)
"""What is followed over time: the four metrics, average, balance (RMSE) and consistency."""


@dataclass(frozen=True, slots=True)
class Level:
    """One quantity in one run: its mean over the records that have it, and the 95 % interval of that.

    `mean` is `None` without such a record, `interval` with fewer than two.
    """

    mean: float | None
    interval: tuple[float, float] | None
    scored: int
    total: int


@dataclass(frozen=True, slots=True)
class Point:
    """One run in time."""

    id: str
    name: str
    created_at: str
    convention: str
    levels: Mapping[str, Level]


def points(runs: Sequence[Run]) -> list[Point]:
    """Run files → one point a run, oldest first; every quantity of `QUANTITIES`."""
    return sorted(map(_point, runs), key=lambda point: point.created_at)


def _point(run: Run) -> Point:
    head, records = run["run"], run["records"]
    rows = [[(record.get("scores") or {}).get(name) for name in QUANTITIES] for record in records]
    values = np.array(rows, dtype=np.float64).reshape(-1, len(QUANTITIES))  # None becomes NaN
    return point(
        str(head["id"]), str(head["name"]), str(head["created_at"]), str(head["config"].get("convention", "")),
        {name: values[:, i] for i, name in enumerate(QUANTITIES)},
    )  # fmt: skip


def point(run_id: str, name: str, created_at: str, convention: str, values: Mapping[str, NDArray[np.float64]]) -> Point:
    """A run in time from its columns: each of `QUANTITIES` → one value a record, NaN where undefined."""
    return Point(run_id, name, created_at, convention, {q: _level(values[q]) for q in QUANTITIES})


def _level(values: NDArray[np.float64]) -> Level:
    known = values[~np.isnan(values)]
    mean = float(known.mean()) if len(known) else None
    return Level(mean, bootstrap_mean(known), len(known), len(values))


def series(found: Sequence[Point]) -> dict[str, list[float | None]]:
    """Quantity → its means in time, as `alerts` takes them."""
    return {name: [point.levels[name].mean for point in found] for name in QUANTITIES}


@dataclass(frozen=True, slots=True)
class AlertRule:
    """When a quantity gives cause to worry.

    It fires past `limit` (above it where `worse` is up, below it where it is down; the limit itself is
    still fine), or after `in_a_row` steps in the worse direction. `None` switches either off.
    """

    name: str
    quantity: str
    worse: str
    limit: float | None
    in_a_row: int | None
    meaning: str
    fix: str


ALERT_RULES: tuple[AlertRule, ...] = (
    AlertRule(
        "balance_trend", "rmse_aggregation", "up", 0.20, 3,
        "The four metrics drift apart.",
        "Look which metric moved away from the others, and what changed in the pipeline since.",
    ),
    *(
        AlertRule(
            f"{metric.name}_trend", metric.name, "down", None, 3,
            f"{metric.label} falls run after run.",
            f"Compare the newest run with the one before the fall; {metric.fixes[0]}.",
        )
        for metric in METRICS.values()
    ),
)  # fmt: skip

AlertThresholds = Mapping[str, Mapping[str, float | None]]
"""Rule name → `limit` or `in_a_row` → value, `None` to switch it off."""


def alert_rules(changes: AlertThresholds | None = None) -> list[AlertRule]:
    """The rules with changes in place. Raises `SettingsError` for a name or a value that has no meaning."""
    unknown = set(changes or {}) - {rule.name for rule in ALERT_RULES}
    if unknown:
        raise SettingsError(
            f"There is no alert rule {sorted(unknown)[0]!r}.", f"Use one of: {', '.join(r.name for r in ALERT_RULES)}."
        )
    return [_changed(rule, (changes or {}).get(rule.name, {})) for rule in ALERT_RULES]


def _changed(rule: AlertRule, given: Mapping[str, float | None]) -> AlertRule:
    if wrong := set(given) - {"limit", "in_a_row"}:
        raise SettingsError(f"Alert rule {rule.name} has no {sorted(wrong)[0]!r}.", "It has limit and in_a_row.")
    row = given.get("in_a_row", rule.in_a_row)
    if row is not None and (row < 1 or row != int(row)):
        raise SettingsError(f"Alert rule {rule.name}: in_a_row is {row}.", "Use a whole number from 1.")
    return replace(rule, limit=given.get("limit", rule.limit), in_a_row=None if row is None else int(row))


@dataclass(frozen=True, slots=True)
class Alert:
    """A rule that fired: at which run (its place in the series), with what value, and why in words."""

    rule: AlertRule
    at: int
    value: float
    reason: str


def alerts(values: Mapping[str, Sequence[float | None]], changes: AlertThresholds | None = None) -> list[Alert]:
    """Every alert over the series, oldest first. A run that lacks the quantity is passed over."""
    found = [alert for rule in alert_rules(changes) for alert in _of_rule(rule, values.get(rule.quantity, []))]
    return sorted(found, key=lambda alert: alert.at)


def _of_rule(rule: AlertRule, values: Sequence[float | None]) -> list[Alert]:
    sign = 1 if rule.worse == "up" else -1
    known = [(at, value) for at, value in enumerate(values) if value is not None]
    found, steps = [], 0
    for n, (at, value) in enumerate(known):
        steps = steps + 1 if n and sign * (value - known[n - 1][1]) > 1e-9 else 0
        reasons = []
        if rule.limit is not None and sign * (value - rule.limit) > 1e-9:
            reasons.append(f"{value:.2f} is {'above' if sign > 0 else 'below'} {rule.limit:.2f}")
        if rule.in_a_row is not None and steps >= rule.in_a_row:
            path = " → ".join(f"{v:.2f}" for _, v in known[n - steps : n + 1])
            reasons.append(f"{rule.worse} {steps} runs in a row ({path})")
        if reasons:
            found.append(Alert(rule, at, value, ", and ".join(reasons)))
    return found


@dataclass(frozen=True, slots=True)
class Target:
    """Where a metric should be: a floor, or with `exact` a value that is to be met from either side."""

    value: float
    exact: bool = False


Targets = Mapping[str, float | Target | None]
"""Metric → target; a number is a floor, `None` sets none."""


@dataclass(frozen=True, slots=True)
class Gap:
    """How far a metric is from its target: `missing` is 0 where it is met."""

    metric: str
    value: float | None
    target: float
    missing: float | None
    exact: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the target is reached; `None` where the value is undefined."""
        return None if self.missing is None else self.missing == 0


def targets(changes: Targets | None = None) -> dict[str, Target]:
    """The target of each metric that has one, in [0, 1], with changes in place. Raises `SettingsError`."""
    given = {name: Target(t) if isinstance(t, int | float) else t for name, t in (changes or {}).items()}
    for name, goal in given.items():
        if name not in METRICS or (goal is not None and not 0 <= goal.value <= 1):
            shown = None if goal is None else goal.value
            raise SettingsError(
                f"The target {name} = {shown} has no meaning.", f"Use one of {', '.join(METRICS)}, from 0 to 1."
            )
    own = {name: Target(metric.target) for name, metric in METRICS.items() if metric.target is not None}
    both = own | given
    return {name: goal for name in METRICS if (goal := both.get(name)) is not None}


@dataclass(frozen=True, slots=True)
class Plan:
    """From here to the targets. `balance` is the RMSE now, `balance_at_target` with every target just met.

    Metrics that are past their target stay where they are. `focus` is the metric with most to gain.
    """

    gaps: list[Gap]
    balance: float | None
    balance_at_target: float | None
    focus: str | None


def plan(values: Mapping[str, float | None], changes: Targets | None = None) -> Plan:
    """The distance of four values to their targets (seed 003, use case 3)."""
    goals = targets(changes)
    gaps = [_gap(name, values.get(name), goal) for name, goal in goals.items()]
    missing = {gap.metric: gap.missing for gap in gaps if gap.missing}
    reached = dict(values) | {gap.metric: _at_target(gap) for gap in gaps}
    return Plan(
        gaps=gaps,
        balance=_balance(values),
        balance_at_target=_balance(reached),
        focus=max(missing, key=lambda name: missing[name] or 0.0, default=None),
    )


def _gap(name: str, value: float | None, goal: Target) -> Gap:
    if value is None:
        return Gap(name, None, goal.value, None, goal.exact)
    left = goal.value - value
    missing = abs(left) if goal.exact else left
    return Gap(name, value, goal.value, missing if missing > 1e-9 else 0.0, goal.exact)


def _at_target(gap: Gap) -> float | None:
    if gap.value is None:
        return None
    return gap.target if gap.exact else max(gap.value, gap.target)


def _balance(values: Mapping[str, float | None]) -> float | None:
    four = np.array([values.get(name) for name in METRICS], dtype=np.float64)
    rmse = float(combine(four[:, None])[1][0])
    return None if np.isnan(rmse) else rmse


def diagnosis(values: Mapping[str, float | None], convention: str = "trace") -> list[Finding]:
    """What the pattern of a run's mean values says (seed 003, use case 4), by the same rules as for one record."""
    four = {name: values.get(name) for name in METRICS}
    column = np.array([four[name] for name in METRICS], dtype=np.float64)[:, None]
    derived: dict[str, Any] = {
        name: None if np.isnan(value[0]) else float(value[0])
        for name, value in zip(DERIVED, combine(column), strict=True)
    }
    return find(Record(id="means", question=""), Scores(**four, **derived, convention=convention))
