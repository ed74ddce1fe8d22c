"""What every SQLite file here needs: readers beside a writer, whoever opens it first."""

from __future__ import annotations

import sqlite3
import time

WAIT_SECONDS = 30.0


def write_ahead(connection: sqlite3.Connection, wait_seconds: float = WAIT_SECONDS) -> None:
    """Turn on write-ahead logging. SQLite itself does not wait for another connection there; this does.

    Raises `sqlite3.OperationalError` when the file stays locked, or cannot be written.
    """
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
