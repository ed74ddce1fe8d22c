"""How many short sentences with something said otherwise are flagged, in Markdown; `train_labeler.py` prints it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from ragbench import KeptVectors
from short_sentences import FAMILIES, short_sentences
from train_labeler import SEED, Made, Row, short_model

from trace_core.facts.labels import Status, clean
from trace_core.facts.records import Sentences
from trace_core.labeling.base import Reply
from trace_core.labeling.local.labeler import LocalLabeler
from trace_core.labeling.local.weights import Weights

PARTS = 5
Flags = list[tuple[bool, bool]]
"""Of each pair: whether the wrong response and the right one are no longer called fully supported."""
Pair = tuple[str, list[str], tuple[str, str], int]
"""Question, documents, the right response and the wrong one, and the place of the sentence that is changed."""
ELSE = "The shop is open every day. Visitors are welcome on Sundays."
"""What another document says, and a response around the sentence that matters."""


def short_table(weights: Weights, rows: Sequence[Row], made: Sequence[Made], embedder: KeptVectors) -> str:
    """Made families that the weights never saw, and those written by hand."""
    flags: dict[str, Flags] = {"a word exchanged, families left out": [], 'a "not", families left out': []}
    shorts = list(zip(short_sentences(SEED), [m for m in made if m.subject == "short"], strict=True))
    of_files = [m for m in made if m.subject != "short"]
    for part in range(PARTS):
        out = [f.name for f in FAMILIES[part::PARTS]]
        model = short_model(rows, of_files + [m for s, m in shorts if s.family not in out])
        labeler = LocalLabeler(embedder, Weights(weights.models | {"contradicts short": model}, weights.thresholds))
        for name, kind in zip(flags, ("short", "short not"), strict=True):
            own = [s for s, _ in shorts if s.family in out and s.kind == kind]
            flags[name] += flagged([(s.question, s.documents, s.responses(), len(s.before)) for s in own], labeler)
    shipped = LocalLabeler(embedder, weights)
    flags["written by hand, other words"] = flagged(by_hand(), shipped)
    flags["the same within a longer answer"] = flagged([within(pair) for pair in by_hand()], shipped)
    lines = ["| short sentences | pairs | flagged | twins |", "| --- | ---: | ---: | ---: |"]
    for name, found in flags.items():
        wrong, right = np.sum(found, axis=0)
        lines.append(
            f"| {name} | {len(found)} | {wrong} ({wrong / len(found):.0%}) | {right} ({right / len(found):.0%}) |"
        )
    return "\n".join(lines)


def by_hand() -> list[Pair]:
    """Question | document | what it says in other words | what it contradicts."""
    lines = (Path(__file__).parent / "short_probe.txt").read_text(encoding="utf-8").splitlines()
    cut = ([part.strip() for part in line.split("|")] for line in lines)
    return [(question, [document], (right, wrong), 0) for question, document, right, wrong in cut]


def within(pair: Pair) -> Pair:
    """The pair with another document, and a sentence of it before and after the one that matters."""
    question, documents, responses, _ = pair
    first, last = ELSE.split(". ")
    right, wrong = (f"{first}. {response} {last}" for response in responses)
    return question, [ELSE, *documents], (right, wrong), 1


def flagged(pairs: Sequence[Pair], labeler: LocalLabeler) -> Flags:
    """What the labeler says of each pair."""
    items = [
        (question, Sentences.split(documents, response), place)
        for question, documents, responses, place in pairs
        for response in reversed(responses)
    ]
    replies = labeler.label_many([(question, sentences) for question, sentences, _ in items])
    said = [doubted(sentences, reply, place) for (_, sentences, place), reply in zip(items, replies, strict=True)]
    return list(zip(said[::2], said[1::2], strict=True))


def doubted(sentences: Sentences, reply: Reply, place: int) -> bool:
    """Whether the response sentence at that place is not called fully supported."""
    keys = sentences.response_keys()
    labels = clean(reply.raw, sentences.document_keys(), keys).labels
    return labels.statuses(keys)[keys[place]] is not Status.FULLY
