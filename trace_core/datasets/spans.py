"""A row of a tool's file → its spans in one form: their place in a trace, and attributes under declared names."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from trace_core.datasets.cells import json_value, open_or_none
from trace_core.datasets.documents import first_of, object_of, objects
from trace_core.datasets.names import NAMES

Raw = Mapping[str, Any]
_PARTS = {
    "trace": ("trace_id", "traceId", "context.trace_id"),
    "id": ("span_id", "spanId", "context.span_id", "id"),
    "parent": ("parent_id", "parent_span_id", "parentSpanId", "parentObservationId", "parent_run_id"),
    "start": ("start_time", "startTime", "startTimeUnixNano", "start_time_unix_nano", "timestamp"),
}
"""A span's place → the names that tools give its parts, also in the object `context`."""
_ERRORS = (2, "ERROR", "STATUS_CODE_ERROR")
_REQUESTS = ("resourceSpans", "resource_spans", "scopeSpans", "scope_spans")
_COLUMN = "attributes."
_KIND = "openinference.span.kind"
_MARKS = frozenset(("span_kind", "attributes", f"{_COLUMN}{_KIND}"))
_EVENT = re.compile(r"gen_ai\.(?:choice|(?P<role>user|assistant|tool)\.message)")
_LANGSMITH = {"run_type": "langfuse.observation.type", "inputs": "input.value", "outputs": "output.value"}
_REFERENCES = ("expected_response", "expected_answer")


class Span(NamedTuple):
    """`start` sorts by time within a file; `error` is empty unless it failed; `reference` is the expected answer."""

    trace: str
    name: str
    id: str
    parent: str
    start: str
    attributes: Raw
    error: str
    reference: Any


def spans_of(row: Raw) -> Iterable[Span] | None:
    """The spans of a row, in their order; null where the row is something else."""
    return next((read(row) for is_of, read in _TOOLS if is_of(row)), None)


def is_carrier(row: Any) -> bool:
    """Whether a file with this row is a file of traces. A LangSmith run alone is a row of its own."""
    if not isinstance(row, dict) or ("run_type" in row and not (row.get("child_runs") or row.get("parent_run_id"))):
        return False
    return any(is_of(row) for is_of, _ in _TOOLS)


def decode(value: Any) -> Any:
    """A text that is JSON, or a list or an object printed by Python, decoded; any other value unchanged."""
    if not isinstance(value, str) or value[:1] not in ("{", "[", '"'):
        return value
    try:
        return json_value(value)
    except (ValueError, RecursionError):
        return open_or_none(value) or value


def _span(row: Raw, attributes: Raw, reference: Any = None, **places: str) -> Span:
    flat = {**row, **object_of(row.get("context")), **object_of(row.get("status"))}
    trace, own, parent, start = (places.get(part) or _text(flat, names) for part, names in _PARTS.items())
    error = ""
    if flat.get("error") or any(flat.get(name) in _ERRORS for name in ("code", "status_code", "level")):
        error = _text(flat, ("message", "status_message", "statusMessage", "error")) or "error"
    # A time with fractions of a second sorts after the same one without them only if neither ends in Z.
    return Span(trace, str(row.get("name") or ""), own, parent, start.removesuffix("Z"), attributes, error, reference)


def _text(row: Raw, names: Iterable[str]) -> str:
    return next((str(value) for name in names if (value := row.get(name)) not in (None, "")), "")


def _phoenix(row: Raw) -> Iterator[Span]:
    """A data frame has its attributes as columns."""
    columns = {key[len(_COLUMN) :]: value for key, value in row.items() if key.startswith(_COLUMN) and value}
    kind = {_KIND: row["span_kind"]} if row.get("span_kind") else {}
    yield _span(row, {**kind, **_attributes(row.get("attributes")), **columns})


def _is_phoenix(row: Raw) -> bool:
    has_id = "span_id" in row or "context.span_id" in row or "span_id" in object_of(row.get("context"))
    return has_id and not _MARKS.isdisjoint(row)


def _otlp(row: Raw) -> Iterator[Span]:
    """The spans of a request or of a part of it, or the span. Attributes of events count as the span's."""
    for part in _REQUESTS:
        for inner in objects(row.get(part)):
            yield from _otlp(inner)
    for span in [row] if "spanId" in row else objects(row.get("spans")):
        events = objects(span.get("events"))
        of_events = {k: v for event in reversed(events) for k, v in _attributes(event.get("attributes")).items()}
        yield _span(span, of_events | _messages_in(events) | _attributes(span.get("attributes")))


