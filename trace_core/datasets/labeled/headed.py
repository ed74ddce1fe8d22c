"""Texts whose questions are headings: `## 2. Who rents out chairs?` over `### Passages` and `### Answer`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

_MOST_LEVELS = 6
_MARKS = ("?", "？", "؟")
_MARKUP = "*_# \t\r\n"
_NUMBER = re.compile(
    r"(?P<word>[^\W\d_]{0,20})[ -]?[(#]?(?:\d{1,3}(?:[.)]?[:.)]|[ \t]{1,4}[-–—])|\d{1,3}\.\d{1,3})[ \t]{1,4}(?=\S)"
)
"""What counts the headings: `2.`, `(2)`, `2.1`, `TC-02:`."""


class _Heading(NamedTuple):
    level: int
    text: str

    @property
    def asks(self) -> bool:
        return self.text.endswith(_MARKS)


class Headed(NamedTuple):
    """The questions and the other labels that are headings, by their place; and the places of what belongs to none."""

    questions: dict[int, str]
    labels: dict[int, str]
    aside: frozenset[int]


def headed(lines: Sequence[str], is_part: Callable[[int], bool]) -> Headed | None:
    """The headings of one level, if most with a labeled part right below ask, at least two; else `None`.

    `is_part` tells whether the line at a place is the label of a part.
    """
    found = {at: heading for at, line in enumerate(lines) if (heading := _heading(line))}
    parts = {at for at, one in found.items() if not one.asks and is_part(at)}
    leads = {at: below for at in found if at not in parts and (below := _label(lines, found, at, is_part)) is not None}
    asking = [at for at in leads if found[at].asks]
    levels = {found[at].level for at in leads}
    if len(asking) < 2 or 2 * len(asking) <= len(leads) or len(levels) > 1:
        return None
    level = levels.pop()
    tops = [at for at, one in found.items() if one.level <= level]
    asked = [at for at in tops if at in leads or (found[at].level == level and found[at].asks)]
    questions = dict(zip(asked, _uncounted([found[at].text for at in asked]), strict=True))
    ends = pairwise([*tops, len(lines)])
    aside = {at for start, end in ends if start not in questions for at in range(start, end)}
    if 2 * len(leads) <= len(asked) or parts & aside or sum(map(is_part, aside)) > 1:
        return None
    return Headed(questions, _labels(found, leads.values(), aside), frozenset(aside))


def _heading(line: str) -> _Heading | None:
    said = line.strip()
    text = said.lstrip("#")
    level = len(said) - len(text)
    return _Heading(level, text.strip(_MARKUP)) if 0 < level <= _MOST_LEVELS and text[:1].isspace() else None


def _label(lines: Sequence[str], found: Mapping[int, _Heading], at: int, is_part: Callable[[int], bool]) -> int | None:
    """The place of the label of a part that is all that stands right below a heading."""
    below = next((below for below in range(at + 1, len(lines)) if lines[below].strip()), at)
    if below in found and (found[below].level <= found[at].level or found[below].asks):
        return None
    return below if is_part(below) and below != at else None


def _labels(found: Mapping[int, _Heading], first: Iterable[int], aside: Collection[int]) -> dict[int, str]:
    """The headings below the questions, of the level of the first label of each, where these are headings."""
    levels = {found[at].level if at in found else 0 for at in first}
    return {at: one.text for at, one in found.items() if levels == {one.level} and at not in aside}


def _uncounted(texts: Sequence[str]) -> list[str]:
    """The texts without their numbers, if all have one, after the same word."""
    marks = [mark for text in texts if (mark := _NUMBER.match(text))]
    if len(marks) < len(texts) or len({mark["word"].lower() for mark in marks}) > 1:
        return list(texts)
    return [text[mark.end() :] for text, mark in zip(texts, marks, strict=True)]
