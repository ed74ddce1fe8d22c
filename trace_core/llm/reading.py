"""Find the JSON object in a model's text: fenced, wrapped, surrounded by words, or in a notation close to JSON.
A model's thinking is not its answer, and the last of several objects is: a draft never replaces the final object. A
Python literal is read as such, and other notations (comments, curly quotes, extra commas) by `json_repair`, whose
repairs of anything else are not accepted: they guess. An object that breaks off cannot be read: it is asked for again.
"""

import ast
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from trace_core.facts.wrappers import without_thoughts
from trace_core.llm.completion import Completion

_START = re.compile(r"\{(?=\s*(?:[\"'“}#/]|$))")  # where an object may begin; other braces are text
_MOST_WRAPPERS = 4
_LONGEST_REPAIR = 200_000
"""The most characters that are read as a notation close to JSON, in all attempts: that takes more than linear time."""
_NOTHING_MORE = re.compile(r"[\s`}\]\"]*")
_NOTATION = re.compile(
    r"Found (?:line|block) comment: (?:#|//|/\*)\s*(?=[\w\"'“(‘])[^\"]*(?:\"[^\"]*\"[^\"]*)*, ignoring"
)
"""The reports of `json_repair` that change no content; a comment with an odd number of quotes may hide a field."""
_ODD_ESCAPE = re.compile(r"\\(?![\\'\"abfnrtvuUxN0-7\n])")  # Python warns about it in a literal
T = TypeVar("T", bound=BaseModel)
Unusable = Callable[[Mapping[str, Any]], Collection[str]]
"""Returns the fields of a reply's object that are missing or unusable."""
Lacks = Callable[[Mapping[str, Any]], dict[str, str]]
"""Returns the fields that can be used and are incomplete, with what to ask for."""


def find_object(text: str, fields: Collection[str], *, whole: bool = True) -> dict[str, Any] | None:
    """The text's last object that has any of the fields. Never raises. If the text is not `whole`, an object followed
    by more words is a draft."""
    value, _ = _value(text)
    if value is not None:
        return _only_object([value], fields)
    text = without_thoughts(text)
    last, end_of_last, at, left = None, 0, 0, _LONGEST_REPAIR
    for start in map(re.Match.start, _START.finditer(text)):
        if start < at:
            continue
        value, end = _read(text, start)
        if value is None:  # it may have been the final object
            last, left = None, left - max(1000, end - start)
            if left <= 0:
                return None
            continue
        data = _only_object([value], fields)
        last, end_of_last = (data, end) if data else (last, end_of_last)
        at = end
    return last if whole or _NOTHING_MORE.fullmatch(text, end_of_last) else None


def _read(text: str, start: int) -> tuple[Any, int]:
    """The object that opens at `start`, and where it ends; `None` if it cannot be read."""
    try:
        return _JSON.raw_decode(text, start)
    except (ValueError, RecursionError):
        end = text.rfind("}") + 1
        return _repair(text[start:end]), end


def _only_object(values: Iterable[Any], fields: Collection[str], depth: int = 0) -> dict[str, Any] | None:
    """The only object among or within the values that has any of the fields; `None` if not exactly one."""
    objects = [inner for value in values if (inner := _within(value, fields, depth)) is not None]
    return objects[0] if len(objects) == 1 else None


def _within(value: Any, fields: Collection[str], depth: int) -> dict[str, Any] | None:
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        value, _ = _value(value)
    if isinstance(value, dict) and not value.keys().isdisjoint(fields):
        return value
    if depth == _MOST_WRAPPERS or not isinstance(value, dict | list):
        return None
    return _only_object(value.values() if isinstance(value, dict) else value, fields, depth + 1)


def _value(text: str) -> tuple[Any, bool]:
    """The value that the whole text represents, `None` if there is not exactly one; and whether it is plain JSON."""
    text = text.strip().removeprefix("\ufeff")
    try:
        return _JSON.decode(text), True
    except (ValueError, RecursionError):
        return _repair(text), False


def _repair(text: str) -> Any:
    """The value of a text in which only the notation is not JSON; `None` if anything else would have to be repaired."""
    if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]") or len(text) > _LONGEST_REPAIR:
        return None
    if not _ODD_ESCAPE.search(text):
        with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return ast.literal_eval(text)
    try:
        # In a list, an object that is not closed would have to be repaired.
        result = json_repair.loads(f"[{text}]", skip_json_loads=True, logging=True, strict=True)
    except (ValueError, RecursionError, IndexError, TypeError):
        return None
    values, repairs = result if isinstance(result, tuple) else (result, [])
    notation = all(_NOTATION.fullmatch(str(repair["text"])) for repair in repairs)
    return values[0] if notation and isinstance(values, list) and len(values) == 1 else None


def _object_or_pairs(pairs: list[tuple[str, Any]]) -> Any:
    """The object or, if it has two values for one field, its pairs, which nobody takes for an object."""
    data = dict(pairs)
    return data if all(data[name] == value for name, value in pairs) else pairs


_JSON = json.JSONDecoder(parse_constant=str, strict=False, object_pairs_hook=_object_or_pairs)
"""Reads NaN as a string that is not understood, because it is not null."""


@dataclass(frozen=True, slots=True)
class ObjectReply(Generic[T]):
    """The result of one question: `value` is the whole object, `None` if the reply cannot be used. `data` are the
    fields of the reply and its repair together, `raw` the model's texts, `missing` the unusable fields, `again` those
    to request again. `problem` says what is wrong, `notes` what was done to read it; `plain` that the only text
    contains only the object."""

    value: T | None
    data: Mapping[str, Any]
    raw: tuple[str, ...]
    missing: tuple[str, ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)
    problem: str = ""
    notes: Sequence[str] = ()
    plain: bool = False
    again: Mapping[str, str] = field(default_factory=dict)


def misfits(schema: type[BaseModel], data: Mapping[str, Any]) -> Collection[str]:
    """The fields that do not validate."""
    try:
        schema.model_validate(data)
    except ValidationError as error:
        return {str(e["loc"][0]) if e["loc"] else "" for e in error.errors(include_url=False)}
    return set()


def read_replies(replies: Sequence[Completion], schema: type[T], unusable: Unusable, lacks: Lacks) -> ObjectReply[T]:
    """Read one reply, or a reply and its repair: of this the fields that were requested again and are better now."""
    first, *others = (find_object(one.object_text, schema.model_fields, whole=one.whole) for one in replies)
    text, plain = _value(replies[0].object_text)
    plain = plain and text == first and not others
    data = dict(first or {})
    again = dict.fromkeys(sorted(unusable(data)), "") | lacks(data)
    more = (others[0] if others else None) or {}
    for name in again.keys() & more.keys():
        better = {**data, name: more[name]}
        if name not in unusable(better) and (name in unusable(data) or name not in lacks(better)):
            data = better
    missing = tuple(sorted(unusable(data)))
    problem = f"The reply lacks {', '.join(missing)}{' even when asked again' if others else ''}." if missing else ""
    if not data and not others:
        problem = "The reply has no JSON object."
    value = None if missing or misfits(schema, data) else schema.model_validate(data)
    return ObjectReply(
        value, data, tuple(one.raw for one in replies), missing, problem=problem, plain=plain, again=again
    )
