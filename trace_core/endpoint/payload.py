"""What a query asks for, in one shape, whether it came as JSON or in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from trace_core.errors import TraceError
from trace_core.strict import Strict, valid

ENGINES = ("native", "ragas")
MOST_TESTS = 50
_SHOWN = 60  # characters of a wrong value that an error repeats


class QueryError(TraceError):
    """A query that cannot be understood: why, and what was expected."""


class Context(Strict):
    """One retrieved document."""

    id: str
    text: str


class Payload(Strict):
    """The canonical payload of seed 004. `None` and the empty list: not given."""

    tests: list[str]
    question: str | None = None
    contexts: list[Context] = Field(default_factory=list)
    answer: str | None = None
    ground_truth: str | list[str] | None = None
    relevant_context_ids: list[str] = Field(default_factory=list)
    extra: dict[str, Any] = Field(default_factory=dict)

    @property
    def truths(self) -> list[str]:
        """The ground truths that hold more than whitespace."""
        given = [self.ground_truth] if isinstance(self.ground_truth, str) else self.ground_truth or []
        return [truth for truth in given if truth.strip()]

    @property
    def engine(self) -> str:
        """Who computes: `native` or `ragas`."""
        return str(self.extra.get("engine") or ENGINES[0])

    @property
    def labeler(self) -> str | None:
        """The labeler that was asked for by name."""
        return self.extra.get("labeler")

    def lacks(self, name: str) -> bool:
        """Whether a parameter is absent, empty or only whitespace."""
        if name == "ground_truth":
            return not self.truths
        value = getattr(self, name)
        return not (value.strip() if isinstance(value, str) else value)


def read_payload(given: Mapping[str, Any]) -> Payload:
    """JSON of any shape → a payload. Raises `QueryError` naming the field and what was expected."""
    given = valid(given)
    return Payload(
        tests=_tests(given.get("tests")),
        question=_text(given.get("question"), "question"),
        contexts=_contexts(given.get("contexts")),
        answer=_text(given.get("answer"), "answer"),
        ground_truth=_ground_truth(given.get("ground_truth")),
        relevant_context_ids=_ids(given.get("relevant_context_ids")),
        extra=_extra(given.get("extra")),
    )


def _wrong(field: str, expected: str, value: object) -> QueryError:
    shown = repr(value) if isinstance(value, str | int | float | None) else f"a {type(value).__name__}"
    shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
    return QueryError(f"{field} must be {expected}, not {shown}.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _tests(value: object) -> list[str]:
    expected = "a list of names such as answer_accuracy"
    if value is None or value == []:
        raise QueryError("The query names no tests.", f"tests must be {expected}.")
    if not isinstance(value, list):
        raise _wrong("tests", expected, value)
    for i, name in enumerate(value):
        if not isinstance(name, str) or not name.strip():
            raise _wrong(f"tests[{i}]", "a name such as answer_accuracy", name)
    names = list(dict.fromkeys(name.strip() for name in value))
    if len(names) > MOST_TESTS:
        raise QueryError(f"The query names {len(names)} tests; at most {MOST_TESTS} are answered at once.")
    return names


def _text(value: object, field: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if _is_number(value):
        return str(value)
    raise _wrong(field, "text", value)


def _contexts(value: object) -> list[Context]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise _wrong("contexts", 'a list of {"id": …, "text": …}', value)
    return [_context(item, i) for i, item in enumerate(value)]


def _context(item: object, i: int) -> Context:
    """One context; one that is only a text, or has no id, is called by its place from 1."""
    if isinstance(item, str):
        return Context(id=str(i + 1), text=item)
    if not isinstance(item, Mapping):
        raise _wrong(f"contexts[{i}]", 'an object {"id": …, "text": …}', item)
    identity, text = item.get("id"), item.get("text")
    if not isinstance(text, str):
        raise _wrong(f"contexts[{i}].text", "text", text)
    return Context(id=str(i + 1) if identity is None else _id(identity, f"contexts[{i}].id"), text=text)


def _id(value: object, field: str) -> str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    if _is_number(value):
        return str(value)
    raise _wrong(field, "an id (text or a number)", value)


def _ids(value: object) -> list[str]:
    if value is None:
        return []
    if isinstance(value, str) or _is_number(value):
        value = [value]
    if not isinstance(value, Sequence):
        raise _wrong("relevant_context_ids", "a list of ids", value)
    return [_id(item, f"relevant_context_ids[{i}]") for i, item in enumerate(value) if item != ""]


def _ground_truth(value: object) -> str | list[str] | None:
    if not isinstance(value, list):
        return _text(value, "ground_truth")
    texts = [_text(item, f"ground_truth[{i}]") for i, item in enumerate(value)]
    return [text for text in texts if text is not None]


def _extra(value: object) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _wrong("extra", "an object", value)
    if value.get("engine") not in (None, *ENGINES):
        raise _wrong("extra.engine", f"one of {', '.join(ENGINES)}", value["engine"])
    if not isinstance(value.get("labeler"), str | None):
        raise _wrong("extra.labeler", "a labeler's name", value["labeler"])
    return value
