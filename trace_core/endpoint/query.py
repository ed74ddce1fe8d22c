"""A query string → a payload: JSON, else plain language by rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from trace_core.endpoint.payload import Payload, QueryError, read_payload
from trace_core.endpoint.plain import read_plain
from trace_core.errors import TraceError

ReadByJudge = Callable[[str], Mapping[str, Any]]
"""A judge's reading of a query in plain language, as the canonical JSON. Raises `TraceError`."""

_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*)\n\s*```\s*", re.DOTALL | re.IGNORECASE)


class BeyondRules(QueryError):
    """The rules do not understand the query; a judge may."""


class Parsed(NamedTuple):
    """What was understood, and how: `json`, `rules` or `judge`."""

    payload: Payload
    by: str


def parse_query(query: str, judge: ReadByJudge | None = None) -> Parsed:
    """Understand a query. Raises `QueryError` with the reason where that is not possible."""
    text = query.strip()
    if not text:
        raise QueryError("The query is empty.", "Send the JSON of GET /trace/schema, or plain language.")
    if fenced := _FENCED.fullmatch(text):
        text = fenced[1].strip()
    if text[0] in "{[":
        return Parsed(read_payload(_object(text)), "json")
    try:
        return Parsed(read_payload(read_plain(text)), "rules")
    except QueryError as by_rules:
        if judge is None:
            raise BeyondRules(by_rules.message, by_rules.hint) from None
        return Parsed(_judged(text, judge, by_rules), "judge")


def _object(text: str) -> Mapping[str, Any]:
    try:
        given = json.loads(text)
    except json.JSONDecodeError as error:
        raise QueryError(
            f"The query begins like JSON but is not: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from None
    except RecursionError:
        raise QueryError("The query's JSON is nested too deep.") from None
    except ValueError:  # an integer of thousands of digits
        raise QueryError("The query's JSON holds a number that is too long.") from None
    if not isinstance(given, dict):
        raise QueryError("The query's JSON must be an object with tests, question, contexts and so on.")
    return given


def _judged(text: str, judge: ReadByJudge, by_rules: QueryError) -> Payload:
    try:
        return read_payload(judge(text))
    except QueryError:
        raise by_rules from None
    except TraceError as error:
        raise QueryError(by_rules.message, f"{by_rules.hint} The judge could not read it either: {error}") from None
