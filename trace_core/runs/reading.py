"""Runs read for comparing, from a file or the store: what is compared is checked, the rest when it is looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from trace_core.errors import InputError
from trace_core.evaluation import rescore
from trace_core.metrics import RELEVANCE_DIVISOR
from trace_core.records import Record
from trace_core.runs.reviewed import reviewed_records
from trace_core.runs.schema import SCHEMA

if TYPE_CHECKING:
    from trace_core.store.runs import RunStore


def read_run(path: Path) -> dict[str, Any]:
    """A run file as it is. Raises `InputError` for what is no `trace-run/1`."""
    try:
        run = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
    except OSError as error:
        raise InputError(f"The file cannot be read ({error.strerror}).", "Name a run file.", file=str(path)) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"It is no strict JSON ({error}).", "Name a run file.", file=str(path)) from error
    schema = run.get("schema") if isinstance(run, dict) else None
    if schema != SCHEMA:
        shown = "none" if schema is None else repr(schema)[:60]
        raise InputError(
            f"It is no run file of a known version (schema: {shown}).", f"Expected {SCHEMA}.", file=str(path)
        )
    _check(run, path)
    return dict(run)


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number")


class _Config(BaseModel):
    settings: dict[str, Any] = {}


class _Head(BaseModel):
    config: _Config


class _Scores(BaseModel):
    context_relevance: float | None
    context_utilization: float | None
    completeness: float | None
    adherence: float | None
    rmse_aggregation: float | None
    convention: str


class _Kept(BaseModel):
    """What comparing needs of a record; its labels and texts are checked when they are looked at."""

    id: str
    question: str
    source_id: str | None = None
    generation_model_name: str | None = None
    scores: _Scores | None
    labels: dict[str, Any] | None = None
    retrieval: dict[str, Any] | None = None


class _File(BaseModel):
    run: _Head
    records: list[_Kept]


def _check(run: object, path: Path) -> None:
    try:
        _File.model_validate(run)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        hint = "Write the file with `score` or `export`."
        raise InputError(f"{first['msg']}.", hint, file=str(path), field=place) from None


def under_convention(run: dict[str, Any], convention: str) -> dict[str, Any]:
    """The same run, scored from its labels under another convention."""
    divisor = run["run"]["config"].get("settings", {}).get("relevance_divisor", RELEVANCE_DIVISOR)
    records = [rescore(Record.model_validate(record), convention, divisor).to_dict() for record in run["records"]]
    config = run["run"]["config"] | {"convention": convention}
    return run | {"run": run["run"] | {"config": config}, "records": records}


def run_of(store: RunStore, run_id: str, convention: str | None = None) -> dict[str, Any]:
    """A run of the store with as much of its records as comparing needs, overrides counted; no texts.

    Under another convention where one is given. Raises `UnknownRun`.
    """
    found = store.load_run(run_id)
    config = found.config | ({"convention": convention} if convention else {})
    divisor = (config.get("settings") or {}).get("relevance_divisor", RELEVANCE_DIVISOR)
    records = reviewed_records(store, run_id)
    if convention:
        records = (rescore(record, convention, divisor) for record in records)
    head = {"id": found.id, "name": found.name, "created_at": found.created_at, "config": config}
    return {"schema": SCHEMA, "run": head, "records": [_line(record) for record in records]}


def _line(record: Record) -> dict[str, Any]:
    made = record.labels
    return {
        "id": record.id,
        "source_id": record.source_id,
        "question": record.question,
        "generation_model_name": record.generation_model_name,
        "scores": record.scores.to_dict() if record.scores else None,
        "labels": {"labeler": made.labeler, "labeler_version": made.labeler_version} if made else None,
        "retrieval": {"collection": record.retrieval.collection} if record.retrieval else None,
    }
