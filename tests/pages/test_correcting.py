"""Labels are corrected where the evidence is read: on a record of Runs, and on Review in the same way."""

from pathlib import Path
from typing import Any

import pytest
from app_page import AppPage
from run_examples import failed, labeled
from run_page import CONFIG, add_to_correct, corrections_of, url_of

from trace_core.answering import make_answerer
from trace_core.contribution import contribute
from trace_core.retrieval import embedder
from trace_core.settings import PACKAGED_MODEL
from trace_core.store.measurements import basis
from trace_core.store.store import open_store

DATA = "runs"


@pytest.fixture
def run(data: Path) -> str:
    return add_to_correct(data)


def test_what_is_not_saved_is_kept_beside_its_record_until_discarded(data: Path, run: str) -> None:
    page = AppPage("runs", run=run, record="q1").say(("relevant", "0b", False))
    assert "Not saved: 0b relevant → no" in page.text
    assert "Not saved" not in page.press("Next").text
    assert "Not saved: 0b relevant → no" in page.press("Previous").text
    assert "Not saved" not in page.press("Discard").text
    [sentence] = [s for s in page.parts("trace_evidence")[0]["documents"][0]["sentences"] if s["key"] == "0b"]
    assert sentence["relevant"]
    assert corrections_of(data, run, "q1") == []


def test_a_correction_is_scored_before_it_is_saved_under_a_name_and_taken_back(data: Path, run: str) -> None:
    page = AppPage("runs", run=run, record="q1")
    assert page.card("Adherence")["shown"] == "0.00"
    page.say(("supported", "b", "fully"))
    assert "b supported → fully" in page.text
    assert "Adherence 0.00 → 1.00 (+1.00)" in page.text  # before anything is saved
    assert corrections_of(data, run, "q1") == []
    assert "Type your name" in page.press("Save").text
    page.fill("Your name", "Ada").press("Save")
    assert "Saved. Context relevance" in page.text
    assert corrections_of(data, run, "q1") == [("Ada", "supported", "b", "fully")]
    assert page.card("Adherence")["shown"] == "1.00"
    assert "Corrections so far (1)" in page.text
    assert page.press("Undo").card("Adherence")["shown"] == "0.00"
    page.say(("supported", "b", "fully")).press("Save").press("Close").tab("Numbers")
    assert page.card("Adherence")["shown"] == "0.500"  # of the run


def test_a_correction_holds_in_another_run_of_the_answer_and_says_where_from(data: Path, run: str) -> None:
    store = open_store(url_of(data))
    twin = store.runs.create_run("twin", CONFIG, total=1, status="done")
    answer = store.runs.load_record(run, "q1").response
    assert answer
    store.runs.save_records(twin, [labeled("other id", question="What of q1?", response=answer.text)])
    store.corrections.add(run, "q1", author="Ada", sentence_key="b", field="supported", value="fully")
    page = AppPage("runs", run=twin)
    assert "1 correction to the same answers in other runs" in page.app.toast[0].value
    page = AppPage("runs", run=twin, record="other id")
    assert page.card("Adherence")["shown"] == "1.00"
    assert "Corrections so far (1)" in page.text
    assert f"(in {run}, of the same answer to the same documents)" in page.text


def test_a_blind_review_shows_nothing_of_the_labeler_and_keeps_what_differs(data: Path, run: str) -> None:
    page = AppPage("review", run=run, record="q1").fill("Your name", "Bob")
    evidence = page.parts("trace_evidence")[0]
    assert [sentence["word"] for sentence in evidence["response"]] == ["unlabeled"] * 2
    assert "local" not in evidence["labeler"]
    page.say(("supported", "a", "fully"), ("supported", "b", "fully"))  # the first as the labeler said: nothing to save
    assert page.parts("trace_evidence")[0]["response"][1]["word"] == "fully supported"
    assert "Not saved: b supported → fully" in page.text
    assert "Adherence" not in page.text
    page.press("Save and next")
    assert corrections_of(data, run, "q1") == [("Bob", "supported", "b", "fully"), ("Bob", "reviewed", "", True)]
    assert list(page.app.dataframe) == []


def test_a_correction_in_a_later_run_of_a_deleted_ones_id_holds_in_another_too(data: Path) -> None:
    store = open_store(url_of(data))

    def correct(author: str, field: str, key: str, value: Any) -> None:
        store.runs.create_run("x", CONFIG, total=1, run_id="x")
        store.runs.save_records("x", [labeled("q1", question="Twice?")])
        store.corrections.add("x", "q1", author=author, field=field, sentence_key=key, value=value)

    correct("Ada", "supported", "b", "fully")
    twin = store.runs.create_run("twin", CONFIG, total=1, status="done")
    store.runs.save_records(twin, [labeled("q1", question="Twice?")])
    for _ in range(2):  # the second time there is nothing to take over
        AppPage("runs", run=twin)
    store.runs.delete_run("x")
    correct("Bob", "relevant", "0b", False)
    AppPage("runs", run=twin)
    assert [one[0] for one in corrections_of(data, twin, "q1")] == ["Ada", "Bob"]


def test_a_contribution_follows_the_labels_that_are_corrected(data: Path, run: str) -> None:
    record = open_store(url_of(data)).runs.load_record(run, "q1")
    contribution = contribute(record, make_answerer("extractive", embedder(PACKAGED_MODEL)))
    page = AppPage("runs", run=run, record="q1")
    page.app.session_state["contributions"] = {basis(record): contribution}
    assert "never used" in page.run().parts("trace_evidence")[0]["documents"][1]["contribution"]
    page.say(("utilized", "1a", True))
    assert "never used" not in page.parts("trace_evidence")[0]["documents"][1]["contribution"]


def test_what_was_saved_is_not_said_of_another_runs_record_of_that_id(data: Path, run: str) -> None:
    page = AppPage("runs", run=run, record="q1").say(("supported", "b", "fully")).fill("Your name", "Ada").press("Save")
    assert "Saved. Context relevance" in page.text
    assert "Saved." not in page.go("runs", run="after", record="q1").text


def test_a_record_that_failed_and_was_labeled_since_is_in_the_queue(data: Path) -> None:
    store = open_store(url_of(data)).runs
    run = store.create_run("retried", CONFIG, total=2, status="done")
    store.save_records(run, [labeled("q1"), failed("q2")])
    assert "0 of 1 reviewed" in AppPage("review", run=run).text
    store.save_records(run, [labeled("q2")], positions=[2])
    assert "0 of 2 reviewed" in AppPage("review", run=run).text


def test_of_two_runs_with_one_name_that_of_the_address_is_corrected(data: Path) -> None:
    store = open_store(url_of(data)).runs
    runs = [store.create_run("same", CONFIG, total=1, created_at="2025-12-29T10:00:00+00:00") for _ in range(2)]
    for run in runs:
        store.save_records(run, [labeled("q1", response=f"Cats purr. Birds fly {run}.")])
    for run in runs:
        AppPage("review", run=run).fill("Your name", "Ada").say(("supported", "b", "fully")).press("Save and next")
        assert [one[0] for one in corrections_of(data, run, "q1")] == ["Ada", "Ada"]
