"""95 % intervals that keep their coverage even for few values of any distribution; `None` for too few.

They share one idea: besides the observed values, one more value may lie at either end of the possible range.
For shares of 0 and 1 that is Clopper and Pearson's interval; for values between two bounds it is Gaffke's,
which resamples with random weights and one more value at the end (Learned-Miller and Thomas, 2020). So even
equal values have an interval of some width: 8 of 8 is 0.63 to 1. `bench/coverage.py` measures the coverage.

The draws are seeded, so that the same records give the same intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from trace_core.summary.statistics import SEED, auroc

Values = NDArray[np.float64]
Span = tuple[float, float]

FEWEST = 8
"""There is no interval for fewer values, since it would cover most of the scale."""
FEWEST_OF_CLASS = 10
"""The fewest members of each class for measuring how well two classes are separated."""
LEVEL = 0.95
DRAWS = 4001
"""4000 + 1, so that the interval's ends are draws, and p < 0.05 exactly if the interval excludes 0."""
MANY, SKEWED = 300, 0.05
"""From this many values, a mean's interval is the normal one with one more value, for skewness up to `SKEWED` · √n:
such skewness moves the ends by 0.47 · 0.05 standard errors (Cornish and Fisher's first term), less than the draws."""
KEPT = 400
"""Up to this many values, weights are drawn once for all columns; above it, once per distinct value."""
DISTINCT = 250
"""More distinct values than this are first put together in this many steps over their range, each at its mean."""
FARTHEST = 37.0
"""The standard errors beyond which a p value is no longer told from 0."""
_BLOCK = 1_000_000
SHARES: Span = (0.0, 1.0)
DIFFERENCES: Span = (-1.0, 1.0)


def too_few(n: int, what: str = "") -> str:
    """The words shown in place of an interval."""
    return f"too few ({n:,}{f' {what}' if what else ''})"


def said_few(interval: Span | None, n: int, what: str = "") -> dict[str, str]:
    """The JSON fields beside a null interval, `{"too_few": "too few (3)"}`; empty beside any other."""
    return {} if interval else {"too_few": too_few(n, what)}


def spread(interval: Span | None, n: int, digits: int = 3) -> str:
    """The interval in words, or that `n` values are too few for one."""
    return f"{interval[0]:.{digits}f} … {interval[1]:.{digits}f}" if interval else too_few(n)


def share_interval(hits: int, n: int, level: float = LEVEL) -> Span | None:
    """Clopper and Pearson's interval for a share of `hits` in `n`."""
    if n < FEWEST:
        return None
    tail = (1 - level) / 2
    low = _beta_quantile(tail, hits, n - hits + 1) if hits else 0.0
    high = _beta_quantile(1 - tail, hits + 1, n - hits) if hits < n else 1.0
    return low, high


def mean_interval(values: Values, bounds: Span = SHARES, *, level: float = LEVEL, seed: int = SEED) -> Span | None:
    """The interval for the mean of values between two bounds, without NaN."""
    n = len(values)
    if n < FEWEST:
        return None
    low, high = bounds
    if np.isin(values, bounds).all():
        share = share_interval(int((values == high).sum()), n, level)
        return share and (low + share[0] * (high - low), low + share[1] * (high - low))
    if _normal(values):
        return _around(values, bounds, level)
    lower, upper = _drawn(values, bounds, seed)
    return _ends(lower, upper, level)


def rmse_interval(errors: Values, *, level: float = LEVEL, seed: int = SEED) -> Span | None:
    """The interval for the root mean square of errors between −1 and 1, without NaN."""
    found = mean_interval(errors**2, level=level, seed=seed)
    return found and (math.sqrt(max(found[0], 0.0)), math.sqrt(found[1]))


def _normal(values: Values) -> bool:
    """Whether the values are numerous and symmetric enough for their mean to be normally distributed."""
    spread_of = float(values.std())
    if len(values) < MANY or spread_of <= 1e-12:
        return False
    deviations = (values - values.mean()) / spread_of
    return abs(float((deviations * deviations * deviations).mean())) <= SKEWED * math.sqrt(len(values))


def _around(values: Values, bounds: Span, level: float) -> Span:
    """The normal interval with one more value at each end."""
    n, mean, z = len(values), float(values.mean()), NormalDist().inv_cdf((1 + level) / 2)
    error = float(values.std()) / math.sqrt(n)
    low, high = mean - _arm(z, error, (mean - bounds[0]) / (n + 1)), mean + _arm(z, error, (bounds[1] - mean) / (n + 1))
    return max(bounds[0], low), min(bounds[1], high)


