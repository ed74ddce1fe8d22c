"""SQLite files: set up so that readers can work beside a writer, and their errors in words."""

import sqlite3
import time

WAIT_SECONDS = 30.0


def write_ahead(connection: sqlite3.Connection, wait_seconds: float = WAIT_SECONDS) -> None:
    """Turn on write-ahead logging; SQLite itself does not wait here. Raises `sqlite3.OperationalError` if it cannot."""
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def explain(error: BaseException) -> tuple[str, str]:
    """What a database error means and what to do, without its own text, which may contain a password."""
    name, state = getattr(error, "sqlite_errorname", ""), getattr(error, "sqlstate", None) or ""
    for kind, words in _ERRORS.items():
        if name.startswith(kind) or state == kind:
            return words
    hint = "Check TRACE_DATABASE_URL, or TRACE_DATA_DIR for the default SQLite file."
    return f"The database does not work ({name or state or type(error).__name__}).", hint


_FULL = ("The database's disk is full.", "Free some space, then go on; what was stored is intact.")
_READ_ONLY = ("The database can be read but not written.", "Make the file and its folder writable by this user.")
_DAMAGE = ("The database is damaged.", "Restore it from a copy, or export what can be read: sqlite3 FILE .recover")
_ERRORS = {
    "SQLITE_FULL": _FULL,
    "53100": _FULL,
    "SQLITE_READONLY": _READ_ONLY,
    "25006": _READ_ONLY,
    "SQLITE_CORRUPT": _DAMAGE,
    "SQLITE_NOTADB": ("The database's file is not a SQLite database.", "Name another file, or move this one away."),
    "SQLITE_CANTOPEN": ("The database's file cannot be opened.", "Check the folder and who may write to it."),
    "SQLITE_BUSY": ("The database is in use by another process.", "Wait until that ends, then try again."),
}
"""SQLite's names and PostgreSQL's states → what happened and what to do."""
