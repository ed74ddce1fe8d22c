"""Read access to a run's records for pages and exports: one, a page, all columns, or all in order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from sqlalchemy import select

from trace_core.facts.records import Record
from trace_core.facts.strict import valid_text
from trace_core.store.corrections import resolver
from trace_core.store.database import Database, Tables
from trace_core.store.rows import load, loaded, unknown
from trace_core.store.schema import BODIES, RECORDS, RUNS, TRUTHS
from trace_core.summary.columns import LINE, READ, TRUTH_NUMBERS, RunColumns, run_columns

_LINE = [RECORDS.c[name] for name in LINE]
_NUMBERS = [RECORDS.c[name] for name in READ]
_KEPT = 4
"""Runs whose columns are kept in memory."""
_SEARCHED = 200_000
"""The texts of a run with more records are read again for each search."""


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One row of a table of records."""

    position: int
    id: str
    source_id: str | None
    question: str
    status: str
    labeler: str | None
    error: str | None


class RecordReader(Tables):
    """Reads the records of runs, and caches the columns of the last few runs. Thread-safe."""

    def __init__(self, opened: Database | str) -> None:
        super().__init__(opened)
        self._columns: dict[str, tuple[int, RunColumns]] = {}
        self._searched: tuple[str, int, Sequence[tuple[int, str]]] | None = None
        self._fields: tuple[str, int, RowFields] | None = None
        self._lock = Lock()

    def load_record(self, run_id: str, record_id: str) -> Record:
        """One record, with people's corrections in its labels and scores. Raises `UnknownRun` if it does not exist."""
        with self.database.reading() as connection:
            return resolver(connection, run_id, record_id)(load(connection, run_id, record_id))

    def records(self, run_id: str, *, chunk: int = 200) -> Iterator[Record]:
        """All records in order of position, corrections applied, read in chunks."""
        last = -1
        with self.database.reading() as connection:
            resolved = resolver(connection, run_id)
        while True:
            place = RECORDS.join(BODIES, (RECORDS.c.run_id == BODIES.c.run_id) & (RECORDS.c.id == BODIES.c.id))
            query = (
                select(RECORDS.c.position, RECORDS.c.id, BODIES.c.body, BODIES.c.labels).select_from(place)
                .where(RECORDS.c.run_id == run_id, RECORDS.c.position > last)
                .order_by(RECORDS.c.position, RECORDS.c.id).limit(chunk)
            )  # fmt: skip
            with self.database.reading() as connection:
                found = connection.execute(query).all()
            if not found:
                return
            for position, record_id, body, labels in found:
                yield resolved(loaded(record_id, body, labels))
                last = position

    def ids(self, run_id: str) -> list[str]:
        """Record ids in order of position."""
        query = select(RECORDS.c.id).where(RECORDS.c.run_id == run_id).order_by(RECORDS.c.position, RECORDS.c.id)
        with self.database.reading() as connection:
            return list(connection.execute(query).scalars())

    def lines(self, run_id: str, positions: Sequence[int]) -> list[RecordLine]:
        """The lines at those positions, in that order; missing positions are skipped."""
        names = ("position", "id", "source_id", "question", "status", "labeler", "error")
        query = select(*(RECORDS.c[name] for name in names)).where(
            RECORDS.c.run_id == run_id, RECORDS.c.position.in_(list(positions))
        )
        with self.database.reading() as connection:
            found = {row[0]: RecordLine(*row) for row in connection.execute(query)}
        return [found[p] for p in positions if p in found]

    def search(self, run_id: str, words: str) -> list[int]:
        """Positions of the records whose question, response or id contains the words, ignoring case."""
        folded = str(valid_text(words)).casefold()
        return [position for position, text in self._texts(run_id) if folded in text]

    def _texts(self, run_id: str) -> Sequence[tuple[int, str]]:
        """Positions and case-folded texts, in order; cached for the last run searched."""
        with self.database.reading() as connection:
            now = connection.execute(select(RUNS.c.revision).where(RUNS.c.id == run_id)).first()
            known = self._searched
            if now and known and known[:2] == (run_id, now.revision):
                return known[2]
            query = select(RECORDS.c.position, RECORDS.c.search).where(RECORDS.c.run_id == run_id)
            texts = connection.execute(query.order_by(RECORDS.c.position)).cursor.fetchall()
        if now and len(texts) <= _SEARCHED:
            self._searched = (run_id, now.revision, texts)
        return texts

    def row_fields(self, run_id: str) -> RowFields:
        """The short values of the rows' other fields; cached for the last run asked about. Raises `UnknownRun`."""
        revision, known = self._revision(run_id), self._fields
        if known and known[:2] == (run_id, revision):
            return known[2]
        query = select(RECORDS.c.position, RECORDS.c.fields).where(RECORDS.c.run_id == run_id, RECORDS.c.fields != "")
        with self.database.reading() as connection:
            lines = connection.execute(query.order_by(RECORDS.c.position)).cursor.fetchall()
        found: dict[str, dict[int, Value]] = {}
        for position, text in lines:
            for name, value in json.loads(text).items():
                found.setdefault(name, {})[position] = value
        self._fields = (run_id, revision, found)
        return found

    def columns(self, run_id: str) -> RunColumns:
        """All the run's numbers, in order of position. Raises `UnknownRun`."""
        revision = self._revision(run_id)
        with self._lock:
            known = self._columns.get(run_id)
        if known and known[0] == revision:
            return known[1]
        with self.database.reading() as connection:
            columns = _read(connection, run_id)
        with self._lock:
            self._columns.pop(run_id, None)
            self._columns[run_id] = (revision, columns)
            while len(self._columns) > _KEPT:
                del self._columns[next(iter(self._columns))]
        return columns

    def _revision(self, run_id: str) -> int:
        with self.database.reading() as connection:
            revision = connection.execute(select(RUNS.c.revision).where(RUNS.c.id == run_id)).scalar()
        if revision is None:
            raise unknown(run_id)
        return int(revision)


def _read(connection: Any, run_id: str) -> RunColumns:
    query = select(*_LINE, *_NUMBERS).where(RECORDS.c.run_id == run_id).order_by(RECORDS.c.position, RECORDS.c.id)
    rows = connection.execute(query).cursor.fetchall()
    n = len(_LINE)
    truths: dict[str, tuple[str, Sequence[float | None]]] = {}
    fields = [TRUTHS.c[name] for name in TRUTH_NUMBERS]
    found = connection.execute(select(TRUTHS.c.id, TRUTHS.c.convention, *fields).where(TRUTHS.c.run_id == run_id))
    for record_id, convention, *numbers in found.cursor.fetchall():
        truths[record_id] = (convention, numbers)
    return run_columns([row[:n] for row in rows], [row[n:] for row in rows], truths)


Value = str | float | bool | list[str]
"""A field's value that people can choose: a text, a number, yes or no, or each text of a list."""
RowFields = Mapping[str, Mapping[int, Value]]
"""Field → position of the record → value; records that lack it are left out."""
