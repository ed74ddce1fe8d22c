"""Names that a response sentence states and that neither the documents nor the question have.

Of 9,111 supported sentences of RAGBench's validation and train rows, 22 state such a name, mostly one that everybody
knows ("Google Maps"); of the 759 others, 27 do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trace_core.facts.records import Sentences
from trace_core.facts.words import STOPWORDS, TOKEN, stem

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ABBREVIATION = re.compile(r"[A-Z]{2,10}")
_OPENING = re.compile(r"(?:\A|[.!?:;\n\"“”„«»‘(\[>|*•–—-]|\d[.)])[ \t]{0,8}\Z")
"""What a capital letter follows whatever the word is."""
_BEFORE = 12
"""The number of characters before a word in which a mark shows that the word opens something."""
_CALENDAR = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december spring summer autumn winter christmas easter""".split()
)
"""Days and months that the documents lack may be instances of what they say."""
_TITLES = frozenset("mister madam doctor professor president director captain internet document context".split())
_LEAST_LETTERS = 4
_SAME_BEGINNING = 4
"""Words that begin with the same letters may be forms of one name: Italy and Italian."""
_LEAST_OF_HEADING = 3
"""A text with at least as many long words, all capitalised, is a heading."""


def unknown(question: str, sentences: Sentences) -> list[int]:
    """The places of response sentences with such a name."""
    documents = [s.text for d in sentences.documents for s in d]
    named = {row: names for row, s in enumerate(sentences.response) if (names := list(_names(s.text)))}
    if not named or not documents:
        return []
    known = _Known((question, *documents))
    return [row for row, names in named.items() if any(name not in known for name in names)]


def _names(text: str) -> Iterator[tuple[str, str]]:
    """Capitalised words within sentences in lower case, each with the initials of the capitalised words around it."""
    found = list(_WORD.finditer(text))
    capital = [match[0][0].isupper() for match in found]
    long = [is_capital for m, is_capital in zip(found, capital, strict=True) if len(m[0]) >= _LEAST_LETTERS]
    if all(long) and len(long) >= _LEAST_OF_HEADING:
        return
    for place, match in enumerate(found):
        word = re.sub(r"['’]s$", "", match[0])
        if not capital[place] or len(word) < _LEAST_LETTERS or word.isupper():
            continue
        if not _OPENING.search(text[max(0, match.start() - _BEFORE) : match.start()]):
            yield word.lower(), _initials([m[0] for m in found], capital, place)


def _initials(words: Sequence[str], capital: Sequence[bool], place: int) -> str:
    start = end = place
    while start and capital[start - 1] and not words[start - 1].isupper():
        start -= 1
    while end + 1 < len(words) and capital[end + 1] and not words[end + 1].isupper():
        end += 1
    return "".join(word[0] for word in words[start : end + 1])


class _Known:
    """The words of the documents and the question."""

    def __init__(self, texts: Sequence[str]) -> None:
        whole = " ".join(texts)
        words = {word.lower() for word in TOKEN.findall(whole)}
        self._stems = {stem(word) for word in words}
        self._beginnings = {word[:_SAME_BEGINNING] for word in words}
        self._letters = re.sub(r"[\W_]", "", whole).lower()
        self._abbreviations = set(_ABBREVIATION.findall(whole))

    def __contains__(self, name: tuple[str, str]) -> bool:
        word, initials = name
        if word in STOPWORDS or stem(word) in self._stems or word[:_SAME_BEGINNING] in self._beginnings:
            return True
        if len(initials) > 1 and any(initials in one for one in self._abbreviations):
            return True
        return word in self._letters or bool({word, word.removesuffix("s")} & (_CALENDAR | _TITLES))
