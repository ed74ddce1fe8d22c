"""Traces as other back ends keep them, as spans: Jaeger's, LangWatch's, Datadog's, and the events of TruLens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from trace_core.datasets.notations import object_of, objects_of
from trace_core.datasets.traces.span import Span, decoded, with_events

Raw = Mapping[str, Any]
BACKEND_MARKS = frozenset(("traceID", "spans", "record_attributes"))
"""What they keep has one of these keys."""
_KIND, _INPUT, _OUTPUT, _MODEL = "langfuse.observation.type", "input.value", "output.value", "llm.model_name"
_FOUND, _SESSION = "retrieval.documents", "session.id"
_LANGWATCH = {"rag": "retriever", "evaluation": "evaluator"}
_DATADOG = {"workflow": "span", "task": "span", "retrieval": "retriever", "llm": "generation"}
_TRULENS = {"retrieval": "retriever", "reranking": "reranker", "eval": "evaluator", "eval_root": "evaluator"}
"""Their names for kinds of spans, where Langfuse has another."""
_OURS = "ai.observability."
"""The start of the names of TruLens' attributes."""
_FAILED = ("ERROR", "STATUS_CODE_ERROR")


def reader_of_backends(row: Raw) -> Callable[[Raw], Iterator[Span]] | None:
    """How to read the row's spans; null where no such back end keeps it so."""
    if "traceID" in row and isinstance(row.get("spans"), list):
        return _jaeger_trace
    if {"traceID", "spanID", "operationName"} <= row.keys():
        return _jaeger
    if "record_attributes" in row and "trace" in row:
        return _trulens if f"{_OURS}span_type" in _object(row["record_attributes"]) else None
    if row.get("type") == "span" and {"trace_id", "span_kind", "ml_app"} <= object_of(row.get("attributes")).keys():
        return _datadog
    spans = row.get("spans")
    if "trace_id" in row and "input" in row and isinstance(spans, list) and spans and all(map(_is_langwatch, spans)):
        return _langwatch
    return None


# Jaeger


def _jaeger_trace(row: Raw) -> Iterator[Span]:
    for span in objects_of(row["spans"]):
        yield from _jaeger({"traceID": row["traceID"], **span})


def _jaeger(span: Raw) -> Iterator[Span]:
    """A span, whose attributes are tags, and whose events are logs of fields."""
    tags = _tags(span.get("tags"))
    attributes = with_events(tags, [_tags(log.get("fields")) for log in objects_of(span.get("logs"))])
    above = [one.get("spanID") for one in objects_of(span.get("references")) if one.get("refType") == "CHILD_OF"]
    failed = tags.get("otel.status_code") in _FAILED or tags.get("error") in (True, "true")
    yield Span(
        _text(span.get("traceID")), _text(span.get("spanID")), _text(above[0] if above else span.get("parentSpanID")),
        _text(span.get("operationName")), _text(span.get("startTime")), attributes,
        (_text(tags.get("otel.status_description")) or "error") if failed else "",
    )  # fmt: skip


def _tags(listed: Any) -> dict[str, Any]:
    return {str(one["key"]): one.get("value") for one in objects_of(listed) if "key" in one}


# LangWatch


def _is_langwatch(span: Any) -> bool:
    typed = isinstance(span, dict) and isinstance(span.get("type"), str)
    return typed and "span_id" in span and "attributes" not in span


def _langwatch(row: Raw) -> Iterator[Span]:
    """A trace with its spans; the trace's own input and output form the top span."""
    top, start = _text(row["trace_id"]), _text(object_of(row.get("timestamps")).get("started_at"))
    about = {
        **_attributes("span", _value(row.get("input")), _value(row.get("output"))),
        _SESSION: object_of(row.get("metadata")).get("thread_id"),
    }
    yield Span(top, top, "", "", start, about, _error(row.get("error")), _value(row.get("expected_output")))
    known = {_text(span["span_id"]) for span in row["spans"]}
    for place, span in enumerate(row["spans"]):
        kind, parent = span["type"], _text(span.get("parent_id"))
        attributes = _attributes(_LANGWATCH.get(kind, kind), _value(span.get("input")), _value(span.get("output")))
        found = [one if isinstance(one, dict) else {"content": _text(one)} for one in _list(span.get("contexts"))]
        yield Span(
            top, _text(span["span_id"]), parent if parent in known else top, _text(span.get("name")),
            f"{start}#{place:04}",  # in their order
            attributes | {_MODEL: span.get("model")} | ({_FOUND: found} if found else {}), _error(span.get("error")),
        )  # fmt: skip


def _value(held: Any) -> Any:
    return held.get("value") if isinstance(held, dict) else held


def _error(held: Any) -> str:
    return _text(held.get("message") or held.get("has_error") or "") if isinstance(held, dict) else _text(held)


# Datadog


def _datadog(row: Raw) -> Iterator[Span]:
    """A span of Datadog's LLM Observability; one without a span above it has the parent `undefined`."""
    about = row["attributes"]
    kind, parent = _text(about.get("span_kind")), _text(about.get("parent_id"))
    given, made = object_of(about.get("input")), object_of(about.get("output"))
    attributes = _attributes(_DATADOG.get(kind, kind), given.get("value", given or None), made.get("value", made))
    found = [{**one, "content": one.get("text")} for one in objects_of(made.get("documents"))]
    yield Span(
        _text(about["trace_id"]), _text(about.get("span_id")), "" if parent == "undefined" else parent,
        _text(about.get("name")), _text(about.get("start_ns")), attributes | ({_FOUND: found} if found else {}),
        "error" if about.get("status") == "error" else "",
    )  # fmt: skip


# TruLens


def _trulens(row: Raw) -> Iterator[Span]:
    """The event of one span; those of one record belong together."""
    attributes = _object(row["record_attributes"])
    about = {key.removeprefix(_OURS): held for key, held in attributes.items()}
    place, record = _object(row["trace"]), _object(row.get("record"))
    kind = _text(about["span_type"])
    given = about.get(f"{kind}.input", about.get("retrieval.query_text", about.get("reranking.query_text")))
    named = _attributes(_TRULENS.get(kind, kind), given, about.get(f"{kind}.output", about.get("call.return")))
    for part in ("retrieval.retrieved_contexts", "reranking.output_context_texts"):
        if isinstance(texts := about.get(part), list):
            named[_OUTPUT] = texts
    failed = record.get("status") in _FAILED
    yield Span(
        _text(about.get("record_id") or place.get("trace_id")), _text(place.get("span_id")),
        _text(place.get("parent_id") or record.get("parent_span_id")), _text(record.get("name")),
        _text(row.get("start_timestamp")), named | {_MODEL: about.get("cost.model")},
        _text(about.get("call.error")) or ("error" if failed else ""), about.get("record_root.ground_truth_output"),
    )  # fmt: skip


def _object(held: Any) -> Mapping[str, Any]:
    """The object in a cell, which a table writes as text."""
    return object_of(decoded(held))


def _attributes(kind: str, given: Any, made: Any) -> dict[str, Any]:
    named = {_KIND: kind, _INPUT: given, _OUTPUT: made}
    return {name: held for name, held in named.items() if held is not None}


def _list(held: Any) -> list[Any]:
    return held if isinstance(held, list) else []


def _text(value: Any) -> str:
    return "" if value is None else str(value)
