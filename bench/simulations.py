"""Simulated records with a known truth: does each interval contain it, and do equal runs pass for equal?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from trace_core.metrics import LABELS, METRICS, combine
from trace_core.runs.analyse.alerts import alerts
from trace_core.runs.analyse.trends import Condition, RunPoint
from trace_core.summary.calibration import agreement_of_tables
from trace_core.summary.charts import Estimate
from trace_core.summary.corrected_mean import corrected_mean
from trace_core.summary.intervals import Interval, auroc_interval, mean_interval, paired_means

SIZES = (8, 10, 20, 50, 100, 400, 2000)
REPEATS = 600
TESTS = 1500
SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99)
CLASSES = ((10, 10), (10, 40), (40, 10), (12, 400), (50, 350), (200, 1800))
AREAS = (0.5, 0.7, 0.85, 0.95, 0.99)
SEED = 2024

Values = NDArray[np.float64]
Rng = np.random.Generator
Drawn = Callable[[Rng, int], Values]

SCORES: Mapping[str, Drawn] = {
    "normal": lambda rng, n: np.clip(rng.normal(0.7, 0.15, n), 0, 1),
    "skewed": lambda rng, n: 1 - rng.beta(0.3, 3, n),
    "mostly 1": lambda rng, n: np.where(rng.random(n) < 0.9, 1.0, rng.random(n)),
}
ERRORS: Mapping[str, Drawn] = {
    "normal": lambda rng, n: np.clip(rng.normal(0, 0.15, n), -1, 1),
    "skewed": lambda rng, n: np.clip(rng.exponential(0.1, n), 0, 1),
    "rare and large": lambda rng, n: np.where(rng.random(n) < 0.95, 0.0, rng.uniform(0.3, 1, n)),
}
CHANGES: Mapping[str, Drawn] = {
    "normal": lambda rng, n: np.clip(rng.normal(-0.05, 0.2, n), -1, 1),
    "few, of 0 and 1": lambda rng, n: rng.choice([-1.0, 0.0, 1.0], n, p=[0.1, 0.88, 0.02]),
    "skewed": lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, -np.clip(rng.exponential(0.1, n), 0, 1)),
}
NO_CHANGE: Mapping[str, Drawn] = {
    "normal": lambda rng, n: np.clip(rng.normal(0, 0.2, n), -1, 1),
    "few, of 0 and 1": lambda rng, n: rng.choice([-1.0, 0.0, 1.0], n, p=[0.05, 0.9, 0.05]),
    "mostly small, some large": lambda rng, n: np.clip(0.05 * rng.standard_t(2, n), -1, 1),
}
"""Populations of paired differences whose mean is 0."""


def outweighed(share_of: float | None = None) -> Drawn:
    """All pairs rise equally except a share, by default 1 in n, that falls by 1: the mean is 0."""

    def drawn(rng: Rng, n: int) -> Values:
        fall = 1 / n if share_of is None else share_of
        return np.where(rng.random(n) < fall, -1.0, fall / (1 - fall))

    return drawn


RARE: Mapping[str, Drawn] = {
    "+0.02, and -1 in 2 %": lambda rng, n: np.where(rng.random(n) < 0.02, -1.0, 0.02),
    "+0.05, and -1 in 5 %": lambda rng, n: np.where(rng.random(n) < 0.05, -1.0, 0.05),
    "0 to +0.1, and -0.95 in 5 %": lambda rng, n: np.where(rng.random(n) < 0.05, -0.95, rng.uniform(0, 0.1, n)),
}
"""Small rises that rare large falls outweigh, or nearly; few pairs may show none of the falls."""
RARE_NO_CHANGE: Mapping[str, Drawn] = {
    "0 to +0.1, and -0.95 in 5 %": RARE["0 to +0.1, and -0.95 in 5 %"],
    "-1 in 0.5 %": outweighed(0.005),
    "-1 in 2 %": outweighed(0.02),
    "-1 in 5 %": outweighed(0.05),
    "-1 in 1 of n": outweighed(),
}
LIKE = Condition("rows", "local", "graded")


def contains(interval: Interval | None, truth: float) -> bool | None:
    """Whether the interval contains the truth; `None` without one."""
    return None if interval is None else interval[0] - 1e-12 <= truth <= interval[1] + 1e-12


def share(found: Iterable[bool | None]) -> float | None:
    """The share of intervals that contain the truth; `None` where there are none."""
    known = [one for one in found if one is not None]
    return sum(known) / len(known) if known else None


def of_shares(n: int) -> dict[str, float | None]:
    """Coverage for shares, computed exactly over all numbers of hits."""
    spans = [mean_interval(np.repeat([1.0, 0.0], [hits, n - hits])) for hits in range(n + 1)]
    logs = [math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(n + 1)]
    found: dict[str, float | None] = {}
    for p in SHARES:
        chances = np.exp([c + k * math.log(p) + (n - k) * math.log1p(-p) for k, c in enumerate(logs)])
        found[f"{p:g}"] = float(sum(c for c, span in zip(chances, spans, strict=True) if contains(span, p)))
    return found


def simulated(
    populations: Mapping[str, Drawn],
    n: int,
    interval: Callable[[Values], Interval | None],
    figure: Callable[[Values], float],
) -> dict[str, float | None]:
    """Population → how often the interval contains its figure."""
    found = {}
    for place, (name, drawn) in enumerate(populations.items()):
        truth = figure(drawn(np.random.default_rng((SEED, place)), 1_000_000))
        rng = np.random.default_rng((SEED, place, n))
        found[name] = share(contains(interval(drawn(rng, n)), truth) for _ in range(REPEATS))
    return found


def of_pairs(columns: Values) -> Interval | None:
    """The interval of one column of differences."""
    return paired_means(columns[:, None])[0].interval


def of_corrected(n: int, repeats: int = REPEATS) -> dict[str, float | None]:
    """A run of 2n records, of which people read n at random: the interval of its corrected mean against people's.

    The labeler errs rarely and only upwards, on many, or half the answers are wrong and it sees none of it.
    """
    rng = np.random.default_rng(SEED)
    wrong = {"1 of 50": 0.02, "1 of 10": 0.1, "half": 0.5}
    found = {}
    for title, chance in wrong.items():
        inside = []
        for _ in range(repeats):
            labeler = np.where(rng.random(2 * n) < 0.9, 1.0, rng.random(2 * n))
            truth = np.where(rng.random(2 * n) < chance, 0.0, labeler)
            people = np.full(2 * n, np.nan)
            read = rng.choice(2 * n, n, replace=False)
            people[read] = truth[read]
            inside.append(contains(corrected_mean(labeler, people).interval, float(truth.mean())))
        found[title] = share(inside)
    return found


def false_alarms(n: int, populations: Mapping[str, Drawn] = NO_CHANGE) -> dict[str, float | None]:
    """How often p < 0.05 where the mean difference is 0."""
    found: dict[str, float | None] = {}
    for place, (name, drawn) in enumerate(populations.items()):
        rng = np.random.default_rng((SEED, 1, place, n))
        tested = (paired_means(drawn(rng, n)[:, None])[0].p_value for _ in range(TESTS))
        found[name] = share(None if p is None else p < 0.05 for p in tested)
    return found


def least_certain(n: int) -> float:
    """The smallest difference with p < 0.05 where all n pairs differ by the same."""
    certain, chance = 1.0, 0.0
    while certain - chance > 1e-4:
        middle = (certain + chance) / 2
        p = paired_means(np.full((n, 1), middle))[0].p_value
        certain, chance = (middle, chance) if p is not None and p < 0.05 else (certain, middle)
    return certain


def detectors(area: float) -> Mapping[str, tuple[Drawn, Drawn]]:
    """A detector's scores for answers that are not adherent, and for adherent ones, by the area under the ROC curve."""
    normal, odds = NormalDist().inv_cdf(area), area / (1 - area)
    found: dict[str, tuple[Drawn, Drawn]] = {
        f"normal, spread {s}": (
            lambda rng, n, s=s: rng.normal(normal * math.hypot(1, s), s, n),  # type: ignore[misc]
            lambda rng, n: rng.normal(0, 1, n),
        )
        for s in (0.5, 1, 2)
    }
    found["skewed"] = (lambda rng, n: rng.exponential(odds, n), lambda rng, n: rng.exponential(1, n))
    found["yes or no"] = (
        lambda rng, n: (rng.random(n) < area).astype(np.float64),
        lambda rng, n: (rng.random(n) >= area).astype(np.float64),
    )
    return found


