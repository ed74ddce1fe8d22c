"""Amounts: whether a claim has a document's number with another unit, period or bound, or another number of its unit.

Texts are in one notation (`notation.py`), so that units are spelled out and numbers have digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from trace_core.facts.words import stem
from trace_core.labeling.local.contrasts.plain import negations, plain, share, things
from trace_core.labeling.local.wording.quantities import Checked, Known, values

_UNITS = """
    second 1, minute 60, hour 3600, day 86400, week 604800, fortnight 1209600, month 2629800, year 31557600,
    decade 315576000, century 3155760000
    | millimetre 0.001, centimetre 0.01, metre 1, kilometre 1000, inch 0.0254, inches 0.0254, foot 0.3048,
    feet 0.3048, yard 0.9144, mile 1609.344
    | milligram 0.001, gram 1, kilogram 1000, tonne 1000000, ton 1000000, ounce 28.35, pound 453.6, stone 6350
    | millilitre 0.001, centilitre 0.01, decilitre 0.1, litre 1, gallon 4.546, pint 0.568, teaspoon 0.005,
    tablespoon 0.015, cup 0.24
    | kilobyte 1, megabyte 1000, gigabyte 1000000, terabyte 1000000000
    | euro 1, dollar 2, franc 4, yen 5, crown 6, krona 7, rupee 8, cent 9, penny 10, pence 10
    | percent 1, degree 2
"""
"""Units of the same kind, with their sizes; of money and shares, only that they differ."""
_LEAST = "at least|more than|over|above|exceed(?:s|ing)?|beyond"
_MOST = "at most|less than|fewer than|under|below|within"
_AMOUNT = re.compile(
    rf"(?:\b(?:(?P<least>{_LEAST})|(?P<most>{_MOST})) )?(?:the )?(?:age of )?"
    r"(?<![\w.,:-])(?P<value>\d{1,15}(?:\.\d{1,6})?)"
    r"[ -](?P<unit>[a-z]{1,20})(?:,? (?:a|an|per|each|every) (?P<rate>second|minute|hour|day|night|week|month|year"
    r"|person|head|family|car|child)\b)?"
)
_NO_UNITS = frozenset("pm am p a s st nd rd th of and or to in at on is are was were the by".split())
_LIKE, _VERY_LIKE = 0.6, 0.75
"""The least share of the claim's words, 0 to 1, that the document sentence has; the second for a changed bound."""
_NEARLY = 0.05
"""The relative difference up to which a converted amount is the same."""
_ABOUT = re.compile(r"\b(?:about|around|almost|nearly|some)\b")
_RECKONED = re.compile(
    r"\b(?:than|together|total|altogether|all|each|both|every|half|halves|double|doubled|twice|thrice"
    r"|times|difference|another|other|others|further|additional|extra|remaining|rest|left|still|later|earlier|before|after"
    r"|since|between|older|younger|longer|shorter|taller|faster|slower|higher|lower|bigger|smaller|enough|too|can|could"
    r"|may|might|if|when|for|any|lost|gained|missed|failed|exactly|ahead|behind|except|but)\b"
)
"""Words by which a number may follow from another."""
_MOST_TOLD = 2
_APART = 1.3
"""An approximate number that is larger or smaller by this factor is another one."""


class Amount(NamedTuple):
    """A number, the stem of its unit, the period or head it is for, and its bound: 1 at least, -1 at most, 0 none."""

    value: float
    unit: str
    rate: str
    bound: int


def contrast(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that tells a number of the claim otherwise; `None` if there is none.

    `None`, too, if a document sentence has the claim's amount, or the numbers of the documents make it.
    """
    found = _another_unit(claim, documents)
    return found if found is not None else _another_number(claim, documents)


def _another_unit(claim: str, documents: Sequence[str]) -> int | None:
    said, told = amounts(claim), [amounts(text) for text in documents]
    words = things(claim) - _sizes().keys()
    strange = [one for one in said if not any(_equal(one, other) for of_one in told for other in of_one)]
    if not words or not strange:
        return None
    for place, of_one in enumerate(told):
        if not of_one or negations(claim) != negations(documents[place]):
            continue
        common = share(words, documents[place])
        if common >= _LIKE and any(_differs(one, other, common) for one in strange for other in of_one):
            return place
    return None


def _differs(one: Amount, other: Amount, common: float) -> bool:
    if one.value != other.value:
        return False
    ours, theirs = _sizes().get(one.unit), _sizes().get(other.unit)
    if ours and theirs and ours != theirs:
        return ours[0] == theirs[0]
    if one.unit != other.unit:
        return False
    another_rate = bool(one.rate and other.rate and one.rate != other.rate)
    return another_rate or (common >= _VERY_LIKE and one.bound * other.bound < 0)


def _equal(one: Amount, other: Amount) -> bool:
    """Whether the two amounts are the same, or nothing speaks against it."""
    ours, theirs = _sizes().get(one.unit), _sizes().get(other.unit)
    if ours is None or theirs is None:
        return one == other
    if ours[0] != theirs[0] or abs(one.value * ours[1] - other.value * theirs[1]) > _NEARLY * one.value * ours[1]:
        return False
    other_rate = one.rate and other.rate and one.rate != other.rate
    return one.unit != other.unit or (one.bound * other.bound >= 0 and not other_rate)


def _another_number(claim: str, documents: Sequence[str]) -> int | None:
    said, words = amounts(claim), things(claim)
    if len(said) != 1 or len(words) < 2 or _RECKONED.search(plain(claim)):
        return None
    mine = said[0]
    known = Known(value for text in documents for value in values(text))
    if known.makes(Checked(mine.value, mine.unit, False, True)):
        return None
    for place, text in enumerate(documents):
        told = amounts(text)
        if len(told) > _MOST_TOLD or _RECKONED.search(plain(text)) or negations(text) != negations(claim):
            continue
        same = [other for other in told if other.unit == mine.unit]
        if len(same) == 1 and _apart(mine, same[0], claim + text) and share(words, text) >= _LIKE:
            return place
    return None


def _apart(one: Amount, other: Amount, text: str) -> bool:
    """Whether one number cannot stand for the other: with a bound, or about."""
    if one.bound != other.bound:
        return False
    larger, smaller = max(one.value, other.value), min(one.value, other.value)
    return larger >= _APART * smaller if _ABOUT.search(plain(text)) else larger > smaller


@lru_cache(maxsize=4000)
def amounts(text: str) -> tuple[Amount, ...]:
    """Every number of the text that has a unit or counts something."""
    return tuple(_found(plain(text)))


def _found(text: str) -> Iterator[Amount]:
    for found in _AMOUNT.finditer(text):
        if found["unit"] not in _NO_UNITS:
            bound = bool(found["least"]) - bool(found["most"])
            yield Amount(float(found["value"]), stem(found["unit"]), found["rate"] or "", bound)


@cache
def _sizes() -> Mapping[str, tuple[int, float]]:
    """The stem of a unit → the number of its kind, and its size."""
    found: dict[str, tuple[int, float]] = {}
    for kind, line in enumerate(_UNITS.split("|")):
        for entry in line.split(","):
            name, size = entry.split()
            found[stem(name)] = found[name] = (kind, float(size))
    return found
