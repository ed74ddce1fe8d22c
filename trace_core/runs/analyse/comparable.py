"""Runs read for comparing, from a file or the store: only the parts of records that comparing needs, no texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from trace_core.diagnosis.over_run import RunDiagnosis, over_run
from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.corrections import is_checked
from trace_core.facts.records import Record
from trace_core.runs.files.exported import Exported, from_file, from_store
from trace_core.runs.files.reader import open_run
from trace_core.runs.files.schema import SCHEMA

if TYPE_CHECKING:
    from trace_core.store.runs import RunStore


def run_of_file(path: Path, convention: str | None = None) -> dict[str, Any]:
    """The run of a run file, under another convention if given. Raises `InputError` where the file is wrong."""
    return comparable(from_file(open_run(path)), convention)


def run_of(store: RunStore, run_id: str, convention: str | None = None) -> dict[str, Any]:
    """A stored run, corrections applied, under another convention if given. Raises `UnknownRun`."""
    return comparable(from_store(store, run_id), convention)


def comparable(run: Exported, convention: str | None = None) -> dict[str, Any]:
    """The parts of the run that comparing needs, under another convention if given."""
    head, records = run.run, run.read()
    if convention:
        head = head | {"config": head["config"] | {"convention": convention}}
        records = (rescore(record, convention, run.divisor) for record in records)
    lines = [_line(record) for record in records]
    return {"schema": SCHEMA, "run": head, "diagnosis": diagnosis_of(run, convention).text, "records": lines}


def diagnosis_of(run: Exported, convention: str | None = None) -> RunDiagnosis:
    """The run's main problems, under its own convention if none is given."""
    columns = run.numbers()
    scores = columns.score(convention or run.convention, run.divisor, as_stored=convention is None)
    return over_run(columns.findings(scores), scores.values["adherence"], int(columns.failed.sum()))


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
        "checked": is_checked(record),
    }
