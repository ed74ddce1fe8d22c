"""The trained part: a few linear models over named columns, in one small JSON file.

`bench/train_labeler.py` makes the file. Each model is a dot product over standardized columns, so that
what it says can be traced to what was measured, and a difference of 1e-7 in a vector stays one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).parent / "local.json"
LIMIT = 5.0
"""Standardized columns are held within ± this: nothing seen in training lies far outside."""

Array = NDArray[np.float64]
Columns = Mapping[str, Any]
"""Name → k values."""


@dataclass(frozen=True, slots=True)
class Model:
    """A linear model over named columns."""

    columns: tuple[str, ...]
    mean: Array
    scale: Array
    weight: Array
    bias: float

    def terms(self, columns: Columns) -> Array:
        """What each column adds to the sum, k × number of columns."""
        values = np.stack([np.asarray(columns[name], dtype=np.float64) for name in self.columns], axis=-1)
        terms: Array = np.clip((values - self.mean) / self.scale, -LIMIT, LIMIT) * self.weight
        return terms

    def sum(self, columns: Columns) -> Array:
        """The weighted sum, k values."""
        total: Array = self.terms(columns).sum(axis=-1) + self.bias
        return total

    def probability(self, columns: Columns) -> Array:
        """The sum as a probability, k values in (0, 1)."""
        return logistic(self.sum(columns))


@dataclass(frozen=True, slots=True)
class Weights:
    """Every model by name, and the thresholds of its labels."""

    models: Mapping[str, Model]
    thresholds: Mapping[str, float]

    def to_json(self) -> str:
        """The file's text; the same weights give the same text."""
        models = {
            name: {
                "bias": round(model.bias, 6),
                "columns": {
                    column: [_short(v) for v in values]
                    for column, *values in zip(model.columns, model.mean, model.scale, model.weight, strict=True)
                },
            }
            for name, model in self.models.items()
        }
        return json.dumps({"thresholds": dict(self.thresholds), "models": models}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Weights:
        """The inverse of `to_json`."""
        read = json.loads(text)
        return cls({name: _model(m) for name, m in read["models"].items()}, read["thresholds"])


def _model(read: dict[str, Any]) -> Model:
    mean, scale, weight = np.array(list(read["columns"].values()), dtype=np.float64).T
    return Model(tuple(read["columns"]), mean, scale, weight, float(read["bias"]))


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def logistic(values: Array) -> Array:
    """1 / (1 + e^−v)."""
    return 1.0 / (1.0 + np.exp(-np.clip(values, -40, 40)))


def logit(p: Array) -> Array:
    """The inverse of `logistic`, for p held within [1e-4, 1 − 1e-4]."""
    held = np.clip(p, 1e-4, 1 - 1e-4)
    return np.log(held / (1 - held))


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """The weights that come with the package."""
    return Weights.from_json(FILE.read_text(encoding="utf-8"))


def each(columns: Mapping[str, Array], sizes: list[int]) -> Iterator[dict[str, Array]]:
    """Columns over several records, cut into each record's own."""
    ends = np.cumsum(sizes)
    for start, end in zip(ends - np.array(sizes), ends, strict=True):
        yield {name: values[start:end] for name, values in columns.items()}
