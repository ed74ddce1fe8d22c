from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from run_examples import failed, labeled, with_truth
from sqlalchemy import text

from trace_core.errors import RunTaken, UnknownRun
from trace_core.store.runs import RunStore


@pytest.fixture
def store(url):
    opened = RunStore(url)
    yield opened
    opened.database.close()


@pytest.fixture
def run(store):
    return store.create_run("first", {"convention": "trace"}, total=4, note="why")


def test_a_run_counts_its_records_and_means_leave_the_undefined_out(store, run):
    assert store.load_run(run).means["adherence"] is None
    store.save_records(run, [labeled("1"), labeled("2", relevant=None), failed("3")])
    found = store.load_run(run)
    assert (found.name, found.note, found.status, found.config) == ("first", "why", "pending", {"convention": "trace"})
    assert found.counts == {"total": 4, "scored": 1, "undefined": 1, "failed": 1, "failed_generations": 0, "pending": 1}
    assert found.means["context_relevance"] == 0.1  # 2 of 20; the others have none
    assert found.means["adherence"] == 0.0


def test_runs_are_listed_newest_first(store):
    ids = [store.create_run(f"r{day}", {}, created_at=f"2024-01-0{day}T00:00:00+00:00") for day in (1, 3, 2)]
    assert [found.id for found in store.list_runs()] == [ids[1], ids[2], ids[0]]


def test_a_run_is_renamed_and_annotated_with_any_text(store, run):
    store.rename(run, "new \x00 🙂 \ud800", "'; DROP TABLE runs")
    found = store.load_run(run)
    assert (found.name, found.note) == ("new \ufffd 🙂 \ufffd", "'; DROP TABLE runs")


ARGUMENTS = {"load_run": (), "delete_run": (), "columns": (), "claim": ("me",), "load_record": ("1",)}
ARGUMENTS |= {"rename": ("x", ""), "save_records": ([labeled("1")],)}


@pytest.mark.parametrize("action", ARGUMENTS)
def test_a_run_that_is_not_there_is_an_error(store, action):
    with pytest.raises(UnknownRun):
        getattr(store, action)("nope", *ARGUMENTS[action])


def test_deleting_a_run_leaves_the_others_as_they_were(store, run):
    other = store.create_run("other", {})
    for one in (run, other):
        store.save_records(one, [with_truth(labeled("1"))])
    store.delete_run(run)
    assert [found.id for found in store.list_runs()] == [other]
    assert store.load_record(other, "1") == with_truth(labeled("1"))
    with pytest.raises(UnknownRun):
        store.load_record(run, "1")


# Records


def test_the_same_id_again_replaces_and_is_counted_once(store, run):
    store.save_records(run, [failed("1")], positions=[1])
    store.save_records(run, [labeled("1")], positions=[1])
    assert store.load_run(run).counts["scored"] == 1
    assert store.load_run(run).counts["failed"] == 0


def test_records_are_read_in_order_of_position(store, run):
    store.save_records(run, [labeled(str(n)) for n in range(9, 0, -1)], positions=range(9, 0, -1))
    assert [record.id for record in store.records(run)] == [str(n) for n in range(1, 10)]


def test_records_without_a_position_go_behind_the_last_one(store, run):
    store.save_records(run, [labeled("1")], positions=[7])
    store.save_records(run, [labeled("2"), labeled("3")])
    assert store.columns(run).position.tolist() == [7, 8, 9]
    assert store.questions(run, [9, 7, 99]) == {7: "What of 1?", 9: "What of 3?"}


@pytest.mark.parametrize("words", ["ÜBERSETZT", "100%_sure", "zwei#2"])
def test_a_search_looks_into_question_response_and_id_whatever_the_case(store, run, words):
    two = labeled("zwei#2", question="Wer übersetzt?", response="He is 100%_sure. Yes.")
    store.save_records(run, [labeled("eins"), two])
    assert store.search(run, words) == [2]


# Columns


