"""One reader of values for many languages: objects, lists, calls and texts as JSON, JavaScript, Python, R, Ruby, PHP,
Go and SQL write them.

`{id: 'a'}`, `Item{ID: "a"}`, `list(id = "a")`, `Sample(id="a",)` and `['id' => "a"]` are all
objects; `c("a", "b")` is a list.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

_SKIP = re.compile(r"(?:\s{1,1000}|//[^\n]{0,1000}|#(?=[ \t#!])[^\n]{0,1000}|/\*[^*]{0,2000}\*/){0,50}")
_TEXT = re.compile(
    r"[rbuRBU]?(?:\"\"\"(?P<long>[^\"\\]*(?:(?:\\.|\"(?!\"\"))[^\"\\]*)*)\"\"\""
    r"|\"(?P<double>[^\"\\]*(?:\\.[^\"\\]*)*)\"|'(?P<single>[^'\\]*(?:\\.[^'\\]*)*)'"
    r"|`(?P<tick>[^`\\]*(?:\\.[^`\\]*)*)`|“(?P<curly>[^“”]*)”)",
    re.DOTALL,
)
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,3})?(?![\w.])L?")
_NAME = re.compile(r"[$@:]?(?P<name>[A-Za-z_][\w.]{0,80})")
_TYPE = re.compile(
    r"&?(?:\[\d{0,4}\]|map\[\w{1,40}\]){1,3}\*?[A-Za-z_][\w.]{0,60}(?:\{\})?(?=\{)|&?[A-Z]\w{0,60}(?:\.\w{1,60})?(?=\{)"
)
"""What Go writes before the brackets of a value: `[]string{…}`, `map[string]string{…}`, `&Request{…}`."""
_TO = re.compile(r"=>|=(?!=)|:(?!:)")
_ESCAPE = re.compile(r"\\(?:u(?P<code>[0-9a-fA-F]{4})|(?P<one>.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_WORDS = {
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
    "null": None, "None": None, "NULL": None, "NA": None, "nil": None, "undefined": None,
}  # fmt: skip
_LISTS = frozenset("c list array tuple set vector List Array Set Arrays.asList List.of listOf arrayOf".split())
_DEEPEST = 12


class Name(str):
    """A name that is no text: what it stands for is not known."""

    __slots__ = ()


class Value(NamedTuple):
    """A value, and where it ends."""

    held: Any
    end: int


class NoValueError(ValueError):
    """There is no complete value."""


def value_at(text: str, place: int, depth: int = 0) -> Value:
    """The value that begins there. Raises `NoValueError`."""
    place = after_space(text, place)
    if said := _TEXT.match(text, place):
        return _joined(text, said)
    if number := _NUMBER.match(text, place):
        return Value(float(number[0]) if re.search(r"[.eE]", number[0]) else int(number[0].rstrip("L")), number.end())
    if typed := _TYPE.match(text, place):
        place = typed.end()
    mark = text[place : place + 1]
    if mark in _CLOSING and depth < _DEEPEST:
        return _within(text, place, depth)
    if name := _NAME.match(text, place):
        return _named(text, name, depth)
    raise NoValueError


def after_space(text: str, place: int) -> int:
    """The place after blanks and comments."""
    skipped = _SKIP.match(text, place)
    return skipped.end() if skipped else place


def _joined(text: str, said: re.Match[str]) -> Value:
    """A text of one or several pieces: `"a" "b"`, `"a" + "b"`, `'it''s'`."""
    parts = [_plain(said)]
    place = said.end()
    while True:
        after = after_space(text, place)
        plus = text[after : after + 1] == "+"
        more = _TEXT.match(text, after_space(text, after + 1) if plus else after)
        if more is None:
            return Value("".join(parts), place)
        doubled = more.start() == place and more[0][0] == text[place - 1]
        parts += [more[0][0] if doubled else "", _plain(more)]
        place = more.end()


def _plain(said: re.Match[str]) -> str:
    kind = said.lastgroup or ""
    if kind == "tick" and "${" in said[kind]:
        raise NoValueError
    return said[kind] if kind == "curly" else _ESCAPE.sub(_meant, said[kind])


def _meant(escape: re.Match[str]) -> str:
    code = chr(int(escape["code"], 16)) if escape["code"] else ""
    return code or _ESCAPES.get(escape["one"], escape["one"])


def _named(text: str, name: re.Match[str], depth: int) -> Value:
    """A word such as `true`, a call, or a name alone."""
    if text[name.end() : name.end() + 1] == "(" and depth < _DEEPEST:
        given = _within(text, name.end(), depth)
        if isinstance(given.held, dict) or name["name"] in _LISTS:
            return given
        return Value(Name(name["name"]), given.end)  # an object such as `Faithfulness()`, or what a function makes
    word = name["name"]
    return Value(_WORDS[word] if word in _WORDS else Name(word.rpartition(".")[2]), name.end())


def _within(text: str, start: int, depth: int) -> Value:
    """What stands between brackets: an object where each item has a name, a list where none has."""
    closing = _CLOSING[text[start]]
    named: dict[str, Any] = {}
    listed: list[Any] = []
    place = after_space(text, start + 1)
    while text[place : place + 1] != closing:
        key = _key(text, place)
        held, place = value_at(text, key.end if key else place, depth + 1)
        if key and key.held in named:
            raise NoValueError
        if key:
            named[key.held] = held
        else:
            listed.append(held)
        place = after_space(text, place)
        if text[place : place + 1] in (",", ";"):
            place = after_space(text, place + 1)
        elif text[place : place + 1] != closing:
            raise NoValueError
    if named and listed:
        raise NoValueError
    empty: Any = {} if text[start] == "{" else []
    return Value(named or listed or empty, place + 1)


def _key(text: str, place: int) -> Value | None:
    """The name of an item, with where its value begins."""
    said = _TEXT.match(text, place) or _NAME.match(text, place)
    to = _TO.match(text, after_space(text, said.end())) if said else None
    if said is None or to is None:
        return None
    return Value(said["name"] if said.lastgroup == "name" else _plain(said), to.end())


def only_value(text: str) -> Any:
    """The value that is all of the text; `None` where it is none, or depends on names."""
    try:
        held, end = value_at(text, 0)
    except NoValueError:
        return None
    return None if after_space(text, end) < len(text) or unknown(held) else held


def unknown(held: Any) -> bool:
    """Whether the value depends on a name that stands for something else."""
    inner = held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
    return isinstance(held, Name) or any(map(unknown, inner))
