"""Review, ingest and export, killed or stopped at any moment: nothing is lost, nothing twice, nothing half shown.

Runs and imports are killed in `runs/execute/test_processes.py` and `runs/files/test_imports.py`.
"""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
import run_command
from kill_process import collections_at
from run_examples import labeled

from trace_core.metrics.scoring import METRICS
from trace_core.retrieval import close_all
from trace_core.runs.files.export import export
from trace_core.runs.files.exported import from_store
from trace_core.store.database import Database
from trace_core.store.store import Store

pytestmark = [
    pytest.mark.process,
    pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "Ctrl-C"]),
]
KILLS, MANY = 1, 20
RECORDS, FILES = 40, 200


@pytest.fixture
def moments(pytestconfig):
    """For each kill the share of the whole time that passes before it, in [0, 1]."""
    chance = random.Random(20240711)
    return [chance.random() for _ in range(MANY if pytestconfig.getoption("long") else KILLS)]


def begin(*arguments):
    """Such a process, once it has begun."""
    command = [sys.executable, str(run_command.ROOT / "tests" / "kill_process.py"), *map(str, arguments)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=run_command.hears_ctrl_c
    )
    assert process.stdout.readline() == "begins\n"
    return process


def end(process, how, seconds):
    """End it after so long; `True` where it was through before."""
    time.sleep(seconds)
    process.send_signal(how)
    return through(process)


def through(process):
    """Whether it ends well."""
    try:
        process.communicate(timeout=120)
    finally:
        process.kill()
    return process.returncode == 0


def filled(url):
    """A store in that database with a run of labeled records, and the run's id."""
    store = Store(Database(url))
    run = store.runs.create_run("a run", {"convention": "trace"}, total=RECORDS, status="done")
    store.runs.save_records(run, [labeled(f"q{n}") for n in range(RECORDS)])
    return store, run


def test_every_correction_that_was_told_is_there_once_and_the_numbers_are_those_of_the_labels(
    url, tmp_path, moments, how
):
    store, run = filled(url)
    said = tmp_path / "said"
    for kill, moment in enumerate(moments, start=1):
        end(begin("review", url, run, said), how, moment)
        told = said.read_text().split() if said.exists() else []
        found = [event.id for events in store.corrections.of_run(run).values() for event in events]
        assert Counter(found) == Counter(set(found))
        assert set(told) <= set(found)
        assert len(found) - len(told) <= kill  # each was added, and killed before it could say so
        columns = store.runs.columns(run).score("trace").values
        for place, record in enumerate(store.runs.records(run)):
            assert {name: columns[name][place] for name in METRICS} == {
                name: getattr(record.scores, name) for name in METRICS
            }
    assert told
    store.database.close()


def there(data):
    """Id in the payload → text, of every point of the collection; empty where there is none."""
    collections = collections_at(data)
    try:
        if "c" not in collections.names():
            return []
        points = collections.qdrant.do(lambda client: client.scroll("c", limit=10_000)[0])
    finally:
        close_all()
    return sorted((point.payload["id"], point.payload["text"]) for point in points)


def test_an_ingest_has_whole_documents_once_and_goes_on_where_it_was(tmp_path, moments, how):
    folder, data = tmp_path / "docs", tmp_path / "data"
    folder.mkdir()
    wanted = [(f"docs/{n:03}.txt", f"Pump {n} runs at {n % 17} bar.") for n in range(FILES)]
    for name, text in wanted:
        (tmp_path / name).write_text(text, encoding="utf-8")
    at = time.monotonic()
    assert through(begin("ingest", tmp_path / "first", folder))
    whole = time.monotonic() - at
    before = 0
    for moment in moments:
        end(begin("ingest", data, folder), how, moment * whole / 2)
        found = there(data)
        assert set(found) <= set(wanted)
        assert len(found) == len(set(found)) >= before
        before = len(found)
    assert through(begin("ingest", data, folder))
    assert there(data) == wanted


def test_an_exported_file_is_whole_or_as_it_was(tmp_path, moments, how):
    store, run = filled(f"sqlite:///{tmp_path / 'data' / 'trace.sqlite'}")
    many = [labeled(f"many{n}") for n in range(1_000)]
    store.runs.save_records(run, many)
    with (tmp_path / "whole.json").open("w", encoding="utf-8", newline="\n") as stream:
        export(from_store(store.runs, run), "json", stream)
    whole = (tmp_path / "whole.json").read_text(encoding="utf-8")
    out = tmp_path / "out.json"

    def begun():
        return run_command.started(tmp_path, "export", run, "--format", "json", "--out", out)

    at = time.monotonic()
    begun().communicate(timeout=120)
    seconds = time.monotonic() - at
    assert out.read_text(encoding="utf-8") == whole
    for moment in moments:
        out.write_text("as it was", encoding="utf-8")
        through = end(begun(), how, (0.4 + 0.7 * moment) * seconds)
        assert out.read_text(encoding="utf-8") in ([whole] if through else [whole, "as it was"])
        assert how == signal.SIGKILL or not list(tmp_path.glob(".out.json*"))
    assert json.loads(whole)["records"]
    store.database.close()
