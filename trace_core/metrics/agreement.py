"""How far labelers and people say the same: κ and confusion, with intervals over records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.labels import Labels
from trace_core.facts.records import Sentences
from trace_core.metrics.marks import CLASSES, marks
from trace_core.statistics import RESAMPLES, SEED

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """One kind of label, said twice of `n` sentences in `records` records.

    `confusion[i][j]` counts the sentences that the first calls `classes[i]` and the second `classes[j]`.
    `kappa` (Cohen's) and its 95 % `interval` are `None` where they do not exist: no sentence, or both
    always say the same one thing. `accuracy` is the share said alike.
    """

    classes: tuple[str, ...]
    confusion: list[list[int]]
    records: int
    n: int
    accuracy: float | None
    kappa: float | None
    interval: tuple[float, float] | None


def agree(pairs: Iterable[tuple[Labels, Labels, Sentences]]) -> dict[str, Agreement]:
    """Two opinions on each record → for each kind of label how far they agree.

    The interval resamples records, not sentences: those of one record stand or fall together.
    """
    tables: dict[str, list[Values]] = {kind: [] for kind in CLASSES}
    for first, second, sentences in pairs:
        one, other = marks(first, sentences), marks(second, sentences)
        for kind, classes in CLASSES.items():
            if kind in one and kind in other:
                tables[kind].append(_table(one[kind], other[kind], classes))
    return {kind: _agreement(CLASSES[kind], found) for kind, found in tables.items()}


def _table(one: Mapping[str, str], other: Mapping[str, str], classes: Sequence[str]) -> Values:
    place = {name: i for i, name in enumerate(classes)}
    table = np.zeros((len(classes), len(classes)))
    for key, said in one.items():
        table[place[said], place[other[key]]] += 1
    return table


def _agreement(classes: tuple[str, ...], tables: Sequence[Values]) -> Agreement:
    stacked = np.array(tables, dtype=np.float64).reshape(-1, len(classes), len(classes))
    together = stacked.sum(axis=0)
    n = int(together.sum())
    kappa = float(_kappa(together[None])[0])
    return Agreement(
        classes=classes,
        confusion=together.astype(int).tolist(),
        records=len(stacked),
        n=n,
        accuracy=float(np.trace(together) / n) if n else None,
        kappa=None if np.isnan(kappa) else kappa,
        interval=_interval(stacked),
    )


def _kappa(tables: Values) -> Values:
    """Cohen's κ of each table (r × c × c), NaN where it does not exist."""
    n = tables.sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        alike = np.trace(tables, axis1=1, axis2=2) / n
        chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / n**2
        return np.where(chance < 1, (alike - chance) / (1 - chance), np.nan)


def _interval(tables: Values, level: float = 0.95) -> tuple[float, float] | None:
    """Percentile interval of κ over resampled records; `None` where fewer than half the resamples have one."""
    records, size = len(tables), tables.shape[1]
    if records < 2:
        return None
    weights = np.random.default_rng(SEED).multinomial(records, np.full(records, 1 / records), RESAMPLES)
    drawn = (weights @ tables.reshape(records, -1)).reshape(RESAMPLES, size, size)
    found = _kappa(drawn)
    known = found[~np.isnan(found)]
    if len(known) < RESAMPLES / 2:
        return None
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
