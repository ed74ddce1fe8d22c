"""Runs in processes of their own: killed at any moment, two at once, and read meanwhile."""

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from run_examples import row

from trace_core.store.datasets import DatasetStore
from trace_core.store.runs import RunStore

pytestmark = pytest.mark.process
SCRIPT = Path(__file__).parents[3] / "run_process.py"
CONCURRENCY, RECORDS = 8, 300
KILLS, MANY = 2, 20


def begin(url, run, calls, seconds, *leave, concurrency=CONCURRENCY):
    command = [sys.executable, str(SCRIPT), url, run, str(calls), str(concurrency), str(seconds), *map(str, leave)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def made(path):
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def store(url):
    opened = RunStore(url)
    yield opened
    opened.database.close()


def new_run(store, rows, name="a run"):
    dataset = DatasetStore(store.database).add_dataset(name, [(f"q{n}", row(n)) for n in range(1, rows + 1)])
    return store.create_run(name, {"labeler": "local", "convention": "trace"}, total=rows, dataset_id=dataset)


def test_killed_again_and_again_every_record_is_there_once_and_no_call_is_made_twice_in_vain(
    store, url, tmp_path, pytestconfig
):
    chance = random.Random(20240711)
    calls, run = tmp_path / "calls", new_run(store, RECORDS)
    lost = Counter()
    for _ in range(MANY if pytestconfig.getoption("long") else KILLS):
        before = len(made(calls))
        process = begin(url, run, calls, seconds=0.02)
        enough = before + chance.randint(1, 20)
        while len(made(calls)) < enough and process.poll() is None:
            time.sleep(0.005)
        time.sleep(chance.random() * 0.03)
        process.kill()
        process.communicate()
        in_flight = Counter(made(calls)) - lost - Counter(f"What is {i[1:]}?" for i in store.ids(run))
        assert sum(in_flight.values()) <= CONCURRENCY
        lost += in_flight
    assert 0 < len(store.ids(run)) < RECORDS  # it was killed on the way, and kept what it had
    last = begin(url, run, calls, seconds=0.0)
    assert last.communicate() == ("done \n", "")
    assert store.ids(run) == [f"q{n}" for n in range(1, RECORDS + 1)]
    assert store.load_run(run).counts["scored"] == RECORDS
    assert Counter(made(calls)) == Counter(f"What is {n}?" for n in range(1, RECORDS + 1)) + lost


def test_two_runs_at_once_and_a_reader_meet_no_lock_and_lose_nothing(store, url, tmp_path):
    runs = [new_run(store, 150, name) for name in ("one", "two")]
    processes = [begin(url, run, tmp_path / run, seconds=0.0) for run in runs]
    reads = 0
    while any(process.poll() is None for process in processes):
        for run in store.list_runs():
            columns = store.columns(run.id)
            assert len(columns.score("graded").values["adherence"]) == len(columns)
            assert all(record.scores.adherence == 1.0 for record in store.records(run.id))
            reads += 1
    assert [process.communicate() for process in processes] == [("done \n", "")] * 2
    assert reads > 2
    assert [len(store.ids(run)) for run in runs] == [150, 150]
    assert [len(made(tmp_path / run)) for run in runs] == [150, 150]


def test_of_two_processes_that_start_one_run_one_works_on_it(store, url, tmp_path):
    run = new_run(store, 60)
    processes = [begin(url, run, tmp_path / "calls", seconds=0.02) for _ in range(2)]
    said = sorted(process.communicate()[0] for process in processes)
    assert "done \n" in said
    assert len(store.ids(run)) == 60
    assert len(made(tmp_path / "calls")) == 60


def test_a_server_that_is_told_to_end_keeps_a_record_of_every_call(store, url, tmp_path):
    run = new_run(store, RECORDS)
    process = begin(url, run, tmp_path / "calls", 0.1, 0.5)
    assert process.communicate(timeout=60) == ("", "")
    found = store.load_run(run)
    assert found.counts["scored"] == len(made(tmp_path / "calls")) < RECORDS
    assert (found.status, found.owner) == ("stopped", None)
    assert found.reason == "The process that worked on it was told to end. What was in flight was kept."
