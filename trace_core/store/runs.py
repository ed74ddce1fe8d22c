"""Runs and their records. Every method raises `StoreError` when the database fails. A run has at most one `owner`:
writes under another name are refused, so that no record is labeled into it twice."""

import json
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count, islice
from secrets import randbits
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, select, update

from trace_core.errors import RunTaken
from trace_core.facts.records import Record
from trace_core.facts.strict import valid_text
from trace_core.metrics import LABELS
from trace_core.store import corrections
from trace_core.store.corrections import Events
from trace_core.store.database import Database, clock, insert
from trace_core.store.record_reader import RecordReader
from trace_core.store.rows import RecordRows, bump, rows_of, unknown, write
from trace_core.store.schema import RECORDS, RUNS, TABLES
from trace_core.summary.columns import counts_by_status

IMPORTING = "importing"
STATUSES = ("pending", "running", "stopped", "interrupted", "done", IMPORTING)
BATCH = 500
"""Records per statement."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run without its records; `counts` and `means` (of what is defined) use the run's own convention. `status` is
    one of `STATUSES`, `reason` says why it stopped; `silence` is the number of seconds since its owner's last sign of
    life, by the database's clock."""

    id: str
    name: str
    note: str
    created_at: str
    status: str
    reason: str
    config: dict[str, Any]
    dataset_id: str | None
    digest: str | None
    owner: str | None
    silence: float | None
    usage: dict[str, float]
    revision: int
    counts: dict[str, int] = field(default_factory=dict)
    means: dict[str, float | None] = field(default_factory=dict)

    @property
    def importing(self) -> bool:
        """Whether it is being imported: until the import is complete, only its name is visible."""
        return self.status == IMPORTING


