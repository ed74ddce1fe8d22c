"""Values that strict JSON and every database can represent: no lone surrogates, NUL, NaN or unlimited nesting.

What cannot be written is replaced on arrival, so that one bad character does not cost the whole record.
"""

from __future__ import annotations

import math
import re
from typing import Any

from pydantic import BaseModel, field_validator

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_STEERING = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_DEEPEST = 100


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


class Strict(BaseModel):
    """A model that converts every field to strict JSON on arrival."""

    @field_validator("*", mode="before")
    @classmethod
    def _valid(cls, value: Any) -> Any:
        return valid(value)
