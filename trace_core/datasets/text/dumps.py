"""Rows of PostgreSQL's dumps: the lines between `COPY table (columns) FROM stdin;` and `\\.`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_COPY = re.compile(r"COPY [^\s(]{1,200} \(([^()]{1,5000})\) FROM stdin;\s*$")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MEANT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
_ITEM = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)("?)|([^,"{}\\]+)', re.DOTALL)
"""An item of an array; one in quotation marks may lack the last, and is then none."""

Cell = str | list[str | None] | None


def copied(lines: Iterable[str]) -> Iterator[tuple[list[str], list[Cell]]]:
    """The names of the columns and the cells of each row, table by table."""
    columns: list[str] = []
    for line in lines:
        if not columns:
            found = _COPY.match(line)
            columns = [name.strip().strip('"') for name in found[1].split(",")] if found else []
        elif line.rstrip("\r\n") == "\\.":
            columns = []
        else:
            yield columns, [_cell(cell) for cell in line.rstrip("\r\n").split("\t")]


def _cell(written: str) -> Cell:
    """The text, the list of texts in an array, or null."""
    if written == "\\N":
        return None
    text = _ESCAPE.sub(lambda found: _MEANT.get(found[1], found[1]), written)
    found = _array(text[1:-1]) if text[:1] == "{" and text[-1:] == "}" else None
    return text if found is None else found


def _array(inner: str) -> list[str | None] | None:
    """The items between commas; null where it is no array of texts."""
    found: list[str | None] = []
    place = 0
    for item in _ITEM.finditer(inner):
        quoted, end, bare = item.groups()
        if inner[place : item.start()] != ("," if found else "") or not (bare or end):
            return None
        found.append(_ESCAPE.sub(r"\1", quoted) if bare is None else None if bare == "NULL" else bare)
        place = item.end()
    return found if place == len(inner) else None
