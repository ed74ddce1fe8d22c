"""A run in the formats of observability tools: one evaluation per metric and span, with its explanation. Relevance
evaluates retrieval, the other metrics the answer. Spans keep their traces' ids, or get some of the run's."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from trace_core.datasets.rows import RECORDED
from trace_core.facts.records import Record
from trace_core.labeling import uses_llm
from trace_core.metrics import METRICS, count
from trace_core.metrics.base import Metric
from trace_core.runs.files.exported import DOCUMENT_SCORES, RunExport

_RELEVANT = "all_relevant_sentence_keys"
_SPAN_IDS = {"trace": 32, "chain": 16, "retriever": 16}
"""The ids of a record's spans, and their hexadecimal digits."""
_EVENT_FIELDS = {"name": "name", "score": "score.value", "label": "score.label", "explanation": "explanation"}
"""Field of an evaluation → its name in OpenTelemetry's event, behind `gen_ai.evaluation.`."""
_NO_TIME = "0"
Evaluation = dict[str, Any]


class SpanEvaluations(NamedTuple):
    """One step of a trace, by OTLP's ids and name, with the evaluations of what it did."""

    head: dict[str, str]
    attributes: dict[str, Any]
    evaluations: list[Evaluation]


def openinference(run: RunExport, record: Record) -> dict[str, Any]:
    """An OTLP request: the record's spans, each with its evaluations as attributes and as events."""
    spans: list[dict[str, Any]] = []
    for head, attributes, evaluations in _spans(run, record):
        events = []
        for i, one in enumerate(evaluations):
            attributes |= {f"evaluations.{i}.evaluation.{field}": value for field, value in one.items()}
            event = {f"gen_ai.evaluation.{name}": one[field] for field, name in _EVENT_FIELDS.items() if field in one}
            name, of_event = "gen_ai.evaluation.result", _attributes(event)
            events.append({"name": name, "timeUnixNano": _NO_TIME, "attributes": of_event})
        times = {"kind": 1, "startTimeUnixNano": _NO_TIME, "endTimeUnixNano": _NO_TIME}
        spans.append({**head, **times, "attributes": _attributes(attributes), "events": events, "status": {}})
    scope = {"scope": {"name": "trace_core"}, "spans": spans}
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [scope]}]}


def langfuse(run: RunExport, record: Record) -> dict[str, Any]:
    """A body of `POST /api/public/ingestion`: the record's scores, and its trace where Langfuse has none."""
    spans, batch = _spans(run, record), []
    trace = spans[0].head["traceId"]
    if not record.spans:
        answer = record.response.text if record.response else None
        about = {"documents": [document.text for document in record.documents], "record": record.id}
        body = {"id": trace, "name": "answer", "input": record.question, "output": answer, "metadata": about}
        batch.append(_event(run, "trace-create", trace, body))
    for span in spans:
        for one in span.evaluations:
            if "score" in one:
                body = {
                    "traceId": trace,
                    "name": one["name"],
                    "value": one["score"],
                    "dataType": "NUMERIC",
                    "comment": one["explanation"],
                    "metadata": {"by": one["identifier"]},
                    **({"observationId": span.head["spanId"]} if record.spans else {}),
                }
                batch.append(_event(run, "score-create", f"{trace}{one['name']}", body))
    return {"batch": batch}


def _event(run: RunExport, kind: str, what: str, body: dict[str, Any]) -> dict[str, Any]:
    own = _new_id(run, what, kind, 32)
    return {"id": own, "type": kind, "timestamp": str(run.run["created_at"]), "body": {"id": own, **body}}


def _evaluations(run: RunExport, record: Record, *, retrieval: bool) -> list[Evaluation]:
    """The metrics of retrieval or of the answer as evaluations; an undefined one has its reason instead of a score."""
    scores, labels = record.scores, record.labels
    if scores is None or record.error:
        return []
    labeler, version = (labels.labeler, labels.labeler_version) if labels else (RECORDED, None)
    by = " ".join(part for part in (labeler, version) if part)
    kind = "HUMAN" if labeler == "human" else "LLM" if uses_llm(labeler) else "CODE"
    about = {"annotator_kind": kind, "identifier": f"trace/{scores.convention}/{by}"}
    evaluations: list[Evaluation] = []
    for name, metric in METRICS.items():
        if (metric.source == _RELEVANT) == retrieval:
            value = getattr(scores, name)
            if value is None:
                result = {"label": "undefined", "explanation": scores.undefined.get(name, "undefined")}
            else:
                result = {"score": value, "explanation": _explanation(run, record, metric)}
            evaluations.append({"name": name, **result, **about})
    if retrieval and (golden := record.golden):
        names = ", ".join(f"“{name}”" for name in golden.expected_documents)
        about = {"explanation": f"Expected: {names}.", "annotator_kind": "CODE", "identifier": "trace/golden"}
        shares = {name: getattr(golden, name) for name in DOCUMENT_SCORES}
        evaluations += [{"name": name, "score": share, **about} for name, share in shares.items() if share is not None]
    return evaluations


def _explanation(run: RunExport, record: Record, metric: Metric) -> str:
    """The formula with the numbers, the judge's words, and of adherence below 1 the record's verdict."""
    labels, scores = record.labels, record.scores
    if labels is None or scores is None:
        return ""
    formula = metric.formulas[scores.convention]
    numbers = formula.example(count(labels, record.sentences()), run.scoring.divisor)
    parts = [f"{formula.text.format(divisor=f'{run.scoring.divisor:g}')}: {numbers}."]
    if metric.source == _RELEVANT:
        parts.append(labels.relevance_explanation or "")
    elif metric.name == "adherence":
        failure = record.verdict.text if record.verdict and scores.adherence != 1 else ""
        parts += [failure, labels.overall_supported_explanation or ""]
    return " ".join(filter(None, parts))


def _spans(run: RunExport, record: Record) -> list[SpanEvaluations]:
    own = {name: _new_id(run, record.id, name, digits) for name, digits in _SPAN_IDS.items()} | record.spans
    question = {"input.value": record.question}
    chain: dict[str, Any] = {"openinference.span.kind": "CHAIN"} | question
    if record.response:
        chain["output.value"] = record.response.text
    retriever: dict[str, Any] = {"openinference.span.kind": "RETRIEVER"} | question
    for i, document in enumerate(record.documents):
        title = json.dumps({"title": document.title}) if document.title else None
        fields = {"id": document.id, "content": document.text, "score": document.retrieval_score, "metadata": title}
        about = {f"retrieval.documents.{i}.document.{name}": value for name, value in fields.items()}
        retriever |= {name: value for name, value in about.items() if value is not None}
    if not record.documents:
        retriever["output.value"] = "[]"
    answer = {"traceId": own["trace"], "spanId": own["chain"], "name": "answer"}
    retrieve = {"traceId": own["trace"], "spanId": own["retriever"], "parentSpanId": own["chain"], "name": "retrieve"}
    of_answer, of_retrieval = (_evaluations(run, record, retrieval=retrieval) for retrieval in (False, True))
    return [SpanEvaluations(answer, chain, of_answer), SpanEvaluations(retrieve, retriever, of_retrieval)]


def _new_id(run: RunExport, record: str, what: str, digits: int) -> str:
    """An id that is the same each time the same run is written."""
    return hashlib.sha256(f"{run.run['id']}\n{record}\n{what}".encode("utf-8", "replace")).hexdigest()[:digits]


def _attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"key": name, "value": {"doubleValue" if isinstance(value, float) else "stringValue": value}}
        for name, value in values.items()
    ]
