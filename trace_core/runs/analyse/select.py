"""Which records of a run to show, and in what order: filters over its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import InputError
from trace_core.runs.analyse.fields import FieldFilter, having, row_fields
from trace_core.store.runs import RunStore
from trace_core.summary.columns import SCORES, Mask, RunColumns, RunScores


@dataclass(frozen=True, slots=True)
class Filters:
    """The conditions for a record to be shown; empty filters show all.

    `ranges`: score → (low, high), both included; an undefined score is in no range. `finding` is a rule's
    name, `undefined` a metric and the reason why it is undefined; `words` are searched in question, response and id;
    `row_field` is a condition on one of the rows' other fields.
    """

    statuses: frozenset[str] = frozenset()
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    finding: str = ""
    undefined: tuple[str, str] | None = None
    words: str = ""
    row_field: FieldFilter | None = None


def select(
    store: RunStore,
    run_id: str,
    columns: RunColumns,
    scores: RunScores,
    filters: Filters,
    findings: Mapping[str, Mask],
) -> Mask:
    """The positions of the records that pass; `findings` says where each rule fires.

    Raises `InputError` for an unknown score, finding or field.
    """
    chosen = np.ones(len(columns), dtype=bool)
    if filters.statuses:
        chosen &= np.isin(scores.status.astype(str), sorted(filters.statuses))
    for name, (low, high) in filters.ranges.items():
        values = _score(scores, name)
        with np.errstate(invalid="ignore"):
            chosen &= (values >= low) & (values <= high)
    if filters.finding:
        if filters.finding not in findings:
            raise InputError(f"There is no finding {filters.finding!r}.", f"Use one of: {', '.join(findings)}.")
        chosen &= findings[filters.finding]
    if filters.undefined:
        metric, reason = filters.undefined
        _score(scores, metric)
        chosen &= scores.reasons[metric] == reason
    if filters.words.strip():
        chosen &= np.isin(columns.position, store.search(run_id, filters.words.strip()))
    if filters.row_field:
        chosen &= np.isin(columns.position, having(row_fields(store, run_id, columns), filters.row_field))
    return chosen


WORST = "worst"
"""The order that begins with the records whose answers are not grounded, then with the lowest average."""


def ordered(scores: RunScores, places: NDArray[np.int64], order: str = "position") -> NDArray[np.int64]:
    """The positions in file order, worst first, or by a score: lowest first, undefined last. Raises `InputError`."""
    if order == "position":
        return places
    if order == WORST:
        return places[np.lexsort((scores.values["average"][places], scores.values["adherence"][places]))]
    return places[np.argsort(_score(scores, order)[places], kind="stable")]  # NaN goes last


def _score(scores: RunScores, name: str) -> NDArray[np.float64]:
    if name not in scores.values:
        raise InputError(f"There is no score {name!r}.", f"Use one of: {', '.join(SCORES)}.")
    return scores.values[name]
