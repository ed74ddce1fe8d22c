"""Which records of a run to show, and in what order: filters over its columns, and over the rows' other fields."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.faults import FAULTS, look
from trace_core.store.record_reader import RowFields, Value
from trace_core.store.rows import LONGEST_FIELD
from trace_core.store.runs import RunStore
from trace_core.summary.charts import TONES, Estimate, estimate_of
from trace_core.summary.columns import Mask, RunColumns, RunScores

MODEL = "generation_model_name"
"""This field of a row has a column of its own, and is filtered as any other."""
MOST_VALUES = 50
"""A field with more different values is not chosen from."""
FEW_NUMBERS = 10
"""The most different numbers, repeating like versions or marks, that a person chooses from; others have a range."""
WORST = "worst"
"""The order by the colour of the verdict, then by how grave it is, then the lowest average first."""


@dataclass(frozen=True, slots=True)
class FieldFilter:
    """The condition on a field: one of the values, or a number from … to, both included; without either, any value."""

    name: str
    values: frozenset[str] = frozenset()
    span: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Filters:
    """The conditions for a record to be shown; empty filters show all. `ranges`: score → (low, high), both included; an
    undefined score is in no range. `undefined` is a metric and the reason why it is undefined; `words` are searched in
    question, response and id; `row_field` is a condition on one of the rows' other fields."""

    statuses: frozenset[str] = frozenset()
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    undefined: tuple[str, str] | None = None
    words: str = ""
    row_field: FieldFilter | None = None


def select(store: RunStore, run_id: str, scores: RunScores, filters: Filters) -> Mask:
    """Which records pass. Raises `KeyError` for a name that there is not."""
    columns = scores.columns
    mask = np.ones(len(columns), dtype=bool)
    if filters.statuses:
        mask &= np.isin(scores.status, sorted(filters.statuses))
    for name, (low, high) in filters.ranges.items():
        mask &= (scores.values[name] >= low) & (scores.values[name] <= high)
    if filters.undefined:
        metric, reason = filters.undefined
        mask &= scores.reasons[metric] == reason
    if filters.words.strip():
        mask &= np.isin(columns.position, store.search(run_id, filters.words.strip()))
    if filters.row_field:
        mask &= np.isin(columns.position, having(row_fields(store, run_id, columns), filters.row_field))
    return mask


def sort_places(scores: RunScores, places: NDArray[np.int64], order: str = "position") -> NDArray[np.int64]:
    """The places in file order, the worst verdict first, by its colour as shown, or the lowest of a score first,
    undefined last."""
    if order == "position":
        return places
    if order != WORST:
        return places[np.argsort(scores.values[order][places], kind="stable")]  # NaN goes last
    severity = {name: fault.severity for name, fault in FAULTS.items()} | {"": -1}  # records without verdict
    looks = [(name, unsure) for name in severity for unsure in (False, True)]
    looks.sort(key=lambda kind: (list(TONES).index(look(*kind).tone), -severity[kind[0]]))
    ranks = {kind: rank for rank, kind in enumerate(looks)}
    kinds = zip(scores.verdicts[places].tolist(), scores.unsure[places].tolist(), strict=True)
    rank = np.array([ranks[kind] for kind in kinds])
    return places[np.lexsort((scores.values["average"][places], scores.values["adherence"][places], rank))]


def time_order(fields: RowFields, positions: Sequence[int]) -> tuple[str, list[int]] | None:
    """The first field that holds an ISO time in each of these rows, and their places in its order."""
    for name, values in fields.items():
        with suppress(ValueError, TypeError, KeyError):
            times = [datetime.fromisoformat(values[at]) for at in positions]  # type: ignore[arg-type]
            return name, sorted(range(len(times)), key=times.__getitem__)
    return None


# The rows' other fields


@dataclass(frozen=True, slots=True)
class Facet:
    """What a field can be filtered by: one of `values`, with the number of records that have it, or a `span`."""

    values: Mapping[str, int] = field(default_factory=dict)
    span: tuple[float, float] | None = None


def row_fields(store: RunStore, run_id: str, columns: RunColumns) -> RowFields:
    """The rows' fields, with the name of the model that wrote the answers. Raises `UnknownRun`."""
    places = zip(columns.position.tolist(), columns.generation_model_name.tolist(), strict=True)
    models = {place: model for place, model in places if model}
    return {**({MODEL: models} if models else {}), **store.row_fields(run_id)}


def facets(fields: RowFields, records: int) -> dict[str, Facet]:
    """What the records of a run can be filtered by; fields that tell no record from another are left out."""
    offers = {}
    for name, values in fields.items():
        times = Counter(text for value in values.values() for text in _texts(value))
        numbers = [number for number in map(_number, values.values()) if number is not None]
        numeric = len(numbers) == len(values)
        few = len(times) <= FEW_NUMBERS and 2 * len(times) <= len(values)
        apart = len(times) > 1 or len(values) < records
        if numeric and not few and min(numbers) < max(numbers):
            offers[name] = Facet(span=(min(numbers), max(numbers)))
        elif apart and len(times) <= MOST_VALUES and max(map(len, times)) <= LONGEST_FIELD:
            order = [(float(text) if numeric else -n, text) for text, n in times.items()]
            offers[name] = Facet({text: times[text] for _, text in sorted(order)})
    return offers


def having(fields: RowFields, condition: FieldFilter) -> list[int]:
    """The positions of the records that meet the condition."""
    values = fields[condition.name]
    if condition.values:
        return [at for at, value in values.items() if not condition.values.isdisjoint(_texts(value))]
    if not condition.span:
        return list(values)
    low, high = condition.span
    return [at for at, value in values.items() if (number := _number(value)) is not None and low <= number <= high]


def _texts(value: Value) -> list[str]:
    return value if isinstance(value, list) else [value if isinstance(value, str) else json.dumps(value)]


def _number(value: Value) -> float | None:
    """The number, also from a text, as tables give it; `None` for any other value."""
    try:
        number = math.nan if isinstance(value, bool | list) else float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def group_means(
    values: Mapping[int, Value], positions: NDArray[np.int64], scores: Mapping[str, NDArray[np.float64]]
) -> dict[str, dict[str, Estimate]]:
    """A field's value → score → its estimate over the records at `positions` that have the value."""
    groups: dict[str, list[int]] = {}
    for at, position in enumerate(positions.tolist()):
        for text in _texts(values[position]) if position in values else ():
            groups.setdefault(text, []).append(at)
    largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return {value: {name: estimate_of(column[places]) for name, column in scores.items()} for value, places in largest}
