"""The object in a query: as JSON or as Python prints it, alone, in a code fence, or within prose."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from trace_core.endpoint.payload import QueryError
from trace_core.endpoint.reading.formats.programs import MOST_PLACES, Found
from trace_core.endpoint.reading.language.text import LONGEST_LITERAL, literal
from trace_core.endpoint.reading.language.values import only_value
from trace_core.endpoint.reading.language.words import field_named

_FENCE = "```"
_WRITERS = ("system", "developer", "user")
"""Who writes messages to a model."""


def fenced(text: str) -> str:
    """The text with its only code fence removed, content and surrounding prose in place; else the text unchanged."""
    parts = text.split(_FENCE)
    if len(parts) != 3:
        return text
    language, newline, inner = parts[1].partition("\n")
    if newline and language.strip().isalnum():
        parts[1] = inner
    return "\n".join(part.strip() for part in parts).strip()


def whole(text: str) -> Mapping[str, Any]:
    """The text parsed as one object. Raises `QueryError` with the reason where it is none."""
    try:
        given = json.loads(text)
    except json.JSONDecodeError as error:
        given = _mended(text)
        if given is None:
            raise QueryError(_why(text, error)) from None
    except RecursionError:
        raise QueryError("The query's JSON is nested too deep.") from None
    except ValueError:  # an integer of thousands of digits
        raise QueryError("The query's JSON holds a number that is too long.") from None
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    given = _inner(given)
    if not isinstance(given, dict):
        raise QueryError("The query's JSON must be an object with tests, question, contexts and so on.")
    return given


def _inner(given: Any) -> Any:
    """The object within a request, `{"query": {…}}` or its text, a `body`, or a call of a tool; else unchanged."""
    if (arguments := _arguments(given)) is not None:
        return arguments
    if not isinstance(given, dict) or not (given.keys() == {"query"} or ("body" in given and not _is_query(given))):
        return given
    held = given.get("query", given.get("body"))
    if isinstance(held, str) and held.lstrip().startswith("{"):
        held = _mended(held)
    return held if isinstance(held, dict) else given


def _arguments(given: Any) -> dict[str, Any] | None:
    """The arguments of a call of a tool: `{"function": {"name": …, "arguments": "{…}"}}`, alone or in `tool_calls`."""
    calls = given.get("tool_calls") if isinstance(given, dict) else None
    call = calls[0] if isinstance(calls, list) and len(calls) == 1 else given
    function = call.get("function", call) if isinstance(call, dict) else None
    if not isinstance(function, dict) or (call is given and ("name" not in function or _is_query(given))):
        return None
    held = function.get("arguments")
    held = _mended(held) if isinstance(held, str) else held
    return held if isinstance(held, dict) else None


def told_in_messages(text: str) -> str:
    """What a list of messages to a model says in all, where none is a model's; else the text unchanged."""
    try:
        given = json.loads(text) if text.startswith("[") else None
    except (ValueError, RecursionError):
        return text
    if not given or not isinstance(given, list):
        return text
    said = [one.get("content") if isinstance(one, dict) and one.get("role") in _WRITERS else None for one in given]
    texts = [one for one in said if isinstance(one, str)]
    return "\n\n".join(texts) if len(texts) == len(given) else text


def _why(text: str, error: json.JSONDecodeError) -> str:
    place = f"{error.msg} at line {error.lineno}, column {error.colno}"
    if error.msg == "Extra data" and (more := _decoded(text, text.find("{", error.pos))) and _is_query(more[0]):
        return "The query holds more than one JSON object: send one."
    return f"The query begins like JSON but is not: {place}."


def _mended(text: str) -> Any:
    """A Python literal, or JSON with comments, names without quotation marks, or a comma before a bracket."""
    if len(text) > LONGEST_LITERAL:
        return None
    held = literal(text)
    return only_value(text) if held is None else held


def within(text: str) -> Found | None:
    """The object within prose; `None` where there is none. Raises `QueryError` for two."""
    place = -1
    for _ in range(MOST_PLACES):
        place = text.find("{", place + 1)
        if place < 0:
            return None
        decoded = _decoded(text, place)
        if decoded is None:
            continue
        given, end = _inner(decoded[0]), decoded[1]
        if _is_query(given):
            rest = text[end:]
            another = _decoded(rest, rest.find("{"))
            if another and _is_query(another[0]):
                if another[0].keys().isdisjoint(filter(field_named, given)):
                    return None  # two parts of one query
                raise QueryError("The query holds more than one JSON object: send one.")
            return Found(given, f"{text[:place]}\n{rest}")
        place = end - 1
    return None


def _decoded(text: str, place: int) -> tuple[Any, int] | None:
    if place < 0:
        return None
    try:
        return json.JSONDecoder().raw_decode(text, place)
    except (ValueError, RecursionError):
        return None


def names_tests(given: Mapping[str, Any]) -> bool:
    """Whether the object has a key for tests."""
    return any(field_named(key) == "tests" for key in given)


def _is_query(given: Any) -> bool:
    return isinstance(given, dict) and any(map(field_named, given))
