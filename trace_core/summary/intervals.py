"""95 % intervals that keep their coverage even for few values of any distribution (`bench/coverage.py`); `None` for too
few. Besides the observed values, one more may lie at either end of the possible range: Gaffke's interval by random
weights (Learned-Miller and Thomas, 2020), for shares of 0 and 1 Clopper and Pearson's."""

import math
from collections.abc import Callable, Sequence
from functools import cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from trace_core.metrics.base import Values
from trace_core.summary.statistics import SEED, auroc, placements

Interval = tuple[float, float]

FEWEST = 8
"""Fewer values have no interval, since it would cover most of the scale."""
FEWEST_OF_CLASS = 10
"""The fewest members of each class for measuring how well two classes are separated."""
LEVEL = 0.95
DRAWS = 4001
"""4000 + 1, so that the interval's ends are draws, and p < 0.05 exactly if the interval excludes 0."""
DISTINCT = 50
"""More distinct values than this are first put together in this many steps over their range, each at its mean."""
SHARES: Interval = (0.0, 1.0)
DIFFERENCES: Interval = (-1.0, 1.0)


def too_few(n: int, what: str = "") -> str:
    """The words shown in place of an interval."""
    return f"too few ({n:,}{f' {what}' if what else ''})"


def too_few_note(interval: Interval | None, n: int, what: str = "") -> dict[str, str]:
    """The JSON fields beside a null interval, `{"too_few": "too few (3)"}`; empty beside any other."""
    return {} if interval else {"too_few": too_few(n, what)}


def spread(interval: Interval | None, n: int, digits: int = 3) -> str:
    """The interval in words, or that `n` values are too few for one."""
    return f"{interval[0]:.{digits}f} … {interval[1]:.{digits}f}" if interval else too_few(n)


def mean_interval(values: Values, bounds: Interval = SHARES) -> Interval | None:
    """The interval for the mean of values between two bounds, without NaN."""
    return _ends(*_weighted_means(values, bounds)) if len(values) >= FEWEST else None


def bias_interval(errors: Values) -> Interval | None:
    """The interval for the mean of errors between −1 and 1, without NaN."""
    return mean_interval(errors, DIFFERENCES)


def rmse_interval(errors: Values) -> Interval | None:
    """The interval for the root mean square of errors between −1 and 1, without NaN."""
    square = mean_interval(errors**2)
    return square and (math.sqrt(max(square[0], 0.0)), math.sqrt(square[1]))


def _weighted_means(values: Values, bounds: Interval) -> tuple[Values, Values]:
    """Means under `DRAWS` random weightings, with one more value at the lower and at the upper bound."""
    distinct, sizes = np.unique(values, return_counts=True)
    if len(distinct) > DISTINCT:
        steps = np.rint((values - distinct[0]) * (DISTINCT / (distinct[-1] - distinct[0]))).astype(int)
        sizes, sums = np.bincount(steps), np.bincount(steps, values)
        sums, sizes = sums[sizes > 0], sizes[sizes > 0]
        distinct = sums / sizes
    low, high = min(bounds[0], float(distinct[0])), max(bounds[1], float(distinct[-1]))
    weights = _weights([1, *sizes])
    means, more = weights[:, 1:] @ distinct, weights[:, 0]
    return means + more * low, means + more * high


def _weights(sizes: Sequence[int]) -> Values:
    """Weightings that sum to 1: `size` equal values have a gamma weight, by Wilson and Hilferty's cube of a normal."""
    often = np.array(sizes, dtype=np.float64)
    root = np.maximum(0.0, 1 - 1 / (9 * often) + _normals()[:, : len(sizes)] / (3 * np.sqrt(often)))
    weights: Values = often * root * root * root
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


@cache
def _normals() -> Values:
    return np.random.default_rng(SEED).standard_normal((DRAWS, DISTINCT + 2))


def _ends(lower: Values, upper: Values) -> Interval:
    low = np.quantile(lower, (1 - LEVEL) / 2, method="nearest")
    return round(float(low), 12), round(float(np.quantile(upper, (1 + LEVEL) / 2, method="nearest")), 12)


class PairedMean(NamedTuple):
    """A mean paired difference, its 95 % interval and the p value of "no difference"; `None` for too few pairs."""

    value: float | None
    interval: Interval | None
    p_value: float | None
    n: int


def paired_means(differences: Values) -> list[PairedMean]:
    """Each column of `differences` (n pairs × m quantities, from −1 to 1, NaN = undefined) over its pairs. One more
    pair may differ by any amount: twenty rises by 0.1 are not certain, a hundred are. The p value, at least 1 ÷
    `DRAWS`, comes from the interval's weightings: it is below 0.05 exactly if the interval excludes 0."""
    results = []
    for present in (column[~np.isnan(column)] for column in differences.T):
        value, interval, p_value = float(present.mean()) if len(present) else None, None, None
        if len(present) >= FEWEST:
            lower, upper = _weighted_means(present, DIFFERENCES)
            wrong = min(int((lower <= 0).sum()), int((upper >= 0).sum()))
            interval, p_value = _ends(lower, upper), min(1.0, 2 * max(wrong, 0.5) / DRAWS)
        results.append(PairedMean(value, interval, p_value, len(present)))
    return results


def classes(positive: Values) -> tuple[int, int]:
    """The numbers of positive and of other values."""
    hits = int((positive == 1).sum())
    return hits, len(positive) - hits


def few_words(positive: int, negative: int) -> str:
    """Why non-adherent answers (positive) are not separated from adherent ones; "" if both classes suffice."""
    few = min(positive, negative) < FEWEST_OF_CLASS
    return f"too few ({positive:,} not adherent, {negative:,} adherent)" if few else ""


def auroc_interval(positive: Values, score: Values) -> Interval | None:
    """The widest interval of two methods; `None` with fewer than `FEWEST_OF_CLASS` in a class. They are Hanley and
    McNeil's variance at each possible value, and DeLong's on the logit scale. At 0 or 1 Clopper and Pearson's for the
    smaller class is included; elsewhere one more member of that class is assumed at either end."""
    area, (m, n) = auroc(positive, score), classes(positive)
    few = min(m, n)
    if area is None or few < FEWEST_OF_CLASS:
        return None
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    low, high = _hanley_mcneil(area, m, n, z)
    if area in (0.0, 1.0):
        least = ((1 - LEVEL) / 2) ** (1 / few)
        return (min(low, least), 1.0) if area else (0.0, max(high, 1 - least))
    above, below = placements(positive, score)
    half = z * math.sqrt(above.var(ddof=1) / m + below.var(ddof=1) / n) / (area * (1 - area))
    logit = math.log(area / (1 - area))
    low, high = min(low, _logistic(logit - half)), max(high, _logistic(logit + half))
    return low - low / (few + 1), high + (1 - high) / (few + 1)


def _hanley_mcneil(area: float, m: int, n: int, z: float) -> Interval:
    """The range of areas whose distance from `area` is within z of their own standard errors."""

    def within(value: float) -> bool:
        up, down = value / (2 - value) - value**2, 2 * value**2 / (1 + value) - value**2
        more, less = max(up, down), min(up, down)  # the larger class may have the wider spread
        variance = (value * (1 - value) + (max(m, n) - 1) * more + (min(m, n) - 1) * less) / (m * n)
        return (value - area) ** 2 <= z**2 * variance

    return _edge(area, 0.0, within), _edge(area, 1.0, within)


def _edge(inside: float, outside: float, within: Callable[[float], bool]) -> float:
    for _ in range(50):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if within(middle) else (inside, middle)
    return inside


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > 0 else math.exp(x) / (1 + math.exp(x))
