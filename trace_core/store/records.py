"""Single records: questions asked outside any run.

A record is written as soon as it is made, so that its link outlives the browser and the process.
"""

from __future__ import annotations

from trace_core.errors import UnknownRun
from trace_core.facts.records import Record
from trace_core.store.database import Tables
from trace_core.store.rows import load, rows_of, write

NO_RUN = ""
"""Used in place of a run's id."""


class RecordStore(Tables):
    """Save and load single records."""

    def save(self, record: Record) -> None:
        """Write the record, durable on return; it replaces one of the same id."""
        rows = rows_of(record)
        with self.database.writing() as connection:
            write(connection, [rows])

    def load(self, record_id: str) -> Record | None:
        """The record with that id, or `None`."""
        with self.database.reading() as connection:
            try:
                return load(connection, NO_RUN, record_id)
            except UnknownRun:
                return None
