"""Read a judge's word for true or false, however it is put, as true, false or not understood.

A word not understood is neither: a guess would pass for a judgment. "No" is accepted with a reason after it,
"yes" only alone, because what follows may take it back.
"""

from __future__ import annotations

import re

_YES = frozenset({"yes", "true", "full", "supported"})
_NO = frozenset({"no", "false"})
_NUMBERS = {1.0: True, 0.0: False}
_NEGATIVE = re.compile(r"(?!un(?:known|clear|certain|decided|determined))(?:not|un|partial|partly)[a-z]*")
_WORD = re.compile(r"([a-z]+)(?=([ .,;:(]|$))")
_AROUND = " .!\"'"


def read_truth(value: object) -> bool | None:
    """True or false; `None` if the value is not understood, or is null, whose meaning is decided elsewhere."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _NUMBERS.get(value)
    return _read_words(value) if isinstance(value, str) else None


def _read_words(value: str) -> bool | None:
    text = re.sub(r"[\s_-]+", " ", value[:1000].lower()).strip(_AROUND)
    try:
        return _NUMBERS.get(float(text))
    except ValueError:
        pass
    found = _WORD.match(text)
    if found is None:
        return None
    word, follows = found[1], found[2]
    if text in _YES:
        return True
    if _NEGATIVE.fullmatch(word) or (word in _NO and follows != " "):
        return False
    return _read_fully(text[found.end() :].split()) if word.startswith("fully") else None


def _read_fully(rest: list[str]) -> bool | None:
    """ "fully unsupported" is no, "fully supported" is yes, "fully supported, but not all" is neither."""
    if rest and _NEGATIVE.fullmatch(rest[0].strip(_AROUND)):
        return False
    plain = all(word.strip(".,").isalnum() and not _taken_back(word) for word in rest)
    return True if plain else None


def _taken_back(word: str) -> bool:
    return word in ("but", "except", "no") or _NEGATIVE.match(word) is not None
