"""The parts of a query in a program within prose: in one object, in values given to names, or in rows of SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from trace_core.endpoint.payload import QueryError
from trace_core.endpoint.reading.language.values import NoValueError, after_space, unknown, value_at
from trace_core.endpoint.reading.language.words import field_named

MOST_PLACES = 40
"""The most places in a text that are tried as the start of a value."""
_OBJECT = re.compile(r"(?<![\w.])[A-Za-z_][\w.]{0,60}\(|[{\[]")
_GIVEN = re.compile(
    r"^[ \t]{0,12}(?:(?:const|let|var|val|final|my|our|local|export)[ \t]{1,4})?[$@]?(?P<name>[A-Za-z_]\w{0,40})"
    r"(?:[ \t]{0,2}:[ \t]?[\w\[\]<>|, ]{1,40}?)?[ \t]{0,20}(?:=|<-|:=)(?!=)[ \t]{0,4}(?=[\"'`\[{A-Za-z(])",
    re.MULTILINE,
)
_ROWS = re.compile(
    r"\bINSERT[ ]INTO[ ][\w.\"`]{1,80}\s{0,4}\((?P<names>[\w\s,\"`]{1,400})\)\s{0,4}VALUES\s{0,8}", re.IGNORECASE
)


class Found(NamedTuple):
    """The object that was read, and the text around it."""

    given: Mapping[str, Any]
    prose: str


def in_program(text: str) -> Found | None:
    """What a program within the text says of a query; `None` where it says less than two parts.

    Raises `QueryError` where two objects do.
    """
    found: dict[str, Any] = {}
    places: list[tuple[int, int]] = []
    for start, end, given in _parts(text):
        if places and start < places[-1][1]:
            continue  # within the one before
        given = {key: held for key, held in given.items() if not (isinstance(held, str) and held in found)}  # a column
        if any(field_named(key) and found.get(key, held) != held for key, held in given.items()):
            raise QueryError("The query holds more than one object, and they differ: send one.")
        found |= given
        places.append((start, end))
    fields = {field_named(key) for key in found} - {None}
    if len(fields - {"tests"}) < 2 and "messages" not in found:
        return None
    bounds = [0, *(place for span in places for place in span), len(text)]
    prose = "\n".join(text[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True))
    return Found(found, prose)


def _parts(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """(start, end, object) of each object with parts of a query, in order."""
    found = [*_objects(text), *_givens(text), *_tables(text)]
    return iter(sorted(found, key=lambda part: (part[0], -part[1])))


def _objects(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    end = 0
    for start in islice(_OBJECT.finditer(text), MOST_PLACES):
        if start.start() < end:
            continue
        try:
            held, after = value_at(text, start.start())
        except NoValueError:
            continue
        if given := _query(held):
            end = after
            yield start.start(), after, given


def _query(held: Any) -> dict[str, Any]:
    """The object as one with parts of a query, all of which are known; empty where it is none."""
    if isinstance(held, list) and len(held) == 1:
        held = held[0]
    if isinstance(held, list) and held and all(isinstance(turn, dict) and "role" in turn for turn in held):
        held = {"messages": held}
    if not isinstance(held, dict) or not all(isinstance(key, str) for key in held):
        return {}
    parts = {key: value for key, value in held.items() if not unknown(value) or field_named(key) == "tests"}
    lost = any(field_named(key) for key in held.keys() - parts.keys())
    named = any(map(field_named, parts)) or "messages" in parts
    return parts if named and not lost else {}


def _givens(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Values given to names that are those of parts: `const answer = "…";`."""
    for line in islice(_GIVEN.finditer(text), MOST_PLACES):
        if not (field := field_named(line["name"])):
            continue
        try:
            held, end = value_at(text, line.end())
        except NoValueError:
            continue
        after = after_space(text, end)
        if text[end:].partition("\n")[0].strip(" \t\r;") and after < len(text) and text[after - 1] != "\n":
            continue  # more than a comment follows
        if field == "tests" or not unknown(held):
            yield line.start(), end, {line["name"]: held}


def _tables(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Rows put into tables by SQL: one row with parts of the query, or rows with contexts."""
    for table in islice(_ROWS.finditer(text), MOST_PLACES):
        names = [name.strip(' \n\t"`') for name in table["names"].split(",")]
        rows, place = [], table.end()
        try:
            while text[place : place + 1] == "(":
                values, place = value_at(text, place)
                rows.append(dict(zip(names, values, strict=True)))
                place = after_space(text, place)
                place = after_space(text, place + 1) if text[place : place + 1] == "," else place
        except (NoValueError, ValueError):
            continue
        parts = [row for row in rows if any(map(field_named, row))]
        if len(rows) == len(parts) == 1:
            yield table.start(), place, parts[0]
        elif rows:
            yield table.start(), place, {"contexts": rows}
