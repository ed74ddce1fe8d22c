"""The decisions over the reader: logistic regressions over named columns, read from `local.json`.

`bench/train_labeler.py` makes it: whether a response sentence is `unsupported`, a document sentence `relevant`, and the
one `supports` the other; beside each what words alone decide, which it must be better than.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_name("local.json")
WORDS = "words: "
"""What the name of a decision over words alone begins with."""
EXPECTED = "expected "
"""What the name of a line over a record's sums begins with: see `metrics/expected.py`."""
RECALL = 1.5
"""How much more than a wrong one a missing one weighs; F1 weighs them the same."""
LIMIT = 5.0
"""Standardized columns are clipped to ± this; no value seen in training lies far outside."""

Array = NDArray[np.float64]
Columns = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Decision:
    """A logistic regression over standardized columns."""

    columns: tuple[str, ...]
    mean: Array
    scale: Array
    weight: Array
    bias: float

    def probability(self, columns: Columns) -> Array:
        """The probability for each place of the columns."""
        values = np.stack([np.asarray(columns[name], dtype=np.float64) for name in self.columns], axis=-1)
        deviations = np.clip((values - self.mean) / self.scale, -LIMIT, LIMIT)
        odds = (deviations * self.weight).sum(axis=-1) + self.bias
        p: Array = 1.0 / (1.0 + np.exp(-np.clip(odds, -40, 40)))
        return p


@lru_cache(maxsize=1)
def packaged_decisions() -> Mapping[str, Decision]:
    """The decisions that ship with the package, by name."""
    decisions = {}
    for name, one in json.loads(FILE.read_text(encoding="utf-8")).items():
        mean, scale, weight = np.array(list(one["columns"].values()), dtype=np.float64).T
        decisions[name] = Decision(tuple(one["columns"]), mean, scale, weight, float(one["bias"]))
    return decisions


def best_set(p: Array, least: float) -> list[int]:
    """The places of the set with the greatest expected F, given the probability of each place to belong to it. Of the k
    most probable ones that is about (1 + b) · (the sum of theirs) / (k + b · (the sum of all)), with b for `RECALL`.
    Nothing is chosen where even the most probable place is under `least`."""
    if not p.size or p.max() < least:
        return []
    order = np.argsort(-p, kind="stable")
    scores = np.cumsum(p[order]) / (np.arange(1, p.size + 1) + RECALL * p.sum())
    return sorted(int(place) for place in order[: int(np.argmax(scores)) + 1])
