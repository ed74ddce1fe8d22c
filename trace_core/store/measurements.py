"""Measurements of a run's records beside their labels: documents' contributions, comparisons with a reference. They may
have cost money, so each is written as soon as it exists. What follows from labels is computed on reading."""

import hashlib
import json
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from trace_core.errors import UnknownRun
from trace_core.facts.records import Record
from trace_core.store.corrections import resolver
from trace_core.store.database import Tables, upsert
from trace_core.store.rows import load, unknown
from trace_core.store.schema import MEASUREMENTS, RUNS


@dataclass(frozen=True, slots=True)
class Measurement:
    """One record's result: `measure` names the measure, `made_by` the answerer or labeler asked; `body` is JSON.
    `basis` identifies the record as it was measured: another basis means that the result is out of date."""

    record_id: str
    measure: str
    made_by: str
    basis: str
    body: dict[str, Any]


def basis(record: Record) -> str:
    """A digest of what a measurement rests on: question, documents, response. Labels may still be corrected."""
    texts = [record.question, record.response.text if record.response else None]
    read = json.dumps([texts, [[document.id, document.text] for document in record.documents]])
    return hashlib.sha256(read.encode()).hexdigest()


class MeasurementStore(Tables):
    """Measurements of the records of runs."""

    def keep(self, run_id: str, measurement: Measurement) -> None:
        """Write a result, durable on return; it replaces the same maker's result of that measure for the record. Raises
        `UnknownRun`."""
        row = asdict(measurement) | {"run_id": run_id, "body": json.dumps(measurement.body, allow_nan=False)}
        with self.database.writing() as connection:
            if connection.execute(select(RUNS.c.id).where(RUNS.c.id == run_id).with_for_update()).first() is None:
                raise unknown(run_id)
            row["position"] = _last(connection, run_id) + 1
            connection.execute(upsert(connection, MEASUREMENTS), row)

    def of_run(self, run_id: str, measures: Collection[str], made_by: str | None = None) -> list[Measurement]:
        """Results of one measure and maker in the order they were made: of `measures`, the one made last."""
        here = [MEASUREMENTS.c.run_id == run_id, MEASUREMENTS.c.measure.in_(list(measures))]
        if made_by is not None:
            here.append(MEASUREMENTS.c.made_by == made_by)
        names = (MEASUREMENTS.c.measure, MEASUREMENTS.c.made_by)
        newest = select(*names).where(*here).order_by(MEASUREMENTS.c.position.desc()).limit(1)
        with self.database.reading() as connection:
            result = connection.execute(newest).first()
            if result is None:
                return []
            rows = select(MEASUREMENTS).filter_by(run_id=run_id, measure=result.measure, made_by=result.made_by)
            results = connection.execute(rows.order_by(MEASUREMENTS.c.position)).all()
        return [Measurement(m.record_id, m.measure, m.made_by, m.basis, json.loads(m.body)) for m in results]

    def current(
        self, run_id: str, measures: Collection[str], made_by: str | None = None
    ) -> list[tuple[Record, Measurement]]:
        """Results as `of_run` has them, each with its record as it is now; without those of records that changed."""
        current = []
        for one in self.of_run(run_id, measures, made_by):
            with self.database.reading() as connection, suppress(UnknownRun):
                record = resolver(connection, run_id, one.record_id)(load(connection, run_id, one.record_id))
                current += [(record, one)] if basis(record) == one.basis else []
        return current

    def last(self, run_id: str) -> int:
        """A number that grows with every measurement of the run; 0 before the first."""
        with self.database.reading() as connection:
            return _last(connection, run_id)


def _last(connection: Connection, run_id: str) -> int:
    query = select(func.max(MEASUREMENTS.c.position)).where(MEASUREMENTS.c.run_id == run_id)
    return int(connection.execute(query).scalar() or 0)
