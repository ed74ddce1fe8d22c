"""How far labelers and people say the same: κ and confusion, with intervals over records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.labels import Labels
from trace_core.facts.records import Sentences
from trace_core.intervals import DRAWS, FEWEST, FEWEST_OF_CLASS
from trace_core.metrics.marks import CLASSES, marks
from trace_core.statistics import SEED

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """One kind of label, said twice of `n` sentences in `records` records.

    `confusion[i][j]` counts the sentences that the first calls `classes[i]` and the second `classes[j]`.
    `kappa` (Cohen's) is `None` where it does not exist: no sentence, or both always say the same one thing. Its
    95 % `interval` needs `FEWEST` records, and `FEWEST_OF_CLASS` sentences besides those of the commonest class.
    `accuracy` is the share said alike.
    """

    classes: tuple[str, ...]
    confusion: list[list[int]]
    records: int
    n: int
    accuracy: float | None
    kappa: float | None
    interval: tuple[float, float] | None

    @property
    def rarer(self) -> float:
        """How many sentences have another than the commonest class, on average of the two who said it."""
        table = np.array(self.confusion)
        return self.n - float((table.sum(axis=0) + table.sum(axis=1)).max()) / 2

    @property
    def few(self) -> bool:
        """Whether there is too little to tell the classes apart."""
        return self.records < FEWEST or self.rarer < FEWEST_OF_CLASS


def agree(pairs: Iterable[tuple[Labels, Labels, Sentences]]) -> dict[str, Agreement]:
    """Two opinions on each record → for each kind of label how far they agree.

    The interval weighs records, not sentences: those of one record stand or fall together.
    """
    tables: dict[str, list[Values]] = {kind: [] for kind in CLASSES}
    for first, second, sentences in pairs:
        one, other = marks(first, sentences), marks(second, sentences)
        for kind, classes in CLASSES.items():
            if kind in one and kind in other:
                tables[kind].append(_table(one[kind], other[kind], classes))
    return {kind: agreement_of_tables(CLASSES[kind], found) for kind, found in tables.items()}


def _table(one: Mapping[str, str], other: Mapping[str, str], classes: Sequence[str]) -> Values:
    place = {name: i for i, name in enumerate(classes)}
    table = np.zeros((len(classes), len(classes)))
    for key, said in one.items():
        table[place[said], place[other[key]]] += 1
    return table


def agreement_of_tables(classes: tuple[str, ...], tables: Sequence[Values]) -> Agreement:
    """How far two agree whose tables (first × second), one a record, hold numbers of sentences."""
    stacked = np.array(tables, dtype=np.float64).reshape(-1, len(classes), len(classes))
    together = stacked.sum(axis=0)
    n = int(together.sum())
    kappa = float(_kappa(together[None])[0])
    found = Agreement(
        classes=classes,
        confusion=together.astype(int).tolist(),
        records=len(stacked),
        n=n,
        accuracy=float(np.trace(together) / n) if n else None,
        kappa=None if np.isnan(kappa) else kappa,
        interval=None,
    )
    return found if found.few else replace(found, interval=_interval(stacked))


def _kappa(tables: Values) -> Values:
    """Cohen's κ of each table (r × c × c), NaN where it does not exist."""
    n = tables.sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        alike = np.trace(tables, axis1=1, axis2=2) / n
        chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / n**2
        return np.where(chance < 1, (alike - chance) / (1 - chance), np.nan)


def _interval(tables: Values, level: float = 0.95) -> tuple[float, float]:
    """κ under random weights of the records, with one more: said unlike throughout for the lower end, alike for the
    upper one. So records that all agree have an interval of some width (see `intervals`)."""
    records, size = len(tables), tables.shape[1]
    together = tables.sum(axis=0)
    unlike = np.outer(together.sum(axis=1), together.sum(axis=0)) * (1 - np.eye(size))
    alike = np.diag(together.sum(axis=0) + together.sum(axis=1))
    ends = [more * (together.sum() / records / more.sum()) for more in (unlike, alike)]
    weights = np.random.default_rng(SEED).standard_exponential((DRAWS, records + 1))
    flat = tables.reshape(records, -1)
    low, high = (_kappa((weights @ np.vstack([flat, end.reshape(1, -1)])).reshape(DRAWS, size, size)) for end in ends)
    return float(np.nanquantile(low, (1 - level) / 2)), float(np.nanquantile(high, (1 + level) / 2))
