"""One record, from a question to scores: retrieve → answer → split → label → clean → score → find."""

import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from trace_core import answering, labeling
from trace_core.answering import Answerer, OnText, make_answerer
from trace_core.datasets.documents import parts_of, text_of
from trace_core.datasets.names import PART_KEYS
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import CostlyError, InputError, LabelingError, SettingsError, TraceError
from trace_core.facts.records import Document, Failure, Record, Response, Retrieval, Truth
from trace_core.facts.sentences import letters
from trace_core.labeling import Labeler, LabelsMany, OnShare, Reply, make_labeler
from trace_core.llm import has_llm, llm_from, total_usage
from trace_core.metrics import Scoring
from trace_core.retrieval import Collections, embedder
from trace_core.retrieval.collections import retrieval_action
from trace_core.settings import PACKAGED_MODEL, Settings

_PARTS = (*PART_KEYS, "response", "answer")  # attributes of objects, in which texts and what is known of them stand
MOST_SENTENCES = 2000  # of documents and answer together: more would occupy the labeler for longer than a caller waits
BLOCK = 1000  # the number of records passed at once to a labeler that takes many
_LOOK_SECONDS = 0.2
T = TypeVar("T")
U = TypeVar("U")
OnStep = Callable[[str, Record], None]
"""Called at the start of each step with its name and the record so far; may raise to stop the work."""


class Pipeline(NamedTuple):
    """What one question needs."""

    collections: Collections
    answerer: Answerer
    labeler: Labeler


class Search(NamedTuple):
    """Where documents are looked for: how many of a collection, by which of its vectors, with which field as text."""

    collection: str
    top_k: int = 5
    vector: str | None = None
    text_field: str | None = None


def ask_collection(
    pipeline: Pipeline,
    question: str,
    search: Search,
    *,
    convention: str | Scoring = "trace",
    on_step: OnStep = lambda step, record: None,
    on_text: OnText | None = None,
) -> Record:
    """Ask a collection; streaming answerers call `on_text` with the pieces of the answer. Raises `InputError` for an
    empty question and `RetrievalError`. Later failures are in `record.error`."""
    if not question.strip():
        raise InputError("The question is empty.", "Type a question.", field="question")
    scoring = Scoring.of(convention)
    record = _new(question)
    on_step("retrieve", record)
    retrieve(record, pipeline.collections, search)
    on_step("answer", record)
    try:
        _answer(record, pipeline.answerer, on_text)
    except TraceError as error:
        return rescore(fail(record, "answer", error), scoring)
    on_step("label", record)
    label(record, pipeline.labeler)
    on_step("score", record)
    return rescore(record, scoring)


def evaluate(
    question: str,
    documents: Any,
    response: Any,
    *,
    labeler: str | Labeler = "local",
    convention: str | Scoring = "trace",
    progress: OnShare | None = None,
) -> Record:
    """Score an existing answer: documents and the answer in, a labeled and scored record out. Documents are a text, or
    a list of texts, of `Document`s or of what retrievers return (dicts, and objects with `page_content`, `text`,
    `content` or `node`); the answer is a text, a number or a message. A `Document` that was split already keeps its
    sentences, whatever record it is from. If the labeler fails, or has more than `MOST_SENTENCES` to label,
    `record.error` is set and the scores are undefined. Raises `SettingsError`, and `InputError` for anything else."""
    scoring = Scoring.of(convention)
    record = _new(question)
    if documents is None or isinstance(documents, int | float):
        hint = "Give texts, or what your retriever returned; an empty list says that it found nothing."
        raise InputError(f"Documents were expected, not {_kind(documents)}.", hint, field="documents")
    is_one = isinstance(documents, str | dict | Document) or not isinstance(documents, Iterable)
    record.documents = [_as_document(i, one) for i, one in enumerate([documents] if is_one else documents)]
    record.response = Response(text=_as_answer(response))
    record.split()
    labeler = make_labeler(labeler, embedder(PACKAGED_MODEL)) if isinstance(labeler, str) else labeler
    try:
        check_sentences(record, MOST_SENTENCES)
    except LabelingError as error:
        return rescore(fail(record, "label", error), scoring)
    return rescore(label(record, labeler, progress), scoring)


def check_sentences(record: Record, most: int) -> None:
    """Raises `LabelingError` for more sentences: a labeler compares each with each."""
    sentences = record.sentences()
    many = len(sentences.document_keys()) + len(sentences.response_keys())
    if many > most:
        message = f"The documents and the answer have {many:,} sentences; at most {most:,} are labeled at once."
        raise LabelingError(message, "Give the passages that were retrieved, not whole documents.")


