"""Review, ingest and export, killed or stopped at any moment: nothing is lost, nothing twice, nothing half shown.

Runs and imports are killed in `runs/execute/test_processes.py` and `runs/files/test_imports.py`.
"""

import random
import signal
import time
from collections import Counter

import pytest
import run_command
from killable import Killable, bring, collections_at, review
from run_examples import labeled

from trace_core.metrics import METRICS
from trace_core.retrieval import close_all
from trace_core.store.database import Database
from trace_core.store.store import Store

pytestmark = pytest.mark.process
KILLS, MANY = 1, 20
RECORDS, FILES = 40, 200


@pytest.fixture
def moments(pytestconfig):
    """For each kill the share of a short time that passes before it, in [0, 1]."""
    chance = random.Random(20240711)
    return [chance.random() for _ in range(MANY if pytestconfig.getoption("long") else KILLS)]


def filled(url):
    """A store in that database with a run of labeled records, and the run's id."""
    store = Store(Database(url))
    run = store.runs.create_run("a run", {"convention": "trace"}, total=RECORDS, status="done")
    store.runs.save_records(run, [labeled(f"q{n}") for n in range(RECORDS)])
    return store, run


def test_every_confirmed_correction_is_stored_once_and_the_numbers_follow(url, tmp_path, moments):
    how = signal.SIGINT if url.startswith("sqlite") else signal.SIGKILL
    store, run = filled(url)
    said = tmp_path / "said"
    for kill, moment in enumerate(moments, start=1):
        process, size = Killable(review, url, run, said), said.stat().st_size if said.exists() else 0
        while process.running() and not (said.exists() and said.stat().st_size > size):  # however slow the machine
            time.sleep(0.005)
        process.end(how, moment)
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


def test_an_ingest_has_whole_documents_once_and_goes_on_where_it_was(tmp_path, moments):
    folder, data = tmp_path / "docs", tmp_path / "data"
    folder.mkdir()
    wanted = [(f"docs/{n:03}.txt", f"Pump {n} runs at {n % 17} bar.") for n in range(FILES)]
    for name, text in wanted:
        (tmp_path / name).write_text(text, encoding="utf-8")
    before = 0
    for moment in moments:
        process = Killable(bring, data, folder)
        while before == 0 and process.word() == 0:
            pass
        process.end(signal.SIGKILL, moment / 100)
        found = there(data)
        assert set(found) <= set(wanted)
        assert len(found) == len(set(found)) >= before
        assert before or 0 < len(found) < FILES  # the first was killed on the way
        before = len(found)
    assert Killable(bring, data, folder).through()
    assert there(data) == wanted


def test_an_exported_file_is_whole_or_as_it_was(tmp_path, moments):
    store, run = filled(f"sqlite:///{tmp_path / 'data' / 'trace.sqlite'}")
    store.runs.save_records(run, [labeled(f"many{n}") for n in range(1_000)])
    store.database.close()
    out = tmp_path / "out.json"
    for moment in moments:
        out.write_text("as it was", encoding="utf-8")
        process = run_command.started(tmp_path, "export", run, "--format", "json", "--out", out)
        while not list(tmp_path.glob(".out.json*")):
            assert process.poll() is None
            time.sleep(0.002)
        time.sleep(moment / 50)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        assert process.returncode != 0  # it was stopped on the way
        assert out.read_text(encoding="utf-8") == "as it was"
        assert not list(tmp_path.glob(".out.json*"))
