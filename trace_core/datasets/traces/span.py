"""One span from any tool: its place in the trace, and its attributes under that tool's names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from trace_core.datasets.notations import value_of
from trace_core.errors import InputError

_RESULT = "db.query.result"
"""The event of one document that a vector database found, and the start of its attributes' names."""


class Span(NamedTuple):
    """One span. `start` orders the spans of one file; `reference` is the answer that people expected."""

    trace: str
    id: str
    parent: str
    name: str
    start: str
    attributes: Mapping[str, Any]
    error: str = ""
    reference: Any = None

    @property
    def started(self) -> str:
        """`start` as a text that sorts by time, with or without fractions of a second."""
        return self.start.removesuffix("Z")


def decoded(value: Any) -> Any:
    """A text that is JSON, or a list or an object printed by Python, decoded; any other value unchanged."""
    if not isinstance(value, str) or value[:1] not in '{["' or not value:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        pass
    if value[:1] == '"':
        return value
    try:
        return value_of(value)
    except InputError:
        return value


def with_events(attributes: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A span's attributes with those of its events; the documents that a database found, an event each, as a list."""
    found = [
        {"content": text, "id": event.get(f"{_RESULT}.id")}
        for event in events
        if isinstance(text := event.get(f"{_RESULT}.document"), str)
    ]
    merged = {"retrieval.documents": found} if found else {}
    for event in reversed(events):
        merged |= event
    return merged | dict(attributes)