def complete(
    record: Record,
    labeler: Labeler | None,
    *,
    retrieve: Callable[[Record], None] | None = None,
    answerer: Answerer | None = None,
    scoring: str | Scoring = "trace",
) -> Record:
    """The record with its missing parts added (`retrieve` gives it documents), labeled and scored; failures are in
    `record.error`. Existing labels become its ground truth or, without a labeler, stay its labels."""
    record.error = None
    step = "retrieve"
    try:
        if retrieve:
            retrieve(record)
            record.split()
        step = "answer"
        if record.response is None:
            if answerer is None:
                raise SettingsError("The row has no response, and no answerer is chosen.", "Choose an answerer.")
            _answer(record, answerer)
    except TraceError as error:
        _keep_as_truth(record)
        fail(record, step, error)
    else:
        if labeler is not None:
            _keep_as_truth(record)
            label(record, labeler)
        elif record.labels is None and not record.failed_generation:
            fail(record, "label", TraceError("The row has no labels.", "Choose a labeler that makes them."))
    return rescore(record, scoring)


def retrieve(record: Record, source: Collections, search: Search) -> None:
    """Give the record the documents that are nearest to its question. Raises `TraceError`."""
    name, top_k, vector, text_field = search
    with timing(record, "retrieve"):
        record.documents = source.search(name, record.question, top_k, vector=vector, text_field=text_field)
    best = record.documents[0].retrieval_score if record.documents else None
    record.retrieval = Retrieval(
        collection=name, vector=vector, top_k=top_k, confidence=best, action=retrieval_action(best)
    )
    record.split()


def _answer(record: Record, answerer: Answerer, on_text: OnText | None = None) -> None:
    with timing(record, "answer"):
        answer = answerer.answer(record.question, record.documents, *([on_text] if on_text else []))
    record.response = Response(text=answer.text, citations=answer.citations, generator=answerer.name)
    record.usage, record.cleaning = dict(answer.usage), list(answer.notes)
    record.split()


def _keep_as_truth(record: Record) -> None:
    """Make the row's own labels the ground truth for the labeler's."""
    if record.labels is not None:
        record.ground_truth = (record.ground_truth or Truth()).model_copy(update={"labels": record.labels})
    record.labels, record.raw_reply, record.cleaning = None, None, record.notes_on_answer


def label(record: Record, labeler: Labeler, progress: OnShare | None = None) -> Record:
    """Label the record in place; a failure is in `record.error`, without labels. A failed generation gets none."""
    if record.failed_generation:
        return record
    try:
        with timing(record, "label"):
            reply = labeler.label(record.question, record.sentences(), progress)
    except TraceError as error:
        return fail(record, "label", error)
    return _add_labels(record, labeler, reply)


def _add_labels(record: Record, labeler: Labeler, reply: Reply) -> Record:
    labels, notes = reply.clean(record.sentences(), labeler.name, labeler.version)
    estimates = {"probabilities": reply.probabilities, "expected": reply.expected, "unread": reply.unread}
    record.labels = labels.model_copy(update=estimates)
    record.raw_reply = reply.raw if reply.original is None else reply.original
    record.cleaning = [*record.notes_on_answer, *reply.notes, *notes]
    record.usage = total_usage([record.usage, reply.usage])
    record.error = None
    return record


def label_all(records: Iterable[Record], labeler: Labeler, workers: int = 1) -> Iterator[Record]:
    """Label many records, `workers` at a time, and yield them in order; a labeler of many at once gets blocks."""
    if isinstance(labeler, LabelsMany):
        waiting = iter(records)
        while block := list(islice(waiting, BLOCK)):
            yield from _label_block(block, labeler)
    else:
        yield from in_order(lambda record: label(record, labeler), records, workers, ahead=workers)


