"""Which records of a run to show: filters over its columns, and a page of what they leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trace_core.columns import SCORES, RunColumns, RunScores
from trace_core.errors import InputError
from trace_core.store.record_reader import RecordLine
from trace_core.store.runs import RunStore


@dataclass(frozen=True, slots=True)
class Filters:
    """What a record must be to be shown; empty filters show all.

    `ranges`: score → (low, high), both included; an undefined score is in no range. `finding` is a
    rule's name, `words` are looked for in question, response and id.
    """

    statuses: frozenset[str] = frozenset()
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    finding: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the records that passed. `places` are their indexes into the run's columns, in the order shown."""

    lines: list[RecordLine]
    places: NDArray[np.int64]
    total: int


def select(
    store: RunStore, run_id: str, columns: RunColumns, scores: RunScores, filters: Filters, *, order: str = "position"
) -> NDArray[np.int64]:
    """Indexes of the records that pass, by position, or by a score (`-name`: highest first), undefined last.

    Raises `InputError` for a score or finding that there is not.
    """
    chosen = np.ones(len(columns), dtype=bool)
    if filters.statuses:
        chosen &= np.isin(scores.status.astype(str), sorted(filters.statuses))
    for name, (low, high) in filters.ranges.items():
        values = _score(scores, name)
        with np.errstate(invalid="ignore"):
            chosen &= (values >= low) & (values <= high)
    if filters.finding:
        fired = columns.findings(scores)
        if filters.finding not in fired:
            raise InputError(f"There is no finding {filters.finding!r}.", f"Use one of: {', '.join(fired)}.")
        chosen &= fired[filters.finding]
    if filters.words.strip():
        chosen &= np.isin(columns.position, store.search(run_id, filters.words.strip()))
    places = np.flatnonzero(chosen)
    if order == "position":
        return places
    keys = _score(scores, order.removeprefix("-"))[places]
    return places[np.argsort(-keys if order.startswith("-") else keys, kind="stable")]  # NaN goes last either way


def page(
    store: RunStore,
    run_id: str,
    convention: str,
    relevance_divisor: float,
    filters: Filters | None = None,
    *,
    order: str = "position",
    offset: int = 0,
    limit: int = 50,
) -> Page:
    """The records from `offset` on, at most `limit`, of those that pass under a convention."""
    columns = store.columns(run_id)
    scores = columns.score(convention, relevance_divisor)
    places = select(store, run_id, columns, scores, filters or Filters(), order=order)
    shown = places[offset : offset + limit]
    lines = store.lines(run_id, [int(p) for p in columns.position[shown]])
    return Page(lines, shown, len(places))


def _score(scores: RunScores, name: str) -> NDArray[np.float64]:
    if name not in scores.values:
        raise InputError(f"There is no score {name!r}.", f"Use one of: {', '.join(SCORES)}.")
    return scores.values[name]
