"""Numbers that a response sentence states, and whether the documents have them or anything adds up to them.

Texts are in one notation (`notation.py`). None of 4,638 supported sentences of RAGBench's validation and train rows
states an unfounded number; 16 of the 429 that are not supported do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from trace_core.facts.records import Sentences
from trace_core.facts.words import STOPWORDS, stem
from trace_core.labeling.local.wording.texts import read

_MARKS = re.compile(
    r"^\s*(?:step )?\(?\d{1,3}[.):]\s|\[\d[^\]\n]{0,20}\]|(?<=[.!?:;])\s\d{1,2}\.$"
    r"|\b(?:document|passage|section|page|figure|table|step|doc|context|source|chapter)s? \d{1,4}",
    re.IGNORECASE,
)
"""Marks of lists, citations and places in a text: they state nothing."""
_TOKEN = re.compile(
    r"(?<![\w.,:/-])\d{1,2}:\d\d(?!\d)|(?<![\w.,:/-])\d{1,15}(?:\.\d{1,6})?(?![\w/-]|[.,:]\d)"
    r"|(?<![\w-])[^\W\d_]{1,20}(?![\w])"
)
_KEPT_APART = re.compile(r"(?<=\w)-(?=[a-zA-Z])")
"""The hyphen of "900-gram"."""
_BOUND = frozenset(
    """over under above below more less fewer than least most up before after by until till since within between
    beyond past aged age old older younger later earlier ago no not another every from to""".split()
)
"""Beside such a word, a number that the documents lack may follow from one that they have."""
_PER = frozenset("per each every only when if than open closed".split())
"""Beside such a word, a number of a document may decide about others."""
_BESIDE = 3
_NEAREST = 3
_ABOUT = frozenset("about around nearly almost some".split())
_NEARLY = 0.15
_SMALL = 12
"""Whole numbers up to this one count things that the documents need not count."""
_FACTORS = (10, 100, 1000)
_OF_TIME = (7, 12, 24, 30, 52, 60, 365)
_TIMES = re.compile(r"(?:second|minute|hour|day|week|fortnight|month|quarter|year|decade|annual|daily)s?")
_PARTS = {
    **dict.fromkeys(("half", "halves"), 0.5),
    **dict.fromkeys(("twice", "double", "both", "pair", "couple"), 2),
    **dict.fromkeys(("third", "thirds", "triple"), 3),
    **dict.fromkeys(("quarter", "quarters"), 4),
    **{"fifth": 5, "decade": 10, "dozen": 12, "century": 100},
}
"""Words that a number may be multiplied or divided by."""
_FEW = 20
"""So few different numbers may also make one by a product and a sum, as in "two adults and a child"."""
_PLACES = 3
_MOST_KNOWN = 300
"""Among more numbers than this, some two make almost any other."""


def numbers(text: str) -> list[float]:
    """Every number that the text states; a time of day counts as hours and hundredths."""
    return [value for value, _, _ in _stated(_tokens(text))]


def values(text: str) -> Iterator[tuple[float, str]]:
    """The numbers that the text states, each with its unit, and those that words such as "half" stand for."""
    tokens = _tokens(text)
    yield from ((value, _unit(tokens, place)) for value, place, _ in _stated(tokens))
    yield from ((_PARTS[word], "") for word in map(str.lower, tokens) if word in _PARTS)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_KEPT_APART.sub(" ", _MARKS.sub(" ", text)))


def _stated(tokens: Sequence[str]) -> Iterator[tuple[float, int, set[str]]]:
    """Values, each with the place of its token and the words beside it."""
    for place, token in enumerate(tokens):
        if token[0].isdecimal():
            beside = (*tokens[max(0, place - _BESIDE) : place], *tokens[place + 1 : place + 1 + _BESIDE])
            yield float(token.replace(":", ".")), place, {word.lower() for word in beside}


def _unit(tokens: Sequence[str], place: int) -> str:
    """The stem of the word after a number: what is counted, or a unit; empty for a small word."""
    word = tokens[place + 1].lower() if place + 1 < len(tokens) else ""
    return stem(word) if word.isalpha() and word not in STOPWORDS else ""


def unfounded(question: str, sentences: Sentences) -> list[int]:
    """The places of response sentences with a number that neither documents nor question have or lead to."""
    checked = {row: found for row, s in enumerate(sentences.response) if (found := _checked(_tokens(s.text)))}
    if not checked:
        return []
    documents = [s.text for d in sentences.documents for s in d]
    known = Known(one for text in (question, *documents) for one in values(text))
    strange = [row for row, found in checked.items() if not all(map(known.leads_to, found))]
    return [row for row in strange if not _may_be_an_instance(sentences.response[row].text, documents)]


def _may_be_an_instance(text: str, documents: Sequence[str]) -> bool:
    """Whether a nearest document sentence bounds a number: "under 16" says something of 12, too."""
    words = read(text).words
    nearest = sorted(documents, key=lambda other: -len(read(other).words & words))[:_NEAREST]
    return any(beside & (_BOUND | _PER) for other in nearest for _, _, beside in _stated(_tokens(other)))


class Checked(NamedTuple):
    """A number worth checking, its unit, whether it is approximate, and whether it may be a time in another unit."""

    value: float
    unit: str
    approximate: bool
    time: bool


def _checked(tokens: Sequence[str]) -> list[Checked]:
    """The numbers worth checking."""
    time = any(_TIMES.fullmatch(t.lower()) for t in tokens)
    return [
        Checked(value, _unit(tokens, place), bool(beside & _ABOUT), time)
        for value, place, beside in _stated(tokens)
        if not beside & _BOUND and (value > _SMALL or value != int(value))
    ]


class Known:
    """The numbers of the documents and the question, with their units."""

    def __init__(self, values: Iterable[tuple[float, str]]) -> None:
        self._units: dict[float, set[str]] = {}
        for value, unit in values:
            self._units.setdefault(round(value, _PLACES), set()).add(unit)

    def leads_to(self, checked: Checked) -> bool:
        """Whether a number has the value, or is converted to it, or two of them make it by one operation."""
        known, value = self._units, checked.value
        if self.makes(checked):
            return True
        return len(known) <= _FEW and any(self._paired(value - v, w) for v in known for w in known)

    def makes(self, checked: Checked) -> bool:
        """As `leads_to`, without the sums in which a third number takes part."""
        known, value = self._units, checked.value
        if len(known) > _MOST_KNOWN:
            return True
        if checked.approximate and any(abs(value - v) <= _NEARLY * max(value, v) for v in known):
            return True
        if any(self._has(v) for v in (value, 100 - value, value + 12)) or self._converted(checked):
            return True
        return any(self._paired(value, v) for v in known)

    def _has(self, value: float) -> bool:
        return round(value, _PLACES) in self._units

    def _converted(self, checked: Checked) -> bool:
        """Whether a number with another unit, or none, is the value times a factor between units."""
        factors = (*_FACTORS, *(_OF_TIME if checked.time else ()))
        found = [
            self._units.get(round(v, _PLACES), ()) for f in factors for v in (checked.value * f, checked.value / f)
        ]
        return any(unit != checked.unit or not unit for units in found for unit in units)

    def _paired(self, value: float, v: float) -> bool:
        """Whether v and another number make the value: as sum or difference of one unit, or by multiplication."""
        units = self._units[v]
        for other in (value - v, value + v, v - value):
            held = self._units.get(round(other, _PLACES))
            if held and ("" in held | units or held & units):
                return True
        return any(self._has(other) for other in _multiples(value, v))


def _multiples(value: float, v: float) -> Iterator[float]:
    """The numbers that, with v, make the value as a product, quotient or percentage."""
    yield value * v
    if v:
        yield value / v
        yield 100 * value / v
        yield 100 - 100 * value / v
    if value:
        yield v / value
