"""Break an answer on purpose, one fault at a time in a supported sentence, to see whether a labeler notices.

Each fault makes the sentence false or removes what it rests on; everything else stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Document, Record
from trace_core.facts.sentences import Sentence
from trace_core.facts.words import SPELLED

KINDS: Mapping[str, str] = {
    "number": "Another number",
    "unit": "Another unit",
    "name": "Another name",
    "negation": "The contrary",
    "support": "Without its support",
}
"""Kind of fault → its name on the pages."""
UNITS = dict(
    pair.split("/")
    for pair in (
        "litres/gallons liters/gallons litre/gallon ml/litres minutes/hours minute/hour hours/minutes hour/minute"
        " days/weeks day/week weeks/months week/month months/years month/year years/months seconds/minutes metres/miles"
        " meters/miles km/miles miles/kilometres cm/inches mm/cm kg/grams grams/kg g/kg euros/dollars dollars/euros"
        " bar/psi watts/kilowatts percent/degrees %/°C °C/°F"
    ).split()
)
STEP = 3
"""What is added to a digit of a number that is not a year, modulo 10."""
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)|\b(?:" + "|".join(SPELLED[2:]) + r")\b")
_UNIT = re.compile(rf"(\d|\b(?:{'|'.join(SPELLED)}))([ -]?)({'|'.join(map(re.escape, UNITS))})(?!\w)")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}\b")
_NOT = re.compile(
    r"\b(can)not\b|\b(is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may) not\b"
)
_VERB = re.compile(r"\b(can|is|are|was|were|has|have|had|could|will|would|should|must|may)\b")


class Break(NamedTuple):
    """One fault: its kind, the sentence that contains it, and the record's texts with it."""

    kind: str
    key: str
    before: str
    after: str
    documents: list[str]
    response: str


def breaks(record: Record) -> list[Break]:
    """One fault of each kind that applies, in the first fully supported sentence that it can change."""
    if record.response is None or record.labels is None:
        return []
    response, sentences = record.response.text, record.response.sentences
    statuses = record.labels.statuses(s.key for s in sentences)
    sound = [s for s in sentences if statuses[s.key] is Status.FULLY]
    texts = [d.text for d in record.documents]
    others = [m.group() for text in texts for m in _NAME.finditer(text) if m.group() not in response]
    edits: Mapping[str, Callable[[str], str | None]] = {
        "number": lambda text: _replaced(text, _NUMBER.search(text), _other_number),
        "unit": lambda text: _replaced(text, _UNIT.search(text), lambda m: m[1] + m[2] + UNITS[m[3]]),
        "name": lambda text: _replaced(text, _NAME.search(text), lambda m: next(iter(others), m[0])),
        "negation": lambda text: (
            _replaced(text, _NOT.search(text), lambda m: m[1] or m[2])
            or _replaced(text, _VERB.search(text), lambda m: "cannot" if m[0] == "can" else f"{m[0]} not")
        ),
    }
    found = [_edited(kind, edit, sound, response, texts) for kind, edit in edits.items()]
    return [each for each in (*found, _unsupported(record, record.labels, sound)) if each]


def _edited(
    kind: str, edit: Callable[[str], str | None], sound: Sequence[Sentence], response: str, texts: list[str]
) -> Break | None:
    for sentence in sound:
        start = sentence.start if sentence.start is not None else response.find(sentence.text)
        at = response.find(sentence.text, max(start, 0))
        after = edit(sentence.text)
        if after and after != sentence.text and at >= 0:
            broken = response[:at] + after + response[at + len(sentence.text) :]
            return Break(kind, sentence.key, sentence.text, after, texts, broken)
    return None


def _unsupported(record: Record, labels: Labels, sound: Sequence[Sentence]) -> Break | None:
    """A break of the documents: without the sentences that the first supported sentence rests on."""
    supports = {s.response_sentence_key: s.supporting_sentence_keys for s in labels.sentence_support_information or []}
    known = {s.key for document in record.documents for s in document.sentences}
    for sentence in sound:
        if keys := known.intersection(supports.get(sentence.key, [])):
            texts = [_without(document, keys) for document in record.documents]
            answer = record.response.text if record.response else ""
            return Break("support", sentence.key, sentence.text, sentence.text, texts, answer)
    return None


def _without(document: Document, keys: set[str]) -> str:
    if not any(s.key in keys for s in document.sentences):
        return document.text
    return " ".join(s.text for s in document.sentences if s.key not in keys)


def _replaced(text: str, match: re.Match[str] | None, other: Callable[[re.Match[str]], str]) -> str | None:
    return text[: match.start()] + other(match) + text[match.end() :] if match else None


def _other_number(match: re.Match[str]) -> str:
    number = match.group()
    if number in SPELLED:
        return SPELLED[(SPELLED.index(number) + STEP - 2) % (len(SPELLED) - 2) + 2]
    digits = [i for i, c in enumerate(number) if c.isdigit()]
    year = len(number) == 4 == len(digits)
    place = digits[-1] if year else digits[1 if len(digits) > 3 else 0]
    new = (int(number[place]) + (7 if year else STEP)) % 10 or STEP
    return f"{number[:place]}{new}{number[place + 1 :]}"
