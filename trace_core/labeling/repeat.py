"""Label a record repeatedly: how often does a labeler change its mind about a sentence?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from trace_core.errors import InputError, TraceError
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Record, with_sentences
from trace_core.labeling.gpt import GptLabeler

ASPECTS = ("relevant", "utilized", "supported")


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
    sentences = split.sentences()
    documents, response = sentences.document_keys(), sentences.response_keys()
    labels, failures = [], []
    for attempt in range(n):
        asked = labeler.again(attempt)
        try:
            reply = asked.label(split.question, sentences)
        except TraceError as error:
            failures.append(str(error))
        else:
            labels.append(reply.cleaned(sentences, asked.name, asked.version).labels)
    return Labelings(labels, failures, flips(labels, documents, response))


def flips(
    labels: Sequence[Labels], document_keys: Sequence[str], response_keys: Sequence[str]
) -> dict[str, dict[str, float]]:
    """For each aspect and sentence key, the share of pairs of labelings that disagree."""
    marks: dict[str, list[dict[str, bool]]] = {aspect: [] for aspect in ASPECTS}
    for one in labels:
        marks["relevant"].append(_named(one.all_relevant_sentence_keys, document_keys))
        marks["utilized"].append(_named(one.all_utilized_sentence_keys, document_keys))
        statuses = one.statuses(response_keys)
        marks["supported"].append({k: s is Status.FULLY for k, s in statuses.items() if s is not Status.UNLABELED})
    keys = {"relevant": document_keys, "utilized": document_keys, "supported": response_keys}
    return {aspect: _shares(marks[aspect], keys[aspect]) for aspect in ASPECTS}


def _named(listed: list[str] | None, keys: Sequence[str]) -> dict[str, bool]:
    """Whether each key is listed; empty if the reply lacks the list, which then says nothing."""
    return {} if listed is None else {key: key in listed for key in keys}


def _shares(marks: Sequence[dict[str, bool]], keys: Sequence[str]) -> dict[str, float]:
    shares = {}
    for key in keys:
        words = [one[key] for one in marks if key in one]
        pairs = list(combinations(words, 2))
        if pairs:
            shares[key] = sum(a != b for a, b in pairs) / len(pairs)
    return shares