def of_auroc(positives: int, negatives: int, repeats: int = REPEATS) -> dict[str, float | None]:
    """Area and shape → coverage."""
    positive = np.repeat([1.0, 0.0], [positives, negatives])
    found = {}
    for area in AREAS:
        for name, (up, down) in detectors(area).items():
            rng = np.random.default_rng((SEED, positives, negatives))
            drawn = (np.concatenate([up(rng, positives), down(rng, negatives)]) for _ in range(repeats))
            found[f"{area}, {name}"] = share(contains(auroc_interval(positive, scores), area) for scores in drawn)
    return found


def of_kappa(records: int) -> dict[str, float | None]:
    """Two labelers of 8 sentences per record, 30 % of them relevant, who see the same with some probability."""
    found = {}
    for alike in (0.0, 0.6, 0.95):
        rng = np.random.default_rng((SEED, 4, records))
        spans = []
        for _ in range(REPEATS // 3):
            one = rng.random((records, 8)) < rng.beta(3, 7, (records, 1))
            same = rng.random((records, 8)) < rng.beta(alike * 10 + 1e-3, (1 - alike) * 10 + 1e-3, (records, 1))
            other = np.where(same, one, rng.random((records, 8)) < 0.3)
            tables = np.stack([[((one == a) & (other == b)).sum(axis=1) for b in (0, 1)] for a in (0, 1)])
            spans.append(agreement_of_tables(("no", "yes"), list(np.moveaxis(tables, 2, 0).astype(float))).interval)
        # both say "yes" for 30 %: chance agreement is 58 %, and beyond that they agree as often as they see the same
        found[f"κ {alike:g}"] = share(contains(span, alike) for span in spans)
    return found


# Runs in time


def quality(rng: Rng, n: int) -> Values:
    """The quality of n records: the probability of each metric's label, 4 × n. Most are clear, some are not."""
    grounded = rng.choice([0.02, 0.5, 0.98], n, p=[0.05, 0.1, 0.85])
    return np.stack([rng.beta(2, 5, n), rng.beta(2, 3, n), rng.beta(4, 1, n), grounded])


def measured(rng: Rng, records: Values) -> Values:
    """One run over the records, answered and labeled again: in every share some sentences change, 4 × n."""
    shares = np.clip(records[:3] + rng.normal(0, 0.1, records[:3].shape), 0, 1)
    return np.vstack([shares, rng.random(records.shape[1]) < records[3]])


def in_time(rng: Rng, n: int, runs: int, anew: bool, fallen: Mapping[int, str] | None = None) -> list[RunPoint]:
    """Runs over the same n records, or over new ones each time (`anew`); from a given run on a metric is 0.1 lower."""
    records, found, lost = quality(rng, n), [], ""
    for number in range(runs):
        records = quality(rng, n) if anew else records
        lost = (fallen or {}).get(number, lost)
        four = measured(rng, _lowered(rng, records, lost) if lost else records)
        values = dict(zip(LABELS, [*four, *combine(four)], strict=True))
        ids = np.array([f"{number * anew}-{i}" for i in range(n)], dtype=object)
        means = {name: Estimate(float(column.mean()), None, n) for name, column in values.items()}
        found.append(RunPoint(str(number), f"run {number}", str(number), LIKE, means, ids, values))
    return found


def _lowered(rng: Rng, records: Values, metric: str) -> Values:
    """A metric 0.1 lower on average: shares fall everywhere, adherence is lost in a tenth of the records."""
    place, fallen = list(METRICS).index(metric), records.copy()
    if metric != "adherence":
        fallen[place] = np.clip(fallen[place] - 0.1, 0, 1)
        return fallen
    grounded = np.flatnonzero(records[place] > 0.9)
    fallen[place, grounded[: round(0.1 * records.shape[1] / 0.96)]] = 0.02
    return fallen


def false_alerts(runs: int, repeats: int = 200, anew: bool = False) -> float:
    """The share of series of equal runs of 50 records in which any rule fires at any run."""
    rng = np.random.default_rng((SEED, 5, runs))
    return sum(bool(alerts(in_time(rng, 50, runs, anew))) for _ in range(repeats)) / repeats


def caught(metric: str, repeats: int = 200, before: int = 4, anew: bool = False) -> float:
    """The share of falls by 0.1, in runs of 100 records, that the metric's rule detects within two runs."""
    rng, hits = np.random.default_rng((SEED, 6)), 0
    for _ in range(repeats):
        fired = alerts(in_time(rng, 100, before + 2, anew, {before: metric}))
        hits += any(alert.at >= before and alert.rule.quantity == metric for alert in fired)
    return hits / repeats
