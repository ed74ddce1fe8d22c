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
    return f"{in_words(keys)} {'says so' if len(keys) == 1 else 'say so together'}."


def contradiction(clash: tuple[str, str], key: str) -> str:
    """What a document sentence says instead, in the words that clash: the answer's first; one may be missing."""
    ours, theirs = clash
    how = f": {ours} ≠ {theirs}" if ours and theirs else f", with “{theirs}”" if theirs else f", without “{ours}”"
    return f"{key} says otherwise{how}."


def no_support(nearest: str, key: str) -> str:
    """That nothing says it, and what comes nearest."""
    return f"{NOTHING}; the nearest sentence is {key}: “{excerpt(nearest)}”"


def wrong_refusal(relevant: Sequence[str]) -> str:
    """Why a refusal is not supported."""
    return f"It says that the documents do not answer, but {in_words(relevant[:_MOST_KEYS])} may."


def clash(ours: str, theirs: str) -> tuple[str, str] | None:
    """The first words in which two sentences exclude each other: a number, a unit, a date, a name or a "not".

    Texts are in one notation. `None` where they differ in something else, or in more.
    """
    here, there = (_marks(pieces) for pieces in differing(ours, theirs))
    negations = [[words for words, _ in side if _denies(words)] for side in (here, there)]
    if bool(negations[0]) != bool(negations[1]):
        return (negations[0] or [""])[0], (negations[1] or [""])[0]
    for kind in (_is_amount, _is_unit, _is_name):
        mine, yours = ([words for words, before in side if kind(words, before)] for side in (here, there))
        if mine and yours:
            return mine[0], yours[0]
    return None


def _marks(pieces: Sequence[Sequence[str | bool]]) -> list[tuple[str, str]]:
    """The marked stretches, each with the word before it; empty where a sentence begins."""
    marks, before = [], ""
    for text, differs in pieces:
        if differs:
            marks.append((str(text), before))
        words = TOKEN.findall(str(text))
        before = words[-1] if words else before
    return marks


def _denies(words: str) -> bool:
    return any(is_negation(word.lower().replace("’", "'")) for word in TOKEN.findall(words))


def _is_amount(words: str, before: str) -> bool:
    return any(word[0].isdecimal() or number_word(word.lower()) for word in TOKEN.findall(words))


def _is_unit(words: str, before: str) -> bool:
    return before[:1].isdecimal()


def _is_name(words: str, before: str) -> bool:
    return bool(before) and any(word[0].isupper() for word in TOKEN.findall(words))


def excerpt(text: str) -> str:
    """The text, shortened if it is long."""
    one = " ".join(text.split())
    return one if len(one) <= _LONGEST_QUOTE else one[: _LONGEST_QUOTE - 1].rstrip() + "…"


def in_words(keys: Sequence[str]) -> str:
    """The keys as a list in words: 0a, 0b and 1c."""
    return " and ".join([", ".join(keys[:-1]), keys[-1]]) if len(keys) > 1 else "".join(keys)
