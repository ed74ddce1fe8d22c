"""The two runs that come with TRACE: there at a first visit, gone when deleted, made by today's labeler."""

import json

import pytest

from bench.demo import REVIEW, REVIEWER
from trace_core.demo.runs import DATA_SET, RUNS, load_runs_at_first_start
from trace_core.facts.corrections import with_corrections
from trace_core.labeling import make_labeler
from trace_core.retrieval import embedder
from trace_core.review import agreement
from trace_core.runs.lease import new_owner
from trace_core.settings import PACKAGED_MODEL, Settings
from trace_core.store.database import Database
from trace_core.store.store import Store


@pytest.fixture
def settings(tmp_path):
    return Settings(TRACE_DATA_DIR=tmp_path, _env_file=None)


@pytest.fixture
def store(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'trace.sqlite'}")
    yield Store(database)
    database.close()


def test_each_names_the_version_that_labeled_its_records(store, settings):
    load_runs_at_first_start(store, settings)
    for run in store.runs.list_runs():
        assert run.config["model"] == sorted({*store.runs.columns(run.id).labeler_version})


def names(store):
    return sorted(run.id for run in store.runs.list_runs())


def test_a_fresh_store_gets_both_with_their_records_and_golden_questions(store, settings):
    load_runs_at_first_start(store, settings)
    assert names(store) == sorted(RUNS)
    for run in store.runs.list_runs():
        assert (run.status, run.counts["total"], run.counts["failed"]) == ("done", 31, 0)
        assert run.name.startswith("Demo: ")
        records = list(store.runs.records(run.id))
        assert {record.labeler_labels.labeler for record in records} == {"local"}


@pytest.mark.parametrize("run", RUNS)
def test_a_reviewer_has_labeled_every_record(run, store, settings):
    load_runs_at_first_start(store, settings)
    said = {row["record"]: row for row in map(json.loads, REVIEW.read_text().splitlines()) if row["run"] == run}
    records = [with_corrections(record) for record in store.runs.records(run)]
    for record in records:
        keys = record.sentences().response_keys()
        assert record.labels.all_relevant_sentence_keys == said[record.id]["relevant"]
        assert record.labels.all_utilized_sentence_keys == said[record.id]["utilized"]
        assert record.labels.statuses(keys) == said[record.id]["supported"]
    assert set(agreement(records).labeler) == {REVIEWER}
    assert agreement(records).left_out == {}


def test_they_are_made_by_the_labeler_that_ships(store, settings):
    load_runs_at_first_start(store, settings)
    version = make_labeler("local", embedder(PACKAGED_MODEL)).version
    found = {r.labeler_labels.labeler_version for run in RUNS for r in store.runs.records(run)}
    assert found == {version}  # else: python bench/demo.py


def test_what_was_deleted_stays_deleted(store, settings):
    load_runs_at_first_start(store, settings)
    store.runs.delete_run("demo-before")
    [kept] = store.datasets.list_datasets()
    assert (kept.name, kept.total) == (DATA_SET, 31)
    store.datasets.delete_dataset(kept.id)
    load_runs_at_first_start(store, settings)
    assert (names(store), store.datasets.list_datasets()) == (["demo-after"], [])


def test_a_question_that_has_no_answer_is_no_fault_of_the_retrieval(store, settings):
    load_runs_at_first_start(store, settings)
    for run in RUNS:
        columns = store.runs.columns(run)
        verdicts = columns.score().verdicts[columns.numbers["unanswerable"] == 1]
        assert len(verdicts) == 9
        assert not {"nothing_relevant", "refused"} & set(verdicts)


def test_they_do_not_come_among_runs_of_ones_own(store, settings):
    store.runs.create_run("mine", {"convention": "trace", "settings": {}}, total=0, run_id="mine", status="done")
    load_runs_at_first_start(store, settings)
    assert names(store) == ["mine"]


def test_a_first_start_that_was_killed_on_the_way_is_ended_by_the_next(store, settings):
    killed = f"{new_owner().rpartition(' ')[0]}0 x"  # a process of this number that started at another time
    store.runs.begin_import("demo-before", killed, "n", {}, total=31, digest="d")
    load_runs_at_first_start(store, settings)
    assert names(store) == sorted(RUNS)
    assert {run.status for run in store.runs.list_runs()} == {"done"}
