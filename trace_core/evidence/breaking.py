"""Break an answer on purpose, one fault at a time in a supported sentence, to see whether a labeler notices.

Each fault makes the sentence false or removes what it rests on; everything else stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from trace_core.facts.labels import Status
from trace_core.facts.records import Document, Record
from trace_core.facts.sentences import Sentence

KINDS: Mapping[str, str] = {
    "number": "Another number",
    "unit": "Another unit",
    "name": "Another name",
    "negation": "The contrary",
    "support": "Without its support",
}
"""Kind of fault → its name on the pages."""
UNITS = (
    ("litres", "gallons"), ("liters", "gallons"), ("litre", "gallon"), ("ml", "litres"), ("minutes", "hours"),
    ("minute", "hour"), ("hours", "minutes"), ("hour", "minute"), ("days", "weeks"), ("day", "week"),
    ("weeks", "months"), ("week", "month"), ("months", "years"), ("month", "year"), ("years", "months"),
    ("seconds", "minutes"), ("metres", "miles"), ("meters", "miles"), ("km", "miles"), ("miles", "kilometres"),
    ("cm", "inches"), ("mm", "cm"), ("kg", "grams"), ("grams", "kg"), ("g", "kg"), ("euros", "dollars"),
    ("dollars", "euros"), ("bar", "psi"), ("watts", "kilowatts"), ("percent", "degrees"), ("%", "°C"), ("°C", "°F"),
)  # fmt: skip
SPELLED = "zero one two three four five six seven eight nine ten eleven twelve".split()
STEP = 3
"""What is added to a digit of a number that is not a year, modulo 10."""
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)|\b(?:" + "|".join(SPELLED[2:]) + r")\b")
_UNIT = re.compile(rf"(\d|\b(?:{'|'.join(SPELLED)}))([ -]?)({'|'.join(re.escape(u) for u, _ in UNITS)})(?!\w)")
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
    names = [m.group() for text in texts for m in _NAME.finditer(text)]
    edits: Mapping[str, Callable[[str], str | None]] = {
        "number": _number,
        "unit": _unit,
        "name": lambda text: _name(text, names, response),
        "negation": _negation,
    }
    found = [_edited(kind, edit, sound, response, texts) for kind, edit in edits.items()]
    return [each for each in (*found, _unsupported(record, sound)) if each]


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


def _unsupported(record: Record, sound: Sequence[Sentence]) -> Break | None:
    """A break of the documents: without the sentences that the first supported sentence rests on."""
    assert record.response is not None and record.labels is not None  # noqa: S101, PT018  # `breaks` has checked
    supports = {s.response_sentence_key: s for s in record.labels.sentence_support_information or []}
    known = {s.key for document in record.documents for s in document.sentences}
    for sentence in sound:
        keys = known & set(supports[sentence.key].supporting_sentence_keys) if sentence.key in supports else set()
        if keys:
            texts = [_without(document, keys) for document in record.documents]
            text = sentence.text
            return Break("support", sentence.key, text, text, texts, record.response.text)
    return None


def _without(document: Document, keys: set[str]) -> str:
    if not any(s.key in keys for s in document.sentences):
        return document.text
    return " ".join(s.text for s in document.sentences if s.key not in keys)


def _replaced(text: str, match: re.Match[str], other: str) -> str:
    return text[: match.start()] + other + text[match.end() :]


def _number(text: str) -> str | None:
    match = _NUMBER.search(text)
    if match is None:
        return None
    said = match.group()
    if said in SPELLED:
        return _replaced(text, match, SPELLED[(SPELLED.index(said) + STEP - 2) % (len(SPELLED) - 2) + 2])
    digits = [i for i, c in enumerate(said) if c.isdigit()]
    year = len(said) == 4 == len(digits)
    place = digits[-1] if year else digits[1 if len(digits) > 3 else 0]
    new = (int(said[place]) + (7 if year else STEP)) % 10 or STEP
    return _replaced(text, match, f"{said[:place]}{new}{said[place + 1 :]}")


def _unit(text: str) -> str | None:
    match = _UNIT.search(text)
    return match and _replaced(text, match, f"{match.group(1)}{match.group(2)}{dict(UNITS)[match.group(3)]}")


def _name(text: str, names: Sequence[str], answer: str) -> str | None:
    match = _NAME.search(text)
    others = [name for name in names if name not in answer]
    return _replaced(text, match, others[0]) if match and others else None


def _negation(text: str) -> str | None:
    if match := _NOT.search(text):
        return _replaced(text, match, next(filter(None, match.groups())))
    match = _VERB.search(text)
    if match is None:
        return None
    return _replaced(text, match, "cannot" if match.group() == "can" else f"{match.group()} not")
