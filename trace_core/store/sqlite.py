"""Set up SQLite files so that readers can work beside a writer, whoever opens the file first."""

from __future__ import annotations

import sqlite3
import time

WAIT_SECONDS = 30.0


def write_ahead(connection: sqlite3.Connection, wait_seconds: float = WAIT_SECONDS) -> None:
    """Turn on write-ahead logging, waiting for other connections, which SQLite itself does not do here.

    Raises `sqlite3.OperationalError` if the file stays locked or cannot be written.
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
