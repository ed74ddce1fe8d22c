"""The runs of experiment trackers as spans: LangSmith's, Braintrust's, Weave's and Galileo's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from zlib import crc32

from trace_core.datasets.notations import objects_of
from trace_core.datasets.traces.span import Span

Raw = Mapping[str, Any]
RUN_MARKS = frozenset(("run_type", "root_span_id", "op_name", "type"))
"""A run has one of these keys."""
_KIND = "langfuse.observation.type"
_INPUT, _OUTPUT, _MODEL = "input.value", "output.value", "llm.model_name"
_BRAINTRUST = {"llm": "llm", "score": "evaluator", "tool": "tool", "scorer": "evaluator"}
_GALILEO = {"trace": None, "workflow": None, "agent": "agent", "llm": "llm", "retriever": "retriever", "tool": "tool",
            "control": "guardrail"}  # fmt: skip
_DEEPEST = 20
_FAILED = 400
"""The least status code of a failure."""


def reader_of_runs(row: Raw) -> Callable[[Raw], Iterator[Span]] | None:
    """How to read the row's spans; null where no such tracker wrote it."""
    if "run_type" in row and "inputs" in row and ("child_runs" in row or "parent_run_id" in row):
        return _langsmith
    if "root_span_id" in row and "span_id" in row and isinstance(row.get("span_attributes"), dict):
        return _braintrust
    if "op_name" in row and "trace_id" in row and "inputs" in row:
        return _weave
    return _reader_of_galileo(row)


def _reader_of_galileo(row: Raw) -> Callable[[Raw], Iterator[Span]] | None:
    kind = row.get("type")
    if kind == "session" and isinstance(row.get("traces"), list):
        return _galileo_session
    if kind == "trace" and isinstance(row.get("spans"), list):
        return _galileo
    exported = isinstance(kind, str) and kind in _GALILEO and {"trace_id", "parent_id", "input"} <= row.keys()
    return _galileo if exported else None


def is_alone(row: Raw) -> bool:
    """Whether the run has no other above or below it, so that it is a row rather than a step."""
    if row.get("child_runs") or row.get("parent_run_id") or "run_type" not in row:
        return False
    return reader_of_runs(row) is _langsmith


def _langsmith(row: Raw) -> Iterator[Span]:
    yield from _nested(row, str(row.get("trace_id") or row.get("id") or ""), _text(row.get("parent_run_id")), 0)


def _nested(run: Raw, trace: str, parent: str, depth: int) -> Iterator[Span]:
    own = _text(run.get("id"))
    about = _attributes(run.get("run_type"), run.get("inputs"), run.get("outputs"))
    expected = run.get("reference_outputs")
    yield Span(
        trace, own, parent, _text(run.get("name")), _text(run.get("start_time")), about, _text(run.get("error")),
        _right(expected),
    )  # fmt: skip
    for place, child in enumerate(objects_of(run.get("child_runs"))):
        if depth < _DEEPEST:
            started = child.get("start_time") or f"{run.get('start_time') or ''}#{place:04}"  # in their order
            yield from _nested({**child, "start_time": started}, trace, own, depth + 1)


def _braintrust(row: Raw) -> Iterator[Span]:
    about = row["span_attributes"]
    parents = held if isinstance(held := row.get("span_parents"), list) else []
    attributes = _attributes(_BRAINTRUST.get(_text(about.get("type"))), row.get("input"), row.get("output"))
    if isinstance(meta := row.get("metadata"), dict) and meta.get("model"):
        attributes[_MODEL] = meta["model"]
    yield Span(
        _text(row["root_span_id"]), _text(row["span_id"]), _text(parents[0] if parents else ""),
        _text(about.get("name")), _text(row.get("created")), attributes, _text(row.get("error")), row.get("expected"),
    )  # fmt: skip


def _weave(row: Raw) -> Iterator[Span]:
    """A call; that of one example in an evaluation has the example as its input, and scores beside the output."""
    name = str(row["op_name"]).rpartition("/op/")[2].partition(":")[0]
    given, made = row.get("inputs"), row.get("output")
    example = given.get("example") if isinstance(given, dict) else None
    if isinstance(made, dict) and {"output", "scores"} <= made.keys():
        made = made["output"]
    yield Span(
        _text(row["trace_id"]), _text(row.get("id")), _text(row.get("parent_id")), name, _text(row.get("started_at")),
        _attributes(None, example or given, made), _text(row.get("exception")), _right(example),
    )  # fmt: skip


def _galileo_session(row: Raw) -> Iterator[Span]:
    """The traces of a session, which is one conversation."""
    session = _text(row.get("id")) or f"{crc32(repr(row).encode()):08x}"
    for place, trace in enumerate(objects_of(row["traces"])):
        named = {"id": f"{session}-{place}", "session_id": session}
        yield from _galileo({**named, **{key: held for key, held in trace.items() if held is not None}})


def _galileo(row: Raw) -> Iterator[Span]:
    """A span with those within it, or a trace; only what Galileo has stored has ids."""
    own = _text(row.get("id"))
    yield from _stepped(row, _text(row.get("trace_id")) or own, own, _text(row.get("parent_id")), 0)


def _stepped(row: Raw, trace: str, own: str, parent: str, depth: int) -> Iterator[Span]:
    start, code = _text(row.get("created_at")), row.get("status_code")
    about = _attributes(_GALILEO.get(_text(row.get("type"))), row.get("input"), row.get("output"))
    named = {_MODEL: row.get("model"), "session.id": row.get("session_id")}
    yield Span(
        trace, own, parent, _text(row.get("name")), start, about | {key: held for key, held in named.items() if held},
        f"status {code}" if isinstance(code, int) and code >= _FAILED else "", row.get("dataset_output"),
    )  # fmt: skip
    for place, child in enumerate(objects_of(row.get("spans"))):
        if depth < _DEEPEST:
            inside = {**child, "created_at": f"{start}#{place:04}"}  # in their order
            yield from _stepped(inside, trace, _text(child.get("id")) or f"{own}/{place}", own, depth + 1)


def _attributes(kind: Any, given: Any, made: Any) -> dict[str, Any]:
    named = {_KIND: kind, _INPUT: given, _OUTPUT: made}
    return {name: held for name, held in named.items() if held is not None}


def _right(held: Any) -> Any:
    """The right answer in an example or a reference."""
    if not isinstance(held, dict):
        return held
    names = ("expected", "expected_output", "reference", "reference_answer", "answer", "output", "target")
    return next((held[name] for name in names if held.get(name) is not None), None)


def _text(value: Any) -> str:
    return "" if value is None else str(value)
