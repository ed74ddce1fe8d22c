"""The trained models: linear ones and boosted trees over named columns, read from `local.json`.

`bench/train_labeler.py` makes the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).parent / "local.json"
LIMIT = 5.0
"""Standardized columns are clipped to ± this; no value seen in training lies far outside."""
LEAF = -1

Array = NDArray[np.float64]
Columns = Mapping[str, Any]
"""Name → k values."""


def logistic(values: Array) -> Array:
    """1 / (1 + e^−v)."""
    return 1.0 / (1.0 + np.exp(-np.clip(values, -40, 40)))


def logit(p: Array) -> Array:
    """The inverse of `logistic`, for p clipped to [1e-4, 1 − 1e-4]."""
    clipped = np.clip(p, 1e-4, 1 - 1e-4)
    return np.log(clipped / (1 - clipped))


def stacked(columns: Columns, names: tuple[str, ...]) -> Array:
    """The named columns side by side, k × number of names."""
    return np.stack([np.asarray(columns[name], dtype=np.float64) for name in names], axis=-1)


@dataclass(frozen=True, slots=True)
class Linear:
    """A weighted sum of standardized columns."""

    columns: tuple[str, ...]
    mean: Array
    scale: Array
    weight: Array
    bias: float

    def sum(self, columns: Columns) -> Array:
        """The weighted sum, k values."""
        standardized = (stacked(columns, self.columns) - self.mean) / self.scale
        total: Array = (np.clip(standardized, -LIMIT, LIMIT) * self.weight).sum(axis=-1) + self.bias
        return total

    def probability(self, columns: Columns) -> Array:
        """The sum as a probability, k values in (0, 1)."""
        return logistic(self.sum(columns))


class Trees:
    """T trees of at most N nodes; each gives the value of one leaf, and their sum is the log-odds.

    A node is its column (`LEAF` at a leaf), its threshold, the next nodes for values up to and above it, and a leaf's
    value. In the arrays, T × N, a leaf leads to itself, so that all trees are descended in step.
    """

    def __init__(self, columns: tuple[str, ...], trees: list[list[list[float]]], bias: float) -> None:
        self.columns, self.bias = columns, bias
        most = max(map(len, trees))
        nodes = np.array([tree + [[LEAF, 0, 0, 0, 0]] * (most - len(tree)) for tree in trees])
        leaf, itself = nodes[:, :, 0] == LEAF, np.arange(most)
        self._column = np.where(leaf, 0, nodes[:, :, 0]).astype(np.intp)
        self._threshold = np.where(leaf, np.inf, nodes[:, :, 1])
        self._left, self._right = (np.where(leaf, itself, nodes[:, :, side]).astype(np.intp) for side in (2, 3))
        self._value = nodes[:, :, 4]

    def probability(self, columns: Columns) -> Array:
        """The sum as a probability, k values in (0, 1)."""
        values = stacked(columns, self.columns)
        tree, row = np.arange(len(self._value)), np.arange(len(values))[:, None]
        place, before = np.zeros((len(values), len(tree)), dtype=np.intp), None
        while before is None or (place != before).any():
            before = place
            goes_left = values[row, self._column[tree, place]] <= self._threshold[tree, place]
            place = np.where(goes_left, self._left[tree, place], self._right[tree, place])
        return logistic(self._value[tree, place].sum(axis=1) + self.bias)


@dataclass(frozen=True, slots=True)
class Models:
    """Every model by name, and the thresholds of the labels."""

    linear: Mapping[str, Linear]
    trees: Mapping[str, Trees]
    thresholds: Mapping[str, float]

    @classmethod
    def from_json(cls, text: str) -> Models:
        """The models of a file's text."""
        file = json.loads(text)
        linear, trees = dict[str, Linear](), dict[str, Trees]()
        for name, model in file["models"].items():
            columns, bias = tuple(model["columns"]), float(model["bias"])
            if "trees" in model:
                trees[name] = Trees(columns, model["trees"], bias)
            else:
                mean, scale, weight = np.array(list(model["columns"].values()), dtype=np.float64).T
                linear[name] = Linear(columns, mean, scale, weight, bias)
        return cls(linear, trees, file["thresholds"])


@lru_cache(maxsize=1)
def shipped() -> Models:
    """The models that ship with the package."""
    return Models.from_json(FILE.read_text(encoding="utf-8"))
