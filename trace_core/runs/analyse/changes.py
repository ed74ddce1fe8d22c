"""Which labels of a record changed between two runs, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trace_core.errors import InputError
from trace_core.facts.corrections import corrected
from trace_core.facts.records import Record
from trace_core.facts.sentences import Sentence
from trace_core.metrics.marks import marks
from trace_core.runs.analyse.pairing import Stored

Label = bool | str
Place = tuple[str, str, int]
"""What identifies a sentence: its document's id ("" in the response), its text, and the number of the repeat."""
Marks = Mapping[Place, tuple[str, Label]]
"""Sentence → its key and its label."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One sentence whose label differs. `kind`: relevant and utilized (true or false), supported (its status).

    Key and label are `None` on the side that has no such sentence.
    """

    kind: str
    text: str
    key_a: str | None
    key_b: str | None
    a: Label | None
    b: Label | None


def label_changes(a: Stored | Record, b: Stored | Record) -> list[Changed]:
    """The sentences of a pair whose labels differ, including people's corrections: A's in order, then B's own.

    Sentences are the same when document and text match. A sentence on only one side is listed where its label
    says something: relevant, utilized, or any status. A kind of label that one side lacks is left out.
    """
    one, other = _marks(_record(a)), _marks(_record(b))
    return [
        change for kind in one if kind in other for change in _changes_of_kind(kind, one[kind], other[kind])
    ]  # fmt: skip


def _changes_of_kind(kind: str, one: Marks, other: Marks) -> Iterable[Changed]:
    for place in dict.fromkeys([*one, *other]):
        key_a, a = one.get(place, (None, None))
        key_b, b = other.get(place, (None, None))
        if (a or None) != (b or None):  # a missing sentence is not relevant either
            yield Changed(kind, place[1], key_a, key_b, a, b)


def _record(stored: Stored | Record) -> Record:
    if isinstance(stored, Record):
        return stored
    if "documents" not in stored:  # a row of a run that was read for comparing
        raise InputError("Only the scores of this record were read.", "Read the record itself.", field="documents")
    return corrected(Record.model_validate(stored))


def _marks(record: Record) -> dict[str, Marks]:
    """Kind of label → the record's sentences with it; kinds missing from the labels are omitted."""
    if record.labels is None:
        return {}
    documents = [(d.id, sentence) for d in record.documents for sentence in d.sentences]
    response = [("", sentence) for sentence in record.sentences().response]
    said = marks(record.labels, record.sentences())
    found = {
        kind: _placed(documents, {key: word == "yes" for key, word in said[kind].items()})
        for kind in ("relevant", "utilized") if kind in said
    }  # fmt: skip
    return found | ({"supported": _placed(response, said["supported"])} if "supported" in said else {})


def _placed(sentences: Iterable[tuple[str, Sentence]], labels: Mapping[str, Label]) -> Marks:
    seen: Counter[tuple[str, str]] = Counter()
    placed = {}
    for document, sentence in sentences:
        seen[document, sentence.text] += 1
        placed[document, sentence.text, seen[document, sentence.text]] = (sentence.key, labels[sentence.key])
    return placed
