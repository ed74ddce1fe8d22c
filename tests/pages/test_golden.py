"""Golden questions, failure modes and document contributions on the pages of runs."""

from pathlib import Path

import pytest
from app_page import AppPage
from run_examples import failed, labeled
from run_page import CONFIG, GOLDEN, MORE, add_golden, expecting_all, url_of

from trace_core.datasets import Item
from trace_core.golden.questions import golden_of, save_questions
from trace_core.runs.files.row_records import save_rows
from trace_core.store.datasets import DatasetStore
from trace_core.store.store import open_store

DATA = "runs"


@pytest.fixture(scope="module", autouse=True)
def _runs(data: Path) -> None:
    add_golden(data)
    answered = Item(question="Who purrs?", expected_documents=["0"], response="Cats do.")
    save_rows(datasets_of(data), "Answered", [answered])


def datasets_of(folder: Path) -> DatasetStore:
    return open_store(url_of(folder)).datasets


@pytest.fixture(scope="module")
def unmeasured(data: Path) -> str:
    """A run like the golden one, with references; q3 failed."""
    answers = ["Cats purr.", "Birds sing.", "Cats purr."]
    told = [q.model_copy(update={"reference_answer": a}) for q, a in zip(GOLDEN, answers, strict=True)]
    kept = save_questions(datasets_of(data), "With references", told, ["q1", "q2", "q3"])
    run = open_store(url_of(data)).runs.create_run("unmeasured", CONFIG, total=3, status="done", dataset_id=kept)
    records = expecting_all([labeled("q1"), labeled("q2"), failed("q3")], told)
    open_store(url_of(data)).runs.save_records(run, records)
    return run


def at_documents(run: str) -> AppPage:
    """What is measured of the run, on a new page."""
    return AppPage("runs", run=run, tab="Numbers").unfold(MORE)


def column(page: AppPage, table: str, *places: int) -> list[list[str]]:
    """These cells of each row."""
    return [[row[place] for place in places] for row in page.table(table)]


def test_the_measures_stand_by_category() -> None:
    page = AppPage("runs", run="golden", tab="Golden questions")
    # q1: one of two expected, one of two retrieved; q3 failed with the same documents, all expected found.
    rows = page.table("Measures by category")
    assert {row[0]: row[4][:4] for row in rows} == {"All": "0.75", "one": "0.75", "no answer": "unde"}


def test_what_was_declined_and_retrieved_rightly_follows_thresholds_and_filter() -> None:
    page = AppPage("runs", run="golden", tab="Golden questions")
    refusals = "What can be answered, and what was declined"
    assert page.table(refusals)[1] == ["There is none", "1", "0 ✓"]
    assert column(page, "Retrieval actions", 1) == [["1"], ["1"], ["0"], ["1"]]
    page.fill("Retrieval is correct from", 0.5)
    assert column(page, "Retrieval actions", 1) == [["2"], ["0"], ["0"], ["1"]]
    page = AppPage("runs", run="golden", tab="Golden questions", field="category", value="no answer")
    assert page.table(refusals)[0] == ["There is an answer", "0 ✓", "0"]


def test_a_finding_leads_to_its_records() -> None:
    page = AppPage("runs", run="golden", tab="Findings")
    assert "Measure it in “Numbers”, under “More”." in page.text
    page.app.button(key="rule-unsupported").click()
    assert "2 of 3 records match" in page.run().text
    assert page.address["finding"] == "unsupported"


def test_the_headline_leads_to_the_records_of_its_verdict() -> None:
    page = AppPage("runs", run="golden").press("Show 2 records: unsupported claim")
    assert "2 of 3 records match: verdict unsupported claim" in page.text
    assert page.address["verdict"] == "unsupported"


def test_a_golden_question_without_words_is_not_saved() -> None:
    page = AppPage("runs", show="Data sets").press("Save these questions")
    assert "Correct these rows:" in page.text
    assert "Row 1 has no question." in page.text


def test_golden_questions_are_edited_and_kept_as_a_data_set(data: Path) -> None:
    page = AppPage("runs", show="Data sets")
    assert "Animals (3 questions)" in page.options("Start from")
    assert not any("Answered" in option for option in page.options("Start from"))  # its answers would be lost
    page.choose("Start from", "Animals (3 questions)")
    [table] = page.app.data_editor
    page.app.session_state[table.key] = {"edited_rows": {0: {"question": "Who purrs?"}}}
    page.fill("Name of the golden questions", "Animals 2").press("Save these questions")
    assert "3 questions are saved." in page.text
    made = next(one for one in datasets_of(data).list_datasets() if one.name == "Animals 2")
    assert golden_of(datasets_of(data), made.id) == {
        "q1": GOLDEN[0].model_copy(update={"question": "Who purrs?"}),
        "q2": GOLDEN[1],
        "q3": GOLDEN[2],
    }


def test_contributions_are_measured_once(data: Path, unmeasured: str) -> None:
    kept = open_store(url_of(data)).measurements
    page = at_documents(unmeasured).fill("Records to measure (of 3, in order)", 1)
    page.press("Measure: 2 extractive answers, no paid call")
    assert "1 record, 2 documents, Token F1 by extractive" in page.text
    # 2 of the first document's sentences are relevant and 1 is utilized, none of the second's.
    rows = column(page, "Contribution by rank", 0, 1, 3, 4)
    assert rows == [["1", "1", "1.00", "0.50"], ["2", "1", "0.00", "0.00"]]
    (first,) = kept.of_run(unmeasured, ["token_f1"])
    page = at_documents(unmeasured)
    assert "1 record, 2 documents, Token F1 by extractive" in page.text
    assert "1 of them are already measured" in page.text
    page.press("Measure: 4 extractive answers, no paid call")
    assert "3 records, 6 documents, Token F1 by extractive" in page.text
    made = kept.of_run(unmeasured, ["token_f1"])
    assert [one.record_id for one in made] == ["q1", "q2", "q3"]
    assert made[0] == first
    assert "what documents contribute" not in page.tab("Findings").text


def test_noise_is_measured_and_leads_to_its_records(data: Path, unmeasured: str) -> None:
    # q1 says rightly that cats purr, and of birds what no document supports; by q2's reference it is the reverse.
    page = at_documents(unmeasured).press("Measure: 2 labelings by local model, no paid call")
    assert "over 2 of 3 records" in page.text
    assert "Undefined for 1: the record has no labels" in page.text
    shares = page.table("Shares of noise")
    assert [row[0] for row in shares[:2]] == ["Correct", "Led astray by a relevant document"]
    assert [row[1][:4] for row in shares] == ["0.50", "0.25", "0.00", "0.25"]
    page = AppPage("runs", run=unmeasured, tab="Findings")
    assert "Led astray by a document: 1 of 2." in page.text
    page.app.button(key="rule-led_astray").click()
    assert "1 of 3 records match" in page.run().text
    made = open_store(url_of(data)).measurements.of_run(unmeasured, ["noise"], "local")
    assert [(one.record_id, one.body) for one in made] == [("q1", {"correct": ["a"]}), ("q2", {"correct": ["b"]})]