def _messages_in(events: Iterable[Raw]) -> dict[str, Any]:
    """The messages in events of their own, as OpenTelemetry GenAI had them before 1.37."""
    lists: defaultdict[str, list[Any]] = defaultdict(list)
    for event in events:
        kind, about = _EVENT.fullmatch(str(event.get("name"))), _attributes(event.get("attributes"))
        about = about | object_of(decode(about.get("gen_ai.event.content")))
        if kind and kind["role"]:
            lists["gen_ai.input.messages"].append({"role": kind["role"], "content": about.get("content")})
        elif kind:
            reply = object_of(decode(about.get("message"))) or about
            lists["gen_ai.output.messages"].append({"role": "assistant"} | reply)
    return lists


def _attributes(pairs: Any) -> dict[str, Any]:
    if isinstance(pairs, dict):
        return pairs
    return {str(one["key"]): _value(one.get("value")) for one in objects(pairs) if "key" in one}


def _value(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    kind, inner = next(iter(value.items()), ("", None))
    values = object_of(inner).get("values")
    if kind == "arrayValue":
        return [_value(one) for one in objects(values)]
    return _attributes(values) if kind == "kvlistValue" else inner


def _mlflow(row: Raw) -> Iterator[Span]:
    """A trace as the API returns it, or the cell `trace` of a table."""
    whole = _mlflow_trace(row)
    info = object_of(whole["info"])
    session = object_of(info.get("trace_metadata") or info.get("request_metadata")).get("mlflow.trace.session")
    assessments = (one for one in objects(info.get("assessments")) if one.get("assessment_name") in _REFERENCES)
    reference = next((object_of(one.get("expectation")).get("value") for one in assessments), None)
    for span in objects(whole["data"]["spans"]):
        attributes = object_of(span.get("attributes")) | ({"session.id": session} if session else {})
        yield _span(span, attributes, reference, trace=_text(info, ("trace_id", "request_id")))


def _mlflow_trace(row: Raw) -> dict[str, Any]:
    whole = object_of(decode(row["trace"]) if {"trace_metadata", "trace"} <= row.keys() else row)
    return whole if isinstance(object_of(whole.get("data")).get("spans"), list) and "info" in whole else {}


def _langfuse(row: Raw) -> Iterator[Span]:
    """A trace, whose own input and output are the top span, with its observations; or one observation."""
    top = str(row["id"]) if "observations" in row else ""
    for one in [{**row, "type": "span"}, *objects(row["observations"])] if top else [row]:
        attributes = {
            "langfuse.observation.type": one.get("type"),
            "langfuse.observation.input": one.get("input"),
            "langfuse.observation.output": one.get("output"),
            "session.id": one.get("sessionId"),
            "langfuse.observation.model.name": one.get("model") or one.get("providedModelName"),
        }
        yield _span(one, attributes, trace=top, parent=str(one.get("parentObservationId") or top))


def _langsmith(run: Raw, trace: str = "", parent: str = "") -> Iterator[Span]:
    trace = trace or _text(run, ("trace_id", "id"))
    attributes = {ours: run.get(theirs) for theirs, ours in _LANGSMITH.items()}
    names = (*NAMES["reference_answer"], *NAMES["response"])
    reference = first_of(object_of(run.get("reference_outputs")), names, str)
    yield _span(run, attributes, reference, trace=trace, parent=parent)
    for child in objects(run.get("child_runs")):
        yield from _langsmith(child, trace, str(run.get("id")))


_TOOLS: tuple[tuple[Callable[[Raw], bool], Callable[[Raw], Iterable[Span]]], ...] = (
    (_is_phoenix, _phoenix),
    (lambda row: any(part in row for part in _REQUESTS) or {"traceId", "spanId"} <= row.keys(), _otlp),
    (lambda row: bool(_mlflow_trace(row)), _mlflow),
    (lambda row: {"observations", "id"} <= row.keys() or {"traceId", "parentObservationId"} <= row.keys(), _langfuse),
    (lambda row: "run_type" in row and "inputs" in row, _langsmith),
)
"""How a tool's rows are known, and read."""
