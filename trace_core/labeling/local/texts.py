"""One sentence, analysed once: its words in order, its numbers and names, and whether it declines to answer."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from trace_core.facts.refusal import is_refusal
from trace_core.facts.words import STOPWORDS, bare, normal_number, number_word, stem

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*")
_LONGEST = 20_000  # the most characters that are read; no real sentence is longer
_VALUE = re.compile(r"(?<![\w.,:/-])\d{1,15}(?:\.\d{1,6})?(?![\w/-]|[.,:]\d)")
_SMALL = 12  # whole numbers up to this one count things that the documents need not count
_FACTORS = (2, 4, 7, 10, 12, 24, 30, 52, 60, 100, 365, 1000)  # between units, and of halves, pairs and quarters
_MOST_VALUES = 40  # among more different numbers, some two make almost any other
_PLACES = 3


@dataclass(frozen=True, slots=True, eq=False)
class SentenceTerms:
    """The comparable parts of one sentence. Words are stems; numbers are normalized and prefixed with `#`. `tokens` are
    the words in order that carry meaning, `words` the same as a set. `first_name` is the first word if capitalised,
    which is a name only if it is one elsewhere."""

    tokens: tuple[str, ...]
    words: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    first_name: str
    bare: str
    refusal: bool


@lru_cache(maxsize=4000)
def analyse(text: str) -> SentenceTerms:
    """Analyse a sentence. Never raises on any text."""
    text = text[:_LONGEST]
    spellings = _WORD.findall(text)
    token = [_token(word.lower().replace("’", "'")) for word in spellings]
    tokens = tuple(filter(None, token))
    capitals = [t for word, t in zip(spellings, token, strict=True) if t and word[0].isupper()]
    first_name = token[0] if spellings and spellings[0][0].isupper() else ""
    return SentenceTerms(
        tokens=tokens,
        words=frozenset(tokens),
        numbers=frozenset(t for t in tokens if t[0] == "#"),
        names=frozenset(capitals[1:] if first_name else capitals),
        first_name=first_name,
        bare=bare(text),
        refusal=is_refusal(text),
    )


def _token(word: str) -> str:
    """The stem of a lower-case word, or its number with a `#`; empty for a small word."""
    number = normal_number(word) if word[0].isdigit() else number_word(word)
    return f"#{number}" if number else "" if word in STOPWORDS else stem(word)


def strange_numbers(claims: Sequence[str], sources: Iterable[str]) -> list[int]:
    """The places of claims with a number that the sources lack, and that no two of theirs make. Texts are in one
    notation. A sum, a difference, a product, a quotient and a change of unit make a number."""
    values_of = [{v for v in _values(claim) if v > _SMALL or v != int(v)} for claim in claims]
    if not any(values_of):
        return []
    source_values = {value for text in sources for value in _values(text)}
    return [row for row, values in enumerate(values_of) if not all(_follows(v, source_values) for v in values)]


def _values(text: str) -> set[float]:
    return {round(float(value), _PLACES) for value in _VALUE.findall(text)}


def _follows(value: float, source_values: set[float]) -> bool:
    near = {value, 100 - value, value + 12, *(value * f for f in _FACTORS), *(value / f for f in _FACTORS)}
    if len(source_values) > _MOST_VALUES or not source_values.isdisjoint(round(one, _PLACES) for one in near):
        return True
    near_zero = (
        off
        for a, b in combinations(source_values, 2)
        for off in (a + b - value, abs(a - b) - value, a * b - value, a - value * b, b - value * a)
    )
    return any(abs(off) < 10**-_PLACES * max(1, value) for off in near_zero)