class RunStore(RecordReader):
    """Runs, and the records in them."""

    def __init__(self, database: Database | str) -> None:
        super().__init__(database)
        self._parts: dict[str, tuple[int, list[Any]]] = {}

    def create_run(self, name: str, config: Mapping[str, Any], *, run_id: str | None = None, **columns: Any) -> str:
        """Make a run and return its id. `config` holds no secrets; `columns` are others of the table, as `total`."""
        row = _row(run_id or uuid.uuid4().hex[:12], name, config, **columns)
        with self.database.writing() as connection:
            connection.execute(RUNS.insert(), row)
        return str(row["id"])

    def list_runs(self) -> list[Run]:
        """All runs, newest first."""
        with self.database.reading() as connection:
            return self._runs(connection)

    def load_run(self, run_id: str) -> Run:
        """One run. Raises `UnknownRun`."""
        with self.database.reading() as connection:
            result = self._runs(connection, RUNS.c.id == run_id)
        if not result:
            raise unknown(run_id)
        return result[0]

    def running(self) -> list[Run]:
        """The runs that have an owner."""
        with self.database.reading() as connection:
            return self._runs(connection, RUNS.c.owner.is_not(None))

    def seconds_each(self, labeler: str) -> float | None:
        """Mean seconds per record in the newest run with this labeler that was made here; `None` without one."""
        newest = (
            select(RECORDS.c.run_id)
            .join(RUNS, RUNS.c.id == RECORDS.c.run_id)
            .where(RECORDS.c.labeler == labeler, RECORDS.c.seconds.is_not(None), RUNS.c.digest.is_(None))
            .order_by(RUNS.c.created_at.desc())
            .limit(1)
        )
        mean = select(func.avg(RECORDS.c.seconds)).where(RECORDS.c.labeler == labeler)
        with self.database.reading() as connection:
            result = connection.execute(mean.where(RECORDS.c.run_id.in_(newest))).scalar()
        return None if result is None else float(result)

    def rename(self, run_id: str, name: str, note: str) -> None:
        """Replace the run's name and note. Raises `UnknownRun`."""
        with self.database.writing() as connection:
            change = update(RUNS).where(RUNS.c.id == run_id).values(name=valid_text(name), note=valid_text(note))
            if not connection.execute(change).rowcount:
                raise unknown(run_id)

    def delete_run(self, run_id: str, *, owner: str | None = None) -> None:
        """Delete the run and everything stored about its records. Raises `UnknownRun`, or `RunTaken` while an owner
        other than `owner` works on it."""
        with self.database.writing() as connection:
            here = select(RUNS.c.owner, RUNS.c.status).where(RUNS.c.id == run_id).with_for_update()
            result = connection.execute(here).first()
            if result is None:
                raise unknown(run_id)
            if result.owner != owner:
                if result.status == IMPORTING:
                    raise RunTaken("The run is being imported.", "Wait for it.")
                raise RunTaken("The run is running.", "Stop it first.")
            for table in TABLES:
                connection.execute(delete(table).where(table.c.run_id == run_id))
            connection.execute(delete(RUNS).where(RUNS.c.id == run_id))

    # Ownership

    def claim(self, run_id: str, owner: str, *, previous: str | None = None) -> None:
        """Take the run for `owner`, from nobody or from `previous`. Raises `UnknownRun`, `RunTaken`."""
        change = update(RUNS).where(RUNS.c.id == run_id, RUNS.c.owner.is_not_distinct_from(previous))
        with self.database.writing() as connection:
            values = {"owner": owner, "heartbeat": clock(connection), "status": "running", "reason": ""}
            if connection.execute(change.values(values)).rowcount:
                return
            if connection.execute(select(RUNS.c.id).where(RUNS.c.id == run_id)).first() is None:
                raise unknown(run_id)
        raise RunTaken(f"Another process works on run {run_id}.", "Wait for it, or stop it there.")

    def beat(self, run_id: str, owner: str) -> None:
        """Record that the owner is alive. Raises `RunTaken` where it is no longer the owner."""
        with self.database.writing() as connection:
            _own(connection, run_id, owner, {"heartbeat": clock(connection)})

    def release(self, run_id: str, owner: str, status: str, reason: str = "") -> None:
        """Release the run with its final status. Raises `RunTaken` where another owner took it over."""
        values = {"owner": None, "heartbeat": None, "status": status, "reason": valid_text(reason)}
        with self.database.writing() as connection:
            _own(connection, run_id, owner, values)

    # Imports

    def begin_import(
        self, run_id: str, owner: str, name: str, config: Mapping[str, Any], *, digest: str, **columns: Any
    ) -> None:
        """Start an import by `owner`; `digest` identifies the file. Raises `RunTaken` where the id is taken."""
        row = _row(run_id, name, config, digest=digest, owner=owner, **columns) | {"status": IMPORTING}
        with self.database.writing() as connection:
            new = insert(connection, RUNS).values(row | {"heartbeat": clock(connection)}).on_conflict_do_nothing()
            if not connection.execute(new.returning(RUNS.c.id)).first():
                raise RunTaken(f"Run {run_id!r} was added just now.", "Import it again.")

    def fill_import(self, run_id: str, owner: str, records: Iterable[Record]) -> None:
        """Write all records, people's corrections and the end of the import in one transaction. The records' numbers
        already include their corrections. Raises `RunTaken` where another owner took it over."""
        corrections_of: list[tuple[str, Events]] = []
        end = {"owner": None, "heartbeat": None, "status": "done", "revision": RUNS.c.revision + 1}

        def each() -> Iterator[RecordRows]:
            for position, record in enumerate(records, start=1):
                rows = rows_of(record, run_id, position)
                if record.overrides:
                    corrections_of.append((rows[0]["id"], record.overrides))
                yield rows

        with self.database.writing() as connection:
            every = each()
            while batch := list(islice(every, BATCH)):
                write(connection, batch)
                if connection.dialect.name != "sqlite":  # one writer at a time: nobody could take it over meanwhile
                    self.beat(run_id, owner)
            for record_id, events in corrections_of:
                corrections.insert_events(connection, run_id, record_id, events)
            _own(connection, run_id, owner, end)

    # Records

    def save_records(
        self,
        run_id: str,
        records: Iterable[Record],
        *,
        positions: Iterable[int] | None = None,
        owner: str | None = None,
        usage: Mapping[str, float] | None = None,
    ) -> None:
        """Write records in one transaction, durable on return, at `positions` or behind the last one; the same id
        replaces. `usage` is added to the run's. With `owner`, raises `RunTaken` where another one took the run over."""
        with self.database.writing() as connection:
            bump(connection, run_id)  # from here on the row is locked
            if owner:
                _own(connection, run_id, owner, {"owner": owner})
            if usage:
                here = RUNS.c.id == run_id
                total = Counter(json.loads(connection.execute(select(RUNS.c.usage).where(here)).scalar_one()))
                total.update(usage)
                connection.execute(update(RUNS).where(here).values(usage=json.dumps(total, allow_nan=False)))
            last = select(func.coalesce(func.max(RECORDS.c.position), 0)).where(RECORDS.c.run_id == run_id)
            places = count(connection.execute(last).scalar_one() + 1) if positions is None else positions
            rows = (rows_of(record, run_id, position) for record, position in zip(records, places, strict=False))
            while batch := list(islice(rows, BATCH)):
                write(connection, batch)

    def _runs(self, connection: Connection, *where: ColumnElement[bool]) -> list[Run]:
        """Counts and sums are recomputed only for runs that changed."""
        query = select(RUNS, (clock(connection) - RUNS.c.heartbeat).label("silence")).where(*where)
        result = connection.execute(query.order_by(RUNS.c.created_at.desc(), RUNS.c.id)).all()
        parts = dict(self._parts)
        for row in result:
            if row.id not in parts or parts[row.id][0] != row.revision:
                # For each status: how many records and, for each score, how many have it and its sum.
                sums = [of(RECORDS.c[name]) for of in (func.count, func.sum) for name in LABELS]
                each = select(RECORDS.c.status, func.count(), *sums).where(RECORDS.c.run_id == row.id)
                rows = [tuple(part) for part in connection.execute(each.group_by(RECORDS.c.status))]
                parts[row.id] = self._parts[row.id] = (row.revision, rows)
        return [_run(row, parts[row.id][1]) for row in result]


