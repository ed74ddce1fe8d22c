"""Single records: questions asked outside any run.

A record is written as soon as it is made, so that its link outlives the browser and the process.

"""

from __future__ import annotations

from trace_core.facts.records import Record
from trace_core.facts.strict import valid_text
from trace_core.store.database import Database
from trace_core.store.rows import loaded, stored, write

NO_RUN = ""
"""Used in place of a run's id."""


class RecordStore:
    """Save and load single records. Every method raises `StoreError` when the database fails."""

    def __init__(self, opened: Database | str) -> None:
        self.database = Database(opened) if isinstance(opened, str) else opened

    def save(self, record: Record) -> None:
        """Write the record, durable on return; it replaces one of the same id."""
        row = stored(record)
        with self.database.writing() as connection:
            write(connection, [row])

    def load(self, record_id: str) -> Record | None:
        """The record with that id, or `None`."""
        from sqlalchemy import select

        from trace_core.store.schema import BODIES

        query = select(BODIES.c.body, BODIES.c.labels).where(
            BODIES.c.run_id == NO_RUN, BODIES.c.id == valid_text(record_id)
        )
        with self.database.reading() as connection:
            found = connection.execute(query).first()
        return loaded(record_id, *found) if found else None

    def check(self) -> str:
        """Connect, and return the kind of database."""
        return self.database.check()
