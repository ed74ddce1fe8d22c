"""Boosted regression trees over named columns, for trained models where a weighted sum is not enough."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.labeling.local.log_odds import Array, logistic

Places = NDArray[np.intp]
Node = tuple[int, float, int, int, float]
"""Column (−1 at a leaf), threshold, the next nodes for values up to and above it, and a leaf's value."""
_LEAF = -1


@dataclass(frozen=True, slots=True)
class Trees:
    """T trees of at most N nodes; each gives the value of one leaf, and their sum is the log-odds.

    Every array is T × N. A leaf leads to itself, so that all trees can be descended in step.
    """

    columns: tuple[str, ...]
    column: Places
    threshold: Array
    left: Places
    right: Places
    value: Array
    bias: float
    depth: int

    @classmethod
    def of(cls, columns: Sequence[str], trees: Iterable[Sequence[Node]], bias: float) -> Trees:
        """Build the trees from nodes, the root first in each tree."""
        listed = [list(tree) for tree in trees]
        most = max(map(len, listed))
        filled = [tree + [(_LEAF, 0.0, 0, 0, 0.0)] * (most - len(tree)) for tree in listed]
        column, threshold, left, right, value = (np.array([[n[i] for n in tree] for tree in filled]) for i in range(5))
        leaf, itself = column == _LEAF, np.arange(most)
        return cls(
            tuple(columns), np.where(leaf, 0, column), np.where(leaf, np.inf, threshold),
            np.where(leaf, itself, left), np.where(leaf, itself, right), value, bias, max(map(_depth, listed)),
        )  # fmt: skip

    def sum(self, columns: Mapping[str, Any]) -> Array:
        """The sum of the leaves and the bias, k values."""
        values = np.stack([np.asarray(columns[name], dtype=np.float64) for name in self.columns], axis=-1)
        tree, row = np.arange(len(self.value)), np.arange(len(values))[:, None]
        place = np.zeros((len(values), len(tree)), dtype=np.intp)
        for _ in range(self.depth):
            goes_left = values[row, self.column[tree, place]] <= self.threshold[tree, place]
            place = np.where(goes_left, self.left[tree, place], self.right[tree, place])
        total: Array = self.value[tree, place].sum(axis=1) + self.bias
        return total

    def probability(self, columns: Mapping[str, Any]) -> Array:
        """The sum as a probability, k values in (0, 1)."""
        return logistic(self.sum(columns))

    def to_json(self) -> dict[str, Any]:
        """The columns, the bias, and each tree as a list of nodes."""
        parts = (self.column, self.threshold, self.left, self.right, self.value)
        return {
            "columns": self.columns,
            "bias": self.bias,
            "trees": [_nodes(*tree) for tree in zip(*parts, strict=True)],
        }

    @classmethod
    def from_json(cls, read: Mapping[str, Any]) -> Trees:
        """The inverse of `to_json`."""
        return cls.of(read["columns"], read["trees"], float(read["bias"]))


def _depth(tree: Sequence[Node], place: int = 0) -> int:
    """The number of steps from the node down to its farthest leaf."""
    column, _, left, right, _ = tree[place]
    return 0 if column == _LEAF else 1 + max(_depth(tree, left), _depth(tree, right))


def _nodes(column: Places, threshold: Array, left: Places, right: Places, value: Array) -> list[list[float]]:
    """One tree in file format, where a leaf leads nowhere."""
    found = []
    for i, limit in enumerate(threshold):
        leaf = not np.isfinite(limit)
        split = [_LEAF, 0, 0, 0] if leaf else [int(column[i]), float(f"{limit:.6g}"), int(left[i]), int(right[i])]
        found.append([*split, float(f"{value[i]:.6g}")])
    return found
