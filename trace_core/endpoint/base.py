"""A test of POST /trace, and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trace_core.endpoint.payload import Payload
from trace_core.endpoint.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Result:
    """A score in [0, 1] and how it was computed; `None` is undefined, with the reason in the details."""

    score: float | None
    details: dict[str, Any] = field(default_factory=dict)


def undefined(reason: str, **details: Any) -> Result:
    """An undefined score, with the reason."""
    return Result(None, {**details, "undefined": reason})


@dataclass(frozen=True, slots=True)
class NamedTest:
    """A test's name, texts and function, defined in this one place.

    `needs` are fields of the payload. `calls` and `ragas_calls` are the most calls to a judge that a payload may cost,
    by our engine and by Ragas; `cost` says it in words. `details` describes each detail. `ragas` describes what the
    engine `ragas` computes under this name.
    """

    name: str
    needs: tuple[str, ...]
    question: str
    definition: str
    cost: str
    details: Mapping[str, str]
    ragas: str
    compute: Callable[[Payload, Workspace], Result]
    calls: Callable[[Payload], int] = lambda payload: 0
    ragas_calls: Callable[[Payload], int] = lambda payload: 0
    judged: str = ""
    range: str = "0 to 1, or null where it is undefined"
