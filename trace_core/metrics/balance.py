"""What the four metrics say together: their mean, how far apart they are, and its band."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from trace_core.metrics.base import Values


@dataclass(frozen=True, slots=True)
class Derived:
    """A number computed from the four metrics."""

    name: str
    label: str
    formula: str
    description: str


_DERIVED = (
    Derived("average", "Average", "(R + T + C + A) ÷ 4", "Mean of the four metrics."),
    Derived(
        "rmse_aggregation",
        "Balance (RMSE)",
        "√(Σ(metric − average)² ÷ 4)",
        "Spread of the four metrics. It says nothing about quality.",
    ),
    Derived("consistency_score", "Consistency", "1 − min(RMSE, 1)", "1 − balance. 1 means all four metrics are equal."),
)
DERIVED: Mapping[str, Derived] = {one.name: one for one in _DERIVED}


@dataclass(frozen=True, slots=True)
class Band:
    """Values of balance from `low` (included) up to the next band: its `name` in JSON, and as it is `shown`."""

    name: str
    low: float
    shown: str
    meaning: str


BANDS = (
    Band("excellent", 0.0, "perfectly balanced", "the four metrics agree"),
    Band("good", 0.10, "slight variation", "the four metrics nearly agree"),
    Band("acceptable", 0.20, "moderate inconsistency", "one metric stands apart: look which"),
    Band("poor", 0.30, "high inconsistency", "the metrics disagree strongly: review the pipeline"),
)


def combine(four: Values) -> tuple[Values, Values, Values]:
    """Average, RMSE (population) and consistency of `four` (4 × n); NaN if any of the four is. Source: seed 003. RMSE
    lies in [0, 0.5], consistency in [0.5, 1]."""
    average = four.mean(axis=0)
    rmse = np.sqrt(((four - average) ** 2).mean(axis=0))
    return average, rmse, 1.0 - np.minimum(rmse, 1.0)


def band(rmse: float) -> Band:
    """The band of one RMSE ≥ 0; a lower bound belongs to its band."""
    # A root may give 0.09999999999999998 for 0.1.
    return next(b for b in reversed(BANDS) if round(rmse, 12) >= b.low)