def test_columns_score_under_any_convention_as_the_records_do(store, run):
    records = [labeled("1"), labeled("2", relevant=(), utilized=()), labeled("3", relevant=None), failed("4")]
    store.save_records(run, records)
    columns = store.columns(run)
    assert columns.score("trace").values["context_relevance"].tolist()[:2] == [0.1, 0.0]
    assert columns.score("graded").values["context_relevance"].tolist()[:2] == [2 / 3, 0.0]
    assert columns.score("graded").values["adherence"].tolist()[:3] == [0.5, 0.5, 0.5]
    assert columns.score("trace").status.tolist() == ["scored", "scored", "undefined", "failed"]
    reasons = ["the labels lack all_relevant_sentence_keys", "failed: The judge fell asleep."]
    assert columns.score("trace").reasons["completeness"].tolist()[2:] == reasons


def test_columns_hold_the_ground_truth_of_the_records_that_have_one(store, run):
    store.save_records(run, [labeled("1"), with_truth(labeled("2"), all_relevant_sentence_keys=["1a"])])
    truth = store.columns(run).truth
    assert truth.convention.tolist() == ["", "ragbench"]
    assert np.isnan(truth.numbers["score_adherence"][0])
    assert truth.numbers["relevant"].tolist()[1] == 1.0
    # 0a and 0b were said, 1a is true: of three sentences none by both
    assert truth.agreement[1][:4].tolist() == [3, 0, 2, 1]


def test_columns_are_read_anew_after_a_change_and_only_then(store, run):
    store.save_records(run, [labeled("1")])
    first = store.columns(run)
    assert store.columns(run) is first
    store.save_records(run, [labeled("2")])
    assert len(store.columns(run)) == 2


def test_nothing_of_a_deleted_run_is_taken_for_that_of_a_later_one_with_its_id(store):
    for records in ([labeled("1")], [labeled("2"), labeled("3")]):
        store.create_run("again", {}, run_id="one id")
        store.save_records("one id", records)
        assert store.columns("one id").id.tolist() == [record.id for record in records]
        assert store.load_run("one id").counts["scored"] == len(records)
        store.delete_run("one id")


# Who works on it


def test_a_run_that_is_claimed_cannot_be_claimed_again_or_deleted(store, run):
    store.claim(run, "me")
    assert store.load_run(run).status == "running"
    with pytest.raises(RunTaken):
        store.claim(run, "you")
    with pytest.raises(RunTaken):
        store.delete_run(run)


def test_of_many_claims_at_once_one_succeeds(store, run):
    with ThreadPoolExecutor(8) as pool:
        claims = [pool.submit(store.claim, run, str(n)) for n in range(8)]
    errors = [claim.exception() for claim in claims]
    assert (errors.count(None), sum(isinstance(error, RunTaken) for error in errors)) == (1, 7)


def test_whoever_lost_a_run_can_write_nothing_into_it(store, run):
    store.claim(run, "me")
    store.claim(run, "you", previous="me")
    with pytest.raises(RunTaken):
        store.save_records(run, [labeled("1")], owner="me", usage={"calls": 1})
    with pytest.raises(RunTaken):
        store.release(run, "me", "done")
    assert ([one.id for one in store.records(run)], store.load_run(run).usage) == ([], {})


def test_a_released_run_says_why_and_can_be_claimed_again(store, run):
    store.claim(run, "me")
    store.release(run, "me", "stopped", "The budget is used up.")
    found = store.load_run(run)
    assert (found.status, found.reason, found.owner) == ("stopped", "The budget is used up.", None)
    store.claim(run, "you")


def test_usage_adds_up_over_writes_from_many_threads(store, run):
    def save(n):
        store.save_records(run, [labeled(str(n))], positions=[n], usage={"calls": 1, "tokens": 0.5})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(save, range(1, 41)))
    assert store.load_run(run).usage == {"calls": 40, "tokens": 20.0}
    assert len([one.id for one in store.records(run)]) == 40


def test_records_of_an_earlier_version_have_the_verdicts_that_they_would_have_now(store, run):
    store.save_records(run, [labeled("1"), labeled("2", second=True), failed("3")])
    now = store.columns(run)
    with store.database.writing() as connection:
        connection.execute(text("UPDATE records SET certified = NULL, grounded = NULL, doubt = NULL"))
        connection.execute(text("UPDATE runs SET revision = revision + 1"))
    again = store.columns(run)
    assert again.score().verdicts.tolist() == now.score().verdicts.tolist()
    assert again.position.tolist() == now.position.tolist()
