"""Find the JSON object in a model's text, however untidy: fenced, wrapped, surrounded by words, or cut off.

A model's thinking is not its answer, and the last of several objects is: a draft never replaces the final object. A
Python literal is read as such, and other notations (comments, curly quotes, extra commas) by `json_repair`, whose
repairs of anything else are not accepted: they guess. If an object breaks off, its complete fields are kept, and of a
list of objects its complete entries; a truncated list of words counts as missing: a part of it would pass for all.
A reply and its repair are read together (`read`).
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from trace_core.facts.cleaning import ANOTHER
from trace_core.llm.completion import Completion
from trace_core.llm.usage import Usage

_START = re.compile(r"\{(?=\s*(?:[\"'“}#/]|$))")
"""Where an object may begin; other braces are text."""
_MOST_BROKEN, _MOST_REPAIRS, _MOST_WRAPPERS = 300, 5, 4
_THOUGHT = re.compile(r"<(?:think|thinking|thought|reasoning)>|\[THINK\]", re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"</(?:think|thinking|thought|reasoning)>|\[/THINK\]", re.IGNORECASE)
_NOTHING_MORE = re.compile(r"[\s`}\]\"]*")
_COMMENT = re.compile(
    r"Found (?:line|block) comment: (?:#|//|/\*)\s*(?=[\w\"'“(‘])[^\"]*(?:\"[^\"]*\"[^\"]*)*, ignoring"
)
"""What the library reports of a comment; one with an odd number of quotes may have swallowed a field."""

_ODD_ESCAPE = re.compile(r"\\(?![\\'\"abfnrtvuUxN0-7\n])")
"""What Python warns about in a literal."""

_NAME_ALONE = re.compile(r"([,{])\s*\"(?:[^\"\\]|\\.)*\"\s*:?$")
"""A field's name, or an item of a list, at the end of a text that breaks off."""


class Found(NamedTuple):
    """`data` is the object, or `None`; `whole` says that no part of it was cut off.

    `cut` names the list that lost its end; `plain` says that the text contained only the object, in plain JSON.
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
    value, plain = _value(text)
    if value is None:
        return _last(after_thinking(text), fields, ended)
    found = unwrapped([value], fields)
    return Found(found, True, plain=plain and found is value) if found else Found(None)


def after_thinking(text: str) -> str:
    """The text without the model's thinking; empty if it contains nothing else."""
    *_, text = _END_OF_THOUGHT.split(text)
    return _THOUGHT.split(text)[0]


def unwrapped(values: Iterable[Any], fields: Collection[str], depth: int = 0) -> dict[str, Any] | None:
    """The only object among or within the values that has any of the fields; `None` if not exactly one."""
    found = [inner for value in values if (inner := _within(value, fields, depth)) is not None]
    return found[0] if len(found) == 1 else None


def _within(value: Any, fields: Collection[str], depth: int) -> dict[str, Any] | None:
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        value, _ = _value(value.strip())
    if isinstance(value, dict) and not value.keys().isdisjoint(fields):
        return value
    if depth == _MOST_WRAPPERS or not isinstance(value, dict | list):
        return None
    return unwrapped(value.values() if isinstance(value, dict) else value, fields, depth + 1)


def _value(text: str) -> tuple[Any, bool]:
    """The value that the whole text represents, `None` if there is not exactly one; and whether it is plain JSON."""
    try:
        return _JSON.decode(text), True
    except (ValueError, RecursionError):
        return _repaired(text), False


def _last(text: str, fields: Collection[str], ended: bool) -> Found:
    last, end_of_last, at, broken = Found(None), 0, 0, 0
    for start in map(re.Match.start, _START.finditer(text)):
        if start < at:
            continue
        found, end = _read(text, start, repair=broken < _MOST_REPAIRS)
        broken += not found.whole
        if found.data is not None and found.whole:
            found = Found(unwrapped([found.data], fields), True)
            at = end
        if found.data is None or found.data.keys().isdisjoint(fields):
            # One cut off before the fields replaces earlier objects, as it may have been the final one.
            last, end_of_last = (Found(None), end) if not found.whole and found.data else (last, end_of_last)
        else:
            last, end_of_last, at = found, end, end
        if broken == _MOST_BROKEN:
            return Found(None)
    drafted = last.whole and not ended and not _NOTHING_MORE.fullmatch(text, end_of_last)
    return Found(None) if drafted else last


def _read(text: str, start: int, *, repair: bool) -> tuple[Found, int]:
    """The object that opens at `start`, and where it ends or breaks off."""
    try:
        data, end = _JSON.raw_decode(text, start)
    except json.JSONDecodeError as error:
        end = text.rfind("}") + 1
        data = _repaired(text[start:end]) if repair else None
        if not isinstance(data, dict):
            return _beginning(text[start : error.pos]), error.pos
    except RecursionError:
        return Found(None), start
    return Found(data, True), end


