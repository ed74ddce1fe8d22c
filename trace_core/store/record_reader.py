"""Read access to a run's records for pages and exports: one, a page, all columns, or all in order."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from sqlalchemy import func, select

from trace_core.facts.records import Record
from trace_core.facts.strict import valid_text
from trace_core.store.corrections import resolver
from trace_core.store.database import Database, Tables
from trace_core.store.rows import load, read, unknown
from trace_core.store.schema import BODIES, RECORDS, RUNS, TRUTHS
from trace_core.summary.columns import READ, TRUTH, RunColumns, columns_of, run_columns

T = TypeVar("T")
_CHUNK, _ROWS = 200, 1000
"""Records, and rows of numbers, that are read at once."""
MOST_RUNS = 6
"""How many runs' columns or fields are kept in memory."""
Key = tuple[str | None, str | None, str]
"""A record's source id, generator and question."""
Value = str | float | bool | list[str]
"""A field's value that people can choose: a text, a number, yes or no, or each text of a list."""
RowFields = Mapping[str, Mapping[int, Value]]
"""Field → position of the record → value; records that lack it are left out."""


class RecordReader(Tables):
    """Reads the records of runs, and caches the columns of the last few runs. Thread-safe."""

    def __init__(self, database: Database | str) -> None:
        super().__init__(database)
        self._cache: dict[tuple[str, Callable[..., Any]], tuple[int, Any]] = {}
        self._lock = Lock()

    def load_record(self, run_id: str, record_id: str) -> Record:
        """One record, with people's corrections in its labels and scores. Raises `UnknownRun` if it does not exist."""
        with self.database.reading() as connection:
            return resolver(connection, run_id, record_id)(load(connection, run_id, record_id))

    def load_records(self, run_id: str, record_ids: Sequence[str]) -> list[Record]:
        """Records with people's corrections, in the order of these ids; ids that do not exist are left out."""
        here = (BODIES.c.run_id == run_id, BODIES.c.id.in_(list(record_ids)))
        with self.database.reading() as connection:
            resolve = resolver(connection, run_id)
            bodies = connection.execute(select(BODIES.c.id, BODIES.c.body, BODIES.c.labels).where(*here)).all()
        records = {record_id: resolve(read(record_id, body, labels)) for record_id, body, labels in bodies}
        return [records[record_id] for record_id in record_ids if record_id in records]

    def records(self, run_id: str) -> Iterator[Record]:
        """All records in order of position, corrections applied, read in chunks."""
        last = -1
        with self.database.reading() as connection:
            resolve = resolver(connection, run_id)
        while True:
            place = RECORDS.join(BODIES, (RECORDS.c.run_id == BODIES.c.run_id) & (RECORDS.c.id == BODIES.c.id))
            query = (
                select(RECORDS.c.position, RECORDS.c.id, BODIES.c.body, BODIES.c.labels)
                .select_from(place)
                .where(RECORDS.c.run_id == run_id, RECORDS.c.position > last)
                .order_by(RECORDS.c.position, RECORDS.c.id)
                .limit(_CHUNK)
            )
            with self.database.reading() as connection:
                result = connection.execute(query).all()
            if not result:
                return
            for position, record_id, body, labels in result:
                yield resolve(read(record_id, body, labels))
                last = position

    def keys(self, run_id: str) -> list[Key]:
        """Source id, generator and question of each record, in order of position."""
        names = (RECORDS.c.source_id, RECORDS.c.generation_model_name, RECORDS.c.question)
        query = select(*names).where(RECORDS.c.run_id == run_id).order_by(RECORDS.c.position, RECORDS.c.id)
        with self.database.reading() as connection:
            return [tuple(row) for row in connection.execute(query)]

    def questions(self, run_id: str, positions: Sequence[int]) -> dict[int, str]:
        """Position → question of the records there."""
        here = (RECORDS.c.run_id == run_id, RECORDS.c.position.in_(list(positions)))
        with self.database.reading() as connection:
            result = connection.execute(select(RECORDS.c.position, RECORDS.c.question).where(*here))
            return {row.position: row.question for row in result}

    def search(self, run_id: str, words: str) -> list[int]:
        """Positions of the records whose question, response or id contains the words, ignoring case."""
        text = str(valid_text(words)).casefold()
        here = (RECORDS.c.run_id == run_id, RECORDS.c.search.contains(text, autoescape=True))
        with self.database.reading() as connection:
            result = connection.execute(select(RECORDS.c.position).where(*here).order_by(RECORDS.c.position))
            return list(result.scalars())

    def row_fields(self, run_id: str) -> RowFields:
        """The short values of the rows' other fields. Raises `UnknownRun`."""
        return self._current(run_id, _read_fields)

    def columns(self, run_id: str) -> RunColumns:
        """All the run's numbers, in order of position. Raises `UnknownRun`."""
        return self._current(run_id, self._columns)

    def _columns(self, connection: Any, run_id: str) -> RunColumns:
        columns = _read_columns(connection, run_id)
        if not np.isnan(columns.numbers["certified"]).any():
            return columns
        # Records stored by an earlier version lack some numbers, so that the table would say other than the record.
        return replace(columns_of(self.records(run_id)), position=columns.position)

    def _current(self, run_id: str, query: Callable[[Any, str], T]) -> T:
        """What `query` returns, which stays in memory for the last few runs as long as they do not change."""
        with self.database.reading() as connection:
            revision = connection.execute(select(RUNS.c.revision).where(RUNS.c.id == run_id)).scalar()
            if revision is None:
                raise unknown(run_id)
            with self._lock:
                entry = self._cache.get((run_id, query))
            content: T = entry[1] if entry and entry[0] == revision else query(connection, run_id)
        with self._lock:
            self._cache.pop((run_id, query), None)
            self._cache[run_id, query] = (int(revision), content)
            while len(self._cache) > MOST_RUNS:
                del self._cache[next(iter(self._cache))]
        return content


def _read_columns(connection: Any, run_id: str) -> RunColumns:
    here, truth = RECORDS.c.run_id == run_id, TRUTHS.c.run_id == run_id
    total = connection.execute(select(func.count()).where(here)).scalar_one()
    with_truth = connection.execute(select(TRUTHS.c.id).where(truth).limit(1)).first() is not None
    query = select(*(RECORDS.c[name] for name in READ)).where(here)
    if with_truth:
        query = query.add_columns(*(TRUTHS.c[name].label(f"true_{name}") for name in TRUTH))
        query = query.outerjoin(TRUTHS, truth & (TRUTHS.c.id == RECORDS.c.id))
    cursor = connection.execute(query.order_by(RECORDS.c.position, RECORDS.c.id).limit(total)).cursor
    return run_columns(iter(partial(cursor.fetchmany, _ROWS), []), total, with_truth=with_truth)


def _read_fields(connection: Any, run_id: str) -> RowFields:
    query = select(RECORDS.c.position, RECORDS.c.fields).where(RECORDS.c.run_id == run_id, RECORDS.c.fields != "")
    result: dict[str, dict[int, Value]] = {}
    for position, text in connection.execute(query.order_by(RECORDS.c.position)).cursor.fetchall():
        for name, value in json.loads(text).items():
            result.setdefault(name, {})[position] = value
    return result
