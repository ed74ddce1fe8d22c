"""A run in the formats of observability tools: one evaluation per metric and span, with its explanation.

Relevance evaluates retrieval, the other metrics the answer. Spans keep the ids of their original traces; other
records get ids derived from the run's id and their own.

"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from trace_core.facts.labels import Status
from trace_core.facts.records import Document, Golden, Record
from trace_core.metrics import METRICS, RELEVANCE_DIVISOR, count
from trace_core.metrics.base import Metric
from trace_core.runs.files.exported import DOCUMENT_SCORES, Exported

_RELEVANT, _USED = "all_relevant_sentence_keys", "all_utilized_sentence_keys"
_QUOTED = 3
"""Sentences quoted in an explanation."""


def write_openinference(run: Exported, out: TextIO) -> None:
    """OTLP requests, one record per line: its spans, each with its evaluations as attributes and as events."""
    for record in run.records():
        spans = [_otlp(span, run) for span in _spans(run, record)]
        scope = {"scope": {"name": "trace_core"}, "spans": spans}
        _line(out, {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [scope]}]})


def write_langfuse(run: Exported, out: TextIO) -> None:
    """Bodies of `POST /api/public/ingestion`, one record per line: scores, and the trace where Langfuse has none."""
    for record in run.records():
        spans = list(_spans(run, record))
        batch = [] if record.spans else [_event(run, "trace-create", spans[0]["trace"], _trace(spans[0], record))]
        batch += [
            _event(run, "score-create", f"{span['trace']}{found['name']}", _score(span, found, record))
            for span in spans
            for found in span["evaluations"]
            if "score" in found
        ]
        if batch:
            _line(out, {"batch": batch})


def _line(out: TextIO, value: Any) -> None:
    out.write(json.dumps(value, allow_nan=False) + "\n")


def evaluations(record: Record, *, retrieval: bool) -> list[dict[str, Any]]:
    """The metrics of retrieval or of the answer as evaluations; an undefined one has its reason instead of a score."""
    found: list[dict[str, Any]] = []
    if record.scores is None or record.error:
        return found
    labels = record.labels
    kind = {"human": "HUMAN", "gpt": "LLM", "local": "CODE"}.get(labels.labeler if labels else "", "CODE")
    by = " ".join(part for part in (labels.labeler, labels.labeler_version) if part) if labels else "recorded"
    for name, metric in METRICS.items():
        if (metric.source == _RELEVANT) != retrieval:
            continue
        value = getattr(record.scores, name)
        reason = record.scores.undefined.get(name, "undefined")
        said = {"score": value} if value is not None else {"label": "undefined"}
        why = explanation(record, metric) if value is not None else reason
        identifier = f"trace/{record.scores.convention}/{by}"
        found.append({"name": name, **said, "explanation": why, "annotator_kind": kind, "identifier": identifier})
    return found + (_golden(record.golden) if retrieval and record.golden else [])


def _golden(golden: Golden) -> list[dict[str, Any]]:
    """Whether the expected documents were found; empty where none were expected."""
    wanted = _quoted("Expected", golden.expected_documents)
    return [
        {"name": name, "score": value, "explanation": wanted, "annotator_kind": "CODE", "identifier": "trace/golden"}
        for name in DOCUMENT_SCORES
        if (value := getattr(golden, name)) is not None
    ]


def explanation(record: Record, metric: Metric) -> str:
    """Why the metric has its value: its formula with the numbers, the decisive sentences, the judge's words."""
    labels, scores = record.labels, record.scores
    if labels is None or scores is None:
        return ""
    sentences, formula = record.sentences(), metric.formulas[scores.convention]
    numbers = formula.filled(count(labels, sentences), RELEVANCE_DIVISOR)
    parts = [f"{formula.text.format(divisor=RELEVANCE_DIVISOR)}: {numbers}."]
    if _RELEVANT in metric.source and _USED in metric.source:
        missed = set(labels.all_relevant_sentence_keys or ()) - set(labels.all_utilized_sentence_keys or ())
        parts.append(_quoted("Left out", [s.text for d in sentences.documents for s in d if s.key in missed]))
    elif metric.source == _RELEVANT:
        parts.append(labels.relevance_explanation or "")
    elif _USED not in metric.source:
        statuses = labels.statuses(sentences.response_keys())
        failing = (Status.UNSUPPORTED, Status.PARTIALLY)
        parts.append(_quoted("Not supported", [s.text for s in sentences.response if statuses[s.key] in failing]))
        parts.append(labels.overall_supported_explanation or "")
    return " ".join(part for part in parts if part)


