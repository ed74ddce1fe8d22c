"""Amounts: whether a claim has a document's number with another unit, another period or the opposite bound."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from trace_core.facts.words import stem
from trace_core.labeling.local.contrasts.plain import negations, plain, share, things
from trace_core.labeling.local.wording.quantities import numbers

_UNITS = """
    second 1, minute 60, hour 3600, day 86400, week 604800, fortnight 1209600, month 2629800, year 31557600,
    decade 315576000, century 3155760000
    | millimetre 0.001, mm 0.001, centimetre 0.01, cm 0.01, metre 1, kilometre 1000, km 1000, inch 0.0254,
    inches 0.0254, foot 0.3048, feet 0.3048, yard 0.9144, mile 1609.344, millimeter 0.001, centimeter 0.01,
    meter 1, kilometer 1000
    | milligram 0.001, mg 0.001, gram 1, g 1, kilogram 1000, kilo 1000, kg 1000, tonne 1000000, ton 1000000,
    ounce 28.35, pound 453.6, stone 6350
    | millilitre 0.001, ml 0.001, centilitre 0.01, decilitre 0.1, litre 1, liter 1, gallon 4.546, pint 0.568,
    teaspoon 0.005, tablespoon 0.015, cup 0.24
    | euro 1, € 1, dollar 2, $ 2, £ 3, franc 4, yen 5, crown 6, krona 7, rupee 8, cent 9, penny 10, pence 10
    | percent 1, % 1, degree 2
"""
"""Units of the same kind, with their sizes; of money and shares, only that they differ."""
_NUMBER = (
    r"\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,6})?"
    r"|(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen)\b"
)
_LEAST = r"at least|no less than|no fewer than|not less than|minimum of|more than|over|above|exceed(?:s|ing)?|beyond"
_MOST = r"at most|no more than|not more than|up to|maximum of|less than|fewer than|under|below|within"
_AMOUNT = re.compile(
    rf"(?:\b(?:(?P<least>{_LEAST})|(?P<most>{_MOST})) )?(?:the )?(?:age of )?"
    rf"(?:(?P<sign>[€$£]) ?|(?<![\w.,:-]))(?P<value>{_NUMBER})(?:[ -]?(?P<unit>[a-z]{{1,20}}|[%°€$£]))?"
)
_RATE = re.compile(
    r"(?:,? (?:a|an|per|each|every)|/) ?(second|minute|hour|day|night|week|month|year|person|head|family|car|child)\b"
)
_NO_UNITS = frozenset("pm am p a s st nd rd th of and or to in at on is are was were the".split())
_LIKE, _VERY_LIKE = 0.6, 0.75
"""The least share of the claim's words, 0 to 1, that the document sentence has; the second for a changed bound."""
_NEARLY = 0.05
"""The relative difference up to which a converted amount is the same."""


class Amount(NamedTuple):
    """A number, the stem of its unit, the period or head it is for, and its bound: 1 at least, -1 at most, 0 none."""

    value: float
    unit: str
    rate: str
    bound: int


def contrast(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that has a number of the claim with another unit, rate or bound.

    `None` if there is none, or if one of the document sentences has the claim's amount.
    """
    said, told = amounts(claim), [amounts(text) for text in documents]
    words = things(claim) - _sizes().keys()
    if not words or not said:
        return None
    strange = [one for one in said if not any(_equal(one, other) for of_one in told for other in of_one)]
    for place, of_one in enumerate(told):
        if not of_one or not strange or negations(claim) != negations(documents[place]):
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


@lru_cache(maxsize=4000)
def amounts(text: str) -> tuple[Amount, ...]:
    """Every number of the text that has a unit or counts something."""
    return tuple(_found(plain(text)))


def _found(text: str) -> Iterator[Amount]:
    for found in _AMOUNT.finditer(text):
        value, unit = found["value"], found["sign"] or stem(found["unit"] or "")
        stated = numbers(value)
        if stated and unit and unit not in _NO_UNITS:
            rate = _RATE.match(text, found.end("value") if found["sign"] else found.end())
            bound = bool(found["least"]) - bool(found["most"])
            yield Amount(stated[0], unit, rate[1] if rate else "", bound)


@cache
def _sizes() -> Mapping[str, tuple[int, float]]:
    """The stem of a unit → the number of its kind, and its size."""
    found: dict[str, tuple[int, float]] = {}
    for kind, line in enumerate(_UNITS.split("|")):
        for entry in line.split(","):
            name, size = entry.split()
            found[stem(name)] = found[name] = (kind, float(size))
    return found