def _arm(z: float, error: float, more: float) -> float:
    """How far an interval reaches to one side: z standard errors and one more value, which moves the mean by `more`.

    Under Gaffke's random weights, which are exponentially distributed, it may count several times: 3.7 at 95 %.
    """
    most = -math.log(math.erfc(z / math.sqrt(2)) / 2)
    return max(z * error + more, math.hypot(z * error, most * more))


def _drawn(values: Values, bounds: Span, seed: int) -> tuple[Values, Values]:
    """Means under `DRAWS` random weightings, with one more value at the lower and at the upper bound."""
    low, high = min(bounds[0], float(values.min())), max(bounds[1], float(values.max()))
    if len(values) <= KEPT:
        weights = _weights(len(values), seed)
        means, more = weights[:, :-1] @ np.sort(values), weights[:, -1]
        return means + more * low, means + more * high
    distinct, sizes = np.unique(values, return_counts=True)
    if len(distinct) > DISTINCT:
        steps = np.rint((values - distinct[0]) * (DISTINCT / (distinct[-1] - distinct[0])))
        _, places, sizes = np.unique(steps, return_inverse=True, return_counts=True)
        distinct = np.bincount(places, values) / sizes
    rng, rows = np.random.default_rng(seed), max(1, _BLOCK // len(distinct))
    lower, upper, often = np.empty(DRAWS), np.empty(DRAWS), sizes > 1
    for start in range(0, DRAWS, rows):
        size = min(rows, DRAWS - start)
        weights, more = rng.standard_exponential((size, len(distinct))), rng.standard_exponential(size)
        weights[:, often] = rng.standard_gamma(sizes[often], (size, int(often.sum())))  # the sum of that many weights
        sums, total = weights @ distinct, weights.sum(axis=1) + more
        lower[start : start + size] = (sums + more * low) / total
        upper[start : start + size] = (sums + more * high) / total
    return lower, upper


@lru_cache(maxsize=2)
def _weights(n: int, seed: int) -> Values:
    """`DRAWS` random weightings of n + 1 values; each sums to 1."""
    drawn = np.random.default_rng(seed).standard_exponential((DRAWS, n + 1))
    weights: Values = drawn / drawn.sum(axis=1, keepdims=True)
    return weights


def _ends(lower: Values, upper: Values, level: float) -> Span:
    low = np.quantile(lower, (1 - level) / 2, method="nearest")
    return round(float(low), 12), round(float(np.quantile(upper, (1 + level) / 2, method="nearest")), 12)


# Paired differences


@dataclass(frozen=True, slots=True)
class Paired:
    """A mean paired difference: `value` with its 95 % `interval`, and the p value of "no difference".

    The value is `None` without pairs, the rest with fewer than `FEWEST`.
    """

    value: float | None
    interval: Span | None
    p_value: float | None
    n: int


def paired(differences: Values, *, seed: int = SEED) -> list[Paired]:
    """Each column of `differences` (n pairs × m quantities, from −1 to 1, NaN = undefined) over its pairs.

    One more pair may differ by any amount in either direction, since a rare large change can outweigh what all pairs
    seen have in common: twenty rises by 0.1 are not certain, a hundred are. The p value comes from the same weightings
    as the interval: it is below 0.05 exactly if the interval excludes 0.
    """
    return [_paired(column[~np.isnan(column)], seed) for column in differences.T]


def _paired(known: Values, seed: int) -> Paired:
    n, value = len(known), float(known.mean()) if len(known) else None
    if n < FEWEST or value is None:
        return Paired(value, None, None, n)
    if _normal(known):
        return Paired(value, _around(known, DIFFERENCES, LEVEL), _p_around(known), n)
    lower, upper = _drawn(known, DIFFERENCES, seed)
    wrong = min(int((lower <= 0).sum()), int((upper >= 0).sum()))
    return Paired(value, _ends(lower, upper, LEVEL), min(1.0, 2 * max(wrong, 0.5) / DRAWS), n)


def _p_around(differences: Values) -> float:
    """1 − the highest level at which `_around` excludes 0."""
    n, away = len(differences), abs(float(differences.mean()))
    error, more = float(differences.std()) / math.sqrt(n), (away + 1) / (n + 1)  # one more on the other side of 0
    z = _edge(0.0, FARTHEST, lambda z: _arm(z, error, more) < away)
    return math.erfc(z / math.sqrt(2))


def bias_interval(errors: Values) -> Span | None:
    """The interval for the mean of errors between −1 and 1, without NaN."""
    return mean_interval(errors, DIFFERENCES)


def difference_interval(one: float, of_one: Span, other: float, of_other: Span, correlation: float) -> Span:
    """The interval for one − other from their intervals and correlation (Zou and Donner's MOVER)."""

    def arm(out: float, back: float) -> float:
        return math.sqrt(max(out**2 + back**2 - 2 * correlation * out * back, 0.0))

    low = arm(one - of_one[0], of_other[1] - other)
    high = arm(of_one[1] - one, other - of_other[0])
    return one - other - low, one - other + high


# AUROC


def classes(positive: Values) -> tuple[int, int]:
    """The numbers of positive and of other values."""
    hits = int((positive == 1).sum())
    return hits, len(positive) - hits


def few_of_a_class(positive: Values) -> bool:
    """Whether a class has fewer than `FEWEST_OF_CLASS` members, too few to measure the separation."""
    return min(classes(positive)) < FEWEST_OF_CLASS


def few_words(positive: int, negative: int) -> str:
    """Why the separation of non-adherent from adherent answers is not measured; "" if both classes suffice.

    Positive means not adherent.
    """
    few = min(positive, negative) < FEWEST_OF_CLASS
    return f"too few ({positive:,} not adherent, {negative:,} adherent)" if few else ""


def auroc_interval(positive: Values, score: Values, level: float = LEVEL) -> Span | None:
    """The widest interval of two methods; `None` with fewer than `FEWEST_OF_CLASS` in a class.

    They are Hanley and McNeil's variance at each possible value (so that an area of 1 has an interval too), and
    DeLong's, which accounts for a wider spread of one class, on the logit scale. If all pairs are in the right
    order, or all in the wrong one, Clopper and Pearson's interval for the smaller class is included. Otherwise one
    more member of the smaller class is assumed at either end.
    """
    area = auroc(positive, score)
    if area is None or few_of_a_class(positive):
        return None
    z, (m, n) = NormalDist().inv_cdf((1 + level) / 2), classes(positive)
    low, high = _hanley_mcneil(area, m, n, z)
    if area in (0.0, 1.0):
        within = share_interval(min(m, n), min(m, n), level) or SHARES
        return (min(low, within[0]), 1.0) if area else (0.0, max(high, 1 - within[0]))
    above, below = placements(positive, score)
    half = z * math.sqrt(above.var(ddof=1) / m + below.var(ddof=1) / n) / (area * (1 - area))
    logit = math.log(area / (1 - area))
    low, high = min(low, _logistic(logit - half)), max(high, _logistic(logit + half))
    return low - low / (min(m, n) + 1), high + (1 - high) / (min(m, n) + 1)


def placements(positive: Values, score: Values) -> tuple[Values, Values]:
    """For each positive the share of negatives below it, for each negative that of positives above; ties half."""
    up, down = score[positive == 1], score[positive != 1]
    return _below(up, down), 1 - _below(down, up)


def _below(values: Values, others: Values) -> Values:
    ordered = np.sort(others)
    return (np.searchsorted(ordered, values) + np.searchsorted(ordered, values, side="right")) / (2 * len(others))


def _hanley_mcneil(area: float, m: int, n: int, z: float) -> Span:
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


# The beta distribution


def _beta_quantile(p: float, a: float, b: float) -> float:
    return _edge(0.0, 1.0, lambda x: _beta_below(x, a, b) <= p)


def _beta_below(x: float, a: float, b: float) -> float:
    """P(X ≤ x) for X ~ Beta(a, b), by Lentz's continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_below(1 - x, b, a)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d, found = 1.0, 1 / (1 - (a + b) * x / (a + 1)), 1 / (1 - (a + b) * x / (a + 1))
    for i in range(1, 10_000):
        even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i))
        odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1))
        for term in (even, odd):
            d, c = 1 / (1 + term * d), 1 + term / c
            found *= c * d
        if abs(c * d - 1) < 1e-12:
            break
    return math.exp(front) * found / a
