"""The database behind every store: SQLite in the data folder by default, or PostgreSQL if configured."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trace_core.errors import StoreError
from trace_core.store.sqlite import damage, explain, write_ahead

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Engine, Table
    from sqlalchemy.dialects.postgresql import Insert as PostgreSQLInsert
    from sqlalchemy.dialects.sqlite import Insert as SQLiteInsert

BUSY_TIMEOUT = 60
"""Seconds that a writer waits for another; SQLite has one writer at a time."""
_FIRST_COME = 20240711
"""The key of PostgreSQL's advisory lock for migrations."""


class Database:
    """A database that opens at first use; thread-safe. Every use raises `StoreError` when it fails."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._engine: Engine | None = None
        self._opening = threading.Lock()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for reading; it never waits for a writer."""
        with self._connected() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction, durable when the block ends and rolled back when the block raises."""
        from sqlalchemy import text

        with self._connected() as connection:
            if connection.dialect.name == "sqlite":
                # Take the write lock now: a transaction that begins with a read could not wait for it later.
                connection.execute(text("BEGIN IMMEDIATE"))
            yield connection

    def check(self) -> str:
        """Connect, and return the kind of database."""
        with self.reading() as connection:
            return str(connection.dialect.name)

    def examine(self) -> None:
        """Run SQLite's own check over the whole file. Raises `StoreError` if it finds damage."""
        with self.reading() as connection:
            driver = connection.connection.driver_connection
            if isinstance(driver, sqlite3.Connection) and (found := damage(driver)):
                raise StoreError("The database is damaged.", f"Restore it from a copy. SQLite says: {found}")

    def close(self) -> None:
        """Close the connections; the next use opens new ones."""
        with self._opening:
            if self._engine:
                self._engine.dispose()
                self._engine = None

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        from sqlalchemy.exc import SQLAlchemyError

        try:
            with self._opened().begin() as connection:
                yield connection
        except (SQLAlchemyError, OSError, ImportError, ValueError) as error:
            # The error's own text may contain the URL with its password.
            raise StoreError(*explain(getattr(error, "orig", None) or error)) from None

    def _opened(self) -> Engine:
        with self._opening:
            if self._engine is None:
                self._engine = _open(self._url)
            return self._engine


def clock(connection: Connection) -> ColumnElement[float]:
    """The database's time in seconds since 1970, the one clock that all its users share."""
    from sqlalchemy import Double, literal_column

    postgresql = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)"
    sqlite = "(julianday('now') - 2440587.5) * 86400.0"
    return literal_column(postgresql if connection.dialect.name == "postgresql" else sqlite, Double())


def insert_new(connection: Connection, table: Table) -> SQLiteInsert | PostgreSQLInsert:
    """An insert that leaves an existing row with the same keys unchanged."""
    statement: SQLiteInsert | PostgreSQLInsert = _insert(connection, table).on_conflict_do_nothing()
    return statement


def upsert(
    connection: Connection, table: Table, keys: Sequence[str], changed: Sequence[str]
) -> SQLiteInsert | PostgreSQLInsert:
    """An insert that updates the columns `changed` of an existing row with the same `keys`."""
    made = _insert(connection, table)
    replaced = {name: made.excluded[name] for name in changed}
    statement: SQLiteInsert | PostgreSQLInsert = made.on_conflict_do_update(index_elements=list(keys), set_=replaced)
    return statement


def _insert(connection: Connection, table: Table) -> Any:
    from sqlalchemy.dialects import postgresql, sqlite

    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)


def _open(url: str) -> Engine:
    from sqlalchemy import create_engine, event
    from sqlalchemy.engine import make_url

    parsed = make_url(url)
    sqlite = parsed.get_backend_name() == "sqlite"
    if sqlite and parsed.database:
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    more: dict[str, Any] = {"connect_args": {"timeout": BUSY_TIMEOUT}} if sqlite else {"pool_pre_ping": True}
    engine = create_engine(parsed, **more)
    if sqlite:
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
    write_ahead(connection)
    connection.execute("PRAGMA synchronous=FULL")


def _release(connection: Any, _: object) -> None:
    """End the transaction: a connection that is closed with a statement in use, as Ctrl-C leaves it, would keep the
    write lock until the statement is collected.
    """
    with suppress(sqlite3.Error):  # it is closed anyway
        connection.rollback()


def _migrate(engine: Engine) -> None:
    """Apply the migrations that this database lacks, each once, in order; one process at a time."""
    from sqlalchemy import inspect, text

    from trace_core.store.schema import MIGRATIONS

    latest = text("SELECT COALESCE(MAX(number), 0) FROM migrations")
    with engine.connect() as connection:  # does not wait for a writer, however long an import takes
        if inspect(connection).has_table("migrations") and connection.execute(latest).scalar() == len(MIGRATIONS):
            return
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.execute(text("BEGIN IMMEDIATE"))
        elif engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_FIRST_COME})"))
        connection.execute(text("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY)"))
        done = connection.execute(latest).scalar() or 0
        if done > len(MIGRATIONS):
            raise StoreError(
                "The database was made by a newer version of this project.",
                "Install that version, or name another database in TRACE_DATABASE_URL.",
            )
        for number, statements in enumerate(MIGRATIONS[done:], start=done + 1):
            for statement in statements:
                connection.execute(text(statement))
            connection.execute(text("INSERT INTO migrations VALUES (:n)"), {"n": number})
