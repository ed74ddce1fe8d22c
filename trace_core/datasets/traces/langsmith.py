"""LangSmith: runs with the runs below them, nested or each on a line. A run alone is a row and no trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import object_of, objects
from trace_core.datasets.names import NAMES, ranks
from trace_core.datasets.traces.span import Raw, Span, text_of, without_null

_DEEPEST = 20


def is_of(row: Raw) -> bool:
    """Whether the row is a run with others above or below it."""
    return "run_type" in row and "inputs" in row and bool(row.get("child_runs") or row.get("parent_run_id"))


def is_part(row: Raw) -> bool:
    """Whether the row is any run: the top one of a trace may come alone on its line."""
    return {"run_type", "inputs", "trace_id"} <= row.keys()


def spans(row: Raw) -> Iterator[Span]:
    """The run and those below it."""
    return _nested(row, text_of(row.get("trace_id") or row.get("id")), text_of(row.get("parent_run_id")), 0)


def _nested(run: Raw, trace: str, parent: str, depth: int) -> Iterator[Span]:
    attributes = without_null(
        langfuse__observation__type=run.get("run_type"),
        input__value=run.get("inputs"),
        output__value=run.get("outputs"),
    )
    own = text_of(run.get("id"))
    yield Span(
        trace, own, parent, text_of(run.get("name")), text_of(run.get("start_time")), attributes,
        text_of(run.get("error")), _reference(run.get("reference_outputs")),
    )  # fmt: skip
    for place, child in enumerate(objects(run.get("child_runs")) if depth < _DEEPEST else []):
        start = child.get("start_time") or f"{run.get('start_time') or ''}#{place:04}"  # in their order
        yield from _nested({**child, "start_time": start}, trace, own, depth + 1)


def _reference(held: Any) -> Any:
    if not isinstance(held, dict):
        return held
    return next(
        (v for k, v in object_of(held).items() if k in NAMES["response"] or ranks(k, "reference_answer") is not None),
        None,
    )
