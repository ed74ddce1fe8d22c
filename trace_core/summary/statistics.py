"""Statistics over many records. Their intervals are in `intervals`."""

from collections.abc import Sequence

import numpy as np

from trace_core.metrics.base import Values

SEED = 20240711
RANDOM_BALANCE = 0.237
"""Mean RMSE of four independent uniform metrics, by simulation (seed 003 says ~0.27)."""


def correlation(a: Values, b: Values) -> tuple[float | None, float | None]:
    """Covariance (n − 1) and Pearson's r over the pairs where both values are defined; `None` where undefined."""
    both = ~(np.isnan(a) | np.isnan(b))
    if both.sum() < 2:
        return None, None
    a, b = a[both], b[both]
    covariance = float(np.cov(a, b)[0, 1])
    vary = np.ptp(a) > 0 and np.ptp(b) > 0  # rounding gives a constant 0.1 a nonzero spread
    return covariance, (covariance / float(a.std(ddof=1) * b.std(ddof=1)) if vary else None)


def auroc(positive: Values, score: Values) -> float | None:
    """Area under the ROC curve of a score that is higher where `positive` is 1; ties half; `None` with one class."""
    if not 0 < (positive == 1).sum() < len(positive):
        return None
    return float(placements(positive, score)[0].mean())


def placements(positive: Values, score: Values) -> tuple[Values, Values]:
    """For each positive the share of negatives below it, for each negative that of positives above; ties half."""
    up, down = score[positive == 1], score[positive != 1]
    return _below(up, down), 1 - _below(down, up)


def _below(values: Values, others: Values) -> Values:
    ascending = np.sort(others)
    return (np.searchsorted(ascending, values) + np.searchsorted(ascending, values, side="right")) / (2 * len(others))


def agreement_of(n: int, both: float, predicted: float, true: float) -> dict[str, float | int | None]:
    """`n, accuracy, precision, recall, kappa` (Cohen's), from how many are 1 on both sides, predicted, in truth."""
    accuracy = (n - predicted - true + 2 * both) / n if n else None
    chance = (predicted * true + (n - predicted) * (n - true)) / n**2 if n else 1.0
    return {
        "n": n,
        "accuracy": accuracy,
        "precision": both / predicted if predicted else None,
        "recall": both / true if true else None,
        "kappa": None if accuracy is None or chance == 1 else (accuracy - chance) / (1 - chance),
    }


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's correction, in the given order: any false positive over all tests has 5 %; `None` is no test."""
    tests = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    results: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, i) in enumerate(tests):
        least = max(least, min(1.0, p * (len(tests) - rank)))
        results[i] = least
    return results
