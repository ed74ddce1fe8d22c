"""Golden questions, failure modes and document contributions in the browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from ask_page import click_row, open_menu, rerun, settled, tab, visit
from axe_page import findings
from playwright.sync_api import Locator, Page, expect
from run_examples import failed, labeled
from run_page import CONFIG, at, more, url_of

from trace_core.datasets import Item
from trace_core.facts.records import Record, Retrieval
from trace_core.golden.questions import GoldenQuestion, golden_of, save_questions
from trace_core.runs.files.row_records import expecting, save_rows
from trace_core.store.datasets import DatasetStore
from trace_core.store.store import open_store

pytestmark = pytest.mark.browser
DASHBOARD = "runs"
LONGEST = 180_000
"""The longest wait for a measurement: the first one loads the model."""
GOLDEN = [
    GoldenQuestion(
        question="What of q1?", expected_documents=["0", "9"], reference_answer="Cats purr.", category="one"
    ),
    GoldenQuestion(question="What of q2?", category="no answer"),
    GoldenQuestion(question="What of q3?", expected_documents=["0"], category="one"),
]


@pytest.fixture(scope="module", autouse=True)
def runs(folder: Path) -> None:
    """A run over three golden questions: half found; answered without an answer; failed."""
    kept = save_questions(datasets_of(folder), "Animals", GOLDEN, ["q1", "q2", "q3"])
    answered = Item(question="Who purrs?", expected_documents=["0"], response="Cats do.")
    save_rows(datasets_of(folder), "Answered", [answered])
    store = open_store(url_of(folder)).runs
    retrieval = {"q1": 0.6, "q2": 0.5}
    found = {i: Retrieval(collection="c", top_k=2, confidence=c) for i, c in retrieval.items()}
    records = expecting_all([*(labeled(i, retrieval=r) for i, r in found.items()), failed("q3")], GOLDEN)
    store.create_run("golden", CONFIG, total=3, status="done", run_id="golden", dataset_id=kept)
    store.save_records("golden", records)


def expecting_all(records: list[Record], golden: list[GoldenQuestion]) -> list[Record]:
    """The records with their golden questions, as a run leaves them."""
    rows = (Item.model_validate(one.to_dict()) for one in golden)
    return [expecting(record, row) for record, row in zip(records, rows, strict=True)]


def datasets_of(folder: Path) -> DatasetStore:
    return open_store(url_of(folder)).datasets


@pytest.fixture
def unmeasured(folder: Path) -> str:
    """A run like the golden one, for a single try: what is measured of it is kept. q3 failed."""
    answers = ["Cats purr.", "Birds sing.", "Cats purr."]
    told = [q.model_copy(update={"reference_answer": a}) for q, a in zip(GOLDEN, answers, strict=True)]
    kept = save_questions(datasets_of(folder), "With references", told, ["q1", "q2", "q3"])
    run = open_store(url_of(folder)).runs.create_run("unmeasured", CONFIG, total=3, status="done", dataset_id=kept)
    records = expecting_all([labeled("q1"), labeled("q2"), failed("q3")], told)
    open_store(url_of(folder)).runs.save_records(run, records)
    return run


def at_tab(page: Page, app: str, run: str, name: str) -> None:
    visit(page, f"{app}/runs?run={run}&tab={name.replace(' ', '+')}")


def at_documents(page: Page, app: str, run: str) -> None:
    visit(page, f"{app}/runs?run={run}")
    more(page)


def cell(page: Page, table: str, row: int, column: int) -> str:
    """What the table's cell says, both counted from 0."""
    return page.get_by_role("table", name=table).locator("tbody tr").nth(row).locator("td").nth(column).inner_text()


def categories_of(page: Page) -> Locator:
    """The rows of the table by category, which is drawn once it is in sight."""
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    rows = table.locator("canvas tbody tr")
    expect(rows).to_have_count(3)
    return rows


def click_cell(page: Page, table: str, row: int, left: int = 40) -> None:
    """Click into the row, counted from 0, so far from the table's left edge."""
    click_row(page.locator(f"[class*=st-key-{table}] [data-testid=stDataFrame]"), row + 1, left)


def test_a_golden_run_by_category_whose_findings_lead_to_their_records(page: Page, app: str) -> None:
    at_tab(page, app, "golden", "Golden questions")
    # q1: one of two expected, one of two retrieved; q3 failed with the same documents, all expected found.
    categories = categories_of(page)
    rows = [row.locator("td").all_text_contents() for row in categories.all()]
    assert {row[0]: row[4][:4] for row in rows} == {"All": "0.75", "one": "0.75", "no answer": "unde"}
    refusals = "What can be answered, and what was declined"
    assert [cell(page, refusals, 1, i) for i in range(3)] == ["There is none", "1", "0 ✓"]
    assert [cell(page, "Retrieval actions", i, 1) for i in range(4)] == ["1", "1", "0", "1"]
    with rerun(page):
        box = page.get_by_role("spinbutton", name="Retrieval is correct from")
        box.fill("0.5")
        box.press("Enter")
    assert [cell(page, "Retrieval actions", i, 1) for i in range(4)] == ["2", "0", "0", "1"]
    visit(page, f"{page.url}&field=category&value=no+answer")
    assert [cell(page, refusals, 0, i) for i in range(3)] == ["There is an answer", "0 ✓", "0"]

    at_tab(page, app, "golden", "Findings")
    expect(page.get_by_text("Measure it in “Numbers”, under “More”.")).to_be_visible()
    with rerun(page):
        page.locator(".st-key-rule-unsupported button").click()
    expect(page.get_by_text("2 of 3 records match")).to_be_visible()
    assert "finding=unsupported" in page.url


