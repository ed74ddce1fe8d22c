"""Where a row holds a value: `answer`, `outputs.answer`, `docs[].text`, `context_*`, `rating is yes|ok`.

A column's whole name comes first, so that a heading with a dot in it is still a column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trace_core.datasets.cells import opened

ABSENT: Any = object()
"""What a row has at a path that is not there; null is a value."""
Read = Callable[[Mapping[str, Any]], Any]
_IS = " is "
_PART = re.compile(r"\[\d*\]|[^.\[\]]+")


def reader_of(path: str, columns: Sequence[str]) -> Read | None:
    """A function that reads the path from a row; null where no column is what the path begins with."""
    if path in columns:
        return lambda row: row.get(path, ABSENT)
    if accepted := condition_of(path, columns):
        inner = reader_of(accepted[0], columns)
        return None if inner is None else lambda row: _is_one_of(inner(row), accepted[1])
    if "*" in path:
        starred = starred_columns(path, columns)
        return (lambda row: [row[c] for c in starred if row.get(c) not in (None, "")] or None) if starred else None
    head = column_of(path, columns)
    if head is None:
        return None
    parts = _PART.findall(path[len(head) :])
    return lambda row: _at(row.get(head, ABSENT), parts)


def column_of(path: str, columns: Sequence[str]) -> str | None:
    """The longest column that the path begins with."""
    heads = [c for c in columns if path == c or path.startswith((f"{c}.", f"{c}["))]
    return max(heads, key=len, default=None)


def condition_of(path: str, columns: Sequence[str]) -> tuple[str, frozenset[str]] | None:
    """`rating is yes|mostly` → the path and the values that count as true; null where there is no condition."""
    name, _, values = path.rpartition(_IS)
    accepted = frozenset(plain for value in values.split("|") if (plain := _plain(value)))
    return (name, accepted) if name and accepted and path not in columns else None


def starred_columns(path: str, columns: Sequence[str]) -> list[str]:
    """The columns that `context_*` stands for, those with a number in its order."""
    start, _, end = path.partition("*")
    found = [c for c in columns if c.startswith(start) and c.endswith(end) and len(c) >= len(path)]
    names = {c: c[len(start) : len(c) - len(end)] for c in found}
    return sorted(found, key=lambda c: int(names[c])) if all(n.isdecimal() for n in names.values()) else found


def at(item: Any, path: str) -> Any:
    """The value at the path within an object; null where it is not there."""
    found = _at(item, _PART.findall(path))
    return None if found is ABSENT else found


def _at(held: Any, parts: Sequence[str]) -> Any:
    for place, part in enumerate(parts):
        held = opened(held) if isinstance(held, str) else held
        if part == "[]":
            if not isinstance(held, list):
                return ABSENT if held is ABSENT else None
            inner = [_at(item, parts[place + 1 :]) for item in held]
            return [None if item is ABSENT else item for item in inner]
        if part[0] == "[":
            held = held[int(part[1:-1])] if isinstance(held, list) and int(part[1:-1]) < len(held) else ABSENT
        else:
            held = held.get(part, ABSENT) if isinstance(held, dict) else ABSENT
    return held


def _plain(value: Any) -> str:
    """A value as it is compared: without case, and 4, 4.0 and 4,0 as one number."""
    text = str(value).strip().casefold()
    try:
        return f"{float(text.replace(',', '.')):g}"
    except ValueError:
        return text


def _is_one_of(value: Any, accepted: frozenset[str]) -> Any:
    if value is ABSENT or value is None:
        return value
    text = _plain(value)
    return text in accepted if text else None
