"""Why a response sentence got its label, in a few words: who says so, says otherwise, or that nothing says it."""

from collections.abc import Sequence

from trace_core.facts.differences import differing
from trace_core.facts.words import TOKEN, is_negation, number_word

NOTHING = "Nothing says it"
UNREADABLE = f"{NOTHING}: it is not made of words."
NO_DOCUMENT = f"{NOTHING}: there is no document sentence."
GENERAL = "It makes no claim that could be checked."
DECLINES = "The documents do not answer, as it says."
_MOST_KEYS, _LONGEST_QUOTE = 3, 140


def support(keys: Sequence[str]) -> str:
    """That these document sentences, at least one, say so."""
    return f"{_in_words(keys)} {'says so' if len(keys) == 1 else 'say so together'}."


def contradiction(clash: tuple[str, str], key: str) -> str:
    """What a document sentence says instead, in the words that clash: the answer's first; one may be missing."""
    ours, theirs = clash
    how = f": {ours} ≠ {theirs}" if ours and theirs else f", with “{theirs}”" if theirs else f", without “{ours}”"
    return f"{key} says otherwise{how}."


def no_support(nearest: str, key: str) -> str:
    """That nothing says it, and what comes nearest, shortened if it is long."""
    text = " ".join(nearest.split())
    text = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1].rstrip() + "…"
    return f"{NOTHING}; the nearest sentence is {key}: “{text}”"


def wrong_refusal(relevant: Sequence[str]) -> str:
    """Why a refusal is not supported."""
    return f"It says that the documents do not answer, but {_in_words(relevant[:_MOST_KEYS])} may."


def _in_words(keys: Sequence[str]) -> str:
    return " and ".join([", ".join(keys[:-1]), keys[-1]]) if len(keys) > 1 else "".join(keys)


def clash(ours: str, theirs: str) -> tuple[str, str] | None:
    """The first words in which two sentences exclude each other: a number, a unit, a date, a name or a "not".

    Texts are in one notation. `None` where they differ in something else, or in more.
    """
    here, there = (_marks(pieces) for pieces in differing(ours, theirs))
    if bool(here["negation"]) != bool(there["negation"]):
        return (here["negation"] or [""])[0], (there["negation"] or [""])[0]
    kinds = (kind for kind in ("amount", "unit", "name") if here[kind] and there[kind])
    return next(((here[kind][0], there[kind][0]) for kind in kinds), None)


def _marks(pieces: Sequence[Sequence[str | bool]]) -> dict[str, list[str]]:
    """The marked stretches of each kind, in order; what follows a number is a unit."""
    marks: dict[str, list[str]] = {"negation": [], "amount": [], "unit": [], "name": []}
    before = ""  # the word before the stretch; empty where a sentence begins
    for text, differs in pieces:
        words = TOKEN.findall(str(text))
        kinds = {
            "negation": any(is_negation(word.lower().replace("’", "'")) for word in words),
            "amount": any(word[0].isdecimal() or number_word(word.lower()) for word in words),
            "unit": before[:1].isdecimal(),
            "name": bool(before) and any(word[0].isupper() for word in words),
        }
        for kind, stretches in marks.items():
            if differs and kinds[kind]:
                stretches.append(str(text))
        before = words[-1] if words else before
    return marks
