"""Agreement between labelers and people: κ and confusion, with intervals over records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.labels import Labels
from trace_core.facts.records import Sentences
from trace_core.metrics.marks import CLASSES, marks
from trace_core.summary.intervals import DRAWS, FEWEST, FEWEST_OF_CLASS, LEVEL
from trace_core.summary.statistics import SEED

Values = NDArray[np.float64]


class Agreement(NamedTuple):
    """The agreement of two raters on one kind of label, over `n` sentences in `records` records.

    `confusion[i][j]` counts the sentences that the first calls `classes[i]` and the second `classes[j]`; `accuracy` is
    the share with the same class. `kappa` (Cohen's) is `None` without sentences, and where both raters use one and the
    same class throughout. Its 95 % `interval` needs `FEWEST` records, and `FEWEST_OF_CLASS` sentences outside the
    commonest class.
    """

    classes: tuple[str, ...]
    confusion: list[list[int]]
    records: int
    n: int
    accuracy: float | None
    kappa: float | None
    interval: tuple[float, float] | None

    @property
    def few(self) -> bool:
        """Whether there is too little to tell the classes apart; both raters count half."""
        table = np.array(self.confusion)
        rarer = self.n - float((table.sum(axis=0) + table.sum(axis=1)).max()) / 2
        return self.records < FEWEST or rarer < FEWEST_OF_CLASS


def agree(pairs: Iterable[tuple[Labels, Labels, Sentences]]) -> dict[str, Agreement]:
    """The agreement for each kind of label, from two sets of labels per record.

    The interval resamples records, not sentences, because the sentences of one record are not independent.
    """
    tables: dict[str, list[Values]] = {kind: [] for kind in CLASSES}
    for first, second, sentences in pairs:
        one, other = marks(first, sentences), marks(second, sentences)
        for kind in one.keys() & other.keys():
            place = {name: i for i, name in enumerate(CLASSES[kind])}
            table = np.zeros((len(place), len(place)))
            for key, mark in one[kind].items():
                table[place[mark], place[other[kind][key]]] += 1
            tables[kind].append(table)
    return {kind: agreement_of_tables(CLASSES[kind], of_kind) for kind, of_kind in tables.items()}


def agreement_of_tables(classes: tuple[str, ...], tables: Sequence[Values]) -> Agreement:
    """The agreement from one table of sentence counts (first × second) per record."""
    stacked = np.array(tables, dtype=np.float64).reshape(-1, len(classes), len(classes))
    together = stacked.sum(axis=0)
    n, kappa = int(together.sum()), float(_kappa(together[None])[0])
    agreement = Agreement(
        classes, together.astype(int).tolist(), records=len(stacked), n=n, interval=None,
        accuracy=float(np.trace(together) / n) if n else None, kappa=None if np.isnan(kappa) else kappa,
    )  # fmt: skip
    return agreement if agreement.few else agreement._replace(interval=_interval(stacked))


def _kappa(tables: Values) -> Values:
    """Cohen's κ of each table (r × c × c), NaN where it is undefined."""
    n = tables.sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        alike = np.trace(tables, axis1=1, axis2=2) / n
        chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / n**2
        return np.where(chance < 1, (alike - chance) / (1 - chance), np.nan)


def _interval(tables: Values) -> tuple[float, float]:
    """κ under random weights of the records and one extra record: all disagreement for the lower end, all agreement
    for the upper. So records that all agree still have an interval of some width (see `intervals`)."""
    records, size = len(tables), tables.shape[1]
    together = tables.sum(axis=0)
    unlike = np.outer(together.sum(axis=1), together.sum(axis=0)) * (1 - np.eye(size))
    alike = np.diag(together.sum(axis=0) + together.sum(axis=1))
    ends = [more * (together.sum() / records / more.sum()) for more in (unlike, alike)]
    weights = np.random.default_rng(SEED).standard_exponential((DRAWS, records + 1))
    flat = tables.reshape(records, -1)
    low, high = (_kappa((weights @ np.vstack([flat, end.reshape(1, -1)])).reshape(DRAWS, size, size)) for end in ends)
    return float(np.nanquantile(low, (1 - LEVEL) / 2)), float(np.nanquantile(high, (1 + LEVEL) / 2))
