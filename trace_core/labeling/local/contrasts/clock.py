"""Times of day: whether a claim gives another one than the document sentences that say the same.

Texts are in one notation (`notation.py`): "4 pm", "8:30 am", "noon"; "4:00" where the half of the day is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from trace_core.facts.words import stem
from trace_core.labeling.local.contrasts.plain import negations, plain, share, things

_CLOCK = re.compile(
    r"(?:\b(?P<word>at|until|till|to|from|since|by|before|after|between|and|around|about) (?:about |around )?)?"
    r"(?<![\w.,:])(?:(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d))?(?: (?P<half>[ap])m)?(?P<clock> o'clock)?"
    r"|(?P<name>noon|midnight))"
    r"(?![\w:])(?![.,]\d)(?! ?(?:%|percent|seconds?|minutes?|hours?|days?|weeks?|months?|years?|euros?|pounds?|dollars?"
    r"|litres?|metres?|kilo\w{0,10}|grams?|people|times)\b)"
)
_INSTANCE = re.compile(
    r"^(?:on [^,]{3,30} )?at |\b(?:still|already|can|could|may|might|no longer|earlier|later|latest|over|when)\b"
)
"""What holds at some time may follow from when it begins and ends."""
_RECKONED = re.compile(
    r"\b(?:hours?|minutes?)\b[^.]{0,20}\b(?:later|earlier|before|after|faster|slower|until|then)\b|\b(?:lasts|takes)\b"
)
"""A time may be reckoned from another one."""
_TIME_WORDS = frozenset(map(stem, "o'clock noon midnight morning evening night pm am".split()))
_KINDS = {**dict.fromkeys(("until", "till", "to"), "end"), **dict.fromkeys(("from", "since", "between"), "start")}
_KINDS |= dict.fromkeys(("by", "before", "after"), "limit")
_RANGES = frozenset((("start", "end"), ("start", "point"), ("point", "end")))
"""The kinds of two times between which something lasts: "from 6 to 10", "between 6 and 10", "6 until 10"."""
_LIKE = 0.5
_DAY = 24 * 60


class Clock(NamedTuple):
    """The minutes of the day that a time may mean, 0 to 1439, what the word before it makes of it, and whether it is
    surely a time."""

    minutes: frozenset[int]
    kind: str
    sure: bool


def contrast(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that says the same of another time of day; `None` if there is none."""
    said = [clock for clock in clocks(claim) if clock.sure]
    words = things(claim) - _TIME_WORDS
    if not said or not words or _INSTANCE.search(plain(claim)):
        return None
    known = frozenset().union(*(clock.minutes for text in documents for clock in clocks(text)))
    strange = [clock for clock in said if not clock.minutes & known]
    for place, text in enumerate(documents):
        told = [clock for clock in clocks(text) if clock.sure]
        if not told or _RECKONED.search(plain(text)) or negations(text) != negations(claim):
            continue
        if share(words, text) >= _LIKE and any(_differs(clock, told) for clock in strange):
            return place
    return None


def _differs(clock: Clock, told: Sequence[Clock]) -> bool:
    kinds = {one.kind for one in told}
    if len(told) > 2 or "limit" in kinds | {clock.kind}:
        return False
    if len(told) == 2:
        within = (told[0].kind, told[1].kind) in _RANGES and _within(clock, *told)
        return clock.kind != "point" or not within
    return clock.kind in kinds


def _within(clock: Clock, first: Clock, last: Clock) -> bool:
    """Whether the time may lie between the two."""
    ranges = [(start, (end - start) % _DAY) for start in first.minutes for end in last.minutes]
    return any((minute - start) % _DAY <= length for start, length in ranges for minute in clock.minutes)


@lru_cache(maxsize=4000)
def clocks(text: str) -> tuple[Clock, ...]:
    """Every time of day in the text."""
    return tuple(_found(plain(text)))


def _found(text: str) -> Iterator[Clock]:
    for found in _CLOCK.finditer(text):
        kind = _KINDS.get(found["word"] or "", "point")
        if found["name"]:
            yield Clock(frozenset((720 * (found["name"] == "noon"),)), kind, True)
            continue
        hour, minute = int(found["hour"]), int(found["minute"] or 0)
        sure = bool(found["minute"] or found["half"] or found["clock"])
        if hour > 24 or not (sure or found["word"]):
            continue
        hours = {hour % 12 + 12 * (found["half"] == "p")} if found["half"] else {hour % 24, (hour + 12) % 24}
        if hour > 12:
            hours = {hour % 24}
        yield Clock(frozenset((h * 60 + minute) % _DAY for h in hours), kind, sure)
