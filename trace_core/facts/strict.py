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
_MISFITS = {
    "value_error": "{msg}",
    "json_invalid": "{msg}",
    "missing": "it is missing",
    "extra_forbidden": "there is no such field",
    "string_too_long": "a text of at most {max_length:,} characters was expected",
    "too_long": "at most {max_length:,} are read, not {actual_length:,}",
    "greater_than_equal": "a number of at least {ge:g} was expected",
    "greater_than": "a number above {gt:g} was expected",
    "less_than_equal": "a number of at most {le:g} was expected",
    "less_than": "a number below {lt:g} was expected",
    "literal_error": "{expected} was expected",
    "string_too_short": "a text that is not empty was expected",
    "string": "a text was expected",
    "list": "a list was expected",
    "float": "a number was expected",
    "finite": "a number was expected",
    "int": "a whole number was expected",
    "bool": "true or false was expected",
    "byte_size": "a size such as 5MB was expected",
    "dict": "an object was expected",
    "model": "an object was expected",
    "": "another shape was expected",
}
"""A part of the name of pydantic's error → our words for it; the first that fits decides."""


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
    words = next(words for part, words in _MISFITS.items() if part in error["type"])
    context = error.get("ctx", {}) | {"msg": error["msg"].removeprefix("Value error, ")}
    return place.removeprefix("."), words.format_map(context)


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
