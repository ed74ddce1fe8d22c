"""Break an answer on purpose, one fault at a time in a supported sentence, to see whether a labeler notices. Each fault
makes the sentence false or removes what it rests on; everything else stays unchanged."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from trace_core.facts.labels import Status
from trace_core.facts.records import Document, Record

KINDS: Mapping[str, str] = {
    "number": "Another number",
    "name": "Another name",
    "negation": "The contrary",
    "support": "Without its support",
}
"""Kind of fault → its name on the pages."""
_LAST_DIGIT = re.compile(r"(?<![\w.,])((?:\d|[.,]\d)*)(\d)(?![\w]|[.,]\d)")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}\b")
_VERB = "can|is|are|was|were|has|have|had|could|will|would|should|must|may"
_CLAIM = re.compile(rf"\b(?:cannot|(?:do|does|did|{_VERB}) not|{_VERB})\b")
_CONTRARY = {"cannot": "can", "can": "cannot"}  # of other verbs it is the verb with "not", or without


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
    answer, sentences, entries = record.response.text, record.response.sentences, record.labels.entries
    statuses = record.labels.statuses(s.key for s in sentences)
    sound = [s for s in sentences if statuses[s.key] is Status.FULLY]
    texts = [d.text for d in record.documents]
    others = [name for text in texts for name in _NAME.findall(text) if name not in answer]
    edits: Mapping[str, Callable[[str], str]] = {
        "number": lambda text: _LAST_DIGIT.sub(lambda m: f"{m[1]}{(int(m[2]) + 3) % 10}", text, count=1),
        "name": lambda text: _NAME.sub(others[0], text, count=1) if others else text,
        "negation": lambda text: _CLAIM.sub(_contrary, text, count=1),
    }
    faults: dict[str, Break] = {}
    for sentence in sound:
        key, before = sentence.key, sentence.text
        at = answer.find(before, sentence.start or 0)
        for kind, edit in edits.items():
            if at >= 0 and (after := edit(before)) != before:
                response = answer[:at] + after + answer[at + len(before) :]
                faults.setdefault(kind, Break(kind, key, before, after, texts, response))
        less = [_without(document, entries[key].supporting_sentence_keys) for document in record.documents]
        if less != texts:
            faults.setdefault("support", Break("support", key, before, before, less, answer))
    return [faults[kind] for kind in KINDS if kind in faults]


def _contrary(claim: re.Match[str]) -> str:
    verb, negation, _ = claim[0].partition(" not")
    return verb if negation else _CONTRARY.get(verb, f"{verb} not")


def _without(document: Document, keys: Sequence[str]) -> str:
    rest = [s.text for s in document.sentences if s.key not in keys]
    return document.text if len(rest) == len(document.sentences) else " ".join(rest)
