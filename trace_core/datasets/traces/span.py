"""One span, whichever tool wrote it: its place in the trace, and its attributes as that tool names them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trace_core.datasets.notations import value_of
from trace_core.errors import InputError


@dataclass(frozen=True, slots=True)
class Span:
    """`start` orders the spans of one file. `reference` is what people say the answer should have been."""

    trace: str
    id: str
    parent: str
    name: str
    start: str
    attributes: Mapping[str, Any]
    error: str = ""
    reference: Any = None


def decoded(value: Any) -> Any:
    """A text that is JSON, or what Python prints of a list or an object, as that; any other as it is."""
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
