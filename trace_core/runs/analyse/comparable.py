"""Runs read for comparing, from a file or the store: as much of their records as comparing needs, no texts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trace_core.facts.records import Record
from trace_core.rescoring import relevance_divisor, rescore
from trace_core.runs.files.reader import open_run
from trace_core.runs.files.schema import SCHEMA

if TYPE_CHECKING:
    from trace_core.store.runs import RunStore


def run_of_file(path: Path, convention: str | None = None) -> dict[str, Any]:
    """A run file's run, under another convention where one is given. Raises `InputError` where the file is wrong."""
    source = open_run(path)
    return _comparable(source.block, source.records(), convention)


def run_of(store: RunStore, run_id: str, convention: str | None = None) -> dict[str, Any]:
    """A run of the store, corrections counted, under another convention where one is given. Raises `UnknownRun`."""
    found = store.load_run(run_id)
    head = {"id": found.id, "name": found.name, "created_at": found.created_at, "config": found.config}
    return _comparable(head, store.records(run_id), convention)


def _comparable(head: dict[str, Any], records: Iterable[Record], convention: str | None) -> dict[str, Any]:
    if convention:
        divisor = relevance_divisor(head["config"])
        head = head | {"config": head["config"] | {"convention": convention}}
        records = (rescore(record, convention, divisor) for record in records)
    return {"schema": SCHEMA, "run": head, "records": [_line(record) for record in records]}


def _line(record: Record) -> dict[str, Any]:
    made = record.labeler_labels
    return {
        "id": record.id,
        "source_id": record.source_id,
        "question": record.question,
        "generation_model_name": record.generation_model_name,
        "scores": record.scores.to_dict() if record.scores else None,
        "labels": {"labeler": made.labeler, "labeler_version": made.labeler_version} if made else None,
        "retrieval": {"collection": record.retrieval.collection} if record.retrieval else None,
    }
