"""Langfuse: traces with their observations, and observations alone, as its page and its API export them."""

from __future__ import annotations

from collections.abc import Iterator

from trace_core.datasets.adapters.base import objects
from trace_core.datasets.traces.span import Raw, Span, error_of, text_of, without_null


def is_of(row: Raw) -> bool:
    """Whether the row is a trace, or an observation."""
    whole = isinstance(row.get("observations"), list) and "id" in row
    return whole or {"traceId", "parentObservationId", "type"} <= row.keys()


def spans(row: Raw) -> Iterator[Span]:
    """The spans of a trace, whose own input and output are the top span; or the observation."""
    if "observations" not in row:
        yield _span(row, "")
        return
    top = text_of(row["id"])
    yield _span({**row, "traceId": top, "type": "span", "startTime": row.get("timestamp")}, "")
    for observation in objects(row["observations"]):
        yield _span({**observation, "traceId": top}, top)


def _span(row: Raw, top: str) -> Span:
    attributes = without_null(
        langfuse__observation__type=row.get("type"), langfuse__observation__input=row.get("input"),
        langfuse__observation__output=row.get("output"), session__id=row.get("sessionId"),
        langfuse__observation__model__name=row.get("model") or row.get("providedModelName"),
    )  # fmt: skip
    return Span(
        text_of(row["traceId"]), text_of(row.get("id")), text_of(row.get("parentObservationId")) or top,
        text_of(row.get("name")), text_of(row.get("startTime")), attributes,
        error_of(row.get("level") == "ERROR", row.get("statusMessage")),
    )  # fmt: skip
