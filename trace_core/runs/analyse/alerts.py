"""Alerts on runs over time (seed 003's use case 1, monitoring).

Only comparable runs are compared (one data set, labeler and convention), and a change counts where it exceeds its own
uncertainty: if the runs were equal, each record's values could be in any other order of the runs. The permutation
distribution is computed, not sampled (mean, variance and skewness of the change over all orders), and
`bench/coverage.py` shows how often equal runs alert and a fall is found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from trace_core.metrics import METRICS
from trace_core.runs.analyse.trends import Level, Point, like
from trace_core.summary.intervals import FEWEST

Values = NDArray[np.float64]

BEFORE = 5
"""The number of earlier runs that a run is compared with."""
NEWEST = (1, 2)
"""The newest run alone, and the newest two together: the first finds a large change at once, the second a small one."""
SPENT = (0.15, 0.85)
"""How the error rate below is split between the two; where there is only one earlier run, the first gets all of it."""
FALSE, EARLY, SERIES = 0.026, 0.65, 20
"""The probability that a rule is wrong in a series of `SERIES` equal runs. `EARLY` of it is spent on the first runs,
which have the fewest to be compared with, the rest evenly.
"""
IN_A_ROW = 3
LARGE = 0.1
"""The smallest change that counts where only means are known, so that there is no uncertainty."""
COUNTED = ("trace", "context_relevance")
"""A count ÷ 20 says nothing about quality, so it has no alert."""


@dataclass(frozen=True, slots=True)
class AlertRule:
    """When a quantity triggers an alert: where it gets worse, `sign` times up, by more than chance explains.

    The change is from the earlier runs, or over `IN_A_ROW` or more steps in the worse direction.
    """

    quantity: str
    sign: int
    meaning: str
    fix: str

    @property
    def worse(self) -> str:
        """The worse direction in a word."""
        return "up" if self.sign > 0 else "down"


ALERT_RULES: tuple[AlertRule, ...] = (
    AlertRule(
        "rmse_aggregation",
        1,
        "The four metrics drift apart.",
        "Look which metric moved away from the others, and what changed in the pipeline since.",
    ),
    *(
        AlertRule(
            metric.name,
            -1,
            f"{metric.label} falls.",
            f"Compare the newest run with the one before the fall; {metric.fixes[0]}.",
        )
        for metric in METRICS.values()
    ),
)


@dataclass(frozen=True, slots=True)
class Alert:
    """A rule that fired: at which run (its position in the series), with what value, and the reason in words."""

    rule: AlertRule
    at: int
    value: float
    reason: str


Certain = Callable[[Sequence[int], Sequence[int], int, bool], bool]
"""New runs, earlier runs, the number of runs so far, whether each step between got worse → whether the new runs are
certainly worse.
"""


def alerts(found: Sequence[Point]) -> list[Alert]:
    """Every alert over runs in time, oldest first; each run is compared with comparable earlier ones.

    Of runs without records, where only means are known, any steps in a row count, and any change of `LARGE` or more.
    """
    fired = []
    for condition, places in like(found).items():
        own = [found[place] for place in places]
        for rule in ALERT_RULES:
            if (condition.convention, rule.quantity) != COUNTED:
                levels = [one.levels[rule.quantity] for one in own]
                certain = _by_records(own, rule) if all(len(one.ids) for one in own) else _by_means(levels, rule)
                fired += [replace(alert, at=places[alert.at]) for alert in _of_rule(rule, levels, certain)]
    return sorted(fired, key=lambda alert: alert.at)


def _of_rule(rule: AlertRule, levels: Sequence[Level], certain: Certain) -> list[Alert]:
    known = [(at, level.mean) for at, level in enumerate(levels) if level.mean is not None]
    fired, steps = [], 0
    for n, (at, value) in enumerate(known):
        steps = steps + 1 if n and rule.sign * (value - known[n - 1][1]) > 1e-9 else 0
        if text := _row(rule, known, n, steps, certain) or _change(rule, known, n, certain):
            fired.append(Alert(rule, at, value, text))
    return fired


Known = Sequence[tuple[int, float]]
"""Position and mean of the runs that have the quantity."""


def _row(rule: AlertRule, known: Known, n: int, steps: int, certain: Certain) -> str:
    if steps < IN_A_ROW or not certain([known[n][0]], [known[n - steps][0]], n, True):
        return ""
    path = " → ".join(f"{mean:.2f}" for _, mean in known[n - steps : n + 1])
    return f"{rule.worse} {steps} runs in a row ({path})"


def _change(rule: AlertRule, known: Known, n: int, certain: Certain) -> str:
    for newest in NEWEST:
        new, before = known[n + 1 - newest : n + 1], known[max(0, n + 1 - newest - BEFORE) : max(0, n + 1 - newest)]
        if before and certain([at for at, _ in new], [at for at, _ in before], n, False):
            then, now = (sum(mean for _, mean in part) / len(part) for part in (before, new))
            of = "the run before" if len(before) == 1 else f"the mean of the {len(before)} runs before"
            to = f"{now:.2f}" if newest == 1 else f"{now:.2f}, the mean of the newest {newest}"
            return f"{rule.worse} from {then:.2f}, {of}, to {to}: more than chance explains"
    return ""


def _by_means(levels: Sequence[Level], rule: AlertRule) -> Certain:
    def certain(new: Sequence[int], before: Sequence[int], _: int, steady: bool) -> bool:
        then, now = (np.mean([levels[at].mean or 0.0 for at in part]) for part in (before, new))
        return steady or bool(rule.sign * (now - then) >= LARGE - 1e-9)

    return certain


def _by_records(own: Sequence[Point], rule: AlertRule) -> Certain:
    table = rule.sign * _table(own, rule.quantity)
    known = ~np.isnan(table)
    sums = np.stack([known, *(np.where(known, table, 0.0) ** power for power in (1, 2, 3))])

    def certain(new: Sequence[int], before: Sequence[int], runs: int, _: bool) -> bool:
        weight = 1.0 if runs == 1 else SPENT[len(new) - 1]
        early = 1 / (runs * (runs + 1))  # the error rate adds up to `FALSE` over `SERIES` runs
        share = FALSE * (EARLY * early + (1 - EARLY) / (SERIES - 1))
        return _worse(sums[:, new].sum(axis=1), sums[:, before].sum(axis=1), weight * share)

    return certain


def _table(own: Sequence[Point], quantity: str) -> Values:
    """One row per run, one column per record of any run; NaN where a run lacks it."""
    found, places = np.unique(np.concatenate([one.ids for one in own]), return_inverse=True)
    table = np.full((len(own), len(found)), np.nan)
    runs = np.repeat(np.arange(len(own)), [len(one.ids) for one in own])
    table[runs, places] = np.concatenate([one.values[quantity] for one in own])
    return table


def _worse(new: Values, before: Values, share: float) -> bool:
    """Whether `new` is higher than `before` by more than equal runs would be in this share of cases.

    Both have one column per record: the count of values, their sum, sum of squares and sum of cubes. Compared
    record by record where most records are in both, else all values together.
    """
    paired = (new[0] > 0) & (before[0] > 0)
    fewest = min(int((part[0] > 0).sum()) for part in (new, before))
    if fewest < FEWEST:
        return False
    if paired.sum() < max(FEWEST, fewest / 2):
        new, before = new.sum(axis=1, keepdims=True), before.sum(axis=1, keepdims=True)
    else:
        new, before = new[:, paired], before[:, paired]
    change, variance, third = _under_all_orders(new, before)
    if change <= 1e-9 * new.shape[1] or variance <= 0:
        return False
    z = NormalDist().inv_cdf(1 - share)
    skewness: float = third / variance**1.5
    return change / math.sqrt(variance) > z + skewness * (z * z - 1) / 6  # Cornish–Fisher expansion


def _under_all_orders(new: Values, before: Values) -> tuple[float, float, float]:
    """Σ over records of mean(new) − mean(before), its variance and third moment if all orders are equally likely."""
    a, b = new[0], before[0]
    n, total, squares, cubes = new + before
    mean = total / n
    second = np.maximum(squares / n - mean**2, 0.0)
    third = cubes / n - 3 * mean * squares / n + 2 * mean**3
    change = new[1] / a - before[1] / b
    stretch = n / b  # mean(new) − mean(before) = (n ÷ b) · (mean(new) − mean of all)
    variance = stretch**2 * second * (n - a) / (a * (n - 1))
    factor = stretch**3 * (n - a) * (n - 2 * a) / (a**2 * (n - 1) * np.maximum(n - 2, 1))  # 0 for two runs
    return float(change.sum()), float(variance.sum()), float((factor * third).sum())
