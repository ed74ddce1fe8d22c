"""The tables, and the numbered migrations that create them.

Identifiers and questions are plain text; whole records and labels are JSON escaped to ASCII, so that
any text can be stored anywhere. The counts behind every score have columns of their own.
"""

from __future__ import annotations

from sqlalchemy import Column, Double, Integer, MetaData, Table, Text

from trace_core.summary.columns import NUMBERS, TEXTS, TRUTH_NUMBERS

METADATA = MetaData()


def _texts(*names: str) -> list[Column[str]]:
    return [Column(name, Text) for name in names]


def _numbers(names: tuple[str, ...]) -> list[Column[float]]:
    return [Column(name, Double) for name in names]


DATASETS = Table(
    "datasets", METADATA, Column("id", Text, primary_key=True), *_texts("name", "created_at"),
    Column("total", Integer), *_texts("counts", "digest"),
)  # fmt: skip
DATASET_ROWS = Table(
    "dataset_rows", METADATA, Column("dataset_id", Text, primary_key=True),
    Column("position", Integer, primary_key=True), *_texts("record_id", "body"),
)  # fmt: skip
RUNS = Table(
    "runs", METADATA, Column("id", Text, primary_key=True),
    *_texts("name", "note", "created_at", "status", "reason", "config", "dataset_id", "digest", "owner"),
    Column("heartbeat", Double), Column("total", Integer), Column("usage", Text), Column("revision", Integer),
)  # fmt: skip
RECORDS = Table(
    "records", METADATA, Column("run_id", Text, primary_key=True), Column("id", Text, primary_key=True),
    Column("position", Integer),
    *_texts(*(name for name in TEXTS if name != "id"), "question", "search", "fields"),
    *_numbers(NUMBERS),
)  # fmt: skip
BODIES = Table(
    "bodies", METADATA, Column("run_id", Text, primary_key=True), Column("id", Text, primary_key=True),
    *_texts("body", "labels"),
)  # fmt: skip
TRUTHS = Table(
    "truths", METADATA, Column("run_id", Text, primary_key=True), Column("id", Text, primary_key=True),
    *_texts("convention"), *_numbers(TRUTH_NUMBERS),
)  # fmt: skip
CORRECTIONS = Table(
    "overrides", METADATA, Column("id", Text, primary_key=True),
    *_texts("run_id", "record_id", "author", "created_at", "sentence_key", "field", "value", "reason"),
    Column("position", Integer),
)  # fmt: skip
MEASUREMENTS = Table(
    "measurements", METADATA,
    *(Column(name, Text, primary_key=True) for name in ("run_id", "record_id", "measure", "made_by")),
    *_texts("basis", "body"), Column("position", Integer),
)  # fmt: skip
TABLES = (RECORDS, BODIES, TRUTHS, CORRECTIONS, MEASUREMENTS)
"""The tables with the parts of a run's records, all keyed by run."""

_COUNTS = (
    "sentences relevant utilized both tokens relevant_tokens utilized_tokens both_tokens "
    "response_sentences fully partially unsupported unlabeled listed_unsupported"
).split()
_SCORES = (
    "context_relevance context_utilization completeness adherence average rmse_aggregation consistency_score".split()
)
_AGREEMENT = [
    f"{kind}_{field}"
    for kind in ("sentence_relevant", "sentence_utilized", "sentence_supported")
    for field in ("n", "both", "said", "true")
]


def _doubles(names: list[str]) -> str:
    return ", ".join(f'"{name}" DOUBLE PRECISION' for name in names)


MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE datasets (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at TEXT NOT NULL, "
        "total INTEGER NOT NULL, counts TEXT NOT NULL, digest TEXT)",
        "CREATE TABLE dataset_rows (dataset_id TEXT NOT NULL, position INTEGER NOT NULL, record_id TEXT NOT NULL, "
        "body TEXT NOT NULL, PRIMARY KEY (dataset_id, position))",
        "CREATE TABLE runs (id TEXT PRIMARY KEY, name TEXT NOT NULL, note TEXT NOT NULL, created_at TEXT NOT NULL, "
        "status TEXT NOT NULL, reason TEXT NOT NULL, config TEXT NOT NULL, dataset_id TEXT, digest TEXT, owner TEXT, "
        "heartbeat DOUBLE PRECISION, total INTEGER NOT NULL, usage TEXT NOT NULL, revision INTEGER NOT NULL)",
        "CREATE TABLE records (run_id TEXT NOT NULL, id TEXT NOT NULL, position INTEGER NOT NULL, source_id TEXT, "
        "generation_model_name TEXT, created_at TEXT, status TEXT NOT NULL, labeler TEXT, error TEXT, "
        f"question TEXT NOT NULL, search TEXT NOT NULL, {_doubles([*_COUNTS, *_SCORES])}, "
        f"{_doubles('overall_supported refusal noise_sensitivity confidence seconds'.split())}, "
        "PRIMARY KEY (run_id, id))",
        "CREATE UNIQUE INDEX records_by_position ON records (run_id, position, id)",
        "CREATE INDEX records_by_status ON records (run_id, status)",
        "CREATE TABLE bodies (run_id TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, labels TEXT NOT NULL, "
        "PRIMARY KEY (run_id, id))",
        "CREATE TABLE truths (run_id TEXT NOT NULL, id TEXT NOT NULL, convention TEXT NOT NULL, "
        f"{_doubles([f'score_{name}' for name in _SCORES[:4]])}, {_doubles([*_COUNTS, *_AGREEMENT])}, "
        "PRIMARY KEY (run_id, id))",
        "CREATE TABLE overrides (id TEXT PRIMARY KEY, run_id TEXT NOT NULL, record_id TEXT NOT NULL, "
        "author TEXT NOT NULL, created_at TEXT NOT NULL, sentence_key TEXT NOT NULL, field TEXT NOT NULL, "
        "value TEXT NOT NULL, reason TEXT NOT NULL, position INTEGER NOT NULL)",
        "CREATE INDEX overrides_by_record ON overrides (run_id, record_id, position)",
    ),
    # the convention of scores that came without labels and cannot be shown under another
    ("ALTER TABLE records ADD COLUMN convention TEXT",),
    # measurements of records beside their labels, which may have cost money
    (
        "CREATE TABLE measurements (run_id TEXT NOT NULL, record_id TEXT NOT NULL, measure TEXT NOT NULL, "
        "made_by TEXT NOT NULL, basis TEXT NOT NULL, body TEXT NOT NULL, position INTEGER NOT NULL, "
        "PRIMARY KEY (run_id, record_id, measure, made_by))",
        "CREATE INDEX measurements_by_position ON measurements (run_id, position)",
    ),
    # what a diagnosis needs beside the counts of the scores
    tuple(
        f"ALTER TABLE records ADD COLUMN {name} DOUBLE PRECISION"
        for name in ("contradicted", "chunks", "relevant_chunks", "first_relevant")
    ),
    # earlier versions marked imports as done even when killed midway
    (
        "UPDATE runs SET status = 'importing', owner = 'an earlier version' WHERE digest = '' OR (status = 'done' "
        "AND digest IS NOT NULL AND total > 0 AND NOT EXISTS (SELECT 1 FROM records WHERE run_id = runs.id))",
    ),
    # how many relevant sentences an answer leaves out; unknown for older records, which are counted by their labels
    ("ALTER TABLE records ADD COLUMN missed DOUBLE PRECISION",),
    # the short ones of a row's other fields, to filter by; unknown for older records, "" where there are none
    ("ALTER TABLE records ADD COLUMN fields TEXT",),
    # lists of short texts belong to them, too
    ("UPDATE records SET fields = NULL",),
    # whether the golden question of the record has no answer; unknown for older records
    ("ALTER TABLE records ADD COLUMN unanswerable DOUBLE PRECISION",),
)
"""Numbered from 1, applied in order, never edited; a new column here is a new migration."""

__all__ = [
    "BODIES",
    "CORRECTIONS",
    "DATASETS",
    "DATASET_ROWS",
    "MEASUREMENTS",
    "MIGRATIONS",
    "RECORDS",
    "RUNS",
    "TABLES",
    "TRUTHS",
]
