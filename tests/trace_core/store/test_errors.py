"""What is said of a database that does not work: what it was, and what to do."""

import os
import sqlite3

import pytest

from trace_core.errors import StoreError
from trace_core.sqlite import explain
from trace_core.store.database import Database
from trace_core.store.runs import RunStore


@pytest.fixture
def path(tmp_path):
    """The file of a store with runs in it."""
    file = tmp_path / "trace.sqlite"
    store = RunStore(f"sqlite:///{file}")
    for n in range(50):
        store.create_run(f"{n} " + "x" * 500, {})
    store.database.close()
    return file


def said_of(path):
    store = RunStore(f"sqlite:///{path}")
    with pytest.raises(StoreError) as caught:
        store.create_run("x", {})
    store.database.close()
    return str(caught.value)


def test_a_full_disk_is_named_so(tmp_path):
    connection = sqlite3.connect(tmp_path / "full.sqlite")
    connection.execute("PRAGMA max_page_count = 2")
    connection.execute("CREATE TABLE t (x)")
    with pytest.raises(sqlite3.Error) as caught:
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    connection.close()
    assert explain(caught.value)[0] == "The database's disk is full."


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_a_read_only_file_is_named_so(path):
    path.chmod(0o400)
    assert "not written" in said_of(path)


def test_the_check_finds_damage_in_the_middle_of_a_file(path):
    Database(f"sqlite:///{path}").check(examine=True)
    data = bytearray(path.read_bytes())
    data[8192:20480] = b"\xff" * (20480 - 8192)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="is damaged"):
        Database(f"sqlite:///{path}").check(examine=True)
