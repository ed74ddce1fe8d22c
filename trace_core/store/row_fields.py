"""The short values among the other fields of a run's rows, in a column of their own: filters read no whole record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from typing import Any

from sqlalchemy import bindparam, select, update

from trace_core.store.database import Database
from trace_core.store.rows import fields_text
from trace_core.store.schema import BODIES, RECORDS

Value = str | float | bool | list[str]
"""A field's value that people can choose: a text, a number, yes or no, or each text of a list."""
RowFields = Mapping[str, Mapping[int, Value]]
"""Field → position of the record → value; records that lack it are left out."""
BATCH = 500


def read_row_fields(database: Database, run_id: str) -> RowFields:
    """The run's fields in order of position. Records stored before this column existed get theirs first."""
    column = RECORDS.c.fields
    query = select(RECORDS.c.position, column).where(RECORDS.c.run_id == run_id, column.is_distinct_from(""))
    with database.reading() as connection:
        lines = connection.execute(query.order_by(RECORDS.c.position)).cursor.fetchall()
    if any(text is None for _, text in lines):
        _add_older(database, run_id)
        return read_row_fields(database, run_id)
    found: dict[str, dict[int, Value]] = {}
    for position, text in lines:
        for name, value in json.loads(text).items():
            found.setdefault(name, {})[position] = value
    return found


def _add_older(database: Database, run_id: str) -> None:
    """Fill the column where it is unknown, from the records' bodies; a body without any is not even read."""
    older = (RECORDS.c.run_id == run_id, RECORDS.c.fields.is_(None))
    with database.writing() as connection:
        ids = iter(connection.execute(select(RECORDS.c.id).where(*older)).scalars().all())
        while batch := list(islice(ids, BATCH)):
            some = BODIES.c.body.contains('"fields":') | BODIES.c.body.contains('"golden":')
            here = (BODIES.c.run_id == run_id, BODIES.c.id.in_(batch), some)
            found = connection.execute(select(BODIES.c.id, BODIES.c.body).where(*here)).all()
            filled = [{"of": record_id, "text": _text_of(json.loads(body))} for record_id, body in found]
            if filled:
                mine = (RECORDS.c.run_id == run_id, RECORDS.c.id == bindparam("of"))
                connection.execute(update(RECORDS).where(*mine).values(fields=bindparam("text")), filled)
        connection.execute(update(RECORDS).where(*older).values(fields=""))


def _text_of(body: Mapping[str, Any]) -> str:
    return fields_text(body.get("fields") or {}, (body.get("golden") or {}).get("category"))
