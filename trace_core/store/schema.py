"""The tables, each declared once: statements and the database itself are made from these declarations. Whole records
and labels are JSON. The counts behind every score have columns of their own."""

from collections.abc import Iterable

from sqlalchemy import Column, Double, Index, Integer, MetaData, Table, Text

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


def _keys(*names: str) -> list[Column[str]]:
    return [Column(name, Text, primary_key=True) for name in names]


def _texts(names: Iterable[str]) -> list[Column[str]]:
    return [Column(name, Text, nullable=False) for name in names]


def _optional(names: Iterable[str]) -> list[Column[str]]:
    return [Column(name, Text) for name in names]


def _numbers(names: Iterable[str]) -> list[Column[float]]:
    return [Column(name, Double) for name in names]


def _integer(name: str, *, key: bool = False) -> Column[int]:
    return Column(name, Integer, primary_key=key, nullable=False)


DATASETS = Table(
    "datasets",
    METADATA,
    *_keys("id"),
    *_texts(("name", "created_at", "counts")),
    _integer("total"),
    *_optional(("digest",)),
)
DATASET_ROWS = Table(
    "dataset_rows", METADATA, *_keys("dataset_id"), _integer("position", key=True), *_texts(("record_id", "body"))
)
RUNS = Table(
    "runs",
    METADATA,
    *_keys("id"),
    *_texts(("name", "note", "created_at", "status", "reason", "config", "usage")),
    *_optional(("dataset_id", "digest", "owner")),
    *_numbers(("heartbeat",)),
    _integer("total"),
    _integer("revision"),
)
RECORDS = Table(
    "records",
    METADATA,
    *_keys("run_id", "id"),
    _integer("position"),
    *_texts(("status", "question", "search")),
    *_optional((*(name for name in TEXTS if name not in ("id", "status")), "fields")),
    *_numbers(NUMBERS),
    Index("records_by_position", "run_id", "position", "id", unique=True),
    Index("records_by_status", "run_id", "status"),
)
BODIES = Table("bodies", METADATA, *_keys("run_id", "id"), *_texts(("body", "labels")))
TRUTHS = Table("truths", METADATA, *_keys("run_id", "id"), *_texts(("convention",)), *_numbers(TRUTH_NUMBERS))
CORRECTIONS = Table(
    "overrides",
    METADATA,
    *_keys("id"),
    *_texts(("run_id", "record_id", "author", "created_at", "sentence_key", "field", "value", "reason")),
    _integer("position"),
    Index("overrides_by_record", "run_id", "record_id", "position"),
)
MEASUREMENTS = Table(
    "measurements",
    METADATA,
    *_keys("run_id", "record_id", "measure", "made_by"),
    *_texts(("basis", "body")),
    _integer("position"),
    Index("measurements_by_position", "run_id", "position"),
)
VERSIONS = Table("migrations", METADATA, _integer("number", key=True))
TABLES = (RECORDS, BODIES, TRUTHS, CORRECTIONS, MEASUREMENTS)
"""The tables with the parts of a run's records, all keyed by run."""
