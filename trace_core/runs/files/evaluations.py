"""A run in the formats of observability tools: one evaluation per metric and span, with its explanation.

Relevance evaluates retrieval, the other metrics the answer. Spans keep the ids of their original traces; other
records get ids derived from the run's id and their own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from trace_core.facts.labels import Status
from trace_core.facts.records import Record
from trace_core.metrics import METRICS, count
from trace_core.metrics.base import Metric
from trace_core.runs.files.exported import DOCUMENT_SCORES, RunExport

_RELEVANT, _USED = "all_relevant_sentence_keys", "all_utilized_sentence_keys"
_QUOTED = 3
"""Sentences quoted in an explanation."""
_SPAN_IDS = {"trace": 32, "chain": 16, "retriever": 16}
"""The ids of a record's spans, and their hexadecimal digits."""


def openinference(run: RunExport, record: Record) -> dict[str, Any]:
    """An OTLP request: the record's spans, each with its evaluations as attributes and as events."""
    spans = []
    for span in _spans(run, record):
        attributes, events = span["attributes"], []
        for i, found in enumerate(span["evaluations"]):
            attributes |= {f"evaluations.{i}.evaluation.{field}": value for field, value in found.items()}
            names = {"name": "name", "score": "score.value", "label": "score.label", "explanation": "explanation"}
            event = {f"gen_ai.evaluation.{name}": found[field] for field, name in names.items() if field in found}
            events.append({"name": "gen_ai.evaluation.result", "timeUnixNano": "0", "attributes": _attributes(event)})
        spans.append(
            {
                "traceId": span["trace"],
                "spanId": span["id"],
                "name": span["name"],
                "kind": 1,
                "startTimeUnixNano": "0",
                "endTimeUnixNano": "0",
                "attributes": _attributes(attributes),
                "events": events,
                "status": {},
            }
            | ({"parentSpanId": span["parent"]} if span["parent"] else {})
        )
    scope = {"scope": {"name": "trace_core"}, "spans": spans}
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [scope]}]}


def langfuse(run: RunExport, record: Record) -> dict[str, Any]:
    """A body of `POST /api/public/ingestion`: the record's scores, and its trace where Langfuse has none."""
    spans, batch = _spans(run, record), []
    if not record.spans:
        answer = record.response.text if record.response else None
        about = {"documents": [document.text for document in record.documents], "record": record.id}
        body = {"id": spans[0]["trace"], "name": "answer", "input": record.question, "output": answer}
        batch.append(_event(run, "trace-create", spans[0]["trace"], body | {"metadata": about}))
    for span in spans:
        for found in span["evaluations"]:
            if "score" not in found:
                continue
            body = {
                "traceId": span["trace"],
                "name": found["name"],
                "value": found["score"],
                "dataType": "NUMERIC",
                "comment": found["explanation"],
                "metadata": {"by": found["identifier"]},
            }
            body |= {"observationId": span["id"]} if record.spans else {}
            batch.append(_event(run, "score-create", f"{span['trace']}{found['name']}", body))
    return {"batch": batch}


def _event(run: RunExport, kind: str, what: str, body: dict[str, Any]) -> dict[str, Any]:
    own = _made_up(run, what, kind, 32)
    return {"id": own, "type": kind, "timestamp": str(run.run["created_at"]), "body": {"id": own, **body}}


