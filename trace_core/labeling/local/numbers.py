"""Numbers that a response sentence states without support: unknown to the documents, or said of one group alone.

Texts are in one notation (`notation.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from trace_core.facts.records import Sentences
from trace_core.facts.words import STOPWORDS, stem
from trace_core.labeling.local.contrasts import amounts, negations
from trace_core.labeling.local.texts import analyse

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
_BOUND = frozenset(
    """over under above below more less fewer than least most up before after by until till since within between
    beyond past aged age old older younger later earlier ago no not another every from to""".split()
)
"""Beside such a word, a number that the documents lack may follow from one that they have."""
_PER = frozenset("per each every only when if than open closed".split())
"""Beside such a word, a number of a document may decide about others."""
_BESIDE, _NEAREST, _PLACES = 3, 3, 3
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
_FEW, _MOST_KNOWN = 20, 300
"""So few different numbers may also make one by a product and a sum, as in "two adults and a child"; among more than
so many, some two make almost any other."""
_CLAUSE = re.compile(r"; |, (?:and|but|while|whereas) | (?:and|while|whereas|but) (?=(?:at )?\d)", re.IGNORECASE)
_CLOCK = re.compile(r"(?<![\d:])\d{1,2}(?::[0-5]\d)?(?: [ap]m\b|(?<=:\d\d))|\b(?:noon|midnight)\b")
_MOST_WORDS = 15
"""In different words: a longer sentence says too much for its groups to be told."""
_SAME_BEGINNING = 4
"""Words that begin with the same letters may be forms of one: give and given."""


class Number(NamedTuple):
    """A number that a text states, the stem of the word after it if that carries meaning, and the words beside it."""

    value: float
    unit: str
    beside: frozenset[str]


def numbers(text: str) -> list[Number]:
    """Every number that the text states; a time of day counts as hours and hundredths."""
    return list(_stated(_tokens(text)))


def _tokens(text: str) -> list[str]:
    return [token.lower() for token in _TOKEN.findall(re.sub(r"(?<=\w)-(?=[a-zA-Z])", " ", _MARKS.sub(" ", text)))]


def _stated(tokens: Sequence[str]) -> Iterator[Number]:
    for place, token in enumerate(tokens):
        if token[0].isdecimal():
            after = tokens[place + 1 : place + 1 + _BESIDE]
            unit = stem(after[0]) if after and after[0].isalpha() and after[0] not in STOPWORDS else ""
            beside = frozenset((*tokens[max(0, place - _BESIDE) : place], *after))
            yield Number(float(token.replace(":", ".")), unit, beside)


def unfounded(question: str, sentences: Sentences) -> list[int]:
    """The places of response sentences with a number that neither documents nor question have or lead to.

    None of 4,638 supported sentences of RAGBench's validation and train rows has one; 16 of the 429 others do.
    """
    checked = {row: amount for row, s in enumerate(sentences.response) if (amount := _worth_checking(s.text))}
    if not checked:
        return []
    documents = [s.text for d in sentences.documents for s in d]
    known = _SourceNumbers((question, *documents))
    strange = [row for row, amount in checked.items() if not all(known.leads_to(*one) for one in amount)]
    return [row for row in strange if not _may_be_an_instance(sentences.response[row].text, documents)]


def _worth_checking(text: str) -> list[tuple[Number, bool]]:
    """The numbers worth checking, and whether they may be a time in another unit."""
    time = any(map(_TIMES.fullmatch, _tokens(text)))
    return [(n, time) for n in numbers(text) if not n.beside & _BOUND and (n.value > _SMALL or n.value != int(n.value))]


def _may_be_an_instance(text: str, documents: Sequence[str]) -> bool:
    """Whether a nearest document sentence bounds a number: "under 16" says something of 12, too."""
    words = analyse(text).words
    nearest = sorted(documents, key=lambda other: -len(analyse(other).words & words))[:_NEAREST]
    return any(number.beside & (_BOUND | _PER) for other in nearest for number in numbers(other))


class _SourceNumbers:
    """The numbers of the documents and the question, with their units."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._units: dict[float, set[str]] = {}
        for tokens in map(_tokens, texts):
            parts = ((_PARTS[token], "") for token in tokens if token in _PARTS)
            for value, unit in (*((n.value, n.unit) for n in _stated(tokens)), *parts):
                self._units.setdefault(round(value, _PLACES), set()).add(unit)

    def leads_to(self, number: Number, time: bool) -> bool:
        """Whether a number has the value, is converted to it, or two or three of them make it."""
        known, value = self._units, number.value
        if len(known) > _MOST_KNOWN or any(map(self._has, (value, 100 - value, value + 12))):
            return True
        if number.beside & _ABOUT and any(abs(value - v) <= _NEARLY * max(value, v) for v in known):
            return True
        if self._converted(number, time) or any(self._paired(value, v) for v in known):
            return True
        return len(known) <= _FEW and any(self._paired(value - v, w) for v in known for w in known)

    def _has(self, value: float) -> bool:
        return round(value, _PLACES) in self._units

    def _converted(self, number: Number, time: bool) -> bool:
        """Whether a number with another unit, or none, is the value times a factor between units."""
        values = (v for f in (*_FACTORS, *(_OF_TIME if time else ())) for v in (number.value * f, number.value / f))
        units = (unit for value in values for unit in self._units.get(round(value, _PLACES), ()))
        return any(unit != number.unit or not unit for unit in units)

    def _paired(self, value: float, v: float) -> bool:
        """Whether v and another number make the value: as sum or difference of one unit, or by multiplication."""
        units = self._units[v]
        for other in (value - v, value + v, v - value):
            theirs = self._units.get(round(other, _PLACES))
            if theirs and ("" in theirs | units or theirs & units):
                return True
        quotients = (value / v, 100 * value / v, 100 - 100 * value / v) if v else ()
        return any(map(self._has, (value * v, *quotients, *((v / value,) if value else ()))))


