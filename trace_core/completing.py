"""A record that has only its beginning: retrieve where documents lack, answer where a response lacks, then label."""

from __future__ import annotations

from trace_core.answering import Answerer
from trace_core.errors import SettingsError, TraceError
from trace_core.evaluation import failed, label, rescore, timed
from trace_core.labeling import Labeler
from trace_core.metrics import RELEVANCE_DIVISOR
from trace_core.records import Failure, Record, Response, Retrieval, Truth, with_sentences
from trace_core.retrieval import Collections, retrieval_action


def complete(
    record: Record,
    labeler: Labeler | None,
    *,
    retrieve: bool = False,
    collections: Collections | None = None,
    collection: str | None = None,
    top_k: int = 5,
    answerer: Answerer | None = None,
    convention: str = "trace",
    relevance_divisor: float = RELEVANCE_DIVISOR,
) -> Record:
    """The record with everything that it lacked, labeled and scored; what fails is in `record.error`.

    With `retrieve` its documents come from the collection. An answer is made where it has no response.
    Labels that it has become its ground truth, unless there is no labeler: then they are its labels.
    """
    record.error = None
    step = "retrieve"
    try:
        if retrieve:
            _retrieve(record, collections, collection, top_k)
        with_sentences(record)
        step = "answer"
        if record.response is None:
            _answer(record, answerer)
    except TraceError as error:
        _keep_as_truth(record)
        return rescore(failed(record, step, error), convention, relevance_divisor)
    if labeler is not None:
        _keep_as_truth(record)
        label(record, labeler)
    elif record.labels is None:
        record.error = Failure(step="label", message="The row has no labels.", hint="Choose a labeler that makes them.")
    return rescore(record, convention, relevance_divisor)


def _retrieve(record: Record, collections: Collections | None, collection: str | None, top_k: int) -> None:
    if collections is None or not collection:
        raise SettingsError("The row has no documents, and no collection was named.", "Choose a collection.")
    with timed(record, "retrieve"):
        record.documents = collections.search(collection, record.question, top_k)
    confidence = record.documents[0].retrieval_score if record.documents else None
    action = retrieval_action(confidence)
    record.retrieval = Retrieval(collection=collection, top_k=top_k, confidence=confidence, action=action)


def _answer(record: Record, answerer: Answerer | None) -> None:
    if answerer is None:
        raise SettingsError("The row has no response, and nothing answers.", "Choose an answerer.")
    with timed(record, "answer"):
        answer = answerer.answer(record.question, record.documents)
    record.response = Response(text=answer.text, citations=answer.citations, generator=answerer.name)
    record.usage, record.cleaning = dict(answer.usage), list(answer.notes)
    with_sentences(record)


def _keep_as_truth(record: Record) -> None:
    """Labels that came with the row are what the labeler's are compared with."""
    if record.labels is not None:
        known = record.ground_truth
        record.ground_truth = Truth(
            labels=record.labels,
            scores=known.scores if known else {},
            convention=known.convention if known else "ragbench",
        )
    record.labels, record.raw_reply, record.cleaning = None, None, []
