"""All the stores of one database, and that of single records: questions asked outside any run."""

from contextlib import suppress
from functools import lru_cache

from sqlalchemy import select

from trace_core.errors import UnknownRun
from trace_core.facts.records import Record
from trace_core.store.corrections import CorrectionStore
from trace_core.store.database import Database, Tables
from trace_core.store.datasets import DatasetStore
from trace_core.store.measurements import MeasurementStore
from trace_core.store.rows import load, rows_of, write
from trace_core.store.runs import RunStore
from trace_core.store.schema import RECORDS

NO_RUN = ""
"""The run's id of a single record."""


class RecordStore(Tables):
    """Single records, written as soon as they exist, so that their links outlive browser and process."""

    def save(self, record: Record) -> None:
        """Write the record, durable on return; it replaces one of the same id."""
        rows = rows_of(record, NO_RUN)
        with self.database.writing() as connection:
            write(connection, [rows])

    def load(self, record_id: str) -> Record | None:
        """The record with that id, or `None`."""
        with self.database.reading() as connection, suppress(UnknownRun):
            return load(connection, NO_RUN, record_id)
        return None

    def recent(self, limit: int) -> list[tuple[str, str]]:
        """Ids and questions of the latest records, the newest first."""
        latest = (
            select(RECORDS.c.id, RECORDS.c.question)
            .where(RECORDS.c.run_id == NO_RUN, RECORDS.c.question != "")
            .order_by(RECORDS.c.created_at.desc())
            .limit(limit)
        )
        with self.database.reading() as connection:
            return [(row.id, row.question) for row in connection.execute(latest)]


class Store:
    """The stores for pages, engine and commands; all share one database. `queries` are questions outside any run."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.runs, self.datasets = RunStore(database), DatasetStore(database)
        self.corrections, self.measurements = CorrectionStore(database), MeasurementStore(database)
        self.queries = RecordStore(database)


@lru_cache(maxsize=8)
def open_store(url: str) -> Store:
    """The process's only store for that database."""
    return Store(Database(url))
