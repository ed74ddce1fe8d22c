"""A run's mean as people's labels correct it: prediction-powered inference over the run's own records. The mean of
people's minus the labeler's scores over the records people read corrects the labeler's mean over all (Angelopoulos and
others, 2023). It holds where the records that people read are a fair sample of the run."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from trace_core.metrics.base import Values
from trace_core.summary.intervals import Interval, bias_interval


class CorrectedMean(NamedTuple):
    """The labeler's mean (`raw`) over `total` records, and the mean as the `n` records that people read correct it.
    `value` is `None` where nobody read a record, `interval` where too few were read."""

    raw: float | None
    value: float | None
    interval: Interval | None
    n: int
    total: int


def corrected_mean(labeler: Values, people: Values) -> CorrectedMean:
    """Of scores from 0 to 1, a record each; NaN where a score is undefined or nobody read the record."""
    present = ~np.isnan(labeler)
    both = present & ~np.isnan(people)
    total, n = int(present.sum()), int(both.sum())
    if not n:
        return CorrectedMean(float(labeler[present].mean()) if total else None, None, None, 0, total)
    raw, errors = float(labeler[present].mean()), people[both] - labeler[both]
    bias, span = float(errors.mean()), bias_interval(errors)
    left = math.sqrt(1 - n / total)  # what everybody has read is certain
    ends = (bias + left * (end - bias) for end in span or ())
    value, *interval = (min(1.0, max(0.0, raw + error)) for error in (bias, *ends))
    return CorrectedMean(raw, value, (interval[0], interval[1]) if interval else None, n, total)


def is_fair(places: Sequence[int], total: int) -> bool:
    """Whether records at these places, from 0, of an order of `total` may be a sample of it at random (rank sum)."""
    n = len(places)
    if not 0 < n < total:
        return True
    spread = math.sqrt((total + 1) * (total - n) / (12 * n))
    return abs(float(np.mean(places)) - (total - 1) / 2) <= 1.96 * spread
