"""People's corrections of labels: added, never changed or deleted, so that everything can be undone.

A record's stored labels stay as the labeler gave them; corrections are stored separately, each with author and
time, and applied when the record is read. Adding one updates the record's numeric columns in the same transaction.
"""

from __future__ import annotations

import json
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, func, select, update

from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.corrections import Correction, active, corrected
from trace_core.facts.records import Record
from trace_core.facts.strict import valid_text
from trace_core.metrics import Scoring
from trace_core.store.database import Tables
from trace_core.store.rows import bump, load, number_columns
from trace_core.store.schema import CORRECTIONS, RECORDS, RUNS, TRUTHS
from trace_core.summary.columns import status_of

Events = Sequence[Mapping[str, Any]]
"""A record's corrections as in its JSON, oldest first."""


class CorrectionStore(Tables):
    """Corrections of the records of runs."""

    def add(
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
        correction_id: str | None = None,
    ) -> str:
        """Add a correction and return its id; the record's numbers are updated in the same transaction.

        Raises `UnknownRun` where the record does not exist, and `InputError` where the correction does not fit it.
        """
        event = {
            "id": correction_id or uuid.uuid4().hex[:12],
            "author": author,
            "created_at": created_at or datetime.now(UTC).isoformat(timespec="milliseconds"),
            "sentence_key": sentence_key,
            "field": field,
            "value": value,
            "reason": reason,
        }
        with self.database.writing() as connection:
            bump(connection, run_id)
            record = load(connection, run_id, record_id)
            insert(connection, run_id, record_id, [event])
            _recount(connection, run_id, resolver(connection, run_id, record_id)(record))
        return str(event["id"])

    def of(self, run_id: str, record_id: str) -> list[Correction]:
        """The record's corrections in the order they were made, including those taken back."""
        return self.of_run(run_id, record_id).get(record_id, [])

    def elsewhere(self, run_id: str) -> dict[str, list[Correction]]:
        """Record id → what people said in other runs of the same question, answer and documents, and not yet here.

        Oldest first; without what they took back. It may be added here under its author's name and time.
        """
        there = (CORRECTIONS.c.run_id == RECORDS.c.run_id) & (CORRECTIONS.c.record_id == RECORDS.c.id)
        theirs = select(RECORDS.c.run_id, RECORDS.c.id, RECORDS.c.question).join(CORRECTIONS, there).distinct()
        ours = select(RECORDS.c.id, RECORDS.c.question).where(RECORDS.c.run_id == run_id)
        offers: dict[str, dict[tuple[str, ...], Correction]] = {}
        with self.database.reading() as connection:
            others = connection.execute(theirs.where(RECORDS.c.run_id != run_id)).all()
            questions = {other.question for other in others}
            for one in connection.execute(ours.where(RECORDS.c.question.in_(questions))).all():
                texts = _texts(load(connection, run_id, one.id))
                here = {_what(event) for event in _corrections(connection, run_id, one.id)}
                for other in others:
                    if other.question == one.question and _texts(load(connection, other.run_id, other.id)) == texts:
                        events = active(_corrections(connection, other.run_id, other.id))
                        fresh = {_what(event): event for event in events if _what(event) not in here}
                        offers.setdefault(one.id, {}).update(fresh)
        by_time = {name: sorted(of.values(), key=lambda event: event.created_at) for name, of in offers.items()}
        return {name: events for name, events in by_time.items() if events}

    def of_run(self, run_id: str, record_id: str | None = None) -> dict[str, list[Correction]]:
        """Record id → corrections, for every record of the run that has any."""
        with self.database.reading() as connection:
            result = _events(connection, run_id, record_id)
        return {name: [Correction.model_construct(**event) for event in events] for name, events in result.items()}

    def count(self) -> int:
        """The number of all corrections."""
        with self.database.reading() as connection:
            return int(connection.execute(select(func.count()).select_from(CORRECTIONS)).scalar_one())


