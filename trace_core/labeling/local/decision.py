"""The decisions over the reader: logistic regressions over named columns, read from `local.json`.
`bench/train_labeler.py` makes it: whether a response sentence is `unsupported`, a document sentence `relevant`, and the
one `supports` the other; beside each what words alone decide, which it must be better than."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from trace_core.labeling.local.evidence import Evidence, pair_columns, relevance_columns, support_columns
from trace_core.labeling.local.notation import unreadable
from trace_core.labeling.local.texts import strange_numbers
from trace_core.metrics.base import Values

FILE = Path(__file__).with_name("local.json")
WORDS = "words: "
"""What the name of a decision over words alone begins with."""
EXPECTED = "expected "
"""What the name of a line over a record's sums begins with: see `metrics/expected.py`."""
RECALL = 1.5  # how much more than a wrong one a missing one weighs; F1 weighs them the same
LIMIT = 5.0  # standardized columns are clipped to ± this; no value seen in training lies far outside
_STRANGE = 0.85  # the least doubt of a sentence with a number that the documents lack


class Decision(NamedTuple):
    """A logistic regression over standardized columns."""

    columns: tuple[str, ...]
    mean: Values
    scale: Values
    weight: Values
    bias: float

    def probability(self, columns: Mapping[str, Any]) -> Values:
        """The probability for each place of the columns."""
        values = np.stack([np.asarray(columns[name], dtype=np.float64) for name in self.columns], axis=-1)
        deviations = np.clip((values - self.mean) / self.scale, -LIMIT, LIMIT)
        odds = (deviations * self.weight).sum(axis=-1) + self.bias
        p: Values = 1.0 / (1.0 + np.exp(-np.clip(odds, -40, 40)))
        return p


@lru_cache(maxsize=1)
def packaged_decisions() -> Mapping[str, Decision]:
    """The decisions that ship with the package, by name."""
    decisions = {}
    for name, one in json.loads(FILE.read_text(encoding="utf-8")).items():
        mean, scale, weight = np.array(list(one["columns"].values()), dtype=np.float64).T
        decisions[name] = Decision(tuple(one["columns"]), mean, scale, weight, float(one["bias"]))
    return decisions


def best_set(p: Values, least: float) -> list[int]:
    """The places of the set with the greatest expected F, given the probability of each place to belong to it. Of the k
    most probable ones that is about (1 + b) · (the sum of theirs) / (k + b · (the sum of all)), with b for `RECALL`.
    Nothing is chosen where even the most probable place is under `least`."""
    if not p.size or p.max() < least:
        return []
    order = np.argsort(-p, kind="stable")
    scores = np.cumsum(p[order]) / (np.arange(1, p.size + 1) + RECALL * p.sum())
    return sorted(int(place) for place in order[: int(np.argmax(scores)) + 1])


class Judgment(NamedTuple):
    """The probabilities for one record: n document sentences are relevant, m × n pairs support. `doubt` is how likely
    each of the m response sentences is unsupported; 0 if it copies a document sentence or claims nothing. `unreadable`
    are the places of those that are not made of words."""

    evidence: Evidence
    relevant: Values
    supports: Values
    doubt: Values
    unreadable: Sequence[int]


def judge(e: Evidence, decisions: Mapping[str, Decision]) -> Judgment:
    """Every decision about one record."""
    answers, sources = e.c.texts[1 : 1 + e.c.m], [e.c.texts[0], *e.c.texts[1 + e.c.m :]]
    relevant = decisions["relevant"].probability(relevance_columns(e.c, e.answers))
    if not e.c.m:
        return Judgment(e, relevant, np.zeros((0, e.c.n)), np.zeros(0), ())
    strange = strange_numbers(answers, sources)
    noise = [row for row in unreadable(answers, sources) if e.c.claims[row] or not e.c.answers[row].tokens]
    doubt = decisions["unsupported"].probability(support_columns(e))
    doubt[strange] = np.maximum(doubt[strange], _STRANGE)
    supports = decisions["supports"].probability(pair_columns(e))
    if e.parts is not None:
        np.maximum.at(supports, list(e.owners), decisions["supports"].probability(pair_columns(e.parts)))
    for row, source in enumerate(e.sources):
        if source is not None:
            doubt[row], supports[row, source] = 0.0, 1.0
    doubt[~e.claims], supports[~e.claims] = 0.0, 0.0
    doubt[noise] = 1.0
    return Judgment(e, relevant, supports, doubt, noise)
