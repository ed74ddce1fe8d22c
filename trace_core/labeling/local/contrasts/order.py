"""What comes first: whether a claim tells two events in the other order than a document sentence does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from trace_core.labeling.local.contrasts.plain import negations, plain
from trace_core.labeling.local.wording.texts import read

_SUBJECT = (
    r"(?= (?:the|a|an|it|they|you|he|she|we|i|all|both|each|every|his|her|its|their|our|your"
    r"|\w{2,20} (?:has|have|had|is|are|was|were))\b)"
)
"""What follows "once" where it means "as soon as"."""
_EARLIER = r"before|prior to|ahead of|earlier than|preced(?:es?|ed|ing)"
_LATER = (
    r"after(?! (?:that|this|which)\b)|later than|as soon as"
    r"|(?<!the )following(?= (?:the|a|an|his|her|its|their|your|our)\b)"
    rf"|(?:^|(?<=, )|(?<=only ))having|once{_SUBJECT}"
)
_THEN = (
    r"then|afterwards?|after (?:that|this|which)|thereafter|subsequently|(?:(?<=and )|(?<=, ))(?:later|next)|finally"
    r"|lastly|followed by|secondly|(?<!the )second(?=$|[,;.])"
)
_JOINT = re.compile(
    rf"\b(?:(?P<earlier>{_EARLIER})|(?:(?:only|immediately|shortly|soon) )?(?P<later>{_LATER})"
    rf"|(?:(?:and|but|only) )?(?P<then>{_THEN})|(?P<until>until)|(?P<stop>while|but))\b|(?P<end>;)"
)
_PART = re.compile(r",? \band\b |, |; ")
_DETERMINERS = ("the", "a", "at", "its", "their", "our", "your", "his", "her", "very", "my")
_FIRST = re.compile(r"\bfirst(?:ly| of all)?\b(?![ -](?:aid|class|time|name|floor|language|half|hand))")
_CONDITION = re.compile(r"\b(?:if|when|unless|provided)\b")
_RANGE = re.compile(r"\bfrom (?:the )?([a-z]{2,20}) to (?:the )?([a-z]{2,20})\b")
_PERIOD = re.compile(r"(?:[\w.]+ )?[\w.-]+ (?:second|minute|hour|day|night|week|fortnight|month|year|decade)s?")
"""A period: "ten minutes" is no event."""
_MOST_WORDS = 50
"""A longer sentence tells of too much."""
_LIKE, _MOST_LIKE = 0.5, 0.6
"""The least share of words in common, 0 to 1, of both events and of one of them."""


class Pair(NamedTuple):
    """The words of two events, the earlier one first; words of both are left out."""

    first: frozenset[str]
    second: frozenset[str]


def contrast(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that tells the claim's events in the other order; `None` if none does.

    A document sentence that tells them in the claim's order clears it.
    """
    said = pairs(claim)
    if not said:
        return None
    told = [pairs(text) for text in documents]
    if any(_same(a, b) for a in said for of_one in told for b in of_one):
        return None
    for place, of_one in enumerate(told):
        turned = any(_same(a, Pair(b.second, b.first)) for a in said for b in of_one)
        if turned and negations(claim) == negations(documents[place]):
            return place
    return None


@lru_cache(maxsize=4000)
def pairs(text: str) -> tuple[Pair, ...]:
    """The events that a sentence puts in order, two at a time."""
    text = plain(text)
    if text.count(" ") >= _MOST_WORDS or ("after" in text and ("before" in text or "earlier" in text)):
        return ()  # it may speak of both
    found = []
    for one, other in (*_joined(text), *_firsts(text)):
        if _PERIOD.fullmatch(one.strip()) or _PERIOD.fullmatch(other.strip()):
            continue
        a, b = read(one).words, read(other).words
        if a - b and b - a:
            found.append(Pair(a - b, b - a))
    for start, end in _RANGE.findall(text):
        found.append(Pair(frozenset((f"from {start}", f"to {end}")), frozenset((f"from {end}", f"to {start}"))))
    return tuple(found)


def _joined(text: str) -> Iterator[tuple[str, str]]:
    """Earlier and later part of the sentence, for every word such as "before" in it."""
    joints = list(_JOINT.finditer(text))
    for number, joint in enumerate(joints):
        kind = str(joint.lastgroup)
        if kind in ("stop", "end"):
            continue
        start = joints[number - 1].end() if number else 0
        end = joints[number + 1].start() if number + 1 < len(joints) else len(text)
        before, after = text[start : joint.start()].strip(" ,."), text[joint.end() : end].strip(" ,.")
        opens = not before or _PERIOD.fullmatch(before) or text[: joint.start()].rstrip().endswith((",", "and"))
        if kind != "then" and opens:  # "Before it boils, add the salt."
            after, comma, before = after.partition(",")
            if not comma:
                continue
        if kind == "until":
            if not negations(before):
                continue  # what lasts until something happens may end with it
            kind = "later"
        yield (after, before) if kind == "later" else (before, after)


def _firsts(text: str) -> Iterator[tuple[str, str]]:
    """The part with the adverb "first", and each part beside it."""
    for found in _FIRST.finditer(text):
        before = text[: found.start()].rstrip()
        if before.endswith("'s") or before.rpartition(" ")[2] in _DETERMINERS:
            continue
        cuts = list(_PART.finditer(text))
        spans = list(zip([0, *(c.end() for c in cuts)], [*(c.start() for c in cuts), len(text)], strict=True))
        at = next((i for i, (start, end) in enumerate(spans) if start <= found.start() < end), None)
        if at is None:
            continue
        mine = text[slice(*spans[at])].replace(found[0], " ")
        if condition := _CONDITION.search(mine):  # "It can be exported if the password is entered first."
            yield mine[condition.end() :], mine[: condition.start()]
        yield from ((mine, text[slice(*span)]) for span in spans[at + 1 :])


def _same(a: Pair, b: Pair) -> bool:
    """Whether the events are the same in the same order; one word that would cross them does not count."""
    if len(a.first & b.second) + len(a.second & b.first) > 1:
        return False
    shares = _share(a.first - b.second, b.first - a.second), _share(a.second - b.first, b.second - a.first)
    return min(shares) >= _LIKE and max(shares) >= _MOST_LIKE


def _share(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / min(len(a), len(b)) if a and b else 0
