"""A run under way while PostgreSQL itself is killed: nothing that was labeled is lost, nothing is there twice."""

import threading

import postgresql_server
import pytest
from run_examples import Counting, row
from waiting import until

from trace_core.runs.execute.engine import Engine
from trace_core.runs.execute.worker import Worker
from trace_core.settings import Settings
from trace_core.store.database import Database
from trace_core.store.store import Store

pytestmark = pytest.mark.process
ROWS, CONCURRENCY = 20, 4


@pytest.fixture
def server():
    with postgresql_server.postgresql() as made:
        made.start()
        yield made


@pytest.fixture
def under_way(server, tmp_path):
    """(the labeler, which waits at its gate with its first calls; the engine; the run)."""
    database = Database(server.url)
    store, labeler = Store(database), Counting(gate=threading.Event())
    settings = Settings(TRACE_DATA_DIR=tmp_path, TRACE_CONCURRENCY=CONCURRENCY, _env_file=None)
    engine = Engine(store, settings, worker_of=lambda config: Worker(config, labeler))
    run = engine.create(store.datasets.add_dataset("twenty", [(f"q{n}", row(n)) for n in range(ROWS)]), "a run")
    engine.start(run)
    until(lambda: len(labeler.calls) >= CONCURRENCY)
    yield labeler, engine, run
    labeler.gate.set()
    engine.close()
    database.close()


def is_whole(engine, run, labeler):
    """Every record is there once, and no row was labeled twice."""
    assert engine.store.runs.columns(run).id.tolist() == [f"q{n}" for n in range(ROWS)]
    assert engine.store.runs.load_run(run).status == "done"
    assert engine.store.runs.load_run(run).counts["scored"] == ROWS
    assert sorted(labeler.calls) == sorted(f"What is {n}?" for n in range(ROWS))


def test_back_in_time_it_stops_nothing(server, under_way):
    labeler, engine, run = under_way
    server.kill()
    labeler.gate.set()
    until(lambda: engine.progress(run).backlog)
    server.start()
    assert engine.wait(run, 60)
    is_whole(engine, run, labeler)


def test_gone_for_longer_the_run_ends_is_marked_and_goes_on(server, under_way, monkeypatch):
    monkeypatch.setattr("trace_core.runs.execute.attempt.PATIENCE", (0.01,))
    labeler, engine, run = under_way
    server.kill()
    labeler.gate.set()
    assert engine.wait(run, 60)
    assert "The database does not work" in engine.progress(run).reason
    server.start()
    assert engine.store.runs.load_run(run).status == "running"  # its end could not be written
    assert engine.recover() == [run]
    found = engine.store.runs.load_run(run)
    assert (found.status, found.owner) == ("stopped", None)
    assert f"{CONCURRENCY} labeled records are not written" in found.reason
    engine.start(run)
    assert engine.wait(run, 60)
    is_whole(engine, run, labeler)
