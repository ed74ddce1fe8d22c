"""Where a row holds a value: `answer`, `outputs.answer`, `docs[].text`, `context_*`, `rating is yes|ok`.

A column's whole name comes first, so that a heading with a dot in it is still a column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from trace_core.datasets.cells import open_cell
from trace_core.errors import InputError

ABSENT: Any = object()
"""What a row has at a path that is not there; null is a value."""
Read = Callable[[Mapping[str, Any]], Any]
_PART = re.compile(r"\[\d*\]|[^.\[\]]+")


class Path(NamedTuple):
    """The columns that it begins with, a function that reads it from a row, and the values that count as true."""

    columns: tuple[str, ...]
    read: Read
    true_values: frozenset[str] = frozenset()


def result_of(function: Read, row: Mapping[str, Any]) -> Any:
    """What a person's own function makes of a row. Raises `InputError` for whatever it raises."""
    try:
        return function(row)
    except Exception as error:  # noqa: BLE001  # it may raise anything, and it is the row that cannot be used
        raise InputError(f"The function of the mapping raised {type(error).__name__}: {error}.") from None


def path_in(text: str, columns: Sequence[str]) -> Path | None:
    """The path among the columns; null where none of them is what it begins with."""
    if text in columns:
        return Path((text,), lambda row: row.get(text, ABSENT))
    name, _, values = text.rpartition(" is ")
    true_values = frozenset(map(_plain, values.split("|"))) - {""}
    inner = path_in(name, columns) if true_values and name else None
    if inner:
        return Path(inner.columns, lambda row: _is_one_of(inner.read(row), true_values), true_values)
    numbers = _numbers(text, columns)
    if numbers:
        return Path(numbers, lambda row: [row[c] for c in numbers if row.get(c) not in (None, "")] or None)
    head = max((c for c in columns if text.startswith((f"{c}.", f"{c}["))), key=len, default=None)
    if head is None:
        return None
    parts = _PART.findall(text[len(head) :])
    return Path((head,), lambda row: _at(row.get(head, ABSENT), parts))


def _numbers(text: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns that `context_*` stands for, in the order of their numbers."""
    start, star, end = text.partition("*")
    matches = [c for c in columns if star and c.startswith(start) and c.endswith(end) and len(c) >= len(text)]
    places = {column: column[len(start) : len(column) - len(end)] for column in matches}
    return tuple(sorted(places, key=lambda column: int(places[column]) if places[column].isdecimal() else 0))


def _at(item: Any, parts: Sequence[str]) -> Any:
    for place, part in enumerate(parts):
        item = open_cell(item)
        if part == "[]":
            if not isinstance(item, list):
                return ABSENT if item is ABSENT else None
            inner = [_at(one, parts[place + 1 :]) for one in item]
            return [None if one is ABSENT else one for one in inner]
        if part[0] == "[":
            item = dict(enumerate(item)).get(int(part[1:-1]), ABSENT) if isinstance(item, list) else ABSENT
        else:
            item = item.get(part, ABSENT) if isinstance(item, dict) else ABSENT
    return item


def _plain(value: Any) -> str:
    """A value as it is compared: without case, and 4, 4.0 and 4,0 as one number."""
    text = str(value).strip().casefold()
    try:
        return f"{float(text.replace(',', '.')):g}"
    except ValueError:
        return text


def _is_one_of(value: Any, true_values: frozenset[str]) -> Any:
    return value if value is ABSENT or value is None else (_plain(value) in true_values if _plain(value) else None)
