"""What people say in place of the judge: added, never changed or deleted, so that everything can be undone.

A run's labels stay as the judge gave them; the overrides stand beside them, each with author and time.
The counts in the record's columns follow the corrected labels (`recount`), so that scores do at once.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, update

from trace_core.errors import UnknownRun
from trace_core.facts.records import Record
from trace_core.store.database import Database, database
from trace_core.store.rows import line_columns, storable, truth_line
from trace_core.store.runs import bump
from trace_core.store.schema import OVERRIDES, RECORDS, TRUTHS

if TYPE_CHECKING:
    from sqlalchemy import Connection


UNDO = "undo"
"""The field of an override that takes another one back; its value is that one's id."""


@dataclass(frozen=True, slots=True)
class Override:
    """One correction of one field of one sentence; `value` is any JSON. `position` orders a record's."""

    id: str
    run_id: str
    record_id: str
    author: str
    created_at: str
    sentence_key: str
    field: str
    value: Any
    reason: str
    position: int

    def to_dict(self) -> dict[str, Any]:
        """JSON shape, as run files hold it."""
        return {name: value for name, value in asdict(self).items() if name not in ("run_id", "record_id", "position")}


class OverrideStore:
    """Overrides of the records of runs. Every method raises `StoreError` when the database fails."""

    def __init__(self, opened: Database | str) -> None:
        self.database = Database(opened) if isinstance(opened, str) else opened

    def add_override(
        self,
        run_id: str,
        record_id: str,
        *,
        author: str,
        sentence_key: str,
        field: str,
        value: Any,
        reason: str = "",
        created_at: str | None = None,
        override_id: str | None = None,
        corrected: Record | None = None,
    ) -> Override:
        """Add one, and in the same transaction recount from the record as `corrected`, where given.

        Raises `UnknownRun` where there is no such record.
        """
        made_at = created_at or datetime.now(UTC).isoformat(timespec="milliseconds")
        with self.database.writing() as connection:
            bump(connection, run_id)
            here = (OVERRIDES.c.run_id == run_id, OVERRIDES.c.record_id == record_id)
            last = connection.execute(select(func.max(OVERRIDES.c.position)).where(*here)).scalar() or 0
            made = Override(
                override_id or uuid.uuid4().hex[:12], run_id, record_id, str(storable(author)), made_at,
                sentence_key, field, value, str(storable(reason)), last + 1,
            )  # fmt: skip
            _is_there(connection, run_id, record_id)
            connection.execute(OVERRIDES.insert(), asdict(made) | {"value": json.dumps(value, allow_nan=False)})
            if corrected is not None:
                _recount(connection, run_id, corrected)
        return made

    def undo_override(
        self, run_id: str, record_id: str, override_id: str, *, author: str, corrected: Record | None = None
    ) -> Override:
        """Take one back: an override of its own whose field is `undo`. Raises `UnknownRun` where there is none."""
        if override_id not in {made.id for made in self.overrides_of(run_id, record_id)}:
            raise UnknownRun(f"There is no override {storable(override_id)!r} of this record.")
        return self.add_override(
            run_id, record_id, author=author, sentence_key="", field=UNDO, value=override_id, corrected=corrected
        )

    def overrides_of(self, run_id: str, record_id: str | None = None, *, history: bool = False) -> list[Override]:
        """A record's overrides, or all of the run's, in the order they were made.

        Those that were taken back are left out; with `history` nothing is.
        """
        query = select(OVERRIDES).where(OVERRIDES.c.run_id == run_id)
        query = query.order_by(OVERRIDES.c.record_id, OVERRIDES.c.position)
        if record_id is not None:
            query = query.where(OVERRIDES.c.record_id == record_id)
        with self.database.reading() as connection:
            made = [_override(row._mapping) for row in connection.execute(query)]
        gone = {one.value for one in made if one.field == UNDO}
        return made if history else [one for one in made if one.field != UNDO and one.id not in gone]

    def recount(self, run_id: str, corrected: Iterable[Record]) -> None:
        """Counts and scores in the columns anew from the records as corrected; bodies and labels stay."""
        with self.database.writing() as connection:
            bump(connection, run_id)
            for record in corrected:
                _recount(connection, run_id, record)


def _is_there(connection: Connection, run_id: str, record_id: str) -> None:
    query = select(RECORDS.c.id).where(RECORDS.c.run_id == run_id, RECORDS.c.id == record_id)
    if connection.execute(query).first() is None:
        raise UnknownRun(f"There is no record {storable(record_id)!r} in run {storable(run_id)!r}.")


def _recount(connection: Connection, run_id: str, record: Record) -> None:
    _is_there(connection, run_id, record.id)
    for table, values in ((RECORDS, line_columns(record)), (TRUTHS, truth_line(record))):
        if values:
            here = (table.c.run_id == run_id, table.c.id == record.id)
            connection.execute(update(table).where(*here).values(values))


def _override(row: Mapping[Any, Any]) -> Override:
    return Override(**{**row, "value": json.loads(row["value"])})


@lru_cache(maxsize=8)
def override_store(url: str) -> OverrideStore:
    """The process's one store of overrides in that database."""
    return OverrideStore(database(url))
