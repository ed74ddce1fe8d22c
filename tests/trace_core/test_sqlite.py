"""Whoever opens a SQLite file first, everyone gets in."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

from trace_core.sqlite import write_ahead


def opened(path):
    connection = sqlite3.connect(path)
    try:
        write_ahead(connection)
        return connection.execute("PRAGMA journal_mode").fetchone()[0]
    finally:
        connection.close()


def test_many_who_open_a_fresh_file_at_once_all_get_in(tmp_path):
    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(opened, [tmp_path / "fresh.sqlite"] * 200)) == {"wal"}


def test_a_file_that_stays_locked_is_told(tmp_path):
    holder = sqlite3.connect(tmp_path / "held.sqlite", isolation_level=None)
    holder.execute("CREATE TABLE t (x)")
    holder.execute("BEGIN EXCLUSIVE")
    connection = sqlite3.connect(tmp_path / "held.sqlite", timeout=0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        write_ahead(connection, wait_seconds=0.05)
    connection.close()
    holder.close()
