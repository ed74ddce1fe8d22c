"""The spans in a file: OTLP requests, Phoenix and Langfuse exports, MLflow traces, and those of other tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from trace_core.datasets.notations import object_of, objects_of
from trace_core.datasets.traces.backends import BACKEND_MARKS, reader_of_backends
from trace_core.datasets.traces.runs import RUN_MARKS, is_alone, reader_of_runs
from trace_core.datasets.traces.span import Span, decoded, with_events

Raw = Mapping[str, Any]
_OTLP = ("resourceSpans", "resource_spans", "scopeSpans", "scope_spans")
_OTHERS = ("resourceLogs", "resource_logs", "resourceMetrics", "resource_metrics")
"""What a collector writes beside spans."""
_ANY_OTLP = frozenset(_OTLP)
_PHOENIX = frozenset(("span_kind", "attributes", "attributes.openinference.span.kind"))
_MARKS = _ANY_OTLP | {"trace", "info", "observations", "traceId"} | RUN_MARKS | BACKEND_MARKS
"""A row that contains spans has one of these keys, but for Phoenix's."""
_DIGITS = 25
"""A number with as many is none of OpenTelemetry's."""
_FAILED = ("ERROR", "STATUS_CODE_ERROR")


def is_carrier(row: Any) -> bool:
    """Whether a row of a file contains spans."""
    return isinstance(row, dict) and _reader(row) is not None and not is_alone(row)


def spans_of(row: Raw) -> Iterator[Span] | None:
    """The spans of a row, in their order; null where the row is something else."""
    read = _reader(row)
    if read is None:
        return iter(()) if any(key in row for key in _OTHERS) else None
    found: Iterator[Span] = read(row)
    return found


def _reader(row: Raw) -> Any:
    if place := _place(row):
        return partial(_phoenix, place)
    if _MARKS.isdisjoint(row):
        return None
    if not _ANY_OTLP.isdisjoint(row):
        return _otlp
    if _mlflow_parts(row) is not None:
        return _mlflow
    if isinstance(row.get("observations"), list) and "id" in row:
        return _langfuse_trace
    if "traceId" in row and "parentObservationId" in row and "type" in row:
        return _langfuse
    if "traceId" in row and "spanId" in row:
        return _otlp_span
    return reader_of_runs(row) or reader_of_backends(row)


# OTLP


def _otlp(row: Raw) -> Iterator[Span]:
    """Requests, or their parts; `attributes` are lists of keys with typed values."""
    for key in (*_OTLP, "spans"):
        for part in objects_of(row.get(key)):
            if key == "spans":
                yield from _otlp_span(part)
            else:
                yield from _otlp(part)


def _otlp_span(span: Raw) -> Iterator[Span]:
    events = [_attributes(event.get("attributes")) for event in objects_of(span.get("events"))]
    attributes = with_events(_attributes(span.get("attributes")), events)
    status = object_of(span.get("status"))
    failed = status.get("code") in (2, "STATUS_CODE_ERROR")
    yield Span(
        _text(span.get("traceId")), _text(span.get("spanId")), _text(span.get("parentSpanId")),
        _text(span.get("name")), _text(span.get("startTimeUnixNano")), attributes,
        (_text(status.get("message")) or "error") if failed else "",
    )  # fmt: skip


def _attributes(listed: Any) -> dict[str, Any]:
    if isinstance(listed, dict):
        return dict(listed)
    return {str(one["key"]): _value(one.get("value")) for one in objects_of(listed) if "key" in one}


def _value(value: Any) -> Any:
    """A typed value as a plain one; what is not typed as OpenTelemetry says, unchanged."""
    kind, held = next(iter(value.items()), ("", None)) if isinstance(value, dict) else ("", value)
    if kind == "intValue" and isinstance(held, str) and len(held) < _DIGITS and held.removeprefix("-").isdecimal():
        return int(held)
    if kind == "arrayValue" and isinstance(held, dict):
        return [_value(each) for each in objects_of(held.get("values"))]
    if kind == "kvlistValue" and isinstance(held, dict):
        return _attributes(held.get("values"))
    return held


# Phoenix


def _place(row: Raw) -> tuple[str, str] | None:
    """The ids of trace and span: under `context`, or beside it in a table."""
    if _PHOENIX.isdisjoint(row):
        return None
    context = row.get("context")
    if isinstance(context, dict) and "trace_id" in context and "span_id" in context:
        return str(context["trace_id"]), str(context["span_id"])
    if "context.trace_id" in row and "context.span_id" in row:
        return str(row["context.trace_id"]), str(row["context.span_id"])
    if "trace_id" in row and "span_id" in row:
        return str(row["trace_id"]), str(row["span_id"])
    return None


