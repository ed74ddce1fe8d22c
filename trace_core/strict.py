"""Values that strict JSON can hold: no lone surrogates, no NaN, no nesting without end.

Texts come from judges, web pages and files, and one bad character must not cost the record that
holds it: what cannot be written is replaced when it arrives, not when it is saved.
"""

from __future__ import annotations

import math
import re
from typing import Any

from pydantic import BaseModel, field_validator

_SURROGATE = re.compile("[\ud800-\udfff]")
_DEEPEST = 100


def valid_text(value: object) -> object:
    """Lone surrogates cannot be written as UTF-8: each becomes U+FFFD, so offsets stay true."""
    return _SURROGATE.sub("\ufffd", value) if isinstance(value, str) and not value.isascii() else value


def valid(value: Any, depth: int = 0) -> Any:
    """The value as strict JSON can hold it: a number that is not finite, or nested too deep, is null."""
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
    """A model whose every field arrives as strict JSON can hold it."""

    @field_validator("*", mode="before")
    @classmethod
    def _valid(cls, value: Any) -> Any:
        return valid(value)
