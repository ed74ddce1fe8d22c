"""Statistics over many records. Seeded, so that the same records give the same intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

RESAMPLES = 1000
FLIPS = 10_000
SEED = 20240711
REPEATED = 4
"""Repetitions a value from which counting how often each is drawn is faster than drawing them."""
MANY, SKEWED = 300, 0.05
"""Values from which a mean's interval is the normal one, the bootstrap's limit, for skewness up to `SKEWED` · √n.
Such a skewness moves the percentiles by 0.47 · 0.05 standard errors (Cornish and Fisher's first term), less than
the draw of `RESAMPLES` resamples does."""
RANDOM_BALANCE = 0.237
"""Mean RMSE of four independent uniform metrics, by simulation (seed 003 says ~0.27)."""


def bootstrap_mean(values: Values, *, level: float = 0.95, seed: int = SEED) -> tuple[float, float] | None:
    """Percentile interval of the mean of n values without NaN; `None` for fewer than two.

    From `MANY` values on, where they are not too skewed (`SKEWED`), it is not resampled: what the percentiles
    tend to is computed, mean ± z · s ÷ √n, which is then as close and takes no time.
    """
    return None if len(values) < 2 else _mean_interval(values, level, seed)


def bootstrap_rmse(errors: Values, *, level: float = 0.95, seed: int = SEED) -> tuple[float, float] | None:
    """Percentile interval of √(mean of the squares) of n errors without NaN; `None` for fewer than two.

    Of many errors it is the root of the squares' normal interval, as in `bootstrap_mean`.
    """
    if len(errors) < 2:
        return None
    low, high = _mean_interval(errors**2, level, seed)
    return math.sqrt(max(low, 0.0)), math.sqrt(high)


def bootstrap_auroc(
    positive: Values, score: Values, *, level: float = 0.95, seed: int = SEED
) -> tuple[float, float] | None:
    """Percentile interval of the AUROC; `None` where more than half of the resamples have one class only."""
    n = len(score)
    values, places = np.unique(score, return_inverse=True)
    if n < 2 or len(values) * REPEATED > n:
        return bootstrap(auroc, positive, score, level=level, seed=seed)
    sizes = np.bincount(places + len(values) * (positive == 1), minlength=2 * len(values))
    negatives, positives = np.split(np.random.default_rng(seed).multinomial(n, sizes / n, RESAMPLES), 2, axis=1)
    above = positives * (np.cumsum(negatives, axis=1) - negatives / 2)
    pairs = positives.sum(axis=1) * negatives.sum(axis=1)
    known = above.sum(axis=1)[pairs > 0] / pairs[pairs > 0]
    return None if len(known) < RESAMPLES / 2 else _interval(known, level)


def _mean_interval(values: Values, level: float, seed: int) -> tuple[float, float]:
    """Of `RESAMPLES` resamples. Where few values repeat often, how often each is drawn is drawn at once."""
    n, rng = len(values), np.random.default_rng(seed)
    if n >= MANY and abs(_skewness(values)) <= SKEWED * math.sqrt(n):
        half = NormalDist().inv_cdf((1 + level) / 2) * float(values.std()) / math.sqrt(n)
        return float(values.mean()) - half, float(values.mean()) + half
    distinct, sizes = np.unique(values, return_counts=True)
    if len(distinct) * REPEATED > n:
        return _interval(np.array([values[rng.integers(0, n, n)].mean() for _ in range(RESAMPLES)]), level)
    return _interval(rng.multinomial(n, sizes / n, RESAMPLES) @ distinct / n, level)


def _skewness(values: Values) -> float:
    """Third moment over the cube of the spread; 0 where all are equal."""
    deviations = values - values.mean()
    spread = float(values.std())
    cubes = deviations * deviations * deviations  # a power takes ten times as long
    return float(cubes.mean()) / spread**3 if spread > 0 else 0.0


def _interval(found: Values, level: float) -> tuple[float, float]:
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def correlation(a: Values, b: Values) -> tuple[float | None, float | None]:
    """Covariance (n − 1) and Pearson's r over the pairs where both are defined; `None` where neither is."""
    both = ~(np.isnan(a) | np.isnan(b))
    if both.sum() < 2:
        return None, None
    a, b = a[both], b[both]
    covariance = float(np.cov(a, b)[0, 1])
    vary = np.ptp(a) > 0 and np.ptp(b) > 0  # rounding gives a constant 0.1 a spread
    return covariance, (covariance / float(a.std(ddof=1) * b.std(ddof=1)) if vary else None)


def bootstrap(
    statistic: Callable[..., float | None], *columns: Values, level: float = 0.95, seed: int = SEED
) -> tuple[float, float] | None:
    """Percentile interval of `statistic(*columns)` over resampled rows; `None` where too few are defined.

    Every column has length n. A resample whose statistic is undefined (one class only, say) is left out;
    with more than half of them left out there is no interval.
    """
    n = len(columns[0])
    if n < 2:
        return None
    rng = np.random.default_rng(seed)
    drawn = (rng.integers(0, n, n) for _ in range(RESAMPLES))
    found = [value for rows in drawn if (value := statistic(*(c[rows] for c in columns))) is not None]
    if len(found) < RESAMPLES / 2:
        return None
    return _interval(np.array(found), level)


def auroc(positive: Values, score: Values) -> float | None:
    """Area under the ROC curve, ties counted half, in [0, 1]; `None` with one class only.

    `positive` holds 0 and 1, `score` is higher where positive is more likely.
    """
    positives = int(positive.sum())
    negatives = len(positive) - positives
    if not positives or not negatives:
        return None
    _, places, sizes = np.unique(score, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[places]
    above = ranks[positive == 1].sum() - positives * (positives + 1) / 2
    return float(above / (positives * negatives))


def agreement(truth: Values, predicted: Values) -> dict[str, float | int | None]:
    """Two columns of 0 and 1: `n, accuracy, precision, recall, kappa` (Cohen's), `None` where undefined."""
    return agreement_of(len(truth), float((truth * predicted).sum()), float(predicted.sum()), float(truth.sum()))


def agreement_of(n: int, both: float, said: float, true: float) -> dict[str, float | int | None]:
    """The same from counts: of `n`, 1 in both columns, in `predicted`, in `truth`."""
    accuracy = (n - said - true + 2 * both) / n if n else None
    chance = (said * true + (n - said) * (n - true)) / n**2 if n else 1.0
    return {
        "n": n,
        "accuracy": accuracy,
        "precision": both / said if said else None,
        "recall": both / true if true else None,
        "kappa": None if accuracy is None or chance == 1 else (accuracy - chance) / (1 - chance),
    }


@dataclass(frozen=True, slots=True)
class Paired:
    """A mean paired difference: `value` with its 95 % `interval`, and the p value of "no difference".

    `None` where there is nothing to compute it from: no pair for the value, fewer than two for the rest.
    """

    value: float | None
    interval: tuple[float, float] | None
    p_value: float | None
    n: int


def paired(differences: Values, *, level: float = 0.95, seed: int = SEED) -> list[Paired]:
    """The columns of `differences` (n pairs × m quantities, NaN = undefined), each over its defined pairs.

    The interval is a percentile bootstrap over pairs. The p value comes from flipping signs: under "no
    difference" each pair could as well have been the other way round, so it is the share of random flips
    whose sum is farther from 0, ties counted half (the mid-p value; with 0/1 metrics many sums are equal, and
    counting ties whole would find too little). It assumes no distribution. Without any difference it is 1.
    """
    defined = ~np.isnan(differences)
    known = np.where(defined, differences, 0.0)
    counts, sums = defined.sum(axis=0), known.sum(axis=0)
    lows, highs = _resampled(known, defined.astype(np.float64), level, seed)
    shares = _flipped(known, sums, seed)
    return [
        Paired(
            value=float(total / n) if n else None,
            interval=(float(low), float(high)) if n > 1 else None,
            p_value=float(p) if n > 1 else None,
            n=int(n),
        )
        for n, total, low, high, p in zip(counts, sums, lows, highs, shares, strict=True)
    ]


def _resampled(known: Values, defined: Values, level: float, seed: int) -> tuple[Values, Values]:
    """Lower and upper ends of each column's mean over resampled rows."""
    n, m = known.shape
    rng = np.random.default_rng(seed)
    both, means = np.hstack([known, defined]), np.full((RESAMPLES, m), np.nan)
    for rows in _blocks(RESAMPLES, n):
        size = rows.stop - rows.start
        drawn = rng.integers(0, n, (size, n)) + n * np.arange(size)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        sums = weights.astype(np.float64) @ both
        with np.errstate(divide="ignore", invalid="ignore"):
            means[rows] = sums[:, :m] / sums[:, m:]
    undefined = np.isnan(means).all(axis=0)
    means[:, undefined] = 0.0  # their ends are not used; nanquantile warns of columns without a number
    low, high = np.nanquantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def _flipped(known: Values, sums: Values, seed: int) -> Values:
    """For each column the share of sign flips whose sum is farther from 0 than `sums`, ties counted half."""
    n, m = known.shape
    rng = np.random.default_rng(seed)
    near = 1e-9 * (1.0 + np.abs(known).sum(axis=0))  # equal sums may differ by rounding
    as_far = np.full(m, 0.5)  # the order as it is is a tie: p is never 0
    for rows in _blocks(FLIPS, n):
        size = rows.stop - rows.start
        bits = np.frombuffer(rng.bytes((size * n + 7) // 8), np.uint8)
        kept = np.unpackbits(bits, count=size * n).reshape(size, n)
        farther = np.abs(2.0 * (kept.astype(np.float64) @ known) - sums) - np.abs(sums)
        as_far += (farther > near).sum(axis=0) + 0.5 * (np.abs(farther) <= near).sum(axis=0)
    return np.where(known.any(axis=0), as_far / (FLIPS + 1), 1.0)


def _blocks(total: int, n: int) -> Iterator[slice]:
    """`total` draws of n values, in slices that stay within a few megabytes."""
    step = max(1, min(total, 400_000 // max(n, 1)))
    for start in range(0, total, step):
        yield slice(start, min(start + step, total))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's correction: with it, all tests together find something that is not there in at most 5 %.

    In the order given; what was not tested (`None`) does not count as a test.
    """
    tested = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, i) in enumerate(tested):
        least = max(least, min(1.0, p * (len(tested) - rank)))
        adjusted[i] = least
    return adjusted
