"""OpenTelemetry's protocol as JSON (OTLP): requests, or single spans, as exporters and the Collector write them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import object_of, objects
from trace_core.datasets.traces.span import FAILED, Raw, Span, error_of, text_of

_PARTS = ("resourceSpans", "resource_spans", "scopeSpans", "scope_spans")
BESIDE = ("resourceLogs", "resource_logs", "resourceMetrics", "resource_metrics")
"""What a collector writes beside spans."""
_DIGITS = 25
"""A number with as many is none of OpenTelemetry's."""


def is_of(row: Raw) -> bool:
    """Whether the row is a request, or a span."""
    return any(part in row for part in _PARTS) or ("traceId" in row and "spanId" in row)


def spans(row: Raw) -> Iterator[Span]:
    """The spans of a request or one of its parts, or the span."""
    if "spanId" in row:
        yield _span(row)
    for part in _PARTS:
        for inner in objects(row.get(part)):
            yield from spans(inner)
    for span in objects(row.get("spans")):
        yield _span(span)


def _span(span: Raw) -> Span:
    merged: dict[str, Any] = {}
    for event in reversed(objects(span.get("events"))):
        merged |= attributes_of(event.get("attributes"))
    status = object_of(span.get("status"))
    return Span(
        text_of(span.get("traceId")), text_of(span.get("spanId")), text_of(span.get("parentSpanId")),
        text_of(span.get("name")), text_of(span.get("startTimeUnixNano")),
        merged | attributes_of(span.get("attributes")), error_of(status.get("code") in FAILED, status.get("message")),
    )  # fmt: skip


def attributes_of(listed: Any) -> dict[str, Any]:
    """Attributes as plain values, from a list of keys with typed values."""
    if isinstance(listed, dict):
        return listed
    return {str(one["key"]): _value(one.get("value")) for one in objects(listed) if "key" in one}


def _value(value: Any) -> Any:
    kind, held = next(iter(value.items()), ("", None)) if isinstance(value, dict) else ("", value)
    if kind == "intValue" and isinstance(held, str) and len(held) < _DIGITS and held.removeprefix("-").isdecimal():
        return int(held)
    if kind == "arrayValue" and isinstance(held, dict):
        return [_value(each) for each in objects(held.get("values"))]
    if kind == "kvlistValue" and isinstance(held, dict):
        return attributes_of(held.get("values"))
    return held