def in_order(work: Callable[[T], U], items: Iterable[T], workers: int, ahead: int = 0) -> Iterator[U]:
    """The results of `work`, in order, `workers` at a time, `ahead` more items read. Whoever waits looks up a few
    times a second: a signal that comes just before a wait would else be heard only when it ends."""
    waiting, jobs = iter(items), deque[Future[U]]()
    pool = ThreadPoolExecutor(workers)
    try:
        while True:
            jobs.extend(pool.submit(work, item) for item in islice(waiting, workers + ahead - len(jobs)))
            if not jobs:
                return
            while not jobs[0].done():
                wait([jobs[0]], _LOOK_SECONDS)
            yield jobs.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _label_block(block: Sequence[Record], labeler: LabelsMany) -> Sequence[Record]:
    answers = [record for record in block if not record.failed_generation]
    start = time.perf_counter()
    try:
        replies = labeler.label_many([(r.question, r.sentences()) for r in answers]) if answers else []
    except TraceError as error:
        for record in answers:
            fail(record, "label", error)
        return block
    each = round((time.perf_counter() - start) / max(1, len(answers)), 4)
    for record, reply in zip(answers, replies, strict=True):
        _add_labels(record, labeler, reply).seconds["label"] = each
    return block


def fail(record: Record, step: str, error: TraceError) -> Record:
    """The record with the reason why the step failed, its cost, and the model's reply."""
    record.error = Failure(step=step, message=error.message, hint=error.hint)
    if isinstance(error, CostlyError):
        record.usage = total_usage([record.usage, error.usage])
        record.raw_reply = error.raw if error.raw is not None else record.raw_reply
    return record


def _new(question: str) -> Record:
    if not isinstance(question, str):
        raise InputError(f"A question was expected, not {_kind(question)}.", field="question")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Record(id=uuid.uuid4().hex[:12], created_at=now, question=question.strip())


def _kind(value: object) -> str:
    return "None" if value is None else f"{type(value).__name__} ({str(value)[:40]})"


def parts_in(value: Any) -> Any:
    """The parts of what a retriever or a model returned, an object or a document with its score; else the value."""
    if isinstance(value, tuple) and len(value) == 2 and isinstance(parts := parts_in(value[0]), dict):
        return parts | {"score": value[1]}
    if value is None or isinstance(value, str | dict | list | tuple | int | float):
        return value
    parts = {name: parts_in(part) for name in _PARTS if (part := getattr(value, name, None)) is not None}
    return parts or value


def _as_answer(response: Any) -> str:
    answer = parts_in(response)
    answer = text_of(answer, "assistant", "response") if isinstance(answer, dict) else answer
    if isinstance(answer, int | float) and not isinstance(answer, bool) and answer == answer:
        return str(answer)
    if not isinstance(answer, str):
        hint = "Give its text; an empty one says that the generator gave none."
        raise InputError(f"An answer was expected, not {_kind(response)}.", hint, field="response")
    return answer


def _as_document(i: int, document: Any) -> Document:
    if not isinstance(document, Document):
        parts = {"text": document} if isinstance(document, str) else parts_in(document)
        about = parts_of(parts) if isinstance(parts, dict) else {}
        if about.get("text") is None:
            hint = "Documents are texts, dicts, or objects with page_content, text, content or node."
            raise InputError(f"Document {i + 1} has no text: it is {_kind(document)}.", hint, field="documents")
        own, score, title = about.get("id", str(i)), about.get("score"), about.get("title")
        return Document(id=own, rank=i + 1, text=about["text"], retrieval_score=score, title=title)
    # It may come from another record, at another place: its sentences stay, under the keys of this place.
    sentences = [replace(sentence, key=f"{i}{letters(j)}") for j, sentence in enumerate(document.sentences)]
    return document.model_copy(update={"rank": i + 1, "sentences": sentences})


@contextmanager
def timing(record: Record, step: str) -> Iterator[None]:
    """Record the seconds that the step took in `record.seconds`, whether or not it succeeds."""
    start = time.perf_counter()
    try:
        yield
    finally:
        record.seconds[step] = round(time.perf_counter() - start, 4)


def pipeline_from(
    settings: Settings, collections: Collections, *, labeler: str | None = None, answerer: str | None = None
) -> Pipeline:
    """The pipeline with the named parts, or the settings' ones. Raises `SettingsError` for others."""
    labeler, answerer = labeler or settings.labeler, answerer or default_answerer(settings)
    llm = llm_from(settings) if has_llm(settings) and needs_llm(labeler, answerer) else None
    model = collections.embedder
    return Pipeline(collections, make_answerer(answerer, model, llm), make_labeler(labeler, model, llm))


def needs_llm(labeler: object, answerer: object) -> bool:
    """Whether the labeler or the answerer asks a language model."""
    return labeling.uses_llm(labeler) or answering.uses_llm(answerer)


def default_answerer(settings: Settings) -> str:
    """`gpt` with a key, else `extractive`."""
    return "gpt" if settings.openai_api_key else "extractive"
