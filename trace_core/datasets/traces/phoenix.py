"""Phoenix: spans as its client, its API and its data frames write them, under OpenInference's names."""

from __future__ import annotations

from collections.abc import Iterator

from trace_core.datasets.adapters.base import object_of
from trace_core.datasets.traces.otlp import attributes_of
from trace_core.datasets.traces.span import FAILED, Raw, Span, error_of, text_of

_MARKS = frozenset(("span_kind", "attributes", "attributes.openinference.span.kind"))
_BESIDE = "attributes."


def is_of(row: Raw) -> bool:
    """Whether the row is a span."""
    return not _MARKS.isdisjoint(row) and _place(row) is not None


def spans(row: Raw) -> Iterator[Span]:
    """The span; a data frame has its attributes as columns."""
    trace, own = _place(row) or ("", "")
    attributes = attributes_of(row.get("attributes"))
    beside = {key[len(_BESIDE) :]: v for key, v in row.items() if key.startswith(_BESIDE) and v is not None}
    if kind := row.get("span_kind"):
        beside.setdefault("openinference.span.kind", attributes.get("openinference.span.kind", kind))
    yield Span(
        trace, own, text_of(row.get("parent_id") or row.get("parent_span_id")), text_of(row.get("name")),
        text_of(row.get("start_time")), {**attributes, **beside} if beside else attributes,
        error_of(row.get("status_code") in FAILED, row.get("status_message")),
    )  # fmt: skip


def _place(row: Raw) -> tuple[str, str] | None:
    """The ids of trace and span: under `context`, or beside it."""
    context = object_of(row.get("context"))
    for trace, span, held in (("trace_id", "span_id", context), ("context.trace_id", "context.span_id", row),
                              ("trace_id", "span_id", row)):  # fmt: skip
        if trace in held and span in held:
            return text_of(held[trace]), text_of(held[span])
    return None
