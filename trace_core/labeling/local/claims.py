"""What each response sentence claims, in one notation, and what words and numbers alone say against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from trace_core.labeling.local.evidence import Item
from trace_core.labeling.local.notation import normal, unreadable
from trace_core.labeling.local.numbers import dropped_group, unfounded
from trace_core.labeling.local.questions import spelled_out
from trace_core.labeling.local.texts import unknown_names


@dataclass(frozen=True, slots=True)
class Claimed:
    """A record in one notation, whose response sentences say in full what they claim.

    `denied` are the places of those that deny what stands there; `unfounded` of those with a number or a name that is
    not founded on the documents or the question; `unreadable` of those that are not made of words. `dropped` maps the
    place of one that leaves out its group to the document sentences of that group and of another.
    """

    item: Item
    denied: Set[int]
    unfounded: Set[int]
    unreadable: Set[int]
    dropped: Mapping[int, tuple[int, int]]


def claimed(item: Item) -> Claimed:
    """The record as it is judged."""
    question, original = normal(item[0]), item[1]
    documents = [[replace(s, text=normal(s.text)) for s in document] for document in original.documents]
    response = [replace(s, text=normal(s.text)) for s in original.response]
    texts: Sequence[str] = [s.text for document in documents for s in document]
    bare = {row: claim for row, s in enumerate(response) if (claim := spelled_out(question, s.text))}
    whole = [replace(s, text=bare[row].statement) if row in bare else s for row, s in enumerate(response)]
    sentences = replace(original, documents=documents, response=whole)
    dropped = ((row, dropped_group(s.text, question, texts)) for row, s in enumerate(whole))
    return Claimed(
        (question, sentences),
        {row for row, claim in bare.items() if claim.denies},
        {*unfounded(question, sentences), *unknown_names(question, sentences)},
        set(unreadable([s.text for s in response], (question, *texts))),
        {row: groups for row, groups in dropped if groups},
    )
