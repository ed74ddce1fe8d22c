import json
import threading
from contextlib import closing

import pytest
from run_examples import Counting, row
from waiting import until

from trace_core.errors import RunTaken, StoreError
from trace_core.runs.execute.engine import Engine
from trace_core.runs.execute.worker import Worker
from trace_core.runs.lease import host
from trace_core.settings import Settings
from trace_core.store.datasets import DatasetStore
from trace_core.store.query_log import QueryLog
from trace_core.store.store import Store
from trace_core.summary.trust import run_trust


@pytest.fixture
def engine_of(store, tmp_path):
    """Makes engines whose labeler is the one given."""
    made = []

    def make(labeler, concurrency=4, **more):
        settings = Settings(TRACE_DATA_DIR=tmp_path, TRACE_CONCURRENCY=concurrency, _env_file=None)
        made.append(Engine(Store(store.database), settings, worker_of=lambda config: Worker(config, labeler), **more))
        return made[-1]

    yield make
    for engine in made:
        engine.close()


@pytest.fixture
def dataset(store):
    """Twenty rows, q1 … q20."""
    return DatasetStore(store.database).add_dataset("twenty", [(f"q{n}", row(n)) for n in range(1, 21)])


def finished(engine, dataset, **more):
    run = engine.create(dataset, "a run", **more)
    engine.start(run)
    assert engine.wait(run, 120)
    return run


def under_way(engine, dataset, labeler, calls):
    """A run whose first calls wait at the labeler's gate."""
    run = engine.create(dataset, "a run")
    engine.start(run)
    until(lambda: len(labeler.calls) >= calls and engine.progress(run).in_flight >= calls)
    return run


def test_a_run_is_made_again_of_the_same_rows_with_the_same_configuration(engine_of, store, dataset):
    engine = engine_of(Counting())
    first = finished(engine, dataset, convention="graded")
    again = [engine.create_again(first, name) for name in ("again", "and again")]
    config, *others = (store.load_run(run).config for run in (first, *again))
    assert others == [config | {"repeats": first, "attempt": n} for n in (1, 2)]
    assert [store.load_run(run).counts["pending"] for run in again] == [20, 20]


def test_a_run_names_the_version_of_its_labeler(engine_of, store, dataset):
    engine = engine_of(Counting())
    first = finished(engine, dataset)
    again = store.load_run(engine.create_again(first, "again"))
    assert [store.load_run(first).config["model"], again.config["model"]] == [["counting 1"]] * 2
    assert set(store.columns(first).labeler_version) == {"counting 1"}


def test_of_a_run_by_the_local_labeler_is_said_how_often_that_errs(store, dataset, tmp_path):
    settings = Settings(TRACE_DATA_DIR=tmp_path, _env_file=None)
    with closing(Engine(Store(store.database), settings)) as engine:
        run = engine.create(dataset, "a run", labeler="local")
    assert run_trust(store.load_run(run).config).startswith("It flags ")


def test_every_row_becomes_one_record_in_its_place(engine_of, store, dataset):
    labeler = Counting()
    run = finished(engine_of(labeler), dataset)
    assert store.columns(run).id.tolist() == [f"q{n}" for n in range(1, 21)]
    assert sorted(labeler.calls) == sorted(f"What is {n}?" for n in range(1, 21))
    found = store.load_run(run)
    assert (found.status, found.owner, found.counts["scored"]) == ("done", None, 20)
    assert found.usage == {"calls": 20, "cost": pytest.approx(0.2)}


def test_a_stopped_run_keeps_what_was_in_flight_and_resumes_where_it_stopped(engine_of, store, dataset):
    labeler = Counting(gate=threading.Event())
    engine = engine_of(labeler)
    run = under_way(engine, dataset, labeler, 4)
    engine.stop(run)
    assert (engine.progress(run).status, engine.progress(run).in_flight) == ("stopping", 4)
    labeler.gate.set()
    assert engine.wait(run, 120)
    found = store.load_run(run)
    assert (found.status, found.reason, found.counts["scored"]) == ("stopped", "You stopped this run.", 4)
    engine.start(run)
    until(lambda: engine.progress(run).done >= 5)
    assert engine.progress(run).rate > 0
    engine.wait(run)
    assert store.load_run(run).status == "done"
    assert engine.progress(run).seconds_left is None
    assert len(labeler.calls) == 20


