"""The database behind every store: SQLite in the data folder by default, or PostgreSQL if configured."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import ColumnElement, Connection, Engine, Table, event, func, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from trace_core.errors import StoreError
from trace_core.sqlite import explain, write_ahead
from trace_core.store.schema import FORMER_NAMES, METADATA, OLDEST, RECORDS, TRUTHS, VERSION, VERSIONS

BUSY_TIMEOUT = 60
"""Seconds that a writer waits for another; SQLite has one writer at a time."""
_NO_VERSION = -1
_FIRST_COME = 20240711
"""The key of PostgreSQL's advisory lock for migrations."""


class Tables:
    """Access to tables of a database, as every store has. Each use raises `StoreError` when the database fails."""

    def __init__(self, database: Database | str) -> None:
        self.database = Database(database) if isinstance(database, str) else database


class Database:
    """A database that opens at first use; thread-safe. Every use raises `StoreError` when it fails."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._engine: Engine | None = None
        self._opening = threading.Lock()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for reading; it never waits for a writer."""
        try:
            with self._open().begin() as connection:
                yield connection
        except (SQLAlchemyError, sqlite3.Error, OSError, ImportError, ValueError) as error:
            # The error's own text may contain the URL with its password.
            raise StoreError(*explain(getattr(error, "orig", None) or error)) from None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction, durable when the block ends and rolled back when the block raises."""
        with self.reading() as connection:
            if connection.dialect.name == "sqlite":
                # Take the write lock now: a transaction that begins with a read could not wait for it later.
                connection.execute(text("BEGIN IMMEDIATE"))
            yield connection

    def check(self, *, examine: bool = False) -> str:
        """Connect, and return the kind of database. With `examine`, run SQLite's own check over the whole file, and
        write. Raises `StoreError` for a damaged one and for one that cannot be written."""
        with self.reading() as connection:
            driver = connection.connection.driver_connection
            if examine and isinstance(driver, sqlite3.Connection):
                result = [str(row[0]) for row in driver.execute("PRAGMA quick_check(3)")]
                if result != ["ok"]:
                    raise StoreError("The database is damaged.", f"Restore it from a copy. SQLite says: {result[0]}")
            kind = str(connection.dialect.name)
        if examine:
            with self.writing() as connection:
                connection.execute(VERSIONS.insert(), {"number": _NO_VERSION})
                connection.execute(VERSIONS.delete().where(VERSIONS.c.number == _NO_VERSION))
        return kind

    def close(self) -> None:
        """Close the connections; the next use opens new ones."""
        with self._opening:
            if self._engine:
                self._engine.dispose()
                self._engine = None

    def _open(self) -> Engine:
        with self._opening:
            if self._engine is None:
                self._engine = open_engine(self._url)
            return self._engine


def clock(connection: Connection) -> ColumnElement[float]:
    """The database's time in seconds since 1970, the one clock that all its users share."""
    of_postgresql = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)"
    of_sqlite = "(julianday('now') - 2440587.5) * 86400.0"
    text_of = of_postgresql if connection.dialect.name == "postgresql" else of_sqlite
    return sqlalchemy.literal_column(text_of, sqlalchemy.Double())


def insert(connection: Connection, table: Table) -> Any:
    """The dialect's own insert, which can say what happens to a row whose keys exist already."""
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)


def upsert(connection: Connection, table: Table) -> Any:
    """An insert that replaces the row with the same keys."""
    statement = insert(connection, table)
    values = {column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key}
    return statement.on_conflict_do_update(index_elements=list(table.primary_key.columns), set_=values)


def open_engine(url: str) -> Engine:
    """The engine of a database whose tables are those of this version."""
    address = sqlalchemy.make_url(url)
    in_file = address.get_backend_name() == "sqlite"
    if in_file and address.database:
        Path(address.database).parent.mkdir(parents=True, exist_ok=True)
    more: dict[str, Any] = {"connect_args": {"timeout": BUSY_TIMEOUT}} if in_file else {"pool_pre_ping": True}
    engine = sqlalchemy.create_engine(address, **more)
    if in_file:
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "close", _release)
    try:
        _migrate(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _prepare(connection: Any, _: object) -> None:
    """Let readers work beside a writer, and sync every commit to disk before it returns."""
    connection.execute("PRAGMA page_size=8192")  # of a new file; a record of 14 kB is written faster than at 4096
    write_ahead(connection)
    connection.execute("PRAGMA synchronous=FULL")


def _release(connection: Any, _: object) -> None:
    """End the transaction: a connection that is closed with a statement in use, as Ctrl-C leaves it, would keep the
    write lock until the statement is collected."""
    with suppress(sqlite3.Error):  # it is closed anyway
        connection.rollback()


def _migrate(engine: Engine) -> None:
    """Make the tables, or lead those of an earlier version to this one; one process at a time."""
    latest = select(func.coalesce(func.max(VERSIONS.c.number), 0))
    with engine.connect() as connection:  # does not wait for a writer, however long an import takes
        if sqlalchemy.inspect(connection).has_table(VERSIONS.name) and connection.execute(latest).scalar() == VERSION:
            return
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.execute(text("BEGIN IMMEDIATE"))
        elif engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_FIRST_COME})"))
        number = connection.execute(latest).scalar() if sqlalchemy.inspect(connection).has_table(VERSIONS.name) else 0
        if number == VERSION:  # another process was first
            return
        if not number:
            METADATA.create_all(connection)
        elif OLDEST <= number < VERSION:
            _upgrade(connection)
        else:
            raise StoreError(
                "The database was made by another version of this project, which this one cannot read.",
                "Install that version and export its runs, or name another database in TRACE_DATABASE_URL.",
            )
        connection.execute(VERSIONS.insert(), {"number": VERSION})


def _upgrade(connection: Connection) -> None:
    """Add the columns that an earlier version lacks; its records are counted anew where they are read."""
    for table in (RECORDS, TRUTHS):
        names = {column["name"] for column in sqlalchemy.inspect(connection).get_columns(table.name)}
        for column in table.columns:
            former = FORMER_NAMES.get(column.name)
            kind = column.type.compile(connection.dialect)
            if former in names:
                connection.execute(text(f"ALTER TABLE {table.name} RENAME COLUMN {former} TO {column.name}"))
            elif column.name not in names:
                connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {column.name} {kind}"))
    connection.execute(RECORDS.update().values(certified=None))