class Clause(NamedTuple):
    """One value for one group: its sentence's place, its words and values, and how often it says "not"."""

    place: int
    words: frozenset[str]
    values: frozenset[tuple[str, str]]
    negations: int


def dropped_group(claim: str, question: str, documents: Sequence[str]) -> tuple[int, int] | None:
    """The places of the sentences with the claim's value for one group and with another value for another group.

    `None` where the claim or the question names the group, or where there is no such pair.
    """
    statement, asked, mine = analyse(claim), analyse(question).words, _values(claim)
    if statement.refusal or not statement.words:
        return None
    known = statement.words | asked
    clauses = [clause for place, text in enumerate(documents) for clause in _clauses(place, text)]
    same = [c for c in clauses if mine <= c.values and c.negations == negations(claim)]
    if any(clause.words <= known for clause in same):
        return None  # it is said of no group that the claim leaves out
    for one in same:
        beginnings = {word[:_SAME_BEGINNING] for word in one.words | asked}
        if len(one.words) > _MOST_WORDS or not {word[:_SAME_BEGINNING] for word in statement.words} <= beginnings:
            continue
        if not statement.words & one.words:
            continue
        other = next((c for c in clauses if c is not one and _stands_beside(one, c, mine, known)), None)
        if other is not None:
            return one.place, other.place
    return None


def _stands_beside(one: Clause, other: Clause, mine: frozenset[tuple[str, str]], known: frozenset[str]) -> bool:
    """Whether the other clause says the same of another group with another value, or with a "not"."""
    ours, theirs, shared = (
        {word for word in words if word[0] != "#"}
        for words in (one.words - other.words, other.words - one.words, one.words & other.words & known)
    )
    named = ours & known - {"noon", "midnight"}
    if named or not ours or not theirs or (other.words - one.words) & known or len(other.words) > _MOST_WORDS:
        return False
    if mine:
        units = {unit for unit, _ in mine}
        differs = any(unit in units and (unit, value) not in mine for unit, value in other.values)
        return differs and not mine & other.values and bool(shared)
    return one.negations != other.negations and len(shared) >= 2


def _clauses(place: int, text: str) -> Iterator[Clause]:
    parts = [part for part in _CLAUSE.split(text) if part.strip()]
    for number, part in enumerate(parts):
        # "The fee is 1 euro for books and 3 euros for DVDs": the second part has the subject of the first
        words = analyse(part).words
        if number and len(words) < len(analyse(parts[0]).words):
            words |= {w for w in analyse(parts[0].split(" for ")[0]).words if w[0] != "#"}
        yield Clause(place, words, _values(part), negations(part))


def _values(text: str) -> frozenset[tuple[str, str]]:
    """Unit and value of every amount and time of day in the text."""
    values = {(one.unit, f"{one.value:g}") for one in amounts(text)}
    values |= {("", f"{n.value:g}") for n in numbers(text)} if not values else set()
    return frozenset(values | {("time", time) for time in _CLOCK.findall(text)})