def _quoted(what: str, texts: list[str]) -> str:
    more = f" and {len(texts) - _QUOTED} more" if len(texts) > _QUOTED else ""
    return f"{what}: {', '.join(f'“{text}”' for text in texts[:_QUOTED])}{more}." if texts else ""


# Spans


def _spans(run: Exported, record: Record) -> Iterator[dict[str, Any]]:
    """The spans of the answer and of its retrieval."""
    known = record.spans
    trace = known.get("trace") or _made_up(run, record, "", 32)
    chain = known.get("chain") or _made_up(run, record, "chain", 16)
    about: dict[str, Any] = {"openinference.span.kind": "CHAIN", "input.value": record.question}
    if record.response:
        about["output.value"] = record.response.text
    yield {"trace": trace, "id": chain, "parent": "", "name": "answer", "attributes": about,
           "evaluations": evaluations(record, retrieval=False)}  # fmt: skip
    retriever = known.get("retriever") or _made_up(run, record, "retriever", 16)
    attributes = {"openinference.span.kind": "RETRIEVER", "input.value": record.question}
    for i, document in enumerate(record.documents):
        attributes |= {f"retrieval.documents.{i}.document.{k}": held for k, held in _document(document).items()}
    if not record.documents:
        attributes["output.value"] = "[]"
    yield {"trace": trace, "id": retriever, "parent": chain, "name": "retrieve", "attributes": attributes,
           "evaluations": evaluations(record, retrieval=True)}  # fmt: skip


def _document(document: Document) -> dict[str, Any]:
    held: dict[str, Any] = {"id": document.id, "content": document.text}
    held |= {} if document.retrieval_score is None else {"score": document.retrieval_score}
    return held | ({"metadata": json.dumps({"title": document.title})} if document.title else {})


def _made_up(run: Exported, record: Record, what: str, digits: int) -> str:
    """An id that is the same each time the same run is written."""
    return hashlib.sha256(f"{run.run['id']}\n{record.id}\n{what}".encode("utf-8", "replace")).hexdigest()[:digits]


def _otlp(span: Mapping[str, Any], run: Exported) -> dict[str, Any]:
    attributes = dict(span["attributes"])
    events = []
    for i, found in enumerate(span["evaluations"]):
        attributes |= {f"evaluations.{i}.evaluation.{field}": held for field, held in found.items()}
        names = {"name": "name", "score": "score.value", "label": "score.label", "explanation": "explanation"}
        held = {f"gen_ai.evaluation.{name}": found[field] for field, name in names.items() if field in found}
        events.append({"name": "gen_ai.evaluation.result", "timeUnixNano": "0", "attributes": _attributes(held)})
    made = {"traceId": span["trace"], "spanId": span["id"], "name": span["name"], "kind": 1,
            "startTimeUnixNano": "0", "endTimeUnixNano": "0", "attributes": _attributes(attributes),
            "events": events, "status": {}}  # fmt: skip
    return made | ({"parentSpanId": span["parent"]} if span["parent"] else {})


def _attributes(held: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"key": k, "value": {"doubleValue": v} if isinstance(v, float) else {"stringValue": v}} for k, v in held.items()
    ]


# Langfuse


def _event(run: Exported, kind: str, what: str, body: dict[str, Any]) -> dict[str, Any]:
    own = hashlib.sha256(f"{run.run['id']}\n{what}\n{kind}".encode()).hexdigest()[:32]
    return {"id": own, "type": kind, "timestamp": str(run.run["created_at"]), "body": {"id": own, **body}}


def _trace(span: Mapping[str, Any], record: Record) -> dict[str, Any]:
    answer = record.response.text if record.response else None
    texts = [document.text for document in record.documents]
    about = {"documents": texts, "record": record.id}
    return {"id": span["trace"], "name": "answer", "input": record.question, "output": answer, "metadata": about}


def _score(span: Mapping[str, Any], found: Mapping[str, Any], record: Record) -> dict[str, Any]:
    observed = {"observationId": span["id"]} if record.spans else {}
    said = {"comment": found["explanation"], "metadata": {"by": found["identifier"]}}
    number = {"name": found["name"], "value": found["score"], "dataType": "NUMERIC"}
    return {"traceId": span["trace"], **observed, **number, **said}
