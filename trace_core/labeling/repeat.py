"""Label a record repeatedly: how often does a labeler change its mind about a sentence?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from trace_core.errors import InputError, TraceError
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Record, Sentences, with_sentences
from trace_core.labeling.gpt import GptLabeler
from trace_core.metrics.marks import marks

ASPECTS = ("relevant", "utilized", "supported")
_POSITIVE = ("yes", Status.FULLY)
"""The classes of `marks` that count as one side of a disagreement; all others are the other side."""


@dataclass(frozen=True, slots=True)
class Labelings:
    """n labelings of one record.

    `labels` are those of the successful labelings, in order; `failures` are the reasons of the others. `flips`
    gives for each aspect (relevant, utilized, supported) and sentence key the share of pairs of labelings that
    disagree, in [0, 1]; sentences covered by fewer than two labelings are absent.
    """

    labels: list[Labels]
    failures: list[str]
    flips: dict[str, dict[str, float]]

    def rate(self, aspect: str) -> float | None:
        """The mean over the sentences; `None` if no sentence was labeled twice."""
        shares = self.flips[aspect].values()
        return sum(shares) / len(shares) if shares else None


def label_n(record: Record, labeler: GptLabeler, n: int = 2) -> Labelings:
    """Label the record n times, which may cost n calls; the record is not changed.

    A failed labeling adds its reason to `failures`. Raises `InputError` for n below 2.
    """
    if n < 2:
        raise InputError("A record must be labeled at least twice to see what changes.", field="n")
    split = with_sentences(record.model_copy(deep=True))
    labels, failures = [], []
    for attempt in range(n):
        judge = labeler.again(attempt)
        try:
            reply = judge.label(split.question, split.sentences())
        except TraceError as error:
            failures.append(str(error))
        else:
            labels.append(reply.cleaned(split.sentences(), judge.name, judge.version).labels)
    return Labelings(labels, failures, flips(labels, split.sentences()))


def flips(labels: Sequence[Labels], sentences: Sentences) -> dict[str, dict[str, float]]:
    """For each aspect and sentence key, the share of pairs of labelings that disagree."""
    tables = [marks(one, sentences) for one in labels]
    shares: dict[str, dict[str, float]] = {aspect: {} for aspect in ASPECTS}
    for aspect in ASPECTS:
        for key in sentences.response_keys() if aspect == "supported" else sentences.document_keys():
            classes = [table[aspect][key] for table in tables if aspect in table]
            pairs = list(combinations((one in _POSITIVE for one in classes if one != Status.UNLABELED), 2))
            if pairs:
                shares[aspect][key] = sum(a != b for a, b in pairs) / len(pairs)
    return shares