def _repaired(text: str) -> Any:
    """The value of a text in which only the notation is not JSON; `None` if anything else would have to be repaired."""
    if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]"):
        return None
    if not _ODD_ESCAPE.search(text):
        with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return ast.literal_eval(text)
    try:
        # In a list, an object that is not closed would have to be repaired.
        found = json_repair.loads(f"[{text}]", skip_json_loads=True, logging=True, strict=True)
    except (ValueError, RecursionError, IndexError, TypeError):
        return None
    values, repairs = found if isinstance(found, tuple) else (found, [])
    notation = all(_COMMENT.fullmatch(str(repair["text"])) for repair in repairs)
    return values[0] if notation and isinstance(values, list) and len(values) == 1 else None


def _beginning(text: str) -> Found:
    """The complete fields of an object that breaks off at the end of the text."""
    text = _NAME_ALONE.sub(r"\1", text.rstrip()).rstrip()
    number_may_go_on = text[-1:].isdecimal()
    text = text.rstrip(", \t\r\n")
    try:
        data = from_json(text, allow_partial=True)
    except ValueError:
        return Found(None)
    if not isinstance(data, dict) or not data:
        return Found(None)
    if _is_json(text + "}") and not number_may_go_on:
        return Found(data)
    name, value = data.popitem()
    entries = value if _is_json(text + "]}") else value[:-1] if isinstance(value, list) else []
    if entries and all(isinstance(entry, dict) for entry in entries):
        return Found({**data, name: entries}, cut=name)
    return Found(data or None)


def _is_json(text: str) -> bool:
    try:
        _JSON.decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def _both(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The last value of each name, and a different earlier one beside it: either may be right."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found and found[name] != value:
            found[name + ANOTHER] = found[name]
        found[name] = value
    return found


_JSON = json.JSONDecoder(parse_constant=str, strict=False, object_pairs_hook=_both)
"""Reads NaN as a string that is not understood, because it is not null."""


T = TypeVar("T", bound=BaseModel)
Wrong = Callable[[Mapping[str, Any]], Collection[str]]
"""Returns the fields of a reply's object that are missing or unusable."""


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """The result of one question.

    `value` is the whole object, `None` if the reply cannot be used. `data` are the usable fields (of the
    reply and its repair together). `raw` are the model's texts, in order. `how` is the requested
    format (`json_schema`, `json_object` or `text`) or `cache`. `problem` says in words what is wrong
    with an unusable reply; `notes` say what was done to read it. `whole` says that no part of the object
    was cut off, `plain` that the only text contains only the object; `repaired` are the fields
    requested again.
    """

    value: T | None
    data: Mapping[str, Any]
    raw: tuple[str, ...]
    usage: Mapping[str, float]
    how: str
    problem: str = ""
    notes: tuple[str, ...] = ()
    whole: bool = True
    plain: bool = False
    repaired: tuple[str, ...] = ()


def wrong_for(schema: type[BaseModel]) -> Wrong:
    """A check by schema: it returns the fields that do not validate."""

    def wrong(data: Mapping[str, Any]) -> Collection[str]:
        try:
            schema.model_validate(data)
        except ValidationError as error:
            return {str(e["loc"][0]) if e["loc"] else "" for e in error.errors(include_url=False)}
        return set()

    return wrong


def _valid(schema: type[T], data: Mapping[str, Any]) -> T | None:
    try:
        return schema.model_validate(data)
    except ValidationError:
        return None


class Read(NamedTuple):
    """What a reply and its repair contain together; `missing` are the unusable fields."""

    data: Mapping[str, Any]
    missing: list[str]
    whole: bool
    plain: bool = False
    repaired: tuple[str, ...] = ()

    def reply(
        self,
        schema: type[T],
        raw: tuple[str, ...],
        usage: Usage,
        how: str,
        problem: str = "",
        notes: Sequence[str] = (),
    ) -> Reply[T]:
        """This content as a `Reply` to the question."""
        value = None if self.missing else _valid(schema, self.data)
        why = (problem or self._lacks()) if self.missing else ""
        return Reply(value, self.data, raw, usage, how, why, tuple(notes), self.whole, self.plain, self.repaired)

    def _lacks(self) -> str:
        if not self.data and not self.repaired:
            return "The reply has no JSON object."
        return f"The reply lacks {', '.join(self.missing)}{' even when asked again' if self.repaired else ''}."


def read(replies: Sequence[Completion], schema: type[BaseModel], wrong: Wrong) -> Read:
    """Read one reply, or a reply and its repair."""
    first, *repairs = (find_object(one.object_text, schema.model_fields, ended=one.ended) for one in replies)
    data = dict(first.data or {})
    missing = sorted({*wrong(data), *([first.cut] if first.cut else [])})
    if not repairs:
        return Read(data, missing, first.whole, first.plain)
    again = repairs[0]
    _mend(data, again, missing, wrong)
    return Read(data, sorted(wrong(data)), first.whole and again.whole, repaired=tuple(missing))


def _mend(data: dict[str, Any], found: Found, missing: Collection[str], wrong: Wrong) -> None:
    """Take over the fields that were requested again and are now usable."""
    again = found.data or {}
    for name in missing:
        a_part_again = found.cut == name and name in data  # then keep the first part
        if name in again and not a_part_again and name not in wrong({**data, name: again[name]}):
            data[name] = again[name]
