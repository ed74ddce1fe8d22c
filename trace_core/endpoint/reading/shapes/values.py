"""Values of an object: numbers, flags in words, and what is said of one that is wrong."""

from __future__ import annotations

from trace_core.endpoint.payload import QueryError

_YES = frozenset("true yes y on ja oui sí si sì sim tak".split())
_NO = frozenset("false no n off nein non nee não nao nej nie".split())
_SHOWN = 60  # characters of a wrong value quoted in an error


def wrong(field: str, expected: str, value: object) -> QueryError:
    """The error for a value that is not what its field expects."""
    shown = repr(value) if isinstance(value, str | int | float | None) else f"a {type(value).__name__}"
    shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
    return QueryError(f"{field} must be {expected}, not {shown}.")


def is_number(value: object) -> bool:
    """Whether the value is a number, which a truth value is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def flag(value: object, numbers: bool = False) -> bool | None:
    """Whether a flag says yes, as a truth value or a word, or as 1 or 0 where `numbers` are flags; else `None`."""
    if isinstance(value, bool):
        return value
    said = str(value).strip().lower() if isinstance(value, str | int) else ""
    if numbers and said in ("0", "1"):
        return said == "1"
    return True if said in _YES else False if said in _NO else None