def resolver(connection: Connection, run_id: str, record_id: str | None = None) -> Callable[[Record], Record]:
    """A function that applies people's corrections to the labels, scores and findings of the run's records, or of one.

    Imported corrections come before those made here.
    """
    events = _events(connection, run_id, record_id)
    config = {}
    if events:
        config = json.loads(connection.execute(select(RUNS.c.config).where(RUNS.c.id == run_id)).scalar_one())

    def resolve(record: Record) -> Record:
        own = events.get(record.id, [])
        if not own:
            return corrected(record)
        ids = {name for event in own for name in (event["id"], str(event["id"]).removesuffix(f"-{run_id}"))}
        before = [event for event in record.overrides if event.get("id") not in ids]
        new = corrected(record.model_copy(update={"overrides": [*before, *own]}))
        return rescore(new, Scoring.of_run(config))

    return resolve


def checked_ids(connection: Connection, run_id: str) -> set[str]:
    """The run's records that people have corrected or reviewed, and not taken that back."""
    by_record = _events(connection, run_id, None).items()
    return {name for name, events in by_record if active([Correction.model_construct(**one) for one in events])}


def _events(connection: Connection, run_id: str, record_id: str | None) -> dict[str, list[dict[str, Any]]]:
    query = select(CORRECTIONS).where(CORRECTIONS.c.run_id == run_id)
    if record_id is not None:
        query = query.where(CORRECTIONS.c.record_id == valid_text(record_id))
    result: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in connection.execute(query.order_by(CORRECTIONS.c.record_id, CORRECTIONS.c.position)).mappings():
        event = {name: row[name] for name in Correction.model_fields} | {"value": json.loads(row["value"])}
        result[row["record_id"]].append(event)
    return result


def insert(connection: Connection, run_id: str, record_id: str, events: Events) -> None:
    """Add corrections; the caller updates the record's numbers. One that another run has as well, as a copy of that run
    brings it, gets an id of its own, also where another takes it back.
    """
    ids = [str(event.get("id", "")) for event in events]
    elsewhere = connection.execute(select(CORRECTIONS.c.id).where(CORRECTIONS.c.id.in_(ids))).scalars()
    new_ids = {name: f"{name}-{run_id}" for name in elsewhere}
    here = (CORRECTIONS.c.run_id == run_id, CORRECTIONS.c.record_id == record_id)
    last = connection.execute(select(func.max(CORRECTIONS.c.position)).where(*here)).scalar() or 0
    for position, event in enumerate(events, start=last + 1):
        value = new_ids.get(event["value"], event["value"]) if event["field"] == "undo" else event["value"]
        row = {name: valid_text(event.get(name, "")) for name in Correction.model_fields}
        row |= {"run_id": run_id, "record_id": record_id, "position": position}
        row |= {"id": new_ids.get(row["id"], row["id"]), "value": json.dumps(value, allow_nan=False)}
        connection.execute(CORRECTIONS.insert(), row)


def _corrections(connection: Connection, run_id: str, record_id: str) -> list[Correction]:
    return [Correction.model_construct(**event) for event in _events(connection, run_id, record_id)[record_id]]


def _texts(record: Record) -> list[tuple[str, str]]:
    """What a correction rests on: every keyed sentence of documents and answer."""
    sentences = record.sentences()
    return [(s.key, s.text) for part in (*sentences.documents, sentences.response) for s in part]


def _what(event: Correction) -> tuple[str, ...]:
    """What a correction is, whatever its id: a copy of it says the same."""
    return event.author, event.created_at, event.sentence_key, event.field, json.dumps(event.value)


def _recount(connection: Connection, run_id: str, record: Record) -> None:
    numbers, truth = number_columns(record)
    for table, values in ((RECORDS, numbers | {"status": status_of(record)}), (TRUTHS, truth)):
        if values:
            here = (table.c.run_id == run_id, table.c.id == record.id)
            connection.execute(update(table).where(*here).values(values))
