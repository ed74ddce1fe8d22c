"""One span from any tool: its place in the trace, and its attributes under that tool's names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from trace_core.datasets.cells import json_value
from trace_core.datasets.documents import opened_or_none

Raw = Mapping[str, Any]
FAILED = (2, "ERROR", "STATUS_CODE_ERROR")
"""A failed span's status."""


class Span(NamedTuple):
    """One span. `start` orders the spans of one file; `reference` is the answer that people expected."""

    trace: str
    id: str
    parent: str
    name: str
    start: str
    attributes: Raw
    error: str = ""
    reference: Any = None

    @property
    def started(self) -> str:
        """`start` as a text that sorts by time, with or without fractions of a second."""
        return self.start.removesuffix("Z")


def decoded(value: Any) -> Any:
    """A text that is JSON, or a list or an object printed by Python, decoded; any other value unchanged."""
    if not isinstance(value, str) or not value or value[0] not in '{["':
        return value
    try:
        return json_value(value)
    except (ValueError, RecursionError):
        found = opened_or_none(value)
        return value if found is None else found


def text_of(value: Any) -> str:
    """The value as a text; null is none."""
    return "" if value is None else str(value)


def error_of(failed: bool, message: Any) -> str:
    """A failed span's error; nothing for any other."""
    return (text_of(message) or "error") if failed else ""


def without_null(**attributes: Any) -> dict[str, Any]:
    """Attributes that are there, with `.` for `__` in their names."""
    return {name.replace("__", "."): value for name, value in attributes.items() if value is not None}