def test_failed_records_are_kept_with_their_reason_and_retried_alone(engine_of, store, dataset):
    labeler = Counting(fails={"What is 3?", "What is 7?"})
    engine = engine_of(labeler)
    run = finished(engine, dataset)
    assert store.load_run(run).counts["failed"] == 2
    assert store.load_record(run, "q3").error.message == "The judge fell asleep."
    labeler.fails.clear()
    labeler.calls.clear()
    for again in ({}, {"failed": True, "only": ["q7"]}, {"failed": True}):
        engine.start(run, **again)
        engine.wait(run)
    assert labeler.calls == ["What is 7?", "What is 3?"]
    assert (store.load_run(run).counts["scored"], store.load_run(run).counts["failed"]) == (20, 0)
    assert engine.progress(run).failed == 0


def test_a_row_that_breaks_the_worker_is_a_failed_record_and_the_others_go_on(engine_of, store, dataset):
    class Broken(Counting):
        def label(self, question, sentences, progress=None):
            if question == "What is 5?":
                raise ZeroDivisionError
            return super().label(question, sentences, progress)

    run = finished(engine_of(Broken()), dataset)
    assert store.load_run(run).counts["failed"] == 1
    assert "ZeroDivisionError" in store.load_record(run, "q5").error.message


def test_a_run_cannot_be_started_twice(engine_of, dataset):
    labeler = Counting(gate=threading.Event())
    first, second = engine_of(labeler), engine_of(labeler)
    run = under_way(first, dataset, labeler, 0)
    for engine in (first, second):
        with pytest.raises(RunTaken):
            engine.start(run)
    labeler.gate.set()


def test_the_run_of_a_dead_process_is_found_marked_and_resumed(engine_of, store, dataset):
    engine = engine_of(Counting())
    run = engine.create(dataset, "a run")
    store.claim(run, f"{host()} 999999999 123 x")
    assert engine.recover() == [run]
    found = store.load_run(run)
    assert (found.status, found.reason) == ("interrupted", "The process that worked on it ended.")
    engine.start(run)
    engine.wait(run)
    assert store.load_run(run).status == "done"


def test_a_run_that_another_process_took_over_stops_here_and_writes_nothing_more(engine_of, store, dataset):
    labeler = Counting(gate=threading.Event())
    engine = engine_of(labeler, concurrency=2)
    run = under_way(engine, dataset, labeler, 2)
    store.claim(run, "another", previous=store.load_run(run).owner)
    labeler.gate.set()
    engine.wait(run)
    assert store.columns(run).id.tolist() == []
    assert store.load_run(run).owner == "another"
    assert "took over" in engine.progress(run).reason


def test_a_line_in_the_query_log_holds_everything_that_its_row_expects(engine_of, store, tmp_path):
    expects = {"expected_documents": ["0", "x"], "reference_answer": ["Yes.", "It is."], "category": "single"}
    log = QueryLog(tmp_path / "queries.jsonl")
    golden = DatasetStore(store.database).add_dataset("golden", [("q1", row(1, **expects))])
    finished(engine_of(Counting(), log=log), golden)
    log.close()
    line = json.loads((tmp_path / "queries.jsonl").read_text(encoding="utf-8"))
    assert {name: line[name] for name in (*expects, "document_recall")} == expects | {"document_recall": 0.5}


def test_a_log_that_cannot_be_written_stops_no_run_and_is_said(engine_of, store, dataset, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    engine = engine_of(Counting(), log=QueryLog(tmp_path / "file" / "queries.jsonl"))
    run = finished(engine, dataset)
    assert store.load_run(run).status == "done"
    assert "query log" in engine.progress(run).reason


def test_a_run_without_a_data_set_cannot_be_resumed(engine_of, store):
    run = store.create_run("imported", {}, status="done")
    with pytest.raises(StoreError, match="no data set"):
        engine_of(Counting()).start(run)
