"""People's corrections of labels: added, never changed or deleted, so that everything can be undone. Stored labels stay
the labeler's; corrections are applied on reading. Adding one updates the record's numbers."""

import json
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, func, select, update

from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError
from trace_core.facts.corrections import Correction, active, effective, with_corrections
from trace_core.facts.records import Record
from trace_core.facts.strict import valid_text
from trace_core.metrics import Scoring
from trace_core.store.database import Tables
from trace_core.store.rows import bump, load
from trace_core.store.schema import CORRECTIONS, RECORDS, RUNS, TRUTHS
from trace_core.summary.columns import numbers_of, status_of, truth_of

Events = Sequence[Mapping[str, Any]]
"""A record's corrections as in its JSON, oldest first."""


class CorrectionStore(Tables):
    """Corrections of the records of runs."""

    def add(self, run_id: str, record_id: str, **fields: Any) -> str:
        """Add a correction and return its id; the record's numbers are updated in the same transaction. `fields` are
        those of a `Correction`, of which `id`, `created_at` and `reason` may be missing. Raises `UnknownRun` where the
        record does not exist, and `InputError` where the correction does not fit it."""
        if strange := fields.keys() - Correction.model_fields.keys():
            raise TypeError(f"A correction has no {', '.join(sorted(strange))}.")
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        event = {"id": uuid.uuid4().hex[:12], "created_at": now, "reason": "", **fields}
        with self.database.writing() as connection:
            bump(connection, run_id)
            record = load(connection, run_id, record_id)
            insert_events(connection, run_id, record_id, [event])
            _recount(connection, run_id, resolver(connection, run_id, record_id)(record))
        return str(event["id"])

    def take_over(self, run_id: str, question: str | None = None) -> int:
        """Let what people said in other runs of the same question, answer and documents hold here; how many events.
        Each keeps author and time; what was taken back there is taken back here. Left out: reviews, which agree with
        other labels, what does not fit the labels here, and other questions than `question`."""
        total = 0
        with self.database.writing() as connection:
            for record_id, others in _twins(connection, run_id, question).items():
                record = load(connection, run_id, record_id)
                if events := _to_take_over(record, _corrections(connection, run_id, record_id)[record_id], others):
                    insert_events(connection, run_id, record_id, [event.model_dump() for event in events])
                    _recount(connection, run_id, resolver(connection, run_id, record_id)(record))
                    total += len(events)
            if total:
                bump(connection, run_id, total)
        return total

    def spread(self, run_id: str, record_id: str) -> None:
        """Let what people said of this record hold in every other run with its question, answer and documents."""
        here = (RECORDS.c.run_id == run_id) & (RECORDS.c.id == record_id)
        with self.database.reading() as connection:
            question = connection.execute(select(RECORDS.c.question).where(here)).scalar_one()
            same = (RECORDS.c.question == question) & RECORDS.c.run_id.not_in((run_id, ""))
            runs = connection.execute(select(RECORDS.c.run_id).where(same).distinct()).scalars().all()
        for other in runs:
            self.take_over(other, question)

    def origin(self, event_id: str, run_id: str) -> str | None:
        """The id of the run from which this run took the correction over; `None` for one that was made here."""
        if not event_id.endswith(f"-{run_id}"):
            return None
        source = CORRECTIONS.c.id == event_id.removesuffix(f"-{run_id}")
        with self.database.reading() as connection:
            return connection.execute(select(CORRECTIONS.c.run_id).where(source)).scalar()

    def of_run(self, run_id: str, record_id: str | None = None) -> dict[str, list[Correction]]:
        """Record id → corrections in the order they were made, taken back or not, for each record that has any."""
        with self.database.reading() as connection:
            return dict(_corrections(connection, run_id, record_id))

    def state(self) -> int:
        """A number that is another one after a change of any run that has corrections."""
        total = select(func.coalesce(func.sum(RUNS.c.revision), 0)).where(RUNS.c.id.in_(select(CORRECTIONS.c.run_id)))
        with self.database.reading() as connection:
            return int(connection.execute(total).scalar_one())


def resolver(connection: Connection, run_id: str, record_id: str | None = None) -> Callable[[Record], Record]:
    """A function that applies people's corrections to the labels, scores and findings of the run's records, or of one.
    Imported corrections come before those made here."""
    corrections = _corrections(connection, run_id, record_id)
    config = {}
    if corrections:
        config = json.loads(connection.execute(select(RUNS.c.config).where(RUNS.c.id == run_id)).scalar_one())

    def resolve(record: Record) -> Record:
        own = [event.model_dump() for event in corrections.get(record.id, ())]
        if not own:
            return with_corrections(record)
        ids = {name for event in own for name in (event["id"], event["id"].removesuffix(f"-{run_id}"))}
        before = [event for event in record.overrides if event.get("id") not in ids]
        new = with_corrections(record.model_copy(update={"overrides": [*before, *own]}))
        return rescore(new, Scoring.of_run(config))

    return resolve


