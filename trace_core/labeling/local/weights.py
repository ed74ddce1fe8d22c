"""The trained weights: a few linear models and boosted trees over named columns, in one JSON file.

`bench/train_labeler.py` makes the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from trace_core.labeling.local.log_odds import Array, logistic
from trace_core.labeling.local.trees import Trees

FILE = Path(__file__).parent / "local.json"
LIMIT = 5.0
"""Standardized columns are clipped to ± this; no value seen in training lies far outside."""

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
        """The contribution of each column to the sum, k × number of columns."""
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

    def to_json(self) -> dict[str, Any]:
        """The bias, and the mean, scale and weight of each column."""
        parts = zip(self.columns, self.mean, self.scale, self.weight, strict=True)
        columns = {column: [float(f"{value:.6g}") for value in values] for column, *values in parts}
        return {"bias": round(self.bias, 6), "columns": columns}

    @classmethod
    def from_json(cls, read: Mapping[str, Any]) -> Model:
        """The inverse of `to_json`."""
        mean, scale, weight = np.array(list(read["columns"].values()), dtype=np.float64).T
        return cls(tuple(read["columns"]), mean, scale, weight, float(read["bias"]))


@dataclass(frozen=True, slots=True)
class Weights:
    """Every model by name, and the thresholds of the labels."""

    models: Mapping[str, Model | Trees]
    thresholds: Mapping[str, float]

    def to_json(self) -> str:
        """The file's text, one model per line; equal weights give equal text."""
        models = ",\n".join(f"{json.dumps(name)}: {json.dumps(m.to_json())}" for name, m in self.models.items())
        return f'{{"thresholds": {json.dumps(dict(self.thresholds))},\n"models": {{\n{models}\n}}}}\n'

    @classmethod
    def from_json(cls, text: str) -> Weights:
        """The inverse of `to_json`."""
        read = json.loads(text)
        models = {name: (Trees if "trees" in m else Model).from_json(m) for name, m in read["models"].items()}
        return cls(models, read["thresholds"])


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """The weights that ship with the package."""
    return Weights.from_json(FILE.read_text(encoding="utf-8"))


def each(columns: Mapping[str, Array], sizes: list[int]) -> Iterator[dict[str, Array]]:
    """Split columns over several records into the columns of each record."""
    ends = np.cumsum(sizes)
    for start, end in zip(ends - np.array(sizes), ends, strict=True):
        yield {name: values[start:end] for name, values in columns.items()}
