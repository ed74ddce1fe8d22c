"""Runs in processes of their own, killed at any moment or told to end."""

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from killable import Killable
from run_examples import row
from run_process import work

from trace_core.store.datasets import DatasetStore
from trace_core.store.runs import RunStore

pytestmark = pytest.mark.process
SCRIPT = Path(__file__).parents[3] / "run_process.py"
CONCURRENCY, RECORDS = 8, 100
KILLS, MANY = 2, 20


def made(path):
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def new_run(store):
    dataset = DatasetStore(store.database).add_dataset("rows", [(f"q{n}", row(n)) for n in range(1, RECORDS + 1)])
    return store.create_run("a run", {"labeler": "local", "convention": "trace"}, total=RECORDS, dataset_id=dataset)


def test_killed_again_and_again_every_record_is_there_once_and_paid_once(store, url, tmp_path, pytestconfig):
    chance = random.Random(20240711)
    calls, run = tmp_path / "calls", new_run(store)
    lost = Counter()
    for _ in range(MANY if pytestconfig.getoption("long") else KILLS):
        before = len(made(calls))
        process = Killable(work, url, run, calls, CONCURRENCY, 0.02)
        enough = before + chance.randint(1, 20)
        while len(made(calls)) < enough and process.running():
            time.sleep(0.005)
        process.end(signal.SIGKILL, chance.random() * 0.03)
        in_flight = Counter(made(calls)) - lost - Counter(f"What is {i[1:]}?" for i in store.columns(run).id.tolist())
        assert sum(in_flight.values()) <= CONCURRENCY
        lost += in_flight
    assert 0 < len(store.columns(run).id.tolist()) < RECORDS  # it was killed on the way, and kept what it had
    last = Killable(work, url, run, calls, CONCURRENCY, 0.0)
    assert last.word() == ("done", "")
    assert last.through()
    assert store.columns(run).id.tolist() == [f"q{n}" for n in range(1, RECORDS + 1)]
    assert store.load_run(run).counts["scored"] == RECORDS
    assert Counter(made(calls)) == Counter(f"What is {n}?" for n in range(1, RECORDS + 1)) + lost


def test_a_server_that_is_told_to_end_keeps_a_record_of_every_call(tmp_path):
    url = f"sqlite:///{tmp_path / 'trace.sqlite'}"
    store = RunStore(url)
    run = new_run(store)
    # A process of its own: what counts here is how an interpreter ends.
    words = (sys.executable, SCRIPT, url, run, tmp_path / "calls", CONCURRENCY, 0.1, 0.5)
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("", "")
    found = store.load_run(run)
    assert found.counts["scored"] == len(made(tmp_path / "calls")) < RECORDS
    assert (found.status, found.owner) == ("stopped", None)
    assert found.reason == "The process that worked on it was told to end. What was in flight was kept."
