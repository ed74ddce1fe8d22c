"""One sentence, analysed once: its words in order, numbers, names, and the words that a "not" denies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from trace_core.facts.refusal import is_refusal
from trace_core.facts.words import STOPWORDS, bare, is_negation, normal_number, number_word, stem

MARKS = re.compile(r"^\s*(?:[-*•]|\(?\d{1,3}[.):])\s|(?<=[.!?:;])\s\d{1,2}\.$|\[\d+(?:\s*(?:,|and|-)\s*\d+)*\]")
"""List markers and citations, whose numbers state nothing."""
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*")
_REACH = 6
"""The distance within which two words are a pair."""
_SCOPE = 3
"""The number of content words after a "not" that it denies."""
_HEDGES = re.compile(
    r"\b(?:overall|in (?:summary|conclusion|general)|therefore|thus|likely|may|might|probably|possibly"
    r"|suggests?|impl(?:y|ies)|important|remember)\b",
    re.IGNORECASE,
)
_OF_SOURCES = frozenset(
    map(
        stem,
        "source sources document documents doc page pages passage section context chunk reference see cited".split(),
    )
)
_MOST_UNITS = 60
_LONGEST = 20_000
"""The most characters that are read; no real sentence is longer."""

Pair = tuple[str, str]


class Unit(NamedTuple):
    """A word or a name of several words, with the words just before and after it (`^` and `$` at the ends)."""

    first: str
    last: str
    before: str
    after: str
    name: bool


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """The comparable parts of one sentence. Words are stems; numbers are normalized and prefixed with `#`."""

    surface: str
    """The sentence as it stands."""
    tokens: tuple[str, ...]
    sequence: tuple[str, ...]
    """`tokens`, with the small words between them unstemmed."""
    units: tuple[Unit, ...]
    words: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    first_name: str
    """The first word if capitalised, which is a name only if it is one elsewhere."""
    denied: frozenset[str]
    negations: int
    near: frozenset[Pair]
    """Ordered pairs of words at most six apart."""
    adjacent: tuple[Pair, ...]
    bare: str
    refusal: bool
    hedged: bool


@lru_cache(maxsize=4000)  # 9 kB each
def read(text: str) -> Text:
    """Analyse a sentence. Never raises on any text."""
    text = text[:_LONGEST]
    found = _TOKEN.findall(MARKS.sub(" ", text))
    tokens: list[str] = []
    sequence: list[str] = []
    capital: list[bool] = []
    names: set[str] = set()
    denied: set[str] = set()
    negations = scope = 0
    first_name = ""
    for place, word in enumerate(found):
        lower = word.lower().replace("’", "'")
        if is_negation(lower):
            negations, scope = negations + 1, _SCOPE
        token = _token(word, lower)
        sequence.append(token or lower)
        capital.append(word[0].isupper() and bool(token) and token[0] != "#")
        if not token:
            continue
        if capital[-1]:
            if place:
                names.add(token)
            else:
                first_name = token
        if scope:
            denied.add(token)
            scope -= 1
        tokens.append(token)
    return Text(
        surface=text,
        tokens=tuple(tokens),
        sequence=tuple(sequence),
        units=_units(sequence, capital, frozenset(tokens)),
        words=frozenset(tokens),
        numbers=frozenset(t for t in tokens if t[0] == "#"),
        names=frozenset(names),
        first_name=first_name,
        denied=frozenset(denied),
        negations=negations,
        near=frozenset((a, b) for i, a in enumerate(tokens) for b in tokens[i + 1 : i + 1 + _REACH] if a != b),
        adjacent=tuple((a, b) for a, b in pairwise(tokens) if a != b),
        bare=bare(MARKS.sub(" ", text)),
        refusal=is_refusal(text),
        hedged=_HEDGES.search(text) is not None,
    )


def unmarked(text: str) -> str:
    """The text without list marks and citations, and with single spaces."""
    return " ".join(MARKS.sub(" ", text).split())


def names_sources(text: Text) -> bool:
    """Whether a sentence only names its sources ("See page 4.") or has no words at all, and so claims nothing."""
    words = {word for word in text.words if word.isalpha()}
    return words <= _OF_SOURCES and (bool(words) or not text.tokens)


def _units(sequence: list[str], capital: list[bool], words: frozenset[str]) -> tuple[Unit, ...]:
    """Content words in order; consecutive capitalised words form one unit."""
    padded = ["^", *sequence, "$"]
    units = []
    start = 0
    while start < len(sequence):
        end = start + 1
        while capital[start] and end < len(sequence) and capital[end]:
            end += 1
        if sequence[start] in words:
            units.append(Unit(sequence[start], sequence[end - 1], padded[start], padded[end + 1], capital[start]))
        start = end
    return tuple(units[:_MOST_UNITS])


def _token(word: str, lower: str) -> str:
    if word[0].isdigit():
        return "#" + normal_number(word)
    if spelled := number_word(lower):
        return "#" + spelled
    return "" if lower in STOPWORDS else stem(lower)
