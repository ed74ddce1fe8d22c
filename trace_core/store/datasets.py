"""Data sets: rows to make runs from, stored unchanged. Every method raises `StoreError` when the database fails."""

import json
import math
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, delete, select, update

from trace_core.errors import StoreError, UnknownRun
from trace_core.facts.strict import valid_text
from trace_core.store.database import Tables
from trace_core.store.schema import DATASET_ROWS, DATASETS, RECORDS, RUNS

BATCH = 500


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set without its rows. `counts` is its importer's count of what they contain."""

    id: str
    name: str
    created_at: str
    total: int
    counts: dict[str, int]
    digest: str | None


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """One row: its position from 1, the id of its future record, and its fields."""

    position: int
    record_id: str
    row: dict[str, Any]


class DatasetStore(Tables):
    """Data sets and their rows."""

    def add_dataset(
        self,
        name: str,
        rows: Iterable[tuple[str, Mapping[str, Any]]],
        *,
        counts: Mapping[str, int] | None = None,
        digest: str | None = None,
    ) -> str:
        """Store rows, each with its record id, in one transaction; returns the data set's id."""
        dataset_id = uuid.uuid4().hex[:12]
        head = {
            "id": dataset_id,
            "name": valid_text(name),
            "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "total": 0,
            "counts": json.dumps(dict(counts or {})),
            "digest": digest,
        }
        lines = (
            {"dataset_id": dataset_id, "position": n, "record_id": i, "body": json.dumps(dict(row), allow_nan=False)}
            for n, (i, row) in enumerate(rows, start=1)
        )
        total = 0
        with self.database.writing() as connection:
            connection.execute(DATASETS.insert(), head)
            while batch := list(islice(lines, BATCH)):
                connection.execute(DATASET_ROWS.insert(), batch)
                total += len(batch)
            connection.execute(update(DATASETS).where(DATASETS.c.id == dataset_id).values(total=total))
        return dataset_id

    def list_datasets(self) -> list[Dataset]:
        """All data sets, newest first."""
        query = select(DATASETS).order_by(DATASETS.c.created_at.desc(), DATASETS.c.id)
        with self.database.reading() as connection:
            return [_dataset(row) for row in connection.execute(query)]

    def load_dataset(self, dataset_id: str) -> Dataset:
        """One data set. Raises `UnknownRun`."""
        with self.database.reading() as connection:
            result = connection.execute(select(DATASETS).where(DATASETS.c.id == dataset_id)).first()
        if result is None:
            raise _unknown(dataset_id)
        return _dataset(result)

    def rows(
        self, dataset_id: str, *, limit: int | None = None, where: Collection[ColumnElement[bool]] = ()
    ) -> Iterator[DatasetRow]:
        """Rows in order, read in small batches."""
        after, left = 0, math.inf if limit is None else limit
        while left > 0:
            size = int(min(BATCH, left))
            query = (
                select(DATASET_ROWS.c.position, DATASET_ROWS.c.record_id, DATASET_ROWS.c.body)
                .where(DATASET_ROWS.c.dataset_id == dataset_id, DATASET_ROWS.c.position > after, *where)
                .order_by(DATASET_ROWS.c.position)
                .limit(size)
            )
            with self.database.reading() as connection:
                result = connection.execute(query).all()
            for position, record_id, body in result:
                yield DatasetRow(position, record_id, json.loads(body))
                after = position
            left = left - size if len(result) == size else 0

    def open_rows(self, dataset_id: str, run_id: str, *, failures: bool = False) -> Iterator[DatasetRow]:
        """Rows for which the run has no record yet, in order; with `failures`, those whose record failed instead."""
        records, column = select(RECORDS.c.id).where(RECORDS.c.run_id == run_id), DATASET_ROWS.c.record_id
        place = column.in_(records.where(RECORDS.c.status == "failed")) if failures else column.not_in(records)
        return self.rows(dataset_id, where=[place])

    def delete_dataset(self, dataset_id: str) -> None:
        """Delete it and its rows. Raises `UnknownRun`, or `StoreError` while an unfinished run needs the rows."""
        open_runs = select(RUNS.c.name).where(RUNS.c.dataset_id == dataset_id, RUNS.c.status != "done")
        with self.database.writing() as connection:
            name = connection.execute(open_runs).scalar()
            if name is not None:
                raise StoreError(f"The run {name!r} is not finished and needs its rows.", "Finish or delete it first.")
            connection.execute(delete(DATASET_ROWS).where(DATASET_ROWS.c.dataset_id == dataset_id))
            if not connection.execute(delete(DATASETS).where(DATASETS.c.id == dataset_id)).rowcount:
                raise _unknown(dataset_id)


def _dataset(row: Any) -> Dataset:
    return Dataset(row.id, row.name, row.created_at, row.total, json.loads(row.counts), row.digest)


def _unknown(dataset_id: str) -> UnknownRun:
    return UnknownRun(f"There is no data set {valid_text(dataset_id)!r}.")
