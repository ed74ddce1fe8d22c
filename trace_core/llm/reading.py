"""Find the JSON object in a model's text, however untidy: fenced, wrapped, surrounded by words, or cut off.

A model's thinking is not its answer, and the last of several objects is: a draft never replaces the final
object. If an object was cut off, its complete fields are kept; a list of objects keeps its complete entries;
a truncated list of words counts as missing, because a part of it would pass for all of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from trace_core.llm.literals import JSON, ReadObject, read_object

_START = re.compile(r"\{(?=\s*(?:[\"'}]|$))")
"""Where an object may begin; other braces are text."""
_MOST_BROKEN = 300
_MOST_WRAPPERS = 4
_THOUGHT = re.compile(r"<(?:think|thinking|thought|reasoning)>|\[THINK\]", re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"</(?:think|thinking|thought|reasoning)>|\[/THINK\]", re.IGNORECASE)
_NOTHING_MORE = re.compile(r"[\s`}\]\"]*")


class Found(NamedTuple):
    """`data` is the object, or `None`; `whole` says that no part of it was cut off.

    `cut` names the list that lost its end; `plain` says that the text contained only the object.
    """

    data: dict[str, Any] | None
    whole: bool = False
    plain: bool = False
    cut: str | None = None


def find_object(text: str, fields: Collection[str], *, ended: bool = True) -> Found:
    """The text's last object that has any of the fields. Never raises.

    If the text has not `ended` by itself, an object followed by more words is a draft.
    """
    text = text.strip().removeprefix("\ufeff")
    whole = _the_whole(text)
    if whole is None:
        return _last(after_thinking(text), fields, ended)
    found = unwrapped([whole], fields)
    return Found(found, True, plain=found is whole) if found else Found(None)


def after_thinking(text: str) -> str:
    """The text without the model's thinking; empty if it contains nothing else."""
    for end in _END_OF_THOUGHT.finditer(text):
        last = end
    text = text[last.end() :] if _END_OF_THOUGHT.search(text) else text
    begun = _THOUGHT.search(text)
    return text[: begun.start()] if begun else text


def unwrapped(values: Iterable[Any], fields: Collection[str], depth: int = 0) -> dict[str, Any] | None:
    """The only object among or within the values that has any of the fields; `None` if not exactly one."""
    found = [inner for value in values if (inner := _within(value, fields, depth)) is not None]
    return found[0] if len(found) == 1 else None


def _within(value: Any, fields: Collection[str], depth: int) -> dict[str, Any] | None:
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        value = _the_whole(value.strip())
    if isinstance(value, dict) and not value.keys().isdisjoint(fields):
        return value
    if depth == _MOST_WRAPPERS or not isinstance(value, dict | list):
        return None
    return unwrapped(value.values() if isinstance(value, dict) else value, fields, depth + 1)


def _the_whole(text: str) -> Any:
    """The value that the whole text represents; `None` if it is more than one value or none."""
    if text.startswith("{"):
        read = read_object(text, 0)
        return read.data if read.whole and read.end == len(text) else None
    try:
        value, end = JSON.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value if end == len(text) else None


def _last(text: str, fields: Collection[str], ended: bool) -> Found:
    last, end_of_last, at, broken = Found(None), 0, 0, 0
    for start in _START.finditer(text):
        if start.start() < at:
            continue
        read = read_object(text, start.start())
        found = _of(read, fields)
        last, end_of_last = (found, read.end) if found else (last, end_of_last)
        at = read.end if read.whole or (found and found.data) else at  # else the object may be a wrapper
        broken += not read.whole
        if broken == _MOST_BROKEN:
            return Found(None)
    drafted = last.whole and not ended and not _NOTHING_MORE.fullmatch(text, end_of_last)
    return Found(None) if drafted else last


def _of(read: ReadObject, fields: Collection[str]) -> Found | None:
    """The object as `Found`; `None` if it has none of the fields. One cut off before them replaces earlier objects."""
    if read.whole:
        found = unwrapped([read.data], fields)
        return Found(found, True) if found else None
    return Found(None) if read.data.keys().isdisjoint(fields) else Found(read.data, cut=read.cut)
