"""Read one object from a model's text, as leniently as possible without guessing.

Accepts JSON and what passes for it: Python's quotes and words, extra commas, line breaks within strings. If an
object breaks off or contains something unreadable, the complete parts before that are kept. If a field occurs
twice with different values, as when two objects ran together, both are kept under two names.
"""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]  # missing from the standard library's type stubs
from typing import Any, NamedTuple

from trace_core.facts.cleaning import ANOTHER


def _put(found: dict[str, Any], name: str, value: Any) -> None:
    """Keep the last value under its name, and a different earlier one beside it, as either may be right."""
    if name in found and found[name] != value:
        found[name + ANOTHER] = found[name]
    found[name] = value


def _together(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        found.clear()
        for name, value in pairs:
            _put(found, name, value)
    return found


JSON = JSONDecoder(parse_constant=str, strict=False, object_pairs_hook=_together)
"""Reads NaN as a string that is not understood, because it is not null."""
_DEEPEST = 20
_SPACE = re.compile(r"[ \t\r\n]*")
_QUOTED = {q: re.compile(rf"{q}([^{q}\\]*(?:\\.[^{q}\\]*)*){q}", re.DOTALL) for q in "\"'"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORD = re.compile(r"[A-Za-z]+")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None, "NaN": "NaN"}


class ReadObject(NamedTuple):
    """`data` are the complete fields; `end` is where the object ends or breaks off.

    `cut` names the list of objects that lost its end; its complete entries are in `data`.
    """

    data: dict[str, Any]
    end: int
    whole: bool
    cut: str | None = None


def read_object(text: str, at: int) -> ReadObject:
    """Read the object that opens at `at`. Never raises."""
    try:
        data, end = JSON.raw_decode(text, at)
        return ReadObject(data, end, True)
    except (ValueError, RecursionError):
        return _Lenient(text, at).read()


class _Broken(Exception):
    """The text ends or becomes unreadable here."""


class _Lenient:
    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at
        self.cut: str | None = None

    def read(self) -> ReadObject:
        found: dict[str, Any] = {}
        try:
            self.fields(found, 0)
        except _Broken:
            return ReadObject(found, self.at, False, self.cut)
        return ReadObject(found, self.at, True)

    def peek(self) -> str:
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # it always matches
        return self.text[self.at : self.at + 1]

    def take(self, expected: str) -> None:
        if self.peek() != expected:
            raise _Broken
        self.at += 1

    def fields(self, found: dict[str, Any], depth: int) -> None:
        """Read fields into `found` one by one, so that those before a break are kept."""
        self.take("{")
        while self.peek() != "}":
            name = self.string()
            self.take(":")
            value = self.list_of_objects(found, name) if not depth and self.peek() == "[" else self.value(depth)
            if self.peek() in (",", "}") or isinstance(value, str | list | dict):  # a cut number may be incomplete
                _put(found, name, value)
            self.next("}")
        self.at += 1

    def list_of_objects(self, found: dict[str, Any], name: str) -> list[Any]:
        """Read a list in the outermost object; if it breaks off, complete entries are kept if they are objects."""
        items: list[Any] = []
        try:
            self.items(items, 0)
        except _Broken:
            if items and all(isinstance(item, dict) for item in items):
                _put(found, name, items)
                self.cut = name
            raise
        return items

    def items(self, found: list[Any], depth: int) -> None:
        self.take("[")
        while self.peek() != "]":
            found.append(self.value(depth))
            self.next("]")
        self.at += 1

    def next(self, closing: str) -> None:
        """Move past a comma, or stop at the closing character."""
        if self.peek() == ",":
            self.at += 1
        elif self.peek() != closing:
            raise _Broken

    def value(self, depth: int) -> Any:
        first = self.peek()
        if depth == _DEEPEST:
            raise _Broken
        if first == "{":
            fields: dict[str, Any] = {}
            self.fields(fields, depth + 1)
            return fields
        if first == "[":
            items: list[Any] = []
            self.items(items, depth + 1)
            return items
        return self.string() if first in _QUOTED else self.bare()

    def string(self) -> str:
        quote = self.peek()
        found = _QUOTED[quote].match(self.text, self.at) if quote in _QUOTED else None
        if found is None:
            raise _Broken
        start, self.at = self.at, found.end()
        try:
            return str(scanstring(self.text, start + 1, False)[0]) if quote == '"' else _unescaped(found[1])
        except JSONDecodeError:
            return _unescaped(found[1])

    def bare(self) -> Any:
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            return float(number[0]) if set(number[0]) & set(".eE") else int(number[0][:4000])
        word = _WORD.match(self.text, self.at)
        if word is None or word[0] not in _WORDS:
            raise _Broken
        self.at = word.end()
        return _WORDS[word[0]]


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda e: chr(int(e[1][1:], 16)) if len(e[1]) > 1 else _ESCAPED.get(e[1], e[1]), text)
