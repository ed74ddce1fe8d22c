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
    answer, sentences = record.response.text, record.response.sentences
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
    for kind, edit in edits.items():
        for sentence in sound:
            after, at = edit(sentence.text), answer.find(sentence.text, sentence.start or 0)
            if kind not in faults and after != sentence.text and at >= 0:
                response = answer[:at] + after + answer[at + len(sentence.text) :]
                faults[kind] = Break(kind, sentence.key, sentence.text, after, texts, response)
    for sentence in sound:
        support = record.labels.entries[sentence.key].supporting_sentence_keys
        less = [_without(document, support) for document in record.documents]
        if "support" not in faults and less != texts:
            faults["support"] = Break("support", sentence.key, sentence.text, sentence.text, less, answer)
    return list(faults.values())


def _contrary(claim: re.Match[str]) -> str:
    verb, negation, _ = claim[0].partition(" not")
    return verb if negation else _CONTRARY.get(verb, f"{verb} not")


def _without(document: Document, keys: Sequence[str]) -> str:
    rest = [s.text for s in document.sentences if s.key not in keys]
    return document.text if len(rest) == len(document.sentences) else " ".join(rest)
