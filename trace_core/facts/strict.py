"""Values that strict JSON and every database can represent: no lone surrogates, NUL, NaN or unlimited nesting. What
cannot be written is replaced on arrival, so that one bad character does not cost the whole record."""

import math
import re
from typing import Any

from pydantic import BaseModel, ValidationError, field_validator

from trace_core.errors import InputError

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_STEERING = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_DEEPEST = 100
_SHAPES = {
    "string_too_short": "a text that is not empty",
    "string": "a text",
    "list": "a list",
    "float": "a number",
    "finite": "a number",
    "int": "a whole number",
    "bool": "true or false",
    "byte_size": "a size such as 5MB",
    "dict": "an object",
    "model": "an object",
}
"""A part of the name of pydantic's error → what was expected."""
_BOUNDS = {"ge": "of at least", "gt": "above", "le": "of at most", "lt": "below"}


def valid_text(value: Any) -> Any:
    """Lone surrogates (which UTF-8 lacks) and NUL (which PostgreSQL lacks) become U+FFFD, so offsets stay valid."""
    if not isinstance(value, str) or (value.isascii() and "\0" not in value):
        return value
    return _UNSTORABLE.sub("\ufffd", value)


def visible(text: str) -> str:
    """The text with control characters and marks of direction, which a terminal or a page would obey, as escapes.

    >>> visible("red \N{ESCAPE}[31m")
    'red \\x1b[31m'
    """
    return _STEERING.sub(lambda one: one[0].encode("unicode_escape").decode(), text)


def valid(value: Any, depth: int = 0) -> Any:
    """The value as strict JSON: a non-finite number or a value nested too deeply becomes null."""
    if isinstance(value, str):
        return valid_text(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if not isinstance(value, dict | list | tuple):
        return value
    if depth == _DEEPEST:
        return None
    if isinstance(value, dict):
        return {valid_text(key): valid(item, depth + 1) for key, item in value.items()}
    return [valid(item, depth + 1) for item in value]


def misfit(error: Any) -> tuple[str, str]:
    """Of one of pydantic's errors: the place, without its names for a union's members, and what was expected there."""
    place = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}"
        for part in error["loc"]
        if isinstance(part, int) or (part.isidentifier() and part != "str")
    )
    kind, context = error["type"], error.get("ctx", {})
    if kind in ("value_error", "json_invalid"):
        words = error["msg"].removeprefix("Value error, ")
    elif kind == "missing":
        words = "it is missing"
    elif kind == "extra_forbidden":
        words = "there is no such field"
    elif bounds := [f"{words} {context[name]:g}" for name, words in _BOUNDS.items() if name in context]:
        words = f"a number {bounds[0]} was expected"
    elif kind == "too_long":
        words = f"at most {context['max_length']:,} are read, not {context['actual_length']:,}"
    elif kind == "string_too_long":
        words = f"a text of at most {context['max_length']:,} characters was expected"
    else:
        shape = next((words for part, words in _SHAPES.items() if part in kind), "another shape")
        words = f"{context['expected'] if kind == 'literal_error' else shape} was expected"
    return place.removeprefix("."), words


def misfit_error(error: ValidationError) -> InputError:
    """The first of pydantic's errors as ours."""
    place, words = misfit(error.errors(include_url=False, include_input=False)[0])
    return InputError(f"{words[0].upper()}{words[1:]}.", field=place)


class Strict(BaseModel):
    """A model that converts every field to strict JSON on arrival."""

    @field_validator("*", mode="before")
    @classmethod
    def _valid(cls, value: Any) -> Any:
        return valid(value)
