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
_SURELY = re.compile(r"un[a-z]+ly")
"""Adverbs such as "unequivocally", which say nothing before the next word."""
_DENIED = re.compile(r"(?:contradict|false|fabricat|refut|irrelevant|hallucinat|wrong|incorrect|invent)[a-z]*")
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
    if _SURELY.fullmatch(word):
        return _read_next(text[found.end() :].strip(_AROUND))
    if _NEGATIVE.fullmatch(word) or (word in _NO and follows != " "):
        return False
    return _read_fully(text[found.end() :].split()) if word.startswith("fully") else None


def _read_next(rest: str) -> bool | None:
    """What an adverb strengthens: "supported by 0a" is yes, "false" is no; nothing else is understood."""
    word = rest.partition(" ")[0].strip(_AROUND)
    if word in _YES:
        return _read_fully(rest.split()[1:])
    return False if word in _NO or _denies(word) else None


def _denies(word: str) -> bool:
    return bool(_NEGATIVE.fullmatch(word) or _DENIED.fullmatch(word))


def _read_fully(rest: list[str]) -> bool | None:
    """ "fully unsupported" is no, "fully supported" is yes, "fully supported, but not all" is neither."""
    if rest and _denies(rest[0].strip(_AROUND)):
        return False
    plain = all(word.strip(".,").isalnum() and not _taken_back(word) for word in rest)
    return True if plain else None


def _taken_back(word: str) -> bool:
    return word in ("but", "except", "no") or _NEGATIVE.match(word) is not None
