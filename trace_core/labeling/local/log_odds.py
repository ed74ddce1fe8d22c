"""Probabilities and their log-odds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def logistic(values: Array) -> Array:
    """1 / (1 + e^−v)."""
    return 1.0 / (1.0 + np.exp(-np.clip(values, -40, 40)))


def logit(p: Array) -> Array:
    """The inverse of `logistic`, for p clipped to [1e-4, 1 − 1e-4]."""
    held = np.clip(p, 1e-4, 1 - 1e-4)
    return np.log(held / (1 - held))