def test_the_headline_leads_to_the_records_of_its_verdict(page: Page, app: str) -> None:
    at_tab(page, app, "golden", "Records")
    with rerun(page):
        page.get_by_role("button", name="Show 2 records: unsupported claim").click()
    expect(page.get_by_text("2 of 3 records match verdict unsupported claim")).to_be_visible()
    assert "verdict=unsupported" in page.url


def test_the_golden_questions_of_a_run_can_be_read_by_everybody_on_a_phone(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    at_tab(page, app, "golden", "Golden questions")
    categories_of(page)
    assert findings(page) == []


def test_golden_questions_are_edited_and_kept_as_a_data_set(page: Page, app: str, folder: Path) -> None:
    at(page, f"{app}/runs", "Runs")
    tab(page, "Data sets")
    page.get_by_text("Golden questions", exact=True).click()
    with rerun(page):
        page.get_by_role("button", name="Save these questions").click()
    expect(page.get_by_text("Correct these rows:")).to_be_visible()
    expect(page.get_by_text("Row 1 has no question.")).to_be_visible()
    with rerun(page):
        open_menu(page.get_by_role("combobox", name="Start from"))
        expect(page.get_by_role("option", name="Animals (3 questions)")).to_be_visible()
        expect(page.get_by_role("option").filter(has_text="Answered")).to_have_count(0)  # its answers would be lost
        page.get_by_role("option", name="Animals (3 questions)").click()
    settled(page)
    click_cell(page, "golden-rows", 0, left=120)
    expect(page.locator("[class*=st-key-golden-rows] td[aria-selected=true]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#portal textarea")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Who purrs?")
    with rerun(page):
        page.keyboard.press("Enter")
    with rerun(page):
        page.get_by_label("Name of the golden questions").fill("Animals 2")
        page.get_by_label("Name of the golden questions").press("Enter")
    with rerun(page):
        page.get_by_role("button", name="Save these questions").click()
    expect(page.get_by_text("3 questions are saved.")).to_be_visible()
    made = next(one for one in datasets_of(folder).list_datasets() if one.name == "Animals 2")
    assert golden_of(datasets_of(folder), made.id) == {
        "q1": GOLDEN[0].model_copy(update={"question": "Who purrs?"}),
        "q2": GOLDEN[1],
        "q3": GOLDEN[2],
    }


def test_contributions_and_noise_are_measured_once_and_lead_to_their_records(
    page: Page, app: str, folder: Path, unmeasured: str
) -> None:
    kept = open_store(url_of(folder)).measurements
    at_documents(page, app, unmeasured)
    with rerun(page):
        page.get_by_role("spinbutton", name="Records, the first of 3").fill("1")
        page.get_by_role("spinbutton", name="Records, the first of 3").press("Enter")
    page.get_by_role("button", name="Measure: 2 answers by extractive, no paid call").click()
    expect(page.get_by_text("1 record, 2 documents, Token F1 by extractive")).to_be_visible(timeout=LONGEST)
    # 2 of the first document's sentences are relevant and 1 is utilized, none of the second's.
    assert [cell(page, "Contribution by rank", 0, i) for i in (0, 1, 3, 4)] == ["1", "1", "1.00", "0.50"]
    assert [cell(page, "Contribution by rank", 1, i) for i in (0, 1, 3, 4)] == ["2", "1", "0.00", "0.00"]
    settled(page)
    (first,) = kept.of_run(unmeasured, ["token_f1"])
    at_documents(page, app, unmeasured)  # a new session
    expect(page.get_by_text("1 record, 2 documents, Token F1 by extractive")).to_be_visible()
    expect(page.get_by_text("1 of them are already measured")).to_be_visible()
    page.get_by_role("button", name="Measure: 4 answers by extractive, no paid call").click()
    expect(page.get_by_text("3 records, 6 documents, Token F1 by extractive")).to_be_visible(timeout=LONGEST)
    settled(page)
    made = kept.of_run(unmeasured, ["token_f1"])
    assert [one.record_id for one in made] == ["q1", "q2", "q3"]
    assert made[0] == first
    tab(page, "Findings")
    expect(page.get_by_text("what documents contribute")).to_have_count(0)

    # q1 says rightly that cats purr, and of birds what no document supports; by q2's reference it is the reverse.
    at_documents(page, app, unmeasured)
    page.get_by_role("button", name="Measure: 2 labelings by local model, no paid call").click()
    expect(page.get_by_text("over 2 of 3 records")).to_be_visible(timeout=LONGEST)
    settled(page)
    expect(page.get_by_text("Undefined for 1: the record has no labels")).to_be_visible()
    assert [cell(page, "Shares of noise", i, 0) for i in range(2)] == ["Correct", "Led astray by a relevant document"]
    assert [cell(page, "Shares of noise", i, 1)[:4] for i in range(4)] == ["0.50", "0.25", "0.00", "0.25"]
    at_tab(page, app, unmeasured, "Findings")  # a new session
    expect(page.get_by_text("Led astray by a document: 1 of 2.")).to_be_visible()
    with rerun(page):
        page.locator(".st-key-rule-led_astray button").click()
    expect(page.get_by_text("1 of 3 records match")).to_be_visible()
    made = open_store(url_of(folder)).measurements.of_run(unmeasured, ["noise"], "local")
    assert [(one.record_id, one.body) for one in made] == [("q1", {"correct": ["a"]}), ("q2", {"correct": ["b"]})]
