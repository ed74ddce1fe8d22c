"""The run file, `trace-run/1`: strict JSON, no NaN, no secrets, one record per line."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, TextIO

from trace_core.diagnosis.faults import find
from trace_core.facts.records import Record
from trace_core.metrics import RELEVANCE_DIVISOR
from trace_core.runs.files.schema import SCHEMA
from trace_core.summary.aggregation import count_columns, summary_of
from trace_core.summary.columns import columns_of
from trace_core.summary.statistics import SEED


def run_file(
    records: Sequence[Record], name: str, *, convention: str, labeler: str, settings: dict[str, Any]
) -> dict[str, Any]:
    """Records scored under one convention → the JSON of a run, with their findings."""
    divisor = settings.get("relevance_divisor", RELEVANCE_DIVISOR)
    columns = columns_of(records)
    scores = columns.score(convention, divisor, as_stored=True)
    records = [
        record.model_copy(update={"findings": find(record, record.scores)}) if record.scores else record
        for record in records
    ]
    made = (record.labeler_labels for record in records)
    versions = sorted({labels.labeler_version for labels in made if labels and labels.labeler_version})
    return {
        "schema": SCHEMA,
        "run": {
            "id": uuid.uuid4().hex[:12],
            "name": name,
            "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "config": {
                "settings": settings,
                "model": versions,
                "prompt": None,
                "labeler": labeler,
                "convention": convention,
                "seed": SEED,
            },
        },
        "counts": count_columns(scores),
        "summary": summary_of(columns, scores, divisor),
        "records": [record.to_dict() for record in records],
    }


def write_run(out: TextIO, head: dict[str, Any], records: Iterable[dict[str, Any]]) -> None:
    """Write a run file: `head` is the file without `records`, which are consumed one at a time.

    The same run gives the same bytes: JSON escaped to ASCII, one record per line.
    """
    out.write("{" + ",\n".join(f"{_json(name)}: {_json(value)}" for name, value in head.items() if name != "records"))
    out.write(',\n"records": [')
    before = "\n"
    for record in records:
        out.write(before + _json(record))
        before = ",\n"
    out.write("\n]}\n")


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False)