def _phoenix(place: tuple[str, str], row: Raw) -> Iterator[Span]:
    trace, span = place
    attributes = held if isinstance(held := row.get("attributes"), dict) else _attributes(held)
    beside = {key[11:]: held for key, held in row.items() if key.startswith("attributes.") and held is not None}
    if kind := row.get("span_kind"):
        beside.setdefault("openinference.span.kind", attributes.get("openinference.span.kind", kind))
    if beside:
        attributes = {**attributes, **beside}
    failed = row.get("status_code") in _FAILED
    parent = row.get("parent_id") or row.get("parent_span_id")
    yield Span(
        trace, span, _text(parent), _text(row.get("name")), _text(row.get("start_time")), attributes,
        (_text(row.get("status_message")) or "error") if failed else "",
    )  # fmt: skip


# Langfuse


def _langfuse_trace(row: Raw) -> Iterator[Span]:
    """A trace with its observations; the trace's own input and output form the top span."""
    attributes = _of_langfuse(row) | {"langfuse.observation.type": "span"}
    if row.get("sessionId"):
        attributes["session.id"] = row["sessionId"]
    top = str(row["id"])
    yield Span(top, top, "", _text(row.get("name")), _text(row.get("timestamp")), attributes)
    for observation in row["observations"]:
        if isinstance(observation, dict):
            yield from _langfuse({**observation, "traceId": top}, top)


def _langfuse(row: Raw, top: str = "") -> Iterator[Span]:
    failed = row.get("level") == "ERROR"
    attributes = _of_langfuse(row)
    if row.get("sessionId"):
        attributes["session.id"] = row["sessionId"]
    yield Span(
        str(row["traceId"]), _text(row.get("id")), _text(row.get("parentObservationId")) or top,
        _text(row.get("name")), _text(row.get("startTime")), attributes,
        (_text(row.get("statusMessage")) or "error") if failed else "",
    )  # fmt: skip


def _of_langfuse(row: Raw) -> dict[str, Any]:
    said = {part: row.get(part) for part in ("type", "input", "output", "metadata")}
    attributes = {f"langfuse.observation.{part}": held for part, held in said.items() if held is not None}
    if model := row.get("model") or row.get("providedModelName"):
        attributes["langfuse.observation.model.name"] = model
    return attributes


# MLflow


def _mlflow_parts(row: Raw) -> tuple[Raw, list[Raw]] | None:
    """A trace's information and spans: an object, or the cell `trace` of a table."""
    if isinstance(row.get("trace"), str) and "trace_metadata" in row:
        row = decoded(row["trace"])
    if not isinstance(row, dict):
        return None
    info, data = row.get("info"), row.get("data")
    if isinstance(info, dict) and isinstance(data, dict) and isinstance(data.get("spans"), list):
        return info, data["spans"]
    return None


def _mlflow(row: Raw) -> Iterator[Span]:
    info, spans = _mlflow_parts(row) or ({}, [])
    trace = _text(info.get("trace_id") or info.get("request_id"))
    about = object_of(info.get("trace_metadata") or info.get("request_metadata"))
    reference = _expected(info.get("assessments"))
    for span in objects_of(spans):
        context, status = object_of(span.get("context")), object_of(span.get("status"))
        code, message = status.get("code", span.get("status_code")), status.get("message", span.get("status_message"))
        attributes = dict(object_of(span.get("attributes")))
        if about.get("mlflow.trace.session"):
            attributes["session.id"] = about["mlflow.trace.session"]
        yield Span(
            trace, _text(span.get("span_id") or context.get("span_id")),
            _text(span.get("parent_span_id") or span.get("parent_id")), _text(span.get("name")),
            _text(span.get("start_time_unix_nano") or span.get("start_time")), attributes,
            (_text(message) or "error") if code in _FAILED else "", reference,
        )  # fmt: skip


def _expected(assessments: Any) -> Any:
    """The answer that people expected."""
    for one in objects_of(assessments):
        if one.get("assessment_name") in ("expected_response", "expected_answer"):
            return object_of(one.get("expectation")).get("value")
    return None


def _text(value: Any) -> str:
    return "" if value is None else str(value)
