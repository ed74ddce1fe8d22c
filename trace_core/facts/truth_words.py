"""Read a judge's word for true or false, however it is put, as true, false or not understood.

A word not understood is neither: a guess would pass for a judgment. "No" is accepted with a reason after it,
"yes" only alone, because what follows may take it back.
"""

from __future__ import annotations

import re

from trace_core.facts.plain import plain

_YES = frozenset({"yes", "true", "full", "supported"})
_NO = frozenset({"no", "false"})
_NUMBERS = {1.0: True, 0.0: False}
_NEGATIVE = re.compile(r"(?:not(?:fully|supported|grounded)?|non|un(?!der)[a-z]*|partial[a-z]*|partly[a-z]*)")
_DOUBT = re.compile(
    r"(?:un)?(?:able|answer|applicab|assess|available|certain|clear|decid|determin|evaluat|judg|known|label|possible"
    r"|rated|resolved|sure)[a-z]*"
)
"""After "not", too: the judge could not tell."""
_ADVERB = re.compile(r"[a-z]+ly|yet|quite|so|too|at|all")
_SURELY = re.compile(
    r"(?:un(?:ambiguous|animous|argu?ab|conditional|deniab|disputed|doubted|equivocal|fortunate|mistakab|questionab"
    r"|questioning|reserved|surprising)|notab)ly"
)
"""Adverbs that say nothing before the next word."""
_DENIED = re.compile(
    r"(?:absent|baseless|contradict|deni|disprov|erroneous|fabricat|false|fictional|fictitious|hallucinat|inaccura"
    r"|inadequa|incompatib|inconsisten|incorrect|insufficien|invalid|invent|irrelevan|lacking|made|misleading|missing"
    r"|mistaken|refut|reject|wrong)[a-z]*"
)
_WORD = re.compile(r"([a-z]+)(?=([ .,;:(]|$))")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SPACES = re.compile(r"[\s_-]+")
_AROUND = " .,;:!()"


def read_truth(value: object) -> bool | None:
    """True or false; `None` if the value is not understood, or is null, whose meaning is decided elsewhere."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _NUMBERS.get(value)
    return _read_text(value) if isinstance(value, str) else None


def _read_text(value: str) -> bool | None:
    text = _SPACES.sub(" ", plain(_CAMEL.sub(" ", value[:1000]))).strip(" .!")
    try:
        return _NUMBERS.get(float(text))
    except ValueError:
        pass
    found = _WORD.match(text)
    if text in _YES or found is None:
        return True if text in _YES else None
    word, follows, rest = found[1], found[2], text[found.end() :].split()
    if word in _NO:
        return None if follows == " " else False
    if word.startswith("fully"):
        return _read_fully([word[5:], *rest] if word[5:] else rest)
    if _SURELY.fullmatch(word):
        return _read_next(rest)
    return _read_denial([word, *rest])


def _read_denial(words: list[str]) -> bool | None:
    """False where the first word denies; `None` where it does not, or says that the judge could not tell."""
    if words[0] == "nothing":
        return False if all(word.startswith("support") for word in words[1:2]) else None
    return False if _denies(words) else None


def _read_next(rest: list[str]) -> bool | None:
    """What an adverb strengthens: "supported by 0a" is yes, "false" is no; nothing else is understood."""
    word = rest[0].strip(_AROUND) if rest else ""
    if word in _YES:
        return _read_fully(rest[1:])
    return False if word in _NO or _denies(rest) or _DENIED.fullmatch(word) else None


def _read_fully(rest: list[str]) -> bool | None:
    """ "fully unsupported" is no, "fully supported" is yes, "fully supported, but not all" is neither."""
    if rest and (_denies(rest) or _DENIED.fullmatch(rest[0].strip(_AROUND))):
        return False
    plain_words = all(word.strip(".,").isalnum() and not _taken_back(word) for word in rest)
    return True if plain_words else None


def _denies(words: list[str]) -> bool:
    word = words[0].strip(_AROUND) if words else ""
    if word == "not":
        said = next((word for word in (w.strip(_AROUND) for w in words[1:]) if not _ADVERB.fullmatch(word)), "")
        return not _DOUBT.fullmatch(said)
    return bool(_NEGATIVE.fullmatch(word)) and not _DOUBT.fullmatch(word)


def _taken_back(word: str) -> bool:
    return word in ("but", "except", "no", "nothing") or bool(_NEGATIVE.match(word))