def _corrections(connection: Connection, run_id: str, record_id: str | None) -> dict[str, list[Correction]]:
    """The corrections of each record of the run that has any, or of one, in the order they were made."""
    query = select(CORRECTIONS).where(CORRECTIONS.c.run_id == run_id)
    if record_id is not None:
        query = query.where(CORRECTIONS.c.record_id == valid_text(record_id))
    result: dict[str, list[Correction]] = defaultdict(list)
    for row in connection.execute(query.order_by(CORRECTIONS.c.record_id, CORRECTIONS.c.position)).mappings():
        event = {name: row[name] for name in Correction.model_fields} | {"value": json.loads(row["value"])}
        result[row["record_id"]].append(Correction.model_construct(**event))
    return result


def insert_events(connection: Connection, run_id: str, record_id: str, events: Events) -> None:
    """Add corrections; the caller updates the record's numbers. One that another run has as well, as a copy of that run
    brings it, gets an id of its own, also where another takes it back."""
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


def _twins(connection: Connection, run_id: str, question: str | None) -> dict[str, list[list[Correction]]]:
    """Record id → the corrections of each record of another run with its question, answer and documents."""
    at = (CORRECTIONS.c.run_id == RECORDS.c.run_id) & (CORRECTIONS.c.record_id == RECORDS.c.id)
    theirs = select(RECORDS.c.run_id, RECORDS.c.id, RECORDS.c.question).join(CORRECTIONS, at).distinct()
    theirs = theirs.where(RECORDS.c.run_id != run_id)
    if question is not None:
        theirs = theirs.where(RECORDS.c.question == question)
    others = connection.execute(theirs).all()
    ours = select(RECORDS.c.id, RECORDS.c.question).where(
        RECORDS.c.run_id == run_id, RECORDS.c.question.in_({other.question for other in others})
    )
    twins: dict[str, list[list[Correction]]] = {}
    for one in connection.execute(ours).all() if others else ():
        texts = _texts(load(connection, run_id, one.id))
        for other in others:
            if other.question == one.question and _texts(load(connection, other.run_id, other.id)) == texts:
                twins.setdefault(one.id, []).append(_corrections(connection, other.run_id, other.id)[other.id])
    return twins


def _to_take_over(record: Record, here: list[Correction], others: Iterable[list[Correction]]) -> list[Correction]:
    """The events of the others that are not here yet, oldest first, with the ids that undone ones have here."""
    ids, events = {_what(event): event.id for event in here}, list[Correction]()
    standing = {_what(event) for event in active(here)}
    for there in others:
        by_id, valid = {event.id: event for event in there}, active(there)
        for event in there:
            target = by_id.get(str(event.value)) if event.field == "undo" else None
            if target and _what(target) in standing:
                standing.remove(_what(target))
                events.append(event.model_copy(update={"value": ids[_what(target)]}))
            elif event in valid and event.field != "reviewed" and _what(event) not in ids:
                ids[_what(event)] = event.id
                events.append(event)
    return _fitting(record, here, sorted(events, key=lambda event: event.created_at))


def _fitting(record: Record, here: list[Correction], events: Iterable[Correction]) -> list[Correction]:
    """The events that can be applied one after the other to this record's own labels."""
    fitting: list[Correction] = []
    for event in events:
        with suppress(InputError):
            effective(record.labeler_labels, record.sentences(), [*here, *fitting, event])
            fitting.append(event)
    return fitting


def _texts(record: Record) -> list[tuple[str, str]]:
    """What a correction rests on: every keyed sentence of documents and answer."""
    sentences = record.sentences()
    return [(s.key, s.text) for part in (*sentences.documents, sentences.response) for s in part]


def _what(event: Correction) -> tuple[str, ...]:
    """What a correction is, whatever its id: a copy of it says the same."""
    return event.author, event.created_at, event.sentence_key, event.field, json.dumps(event.value)


def _recount(connection: Connection, run_id: str, record: Record) -> None:
    numbers = numbers_of(record) | {"status": status_of(record)}
    for table, values in ((RECORDS, numbers), (TRUTHS, truth_of(record))):
        if values:
            here = (table.c.run_id == run_id, table.c.id == record.id)
            connection.execute(update(table).where(*here).values(values))
