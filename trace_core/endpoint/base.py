"""What a test of POST /trace is, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trace_core.endpoint.payload import Payload
from trace_core.endpoint.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Result:
    """A score in [0, 1] and how it came about; `None` is undefined, with the reason in the details."""

    score: float | None
    details: dict[str, Any] = field(default_factory=dict)


def undefined(reason: str, **details: Any) -> Result:
    """A score that does not exist, and why."""
    return Result(None, {**details, "undefined": reason})


@dataclass(frozen=True, slots=True)
class NamedTest:
    """A test's name, words and function: the one place where they are written.

    `needs` are fields of the payload. `cost` counts calls to a judge. `details` says what each
    detail is. `ragas` says what the engine `ragas` computes under this name.
    """

    name: str
    needs: tuple[str, ...]
    question: str
    definition: str
    cost: str
    details: Mapping[str, str]
    ragas: str
    compute: Callable[[Payload, Workspace], Result]
    judged: str = ""
    range: str = "0 to 1, or null where it is undefined"
