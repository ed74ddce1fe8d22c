"""The tables, each declared once: statements and the database itself are made from these declarations. Whole records
and labels are JSON. The counts behind every score have columns of their own."""

from functools import partial
from typing import Any

from sqlalchemy import Column, Double, Index, Integer, MetaData, Table, Text
from sqlalchemy.types import TypeEngine

from trace_core.summary.columns import NUMBERS, TEXTS, TRUTH_NUMBERS

METADATA = MetaData()
VERSION, OLDEST = 13, 8
"""The version of the declarations, and the oldest one that is led to it: the columns that it lacks are added."""
FORMER_NAMES = {
    f"sentence_{kind}_{new}": f"sentence_{kind}_{old}"
    for kind in ("relevant", "utilized", "supported")
    for old, new in (("said", "labels"), ("true", "truth"))
}
"""Column → its name in earlier versions."""


def _columns(kind: type[TypeEngine[Any]], *names: str, **options: Any) -> list[Column[Any]]:
    return [Column(name, kind, **options) for name in names]


_keys, _texts = partial(_columns, Text, primary_key=True), partial(_columns, Text, nullable=False)
_optional, _numbers = partial(_columns, Text), partial(_columns, Double)
_integers = partial(_columns, Integer, nullable=False)
DATASETS = Table(
    "datasets",
    METADATA,
    *_keys("id"),
    *_texts("name", "created_at", "counts"),
    *_integers("total"),
    *_optional("digest"),
)
DATASET_ROWS = Table(
    "dataset_rows",
    METADATA,
    *_keys("dataset_id"),
    *_integers("position", primary_key=True),
    *_texts("record_id", "body"),
)
RUNS = Table(
    "runs",
    METADATA,
    *_keys("id"),
    *_texts("name", "note", "created_at", "status", "reason", "config", "usage"),
    *_optional("dataset_id", "digest", "owner"),
    *_numbers("heartbeat"),
    *_integers("total", "revision"),
)
RECORDS = Table(
    "records",
    METADATA,
    *_keys("run_id", "id"),
    *_integers("position"),
    *_texts("status", "question", "search"),
    *_optional(*(name for name in TEXTS if name not in ("id", "status")), "fields"),
    *_numbers(*NUMBERS),
    Index("records_by_position", "run_id", "position", "id", unique=True),
    Index("records_by_status", "run_id", "status"),
)
BODIES = Table("bodies", METADATA, *_keys("run_id", "id"), *_texts("body", "labels"))
TRUTHS = Table("truths", METADATA, *_keys("run_id", "id"), *_texts("convention"), *_numbers(*TRUTH_NUMBERS))
CORRECTIONS = Table(
    "overrides",
    METADATA,
    *_keys("id"),
    *_texts("run_id", "record_id", "author", "created_at", "sentence_key", "field", "value", "reason"),
    *_integers("position"),
    Index("overrides_by_record", "run_id", "record_id", "position"),
)
MEASUREMENTS = Table(
    "measurements",
    METADATA,
    *_keys("run_id", "record_id", "measure", "made_by"),
    *_texts("basis", "body"),
    *_integers("position"),
    Index("measurements_by_position", "run_id", "position"),
)
VERSIONS = Table("migrations", METADATA, *_integers("number", primary_key=True))
TABLES = (RECORDS, BODIES, TRUTHS, CORRECTIONS, MEASUREMENTS)
"""The tables with the parts of a run's records, all keyed by run."""
