"""Runs in processes of their own, killed at any moment or told to end."""

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from run_examples import row

from trace_core.store.datasets import DatasetStore

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("url")]
SCRIPT = Path(__file__).parents[3] / "run_process.py"
CONCURRENCY, RECORDS = 8, 300
KILLS, MANY = 2, 20


def begin(url, run, calls, *seconds):
    command = [sys.executable, str(SCRIPT), url, run, str(calls), str(CONCURRENCY), *map(str, seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def made(path):
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def new_run(store):
    dataset = DatasetStore(store.database).add_dataset("rows", [(f"q{n}", row(n)) for n in range(1, RECORDS + 1)])
    return store.create_run("a run", {"labeler": "local", "convention": "trace"}, total=RECORDS, dataset_id=dataset)


def test_killed_again_and_again_every_record_is_there_once_and_no_call_is_made_twice_in_vain(
    store, url, tmp_path, pytestconfig
):
    chance = random.Random(20240711)
    calls, run = tmp_path / "calls", new_run(store)
    lost = Counter()
    for _ in range(MANY if pytestconfig.getoption("long") else KILLS):
        before = len(made(calls))
        process = begin(url, run, calls, 0.02)
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
    last = begin(url, run, calls, 0.0)
    assert last.communicate() == ("done \n", "")
    assert store.ids(run) == [f"q{n}" for n in range(1, RECORDS + 1)]
    assert store.load_run(run).counts["scored"] == RECORDS
    assert Counter(made(calls)) == Counter(f"What is {n}?" for n in range(1, RECORDS + 1)) + lost


def test_a_server_that_is_told_to_end_keeps_a_record_of_every_call(store, url, tmp_path):
    run = new_run(store)
    process = begin(url, run, tmp_path / "calls", 0.1, 0.5)
    assert process.communicate(timeout=60) == ("", "")
    found = store.load_run(run)
    assert found.counts["scored"] == len(made(tmp_path / "calls")) < RECORDS
    assert (found.status, found.owner) == ("stopped", None)
    assert found.reason == "The process that worked on it was told to end. What was in flight was kept."
