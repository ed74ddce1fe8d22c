"""Replies on disk, by the hash of all that shaped them, and what each run paid; safe among threads and processes."""

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from trace_core.errors import StoreError
from trace_core.sqlite import WAIT_SECONDS, explain, write_ahead


class ReplyCache:
    """One SQLite file, created for the first reply. Raises `StoreError` if the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def get(self, key: str) -> dict[str, Any] | None:
        """The reply stored under that key."""
        with self._use() as connection:
            row = connection.execute("SELECT body FROM replies WHERE key = ?", (key,)).fetchone()
            return None if row is None else dict(json.loads(row[0]))

    def put(self, key: str, body: Mapping[str, Any]) -> None:
        """Store a reply durably."""
        with self._use() as connection:
            connection.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, json.dumps(body)))

    def charge(self, run: str, calls: float, cost: float) -> None:
        """Add to what the run has paid for, before a record says so: a process that is killed has paid, too."""
        with self._use() as connection:
            add = "ON CONFLICT (run) DO UPDATE SET calls = calls + excluded.calls, cost = cost + excluded.cost"
            connection.execute(f"INSERT INTO charges VALUES (?, ?, ?) {add}", (run, calls, cost))  # noqa: S608

    def charges(self, run: str) -> tuple[float, float]:
        """The number of calls that the run has paid for, and what they cost."""
        with self._use() as connection:
            return connection.execute("SELECT calls, cost FROM charges WHERE run = ?", (run,)).fetchone() or (0.0, 0.0)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection:
                self._connection.close()
                self._connection = None

    @contextmanager
    def _use(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                self._connection = self._connection or self._open()
                with self._connection:
                    yield self._connection
            except (sqlite3.Error, OSError, ValueError) as error:
                what, _ = explain(error)
                hint = "Check the disk and the folder, or remove the file: only the replies in it are lost."
                raise StoreError(f"The cache of replies {self._path} does not work. {what}", hint) from error

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=WAIT_SECONDS, check_same_thread=False)
        write_ahead(connection)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, body TEXT NOT NULL)")
        charges = "charges (run TEXT PRIMARY KEY, calls REAL NOT NULL, cost REAL NOT NULL)"
        connection.execute(f"CREATE TABLE IF NOT EXISTS {charges}")
        return connection
