"""A model's text → the JSON object in it, however untidy: fenced, surrounded by words, or cut off.

Of an object that was cut off, the fields that are whole are kept; a list of objects keeps its whole
entries; a list of words that was cut is missing, because a part of it would pass for all of it.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, NamedTuple

_DECODER = json.JSONDecoder(parse_constant=lambda _: None, strict=False)
_MOST_STARTS = 50
_SPACES = " \t\r\n"


class Found(NamedTuple):
    """`data` is the object, `None` where there is none; `whole` says that nothing of it was cut off.

    `cut` names the list that lost its end; `plain` says that the text was the object and nothing else.
    """

    data: dict[str, Any] | None
    whole: bool = False
    plain: bool = False
    cut: str | None = None


def find_object(text: str, fields: Collection[str]) -> Found:
    """The object in the text that has most of the fields. Never raises."""
    best: Found | None = None
    at = -1
    for _ in range(_MOST_STARTS):
        at = text.find("{", at + 1)
        if at < 0:
            break
        found, end = _read_at(text, at)
        if found.data and (best is None or _score(found, fields) > _score(best, fields)):
            best = found
        if found.whole:
            at = end - 1  # what is inside it is no reply
    return best or Found(None)


def _score(found: Found, fields: Collection[str]) -> int:
    return sum(name in fields for name in found.data or {})


def _read_at(text: str, at: int) -> tuple[Found, int]:
    try:
        data, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return _cut_object(text, at), at + 1
    alone = not text[:at].strip() and not text[end:].strip()
    return Found(data, True, alone), end


def _cut_object(text: str, at: int) -> Found:
    """The whole fields of an object that is not whole."""
    found: dict[str, Any] = {}
    cut = None
    at = _skip(text, at + 1)
    while at < len(text) and text[at] == '"':
        try:
            name, at = _DECODER.raw_decode(text, at)
            at = _skip(text, at)
            if text[at : at + 1] != ":":
                break
            at = _skip(text, at + 1)
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            if text[at : at + 1] == "[" and (entries := _cut_list(text, at)):
                found[name], cut = entries, name
            break
        if at >= len(text) and not isinstance(value, str | list | dict):
            break  # a number or a word may go on
        found[name] = value
        at = _skip(text, at, ",")
    return Found(found, cut=cut)


def _cut_list(text: str, at: int) -> list[dict[str, Any]]:
    """The whole objects of a list that is not whole; a list of anything else gives none."""
    entries: list[dict[str, Any]] = []
    at = _skip(text, at + 1)
    while text[at : at + 1] == "{":
        try:
            entry, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        entries.append(entry)
        at = _skip(text, at, ",")
    return entries


def _skip(text: str, at: int, also: str = "") -> int:
    skipped = _SPACES + also
    while at < len(text) and text[at] in skipped:
        at += 1
    return at
