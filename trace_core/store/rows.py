"""A record ↔ its rows in the tables."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_json
from sqlalchemy import Connection, select, update

from trace_core.errors import StoreError, UnknownRun
from trace_core.facts.records import Record, record_reader
from trace_core.facts.strict import valid_text
from trace_core.store.database import upsert
from trace_core.store.schema import BODIES, RECORDS, RUNS, TRUTHS
from trace_core.summary.columns import numbers_of, texts_of, truth_of

MOST_FIELDS, LONGEST_FIELD, MOST_ITEMS = 50, 100, 20
"""Of a row's other fields, as many are kept in a column; longer texts are cut to one character more, which shows it.
Lists of more texts, or of longer ones, are left out."""
RecordRows = tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]
"""One record's rows: in `RECORDS`, in `BODIES`, and in `TRUTHS` where it has a ground truth."""


def rows_of(record: Record, run_id: str, position: int = 0) -> RecordRows:
    """The record as rows; single records have no run and position 0."""
    texts = {name: valid_text(text) for name, text in texts_of(record).items()}
    key, response = {"run_id": run_id, "id": texts["id"]}, record.response.text if record.response else ""
    truth, category = truth_of(record), record.golden.category if record.golden else None
    short = dict(islice(_short({"category": category, **record.fields}, ""), MOST_FIELDS))
    line = {
        **texts,
        **numbers_of(record),
        "run_id": run_id,
        "position": position,
        "question": valid_text(record.question),
        "search": valid_text(f"{record.question}\n{response}\n{record.id}".casefold()),
        "fields": to_json(short).decode() if short else "",
    }
    own = record.labeler_labels
    try:
        body = record.model_dump_json(exclude={"labels", "uncorrected"})
        labels = own.model_dump_json() if own else "null"
    except (ValueError, RecursionError):  # a raw reply may contain values that JSON cannot represent: replaced here
        whole = record.model_copy(update={"labels": own, "uncorrected": None}).to_dict()
        labels = json.dumps(whole.pop("labels"), allow_nan=False)
        body = json.dumps(whole, allow_nan=False)
    return line, key | {"body": body, "labels": labels}, key | truth if truth else None


def write(connection: Connection, rows: Sequence[RecordRows]) -> None:
    """Write the rows; a row of the same run and id is replaced."""
    for table, column in zip((RECORDS, BODIES, TRUTHS), zip(*rows, strict=True), strict=True):
        values = [row for row in column if row]
        if values:
            # One statement, passed to the driver unchanged: no value here needs SQLAlchemy's conversion.
            statement = upsert(connection, table).compile(dialect=connection.dialect)
            names = statement.positiontup
            connection.exec_driver_sql(str(statement), list(map(itemgetter(*names), values)) if names else list(values))


def load(connection: Connection, run_id: str, record_id: str) -> Record:
    """One record as its labeler left it. Raises `UnknownRun` if it does not exist."""
    here = (BODIES.c.run_id == run_id, BODIES.c.id == valid_text(record_id))
    result = connection.execute(select(BODIES.c.body, BODIES.c.labels).where(*here)).first()
    if not result:
        raise UnknownRun(f"There is no record {valid_text(record_id)!r} in run {valid_text(run_id)!r}.")
    return read(record_id, *result)


def read(record_id: str, body: str, labels: str) -> Record:
    """One record as its labeler left it. Raises `StoreError` naming it if it is broken."""
    try:
        record: Record = record_reader().validate_json(f'{body[:-1]}, "labels": {labels}}}', strict=True)
        return record
    except ValidationError:
        raise StoreError(f"The stored record {record_id!r} is broken.", "Restore the database.") from None


def _short(fields: Mapping[str, Any], within: str) -> Iterator[tuple[str, str | float | bool | list[str]]]:
    """The short ones among a row's fields; those within an object are named `object.field`."""
    for name, value in fields.items():
        full = f"{within}{name}"
        if not full.strip():
            continue
        if isinstance(value, Mapping) and not within:
            yield from _short(value, f"{full}.")
        elif isinstance(value, str) and value.strip():
            yield valid_text(full), valid_text(value)[: LONGEST_FIELD + 1]
        elif isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
            yield valid_text(full), value
        elif (
            isinstance(value, list)  # of texts to choose from, such as tags
            and 0 < len(value) <= MOST_ITEMS
            and all(isinstance(item, str) and item.strip() and len(item) <= LONGEST_FIELD for item in value)
        ):
            yield valid_text(full), list(dict.fromkeys(map(valid_text, value)))


def unknown(run_id: str) -> UnknownRun:
    """The error for an id of no run."""
    return UnknownRun(
        f"There is no run {valid_text(run_id)!r}.",
        "It may have been deleted. Choose one on the page Runs, or list them: python -m trace_core runs",
    )


def bump(connection: Connection, run_id: str, changes: int = 1) -> None:
    """Increment the run's revision, so that readers know that their caches are stale. Raises `UnknownRun`."""
    change = update(RUNS).where(RUNS.c.id == run_id).values(revision=RUNS.c.revision + changes)
    if not connection.execute(change).rowcount:
        raise unknown(run_id)
