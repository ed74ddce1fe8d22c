"""Noise sensitivity with a reference answer, as RAGChecker has it (arXiv:2408.08067): wrong, yet supported.

A response sentence is correct where the reference answer, read as the only document, fully supports it. One
that is not, and still rests on a retrieved document, was led astray by it.
"""

from __future__ import annotations

from dataclasses import dataclass

from trace_core.evaluation import evaluate
from trace_core.labeling import Labeler
from trace_core.labels import Status
from trace_core.overrides import effective_labels
from trace_core.records import Record


@dataclass(frozen=True, slots=True)
class Noise:
    """Shares of the response's sentences, each in [0, 1].

    `relevant`: incorrect, and supported by a document that holds a relevant sentence; `irrelevant`: incorrect,
    and supported only by documents that hold none; `hallucinated`: incorrect, and supported by no document.
    """

    sentences: int
    correct: float
    relevant: float
    irrelevant: float
    hallucinated: float


def against_reference(record: Record, reference: str, labeler: Labeler) -> Noise | None:
    """One labeling more, of the response against the reference.

    `None` where the record's labels do not say what is relevant and what supports, where it has no sentence,
    or where the labeler failed.
    """
    labels, keys = effective_labels(record), record.sentences().response_keys()
    if labels is None or labels.all_relevant_sentence_keys is None or not keys or record.response is None:
        return None
    if labels.sentence_support_information is None or not reference.strip():
        return None
    judged = evaluate(record.question, [reference], record.response.text, labeler=labeler)
    if judged.labels is None or judged.sentences().response_keys() != keys:
        return None
    statuses = judged.labels.statuses(keys)
    place = {s.key: i for i, document in enumerate(record.documents) for s in document.sentences}
    relevant = {place[key] for key in labels.all_relevant_sentence_keys if key in place}
    support = {
        s.response_sentence_key: {place[key] for key in s.supporting_sentence_keys if key in place}
        for s in labels.sentence_support_information
    }
    wrong = [support.get(key, set()) for key in keys if statuses[key] is not Status.FULLY]
    return Noise(
        sentences=len(keys),
        correct=1 - len(wrong) / len(keys),
        relevant=sum(bool(documents & relevant) for documents in wrong) / len(keys),
        irrelevant=sum(bool(documents) and not documents & relevant for documents in wrong) / len(keys),
        hallucinated=sum(not documents for documents in wrong) / len(keys),
    )
