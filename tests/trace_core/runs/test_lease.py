"""Who is taken for dead: here by the process and its start alone, elsewhere by the database's clock."""

import os
import subprocess
import sys

import pytest
from sqlalchemy import text

from trace_core.runs import lease
from trace_core.runs.lease import GIVEN_UP, host, is_dead, new_owner

pytestmark = pytest.mark.usefixtures("url")
LONG = 3600.0  # seconds


def claimed(store, owner, silent=0.0):
    run = store.create_run("a run", {})
    store.claim(run, owner)
    with store.database.writing() as connection:
        older = text("UPDATE runs SET heartbeat = heartbeat - :silent WHERE id = :run")
        connection.execute(older, {"silent": silent, "run": run})
    return store.load_run(run)


@pytest.mark.parametrize(
    ("owner", "silent", "dead"),
    [
        (new_owner, LONG, False),
        (lambda: f"{host()} 999999999 123 x", 0.0, True),
        (lambda: f"{host()} {os.getpid()} 1 x", 0.0, True),
        (lambda: "elsewhere 1 1 x", 0.0, False),
        (lambda: "elsewhere 1 1 x", LONG, True),
        (new_owner, -LONG, False),
        (lambda: f"{host()} 999999999 123 x", -LONG, True),
        (lambda: "elsewhere 1 1 x", -LONG, False),
    ],
    ids=[
        *("this process", "gone", "another of that number", "elsewhere", "silent elsewhere"),
        *("the clock went back", "gone, the clock went back", "elsewhere, the clock went back"),
    ],
)
def test_a_process_of_this_host_goes_by_its_start_and_another_by_its_silence(store, owner, silent, dead):
    assert is_dead(claimed(store, owner(), silent)) is dead


@pytest.mark.process
def test_a_process_that_has_ended_and_that_nobody_waited_for_is_dead(store):
    """As in a container, whose first process collects no other."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        run = claimed(store, f"{host()} {process.pid} {lease._start_time(process.pid)} x")
        assert not is_dead(run)
        process.stdin.close()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert is_dead(run)


def test_a_name_that_its_process_gave_up_is_dead_while_the_process_lives(store):
    owner = new_owner()
    run = claimed(store, owner)
    GIVEN_UP.add(owner)
    assert is_dead(run)
    assert not is_dead(claimed(store, new_owner()))


def test_a_process_of_another_pid_namespace_is_not_taken_for_one_of_this_host(store, monkeypatch):
    host.cache_clear()
    monkeypatch.setattr(os, "readlink", lambda path: "pid:[1]")
    other = host()
    monkeypatch.undo()
    host.cache_clear()
    assert other != host()
    assert other.partition("/")[0] == host().partition("/")[0]
    assert not is_dead(claimed(store, f"{other} 999999999 1 x"))


def test_where_the_system_tells_no_start_the_silence_decides(store, monkeypatch):
    monkeypatch.setattr("trace_core.runs.lease._start_time", lambda pid: "?")
    owner = new_owner()
    assert not is_dead(claimed(store, owner))
    assert is_dead(claimed(store, owner, LONG))
