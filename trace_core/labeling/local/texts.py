"""One sentence, analysed once: its words in order, its numbers and names, and whether it declines to answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from trace_core.facts.records import Sentences
from trace_core.facts.refusal import is_refusal
from trace_core.facts.words import STOPWORDS, TOKEN, bare, is_negation, normal_number, number_word, stem

MARKS = re.compile(r"^\s*(?:[-*•]|\(?\d{1,3}[.):])\s|(?<=[.!?:;])\s\d{1,2}\.$|\[\d+(?:\s*(?:,|and|-)\s*\d+)*\]")
"""List markers and citations, whose numbers state nothing."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*")
_OF_SOURCES = frozenset(
    map(stem, "source document doc page p pp passage section context chunk reference see cited".split())
)
_LONGEST = 20_000
"""The most characters that are read; no real sentence is longer."""
_CAPITALISED = re.compile(r"\b[A-Z][^\W\d_]{3,}")
_INITIALS = re.compile(r"(?:\b[A-Z][^\W\d_]*\s?)+")
_OPENING = re.compile(r"(?:\A|[.!?:;\n\"“”„«»‘(\[>|*•–—-]|\d[.)])[ \t]{0,8}\Z")
"""What a capital letter follows whatever the word is."""
_ANYWHERE = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december spring summer autumn winter christmas easter mister madam doctor professor president
    director captain internet document context""".split()
)
"""Capitalised words that the documents may lack: days and months may be instances of what they say."""
_SAME_BEGINNING = 4
"""Words that begin with the same letters may be forms of one name: Italy and Italian."""


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """The comparable parts of one sentence. Words are stems; numbers are normalized and prefixed with `#`.

    `sequence` are the words in order, with the small ones unstemmed; `tokens` are those that carry meaning, `words`
    the same as a set. `first_name` is the first word if capitalised, which is a name only if it is one elsewhere.
    """

    tokens: tuple[str, ...]
    sequence: tuple[str, ...]
    words: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    first_name: str
    negations: int
    bare: str
    refusal: bool


@lru_cache(maxsize=4000)
def analyse(text: str) -> Text:
    """Analyse a sentence. Never raises on any text."""
    text = text[:_LONGEST]
    unmarked_text = MARKS.sub(" ", text)
    spelled = _WORD.findall(unmarked_text)
    lower = [word.lower().replace("’", "'") for word in spelled]
    token = [_token(word) for word in lower]
    tokens = tuple(filter(None, token))
    named = [t for word, t in zip(spelled, token, strict=True) if t and word[0].isupper()]
    first_name = token[0] if spelled and spelled[0][0].isupper() else ""
    return Text(
        tokens=tokens,
        sequence=tuple(t or word for t, word in zip(token, lower, strict=True)),
        words=frozenset(tokens),
        numbers=frozenset(t for t in tokens if t[0] == "#"),
        names=frozenset(named[1:] if first_name else named),
        first_name=first_name,
        negations=sum(map(is_negation, lower)),
        bare=bare(unmarked_text),
        refusal=is_refusal(text),
    )


def _token(word: str) -> str:
    """The stem of a lower-case word, or its number with a `#`; empty for a small word."""
    number = normal_number(word) if word[0].isdigit() else number_word(word)
    return f"#{number}" if number else "" if word in STOPWORDS else stem(word)


def unmarked(text: str) -> str:
    """The text without list marks and citations, and with single spaces."""
    return " ".join(MARKS.sub(" ", text).split())


def names_sources(text: Text) -> bool:
    """Whether a sentence only names its sources ("See page 4.") or has no words at all, and so claims nothing."""
    words = {word for word in text.words if word.isalpha()}
    return words <= _OF_SOURCES and (bool(words) or not text.tokens)


def unknown_names(question: str, sentences: Sentences) -> list[int]:
    """The places of response sentences with a name that neither the documents nor the question have.

    Of 9,111 supported sentences of RAGBench's validation and train rows, 22 have one, mostly one that everybody knows
    ("Google Maps"); of the 759 others, 27 do.
    """
    documents = [s.text for d in sentences.documents for s in d]
    named = {row: names for row, s in enumerate(sentences.response) if (names := list(_names(s.text)))}
    if not named or not documents:
        return []
    whole = " ".join((question, *documents))
    words = {word.lower() for word in TOKEN.findall(whole)}
    known = {stem(word) for word in words} | {word[:_SAME_BEGINNING] for word in words}
    letters, abbreviations = re.sub(r"[\W_]", "", whole).lower(), re.findall(r"\b[A-Z]{2,10}\b", whole)

    def is_known(name: str, initials: str) -> bool:
        forms = {name, stem(name), name[:_SAME_BEGINNING]}
        abbreviated = len(initials) > 1 and any(initials in one for one in abbreviations)
        return bool(forms & (known | STOPWORDS | _ANYWHERE)) or name in letters or abbreviated

    return [row for row, names in named.items() if not all(is_known(*name) for name in names)]


def _names(text: str) -> Iterator[tuple[str, str]]:
    """Capitalised words within sentences in lower case, each with the initials of the capitalised words around it."""
    long: Sequence[str] = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 3]
    if len(long) > 2 and all(word[0].isupper() for word in long):
        return  # a heading
    for around in _INITIALS.finditer(text):
        initials = "".join(word[0] for word in around[0].split() if not word[1:].isupper())
        for word in _CAPITALISED.finditer(text, around.start(), around.end()):
            if not (word[0].isupper() or _OPENING.search(text[max(0, word.start() - 12) : word.start()])):
                yield word[0].lower(), initials
