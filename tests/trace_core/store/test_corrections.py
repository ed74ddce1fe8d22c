"""People's corrections of the same question, answer and documents, offered from run to run."""

import pytest
from run_examples import labeled

from trace_core.facts.labels import Status
from trace_core.store.corrections import CorrectionStore, insert
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


def test_a_correction_is_offered_where_question_answer_and_documents_are_the_same(corrections):
    say(corrections, "a", reason="It does.")
    [event] = corrections.elsewhere("b")["b1"]
    assert (event.author, event.value, event.reason) == ("Anna", Status.FULLY, "It does.")
    assert corrections.elsewhere("a") == corrections.elsewhere("c") == {}


def test_it_is_offered_once_and_not_again_after_it_was_taken_back_here(corrections):
    say(corrections, "a")
    [event] = corrections.elsewhere("b")["b1"]
    copy = say(corrections, "b", created_at=event.created_at)
    assert corrections.elsewhere("b") == {}
    corrections.add("b", "b1", author="Anna", sentence_key="", field="undo", value=copy)
    assert corrections.elsewhere("b") == {}


def test_what_was_taken_back_there_is_not_offered(corrections):
    first = say(corrections, "a")
    corrections.add("a", "a1", author="Anna", sentence_key="", field="undo", value=first)
    assert corrections.elsewhere("b") == {}


def test_a_copy_of_a_run_takes_its_own_correction_back(corrections):
    first = say(corrections, "a")
    corrections.add("a", "a1", author="Anna", sentence_key="", field="undo", value=first)
    with corrections.database.writing() as connection:
        insert(connection, "b", "b1", [event.model_dump() for event in corrections.of("a", "a1")])
    said, undone = corrections.of("b", "b1")
    assert (said.id, undone.value) == (f"{first}-b", f"{first}-b")