def _row(run_id: str, name: str, config: Mapping[str, Any], **columns: Any) -> dict[str, Any]:
    return {
        "id": run_id,
        "name": valid_text(name),
        "config": json.dumps(dict(config), allow_nan=False),
        "status": "pending",
        "reason": "",
        "note": "",
        "usage": "{}",
        "total": 0,
        "revision": randbits(30),  # what is cached of a deleted run is not taken for that of a later one with its id
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
    } | {key: valid_text(value) for key, value in columns.items() if value is not None}


def _own(connection: Connection, run_id: str, owner: str, values: Mapping[str, Any]) -> None:
    mine = update(RUNS).where(RUNS.c.id == run_id, RUNS.c.owner == owner).values(dict(values))
    if not connection.execute(mine).rowcount:
        raise RunTaken(f"Another process took over run {run_id}, or it was deleted.", "Look at it there.")


def _run(row: Row[Any], parts: Sequence[Any]) -> Run:
    counts = counts_by_status({part[0]: part[1] for part in parts})
    total = max(row.total, counts["total"])
    counts["pending"] += total - counts["total"]
    means: dict[str, float | None] = {}
    for i, name in enumerate(LABELS, start=2):
        number = sum(part[i] for part in parts)
        means[name] = sum(part[i + len(LABELS)] or 0.0 for part in parts) / number if number else None
    values = {name: value for name, value in row._asdict().items() if name not in ("heartbeat", "total")}
    values |= {"config": json.loads(row.config), "usage": json.loads(row.usage)}
    return Run(**values, counts=counts | {"total": total}, means=means)
