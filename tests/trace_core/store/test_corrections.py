"""People's corrections hold for the same question, answer and documents in every run."""

import pytest
from run_examples import labeled

from trace_core.facts.labels import Status
from trace_core.store.corrections import CorrectionStore, insert_events
from trace_core.store.runs import RunStore


@pytest.fixture
def corrections(tmp_path):
    """Three runs with one question: the same answer under other ids in `a` and `b`, another answer in `c`."""
    store = RunStore(f"sqlite:///{tmp_path / 'trace.sqlite'}")
    for run_id, more in (("a", {}), ("b", {}), ("c", {"response": "Cats purr. Birds hum."})):
        store.create_run(run_id, {"convention": "trace", "labeler": "local"}, run_id=run_id)
        store.save_records(run_id, [labeled(f"{run_id}1", question="What sings?", **more)])
    return CorrectionStore(store.database)


def say(corrections, run_id, *, value=Status.FULLY, author="Anna", **more):
    return corrections.add(
        run_id, f"{run_id}1", author=author, sentence_key="b", field="supported", value=value, **more
    )


def undo(corrections, run_id, event_id):
    corrections.add(run_id, f"{run_id}1", author="Anna", sentence_key="", field="undo", value=event_id)


def adherence(corrections, run_id):
    return RunStore(corrections.database).columns(run_id).score("trace").values["adherence"].tolist()


def test_a_correction_holds_where_question_answer_and_documents_are_the_same(corrections):
    first = say(corrections, "a", reason="It does.")
    corrections.spread("a", "a1")
    [event] = corrections.of_run("b").get("b1", [])
    assert (event.author, event.value, event.reason) == ("Anna", Status.FULLY, "It does.")
    assert event.created_at == corrections.of_run("a").get("a1", [])[0].created_at
    assert (corrections.origin(event.id, "b"), corrections.origin(first, "a")) == ("a", None)
    assert corrections.of_run("c").get("c1", []) == []
    assert adherence(corrections, "b") == adherence(corrections, "a") == [1]


def test_a_run_takes_a_correction_over_once_also_after_it_is_taken_back(corrections):
    say(corrections, "a")
    assert (corrections.take_over("b"), corrections.take_over("b")) == (1, 0)
    undo(corrections, "b", corrections.of_run("b").get("b1", [])[0].id)
    assert corrections.take_over("b") == 0
    assert adherence(corrections, "b") == [0]


def test_what_is_taken_back_in_one_run_is_taken_back_in_the_others(corrections):
    first = say(corrections, "a")
    corrections.spread("a", "a1")
    undo(corrections, "a", first)
    corrections.spread("a", "a1")
    assert adherence(corrections, "b") == [0]
    assert corrections.take_over("b") == 0


def test_a_review_agrees_with_the_labels_of_its_own_run_alone(corrections):
    corrections.add("a", "a1", author="Anna", sentence_key="", field="reviewed", value=True)
    assert corrections.take_over("b") == 0


def test_a_correction_that_does_not_fit_the_labels_of_another_run_is_left_out(corrections):
    store = RunStore(corrections.database)
    bare = labeled("b1", question="What sings?")
    bare = bare.model_copy(update={"labels": bare.labels.model_copy(update={"all_relevant_sentence_keys": None})})
    store.save_records("b", [bare], positions=[1])
    corrections.add("a", "a1", author="Anna", sentence_key="0a", field="relevant", value=False)
    say(corrections, "a")
    assert corrections.take_over("b") == 1
    assert [event.field for event in corrections.of_run("b").get("b1", [])] == ["supported"]


def test_a_copy_of_a_run_takes_its_own_correction_back(corrections):
    first = say(corrections, "a")
    corrections.add("a", "a1", author="Anna", sentence_key="", field="undo", value=first)
    with corrections.database.writing() as connection:
        insert_events(connection, "b", "b1", [event.model_dump() for event in corrections.of_run("a").get("a1", [])])
    said, undone = corrections.of_run("b").get("b1", [])
    assert (said.id, undone.value) == (f"{first}-b", f"{first}-b")


def test_a_correction_has_no_other_fields(corrections):
    with pytest.raises(TypeError, match="A correction has no correction_id"):
        say(corrections, "a", correction_id="1")
    assert corrections.of_run("a") == {}