def _evaluations(run: RunExport, record: Record, *, retrieval: bool) -> list[dict[str, Any]]:
    """The metrics of retrieval or of the answer as evaluations; an undefined one has its reason instead of a score."""
    found: list[dict[str, Any]] = []
    if record.scores is None or record.error:
        return found
    labels = record.labels
    kind = {"human": "HUMAN", "gpt": "LLM", "decisions": "LLM"}.get(labels.labeler if labels else "", "CODE")
    by = " ".join(part for part in (labels.labeler, labels.labeler_version) if part) if labels else "recorded"
    for name, metric in METRICS.items():
        if (metric.source == _RELEVANT) != retrieval:
            continue
        value = getattr(record.scores, name)
        if value is None:
            result = {"label": "undefined", "explanation": record.scores.undefined.get(name, "undefined")}
        else:
            result = {"score": value, "explanation": _explanation(run, record, metric)}
        identifier = f"trace/{record.scores.convention}/{by}"
        found.append({"name": name, **result, "annotator_kind": kind, "identifier": identifier})
    if retrieval and record.golden:
        wanted = _quoted("Expected", record.golden.expected_documents)
        about = {"explanation": wanted, "annotator_kind": "CODE", "identifier": "trace/golden"}
        shares = {name: getattr(record.golden, name) for name in DOCUMENT_SCORES}
        found += [{"name": name, "score": share, **about} for name, share in shares.items() if share is not None]
    return found


def _explanation(run: RunExport, record: Record, metric: Metric) -> str:
    """Why the metric has its value: its formula with the numbers, the decisive sentences, the judge's words."""
    labels, scores = record.labels, record.scores
    if labels is None or scores is None:
        return ""
    sentences, formula = record.sentences(), metric.formulas[scores.convention]
    numbers = formula.filled(count(labels, sentences), run.scoring.divisor)
    parts = [f"{formula.text.format(divisor=f'{run.scoring.divisor:g}')}: {numbers}."]
    if metric.source == _RELEVANT:
        parts.append(labels.relevance_explanation or "")
    elif _RELEVANT in metric.source:
        missed = set(labels.all_relevant_sentence_keys or ()) - set(labels.all_utilized_sentence_keys or ())
        parts.append(_quoted("Left out", [s.text for d in sentences.documents for s in d if s.key in missed]))
    elif metric.source != _USED:
        statuses = labels.statuses(sentences.response_keys())
        failing = (Status.UNSUPPORTED, Status.PARTIALLY)
        parts.append(_quoted("Not supported", [s.text for s in sentences.response if statuses[s.key] in failing]))
        parts.append(labels.overall_supported_explanation or "")
    return " ".join(part for part in parts if part)


def _quoted(what: str, texts: list[str]) -> str:
    more = f" and {len(texts) - _QUOTED} more" if len(texts) > _QUOTED else ""
    return f"{what}: {', '.join(f'“{text}”' for text in texts[:_QUOTED])}{more}." if texts else ""


def _spans(run: RunExport, record: Record) -> list[dict[str, Any]]:
    own = {name: _made_up(run, record.id, name, digits) for name, digits in _SPAN_IDS.items()} | record.spans
    asked = {"input.value": record.question}
    chain: dict[str, Any] = {"openinference.span.kind": "CHAIN"} | asked
    if record.response:
        chain["output.value"] = record.response.text
    retriever: dict[str, Any] = {"openinference.span.kind": "RETRIEVER"} | asked
    for i, document in enumerate(record.documents):
        title = json.dumps({"title": document.title}) if document.title else None
        fields = {"id": document.id, "content": document.text, "score": document.retrieval_score, "metadata": title}
        known = {name: value for name, value in fields.items() if value is not None}
        retriever |= {f"retrieval.documents.{i}.document.{name}": value for name, value in known.items()}
    if not record.documents:
        retriever["output.value"] = "[]"
    return [
        {
            "trace": own["trace"],
            "id": own["chain"],
            "parent": "",
            "name": "answer",
            "attributes": chain,
            "evaluations": _evaluations(run, record, retrieval=False),
        },
        {
            "trace": own["trace"],
            "id": own["retriever"],
            "parent": own["chain"],
            "name": "retrieve",
            "attributes": retriever,
            "evaluations": _evaluations(run, record, retrieval=True),
        },
    ]


def _made_up(run: RunExport, record: str, what: str, digits: int) -> str:
    """An id that is the same each time the same run is written."""
    return hashlib.sha256(f"{run.run['id']}\n{record}\n{what}".encode("utf-8", "replace")).hexdigest()[:digits]


def _attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"key": name, "value": {"doubleValue" if isinstance(value, float) else "stringValue": value}}
        for name, value in values.items()
    ]
