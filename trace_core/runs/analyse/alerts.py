"""Alerts on runs over time (seed 003's use case 1, monitoring). A change counts where it exceeds its own uncertainty:
if comparable runs were equal, each record's values could be in any other order of the runs. Mean, variance and skewness
of the change over all orders are computed, not sampled; `bench/coverage.py` shows how often equal runs alert and a fall
is found."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

import numpy as np

from trace_core.metrics import METRICS
from trace_core.metrics.base import Values
from trace_core.runs.analyse.trends import RunPoint, like
from trace_core.summary.intervals import FEWEST

BEFORE = 5
"""The number of earlier runs that a run is compared with."""
NEWEST = (1, 2)
"""The newest run alone, and the newest two together: the first finds a large change at once, the second a small one."""
SPLIT = (0.15, 0.85)
"""How the error rate below is split between the two; where there is only one earlier run, the first gets all of it."""
FALSE, EARLY, SERIES = 0.026, 0.65, 20
"""The probability that a rule is wrong in a series of `SERIES` equal runs. `EARLY` of it is for the first runs,
which have the fewest to be compared with, the rest is spread evenly."""
IN_A_ROW = 3
"""The fewest steps in the worse direction that count where only means are known, so that there is no uncertainty."""
LARGE = 0.1
"""The smallest change that counts there."""
NO_SHARE = ("trace", "context_relevance")
"""A count ÷ 20 says nothing about quality, so it has no alert."""


@dataclass(frozen=True, slots=True)
class AlertRule:
    """A quantity that triggers an alert where it gets worse, `sign` times up, by more than chance explains."""

    quantity: str
    sign: int
    meaning: str
    fix: str

    @property
    def worse(self) -> str:
        """The worse direction in a word."""
        return "up" if self.sign > 0 else "down"


_DRIFT = "Find out which metric moved away from the others, and what changed in the pipeline since."
_FALL = "Compare the newest run with the one before the fall; {}."
ALERT_RULES: tuple[AlertRule, ...] = (
    AlertRule("rmse_aggregation", 1, "The four metrics drift apart.", _DRIFT),
    *(AlertRule(one.name, -1, f"{one.label} falls.", _FALL.format(one.fixes[0])) for one in METRICS.values()),
)


@dataclass(frozen=True, slots=True)
class Alert:
    """A rule that fired: at which run (its position in the series), with what value, and the reason in words."""

    rule: AlertRule
    at: int
    value: float
    reason: str


Means = Sequence[tuple[int, float]]
"""Place and mean of the runs that have the quantity, oldest first."""


def alerts(points: Sequence[RunPoint]) -> list[Alert]:
    """Every alert over runs in time, oldest first; each run is compared with comparable earlier ones."""
    result = []
    for condition, places in like(points).items():
        series = [points[place] for place in places]
        for rule in ALERT_RULES:
            if (condition.convention, rule.quantity) == NO_SHARE:
                continue
            levels = [(at, point.levels[rule.quantity].mean) for at, point in enumerate(series)]
            means = [(at, mean) for at, mean in levels if mean is not None]
            sums = _sums(rule, series) if all(len(point.ids) for point in series) else None
            for n, (at, mean) in enumerate(means[1:], start=2):
                reason = _by_means(rule, means[:n]) if sums is None else _by_records(rule, means[:n], sums)
                if reason:
                    result.append(Alert(rule, places[at], mean, reason))
    return sorted(result, key=lambda alert: alert.at)


def _by_means(rule: AlertRule, means: Means) -> str:
    """Why the last of these means is worse, where nothing else is known: steps in a row, or a large change."""
    values, steps = [mean for _, mean in means], 0
    while steps < len(values) - 1 and rule.sign * (values[-steps - 1] - values[-steps - 2]) > 1e-9:
        steps += 1
    if steps >= IN_A_ROW:
        path = " → ".join(f"{mean:.2f}" for mean in values[-steps - 1 :])
        return f"{rule.worse} {steps} runs in a row ({path})"
    before = values[-BEFORE - 1 : -1]
    return _words(rule, values[-1:], before) if rule.sign * (values[-1] - fmean(before)) >= LARGE - 1e-9 else ""


def _by_records(rule: AlertRule, means: Means, sums: Values) -> str:
    """Why the newest run or the newest two are worse than those before, record by record; "" where it is not sure."""
    runs = len(means) - 1
    share = FALSE * (EARLY / (runs * (runs + 1)) + (1 - EARLY) / (SERIES - 1))  # adds up to `FALSE` over the series
    for newest, part in zip(NEWEST, SPLIT, strict=True):
        new, before = means[-newest:], means[-newest - BEFORE : -newest]
        of_new, of_before = (sums[:, [at for at, _ in each]].sum(axis=1) for each in (new, before))
        if before and _worse(of_new, of_before, share if runs == 1 else part * share):
            return _words(rule, [mean for _, mean in new], [mean for _, mean in before])
    return ""


def _words(rule: AlertRule, new: Sequence[float], before: Sequence[float]) -> str:
    of = "the run before" if len(before) == 1 else f"the mean of the {len(before)} runs before"
    of_new = f", the mean of the newest {len(new)}" if len(new) > 1 else ""
    return f"{rule.worse} from {fmean(before):.2f}, {of}, to {fmean(new):.2f}{of_new}: more than chance explains"


def _sums(rule: AlertRule, series: Sequence[RunPoint]) -> Values:
    """For each run and each record of any run: 1 where it has the value, the value times the sign, its powers."""
    ids, places = np.unique(np.concatenate([point.ids for point in series]), return_inverse=True)
    table = np.full((len(series), len(ids)), np.nan)
    runs = np.repeat(np.arange(len(series)), [len(point.ids) for point in series])
    table[runs, places] = rule.sign * np.concatenate([point.values[rule.quantity] for point in series])
    here = ~np.isnan(table)
    return np.stack([here, *(np.where(here, table, 0.0) ** power for power in (1, 2, 3))])


def _worse(new: Values, before: Values, share: float) -> bool:
    """Whether `new` is higher than `before` by more than equal runs would be in this share of cases. Each has a column
    a record: count, sum, squares, cubes. Where few records are in both, all values count together."""
    both = (new[0] > 0) & (before[0] > 0)
    fewest = min(int((part[0] > 0).sum()) for part in (new, before))
    if fewest < FEWEST:
        return False
    if both.sum() < max(FEWEST, fewest / 2):
        new, before = new.sum(axis=1, keepdims=True), before.sum(axis=1, keepdims=True)
    else:
        new, before = new[:, both], before[:, both]
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
