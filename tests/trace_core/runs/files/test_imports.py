"""An import is there whole or not at all: killed, stopped, taken over, or begun twice at once."""

import random
import signal
import time

import pytest
from killable import Killable, import_file
from run_examples import brought_in, labeled, run_text, written
from run_examples import exported as text_of

from trace_core.errors import RunTaken, UnknownRun
from trace_core.facts.corrections import with_corrections
from trace_core.runs.execute.engine import Engine
from trace_core.runs.files.exported import from_store
from trace_core.runs.files.importing import import_run
from trace_core.runs.lease import host
from trace_core.settings import Settings
from trace_core.store.corrections import CorrectionStore
from trace_core.store.runs import IMPORTING, RunStore
from trace_core.store.store import Store

pytestmark = pytest.mark.usefixtures("url")
RECORDS = 200
KILLS, MANY = 2, 20
DEAD = "no-such-host 1 1 x"


@pytest.fixture
def other(url):
    """The same database, as another process sees it."""
    opened = RunStore(url)
    yield opened
    opened.database.close()


def corrected_record(number):
    """Every tenth has a correction, so that an import brings some."""
    record = labeled(str(number))
    if not number % 10:
        event = {"id": f"o{number}", "author": "Ann", "created_at": "2024-07-11T10:00:00+00:00", "reason": ""}
        record.overrides = [event | {"sentence_key": "b", "field": "supported", "value": "fully"}]
    return with_corrections(record)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "run.json"
    text = run_text([corrected_record(number) for number in range(1, RECORDS + 1)], "first")
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


@pytest.fixture(scope="module")
def whole(path, tmp_path_factory):
    """The run as it is exported after an import that nothing disturbed."""
    store = RunStore(f"sqlite:///{tmp_path_factory.mktemp('whole') / 'store.db'}")
    run_id, _ = import_run(store, path)
    found = exported(store, run_id)
    store.database.close()
    return found


def exported(store, run_id):
    return text_of(from_store(store, run_id))


def begun(store, owner, run_id="r", total=4):
    store.begin_import(run_id, owner, "first", {"convention": "trace"}, total=total, digest="d")
    return run_id


def recover(store):
    return Engine(Store(store.database), Settings(_env_file=None)).recover()


def nothing_of(store, run_id):
    """Whether no reader finds anything of the run but, perhaps, that it is being imported."""
    for run in store.list_runs():
        if run.id == run_id:
            assert (run.status, run.counts["total"] - run.counts["pending"]) == (IMPORTING, 0)
            assert [one.id for one in store.records(run_id)] == []
    return not CorrectionStore(store.database).of_run(run_id)


def test_an_import_on_its_way_shows_nothing_and_a_second_one_is_refused(store, other, path, whole):
    seen = []

    def look():
        (run,) = other.list_runs()
        seen.append((run.status, run.counts["total"], run.counts["pending"]))
        assert nothing_of(other, run.id)
        for refused in (lambda: from_store(other, run.id), lambda: import_run(other, path)):
            with pytest.raises(RunTaken, match="being imported"):
                refused()

    def watch(records, total):
        for number, record in enumerate(records):
            yield record
            if not number % 50:
                look()

    run_id, new = import_run(store, path, watch=watch)
    assert new
    assert set(seen) == {(IMPORTING, RECORDS, RECORDS)}
    assert exported(store, run_id) == whole
    assert import_run(other, path) == (run_id, False)
    assert (other.load_run(run_id).status, other.load_run(run_id).owner) == ("done", None)


@pytest.mark.parametrize("problem", [RuntimeError, KeyboardInterrupt])
def test_whatever_ends_it_nothing_is_left(store, path, problem):
    def watch(records, total):
        yield next(records)
        raise problem

    with pytest.raises(problem):
        import_run(store, path, watch=watch)
    assert store.list_runs() == []
    assert import_run(store, path)[1]


def test_an_import_that_was_taken_over_writes_nothing(store, other):
    run_id = begun(store, DEAD)
    other.delete_run(run_id, owner=DEAD)
    begun(other, "you")
    with pytest.raises(RunTaken):
        store.fill_import(run_id, DEAD, [labeled("1")])
    assert nothing_of(store, run_id)
    other.fill_import(run_id, "you", [labeled("2")])
    assert [one.id for one in store.records(run_id)] == ["2"]


def test_what_a_killed_import_left_goes_at_the_next_look(store):
    gone = begun(store, f"{host()} 999999999 1 x")
    recover(store)
    with pytest.raises(UnknownRun):
        store.load_run(gone)


@pytest.mark.parametrize("kind", ["json", "jsonl", "ragbench"])
def test_what_a_killed_import_left_is_no_hindrance_to_the_next_one(store, tmp_path, kind):
    path = written(tmp_path, kind, "trace", [corrected_record(number) for number in (9, 10)])
    run_id = brought_in(store, path, kind)
    before, created = exported(store, run_id), store.load_run(run_id).created_at
    store.delete_run(run_id)
    begun(store, f"{host()} 999999999 1 x", run_id)
    assert brought_in(store, path, kind) == run_id
    assert exported(store, run_id).replace(store.load_run(run_id).created_at, created) == before


@pytest.mark.process
def test_killed_again_and_again_nothing_is_lost_twice_or_half_shown(store, url, path, whole, pytestconfig):
    how = signal.SIGINT if url.startswith("sqlite") else signal.SIGKILL
    chance, undone = random.Random(20240711), 0
    start = time.monotonic()
    run_id, _ = import_run(store, path)
    seconds = time.monotonic() - start
    store.delete_run(run_id)
    kills = MANY if pytestconfig.getoption("long") else KILLS
    for number in range(10 * kills):  # a busy machine may be late with the signal: then sooner and sooner
        if number >= kills and undone:
            break
        Killable(import_file, url, path).end(how, chance.random() * seconds / (number // kills + 1))
        if [run.status for run in store.list_runs()] == ["done"]:
            assert exported(store, run_id) == whole
            store.delete_run(run_id)
        else:
            assert nothing_of(store, run_id)
            undone += 1
            if chance.random() < 0.5:  # else the next import finds it
                recover(store)
                assert store.list_runs() == []
    assert undone  # it was killed on the way
    assert Killable(import_file, url, path).through()
    assert exported(store, run_id) == whole


@pytest.mark.process
def test_two_processes_at_once_bring_it_in_once(store, url, path, whole):
    processes = [Killable(import_file, url, path) for _ in range(2)]
    assert sorted(process.word() for process in processes) in (["new", "taken"], ["new", "there"])
    assert all(process.through() for process in processes)
    (run,) = store.list_runs()
    assert exported(store, run.id) == whole
