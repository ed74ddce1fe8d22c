"""MLflow: traces as its API returns them, and the tables that `search_traces` gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import object_of, objects
from trace_core.datasets.traces.span import FAILED, Raw, Span, decoded, error_of, text_of


def is_of(row: Raw) -> bool:
    """Whether the row is a trace."""
    return bool(_parts(row))


def spans(row: Raw) -> Iterator[Span]:
    """The spans of a trace."""
    info, listed = _parts(row) or ({}, [])
    about = object_of(info.get("trace_metadata") or info.get("request_metadata"))
    reference = _expected(info.get("assessments"))
    for span in listed:
        context, status = object_of(span.get("context")), object_of(span.get("status"))
        code, message = status.get("code", span.get("status_code")), status.get("message", span.get("status_message"))
        session = about.get("mlflow.trace.session")
        yield Span(
            text_of(info.get("trace_id") or info.get("request_id")),
            text_of(span.get("span_id") or context.get("span_id")),
            text_of(span.get("parent_span_id") or span.get("parent_id")), text_of(span.get("name")),
            text_of(span.get("start_time_unix_nano") or span.get("start_time")),
            {**object_of(span.get("attributes")), **({"session.id": session} if session else {})},
            error_of(code in FAILED, message), reference,
        )  # fmt: skip


def _parts(row: Raw) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
    """A trace's information and spans: an object, or the cell `trace` of a table."""
    held = decoded(row["trace"]) if isinstance(row.get("trace"), str) and "trace_metadata" in row else row
    data = object_of(object_of(held).get("data")) if isinstance(held, dict) else {}
    known = isinstance(data.get("spans"), list) and isinstance(held.get("info"), dict)
    return (held["info"], objects(data["spans"])) if known else None


def _expected(assessments: Any) -> Any:
    """The answer that people expected."""
    named = (
        one for one in objects(assessments) if one.get("assessment_name") in ("expected_response", "expected_answer")
    )
    return next((object_of(one.get("expectation")).get("value") for one in named), None)
