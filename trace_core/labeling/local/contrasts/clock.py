"""Times of day: whether a claim gives another one than the document sentences that say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from trace_core.facts.words import stem
from trace_core.labeling.local.contrasts.plain import negations, plain, share, things

_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
_HOUR = rf"(?:\d{{1,2}}|{'|'.join(_WORDS)})"
_STEPS = {"five": 5, "ten": 10, "quarter": 15, "a quarter": 15, "twenty": 20, "twenty-five": 25, "half": 30}
_CLOCK = re.compile(
    rf"\b(?:(?P<step>{'|'.join(map(re.escape, _STEPS))})(?: minutes)? (?P<way>past|to) )?"
    rf"(?P<hour>{_HOUR})(?:(?P<mark>[:.])(?P<minute>[0-5]\d))?\b(?: ?(?P<half>[ap])\.? ?m\b\.?)?"
    r"(?P<clock> o'clock)?(?: in the (?P<part>morning|afternoon|evening)| at (?P<night>night))?"
    r"|\b(?P<name>noon|midday|midnight)\b"
)
_BEFORE = re.compile(r"\b(at|until|till|to|from|since|by|before|after|between|and|around|about)(?: (?:about|around))?$")
_UNITS = re.compile(
    r"[ -]?(?:[%°€$£]|(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|euros?|pounds?|dollars?|litres?|metres?"
    r"|kilo\w{0,10}|grams?|people|times|percent|per cent)\b|st\b|nd\b|rd\b|th\b|[:.,]\d)"
)
"""What follows a number that is no time of day."""
_DASH = re.compile(r"(?<![\w.:–-])(\d{1,2}(?::\d\d)?) ?[–-] ?(\d{1,2}(?::\d\d)?)(?![\w:–-])")
_INSTANCE = re.compile(
    r"^(?:on [^,]{3,30} )?at |\b(?:still|already|can|could|may|might|no longer|earlier|later|latest|over|when)\b"
)
"""What holds at some time may follow from when it begins and ends."""
_RECKONED = re.compile(
    r"\b(?:hours?|minutes?)\b[^.]{0,20}\b(?:later|earlier|before|after|faster|slower|until|then)\b|\b(?:lasts|takes)\b"
)
"""A time may be reckoned from another one."""
_TIME_WORDS = frozenset(map(stem, "o'clock half quarter past noon midday midnight morning evening night pm am".split()))
_RANGES = frozenset((("start", "end"), ("start", "point"), ("point", "end")))
"""The kinds of two times between which something lasts: "from six to ten", "between six and ten", "six until ten"."""
_LIKE = 0.5
_DAY = 24 * 60


class Clock(NamedTuple):
    """The minutes of the day that a time may mean, 0 to 1439, the word before it, and whether it is surely a time."""

    minutes: frozenset[int]
    word: str
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
        told = [clock for clock in clocks(text) if clock.sure or clock.word in ("from", "to", "between", "and")]
        if not told or _RECKONED.search(plain(text)) or negations(text) != negations(claim):
            continue
        if share(words, text) >= _LIKE and any(_differs(clock, told) for clock in strange):
            return place
    return None


def _differs(clock: Clock, told: Sequence[Clock]) -> bool:
    kind, kinds = _kind(clock.word), {_kind(one.word) for one in told}
    if len(told) > 2 or "limit" in kinds | {kind}:
        return False
    if len(told) == 2:
        within = (_kind(told[0].word), _kind(told[1].word)) in _RANGES and _within(clock, *told)
        return kind != "point" or not within
    return kind in kinds


def _kind(word: str) -> str:
    if word in ("until", "till", "to"):
        return "end"
    if word in ("from", "since", "between"):
        return "start"
    return "limit" if word in ("by", "before", "after") else "point"


def _within(clock: Clock, first: Clock, last: Clock) -> bool:
    """Whether the time may lie between the two."""
    ranges = [(start, (end - start) % _DAY) for start in first.minutes for end in last.minutes]
    return any((minute - start) % _DAY <= length for start, length in ranges for minute in clock.minutes)


@lru_cache(maxsize=4000)
def clocks(text: str) -> tuple[Clock, ...]:
    """Every time of day in the text."""
    return tuple(_found(_DASH.sub(r"from \1 to \2", plain(text))))


def _found(text: str) -> Iterator[Clock]:
    for found in _CLOCK.finditer(text):
        before = _BEFORE.search(text[max(0, found.start() - 20) : found.start()].rstrip())
        word = before[1] if before else ""
        if found["name"]:
            yield Clock(frozenset((720 * (found["name"] != "midnight"),)), word, bool(word))
            continue
        hour = int(found["hour"]) if found["hour"].isdecimal() else _WORDS.index(found["hour"]) + 1
        step = None if word in ("from", "between") else found["step"]  # "from ten to six"
        part = found["part"] or found["night"]
        sure = bool(found["mark"] == ":" or found["half"] or part or step or found["clock"])
        if hour > 24 or (not sure and (not word or _UNITS.match(text, found.end()))):
            continue
        minute = int(found["minute"] or 0)
        if step:
            minute = _STEPS[step] * (1 if found["way"] == "past" else -1)
        hours = _hours(hour, found["half"], part, found["hour"])
        yield Clock(frozenset((h * 60 + minute) % _DAY for h in hours), word, sure)


def _hours(hour: int, half: str | None, part: str | None, spelled: str) -> set[int]:
    """The hours of the day that may be meant: two of them where nothing says which half of the day."""
    if hour > 12 or (len(spelled) == 2 and spelled[0] == "0"):
        return {hour % 24}
    hour %= 12
    if half:
        return {hour + 12 * (half == "p")}
    if part in ("afternoon", "evening") or (part == "night" and hour > 5):
        return {hour + 12}
    return {hour} if part else {hour, hour + 12}
