"""Which labels of a record changed between two runs, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from trace_core.facts.records import Record
from trace_core.metrics.marks import marks

Label = bool | str
Place = tuple[str, str, int]
"""What identifies a sentence: its document's id ("" in the response), its text, and the number of the repeat."""


@dataclass(frozen=True, slots=True)
class LabelChange:
    """One sentence whose label differs. `kind`: relevant and utilized (true or false), supported (its status).

    Key and label are `None` on the side that has no such sentence.
    """

    kind: str
    text: str
    key_a: str | None
    key_b: str | None
    a: Label | None
    b: Label | None


def label_changes(a: Record, b: Record) -> list[LabelChange]:
    """The sentences of a pair whose labels differ, including people's corrections: A's in order, then B's own.

    Sentences are the same when document and text match. A sentence on only one side is listed where its label
    says something: relevant, utilized, or any status. A kind of label that one side lacks is left out.
    """
    one, other = _placed(a), _placed(b)
    changes = []
    for kind in one:
        for place in dict.fromkeys([*one[kind], *other.get(kind, {})]) if kind in other else ():
            key_a, label_a = one[kind].get(place, (None, None))
            key_b, label_b = other[kind].get(place, (None, None))
            if (label_a or None) != (label_b or None):  # a missing sentence is not relevant either
                changes.append(LabelChange(kind, place[1], key_a, key_b, label_a, label_b))
    return changes


def _placed(record: Record) -> dict[str, Mapping[Place, tuple[str, Label]]]:
    """Kind of label → sentence → its key and its label; kinds missing from the labels are omitted."""
    if record.labels is None:
        return {}
    classes = marks(record.labels, record.sentences())
    seen: Counter[tuple[str, str]] = Counter()
    places: dict[str, Place] = {}
    texts = [(d.id, sentence) for d in record.documents for sentence in d.sentences]
    for document, sentence in [*texts, *(("", sentence) for sentence in record.sentences().response)]:
        seen[document, sentence.text] += 1
        places[sentence.key] = (document, sentence.text, seen[document, sentence.text])
    return {
        kind: {places[key]: (key, word if kind == "supported" else word == "yes") for key, word in of_kind.items()}
        for kind, of_kind in classes.items()
        if kind != "supporting"
    }
