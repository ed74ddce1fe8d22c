"""Every page by keyboard alone: no test here touches a mouse. The evidence has its own."""

from pathlib import Path

import pytest
from ask_page import FILTER, SECONDS, choose_file, heading, record_id, rerun, shown, stored, tab_to
from evidence_page import lit
from evidence_page import tab_to as tab_to_sentence
from playwright.sync_api import Page, expect
from run_page import add_to_correct, at, corrections_of, url_of

from trace_core.store.store import open_store

pytestmark = pytest.mark.browser
DASHBOARD = "filled"
TABLE = "data-grid-canvas"


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tick(page: Page, row: int) -> None:
    """Tick the row of the table that has the focus, counted from 1."""
    press(page, *["ArrowDown"] * (row - 1))
    expect(page.locator(f"#glide-cell-1-{row - 1}:focus")).to_be_attached()  # the table is ready for the key
    with rerun(page):
        press(page, "Shift+Space")


def enter(page: Page, name: str) -> None:
    """Tab to the control, and press Enter."""
    tab_to(page, name)
    with rerun(page):
        press(page, "Enter")


def test_a_question_is_asked_and_a_sentence_of_the_answer_looked_at(page: Page, app: str, folder: Path) -> None:
    at(page, app, "Ask")
    tab_to(page, "Your question")
    with rerun(page):
        page.keyboard.type(FILTER)
        press(page, "Enter")
    expect(heading(page, FILTER)).to_be_visible()
    made = stored(folder, record_id(page))
    assert made.question == FILTER
    assert made.labels
    tab_to_sentence(page, "a")
    assert set(lit(page)) == set(made.labels.sentence_support_information[0].supporting_sentence_keys)


def test_files_are_added_to_a_new_collection(page: Page, app: str, tmp_path: Path) -> None:
    (tmp_path / "tank.md").write_text("The tank holds two litres. Wash it once a week.", encoding="utf-8")
    at(page, f"{app}/corpus", "Collections")
    page.get_by_role("tab", name="Look inside").focus()
    with rerun(page):
        press(page, "ArrowRight")
    tab_to(page, "Into the collection")
    page.keyboard.type("by keyboard")
    expect(page.get_by_role("option").filter(has_text="by keyboard")).to_be_visible()
    with rerun(page):
        press(page, "Enter")
    tab_to(page, "Upload")
    choose_file(page, tmp_path / "tank.md", key="Enter")
    enter(page, "Add these documents")
    expect(page.get_by_text("Added to by keyboard: 1 document, 1 chunk (1 new)")).to_be_visible(timeout=SECONDS)


def test_a_run_is_opened_and_a_record_of_it(page: Page, app: str) -> None:
    at(page, f"{app}/runs", "Runs")
    tab_to(page, TABLE)
    tick(page, 2)
    tab_to(page, "Open")
    with rerun(page):
        press(page, "Enter")
    expect(heading(page, "before")).to_be_visible()
    row = page.locator(".trace-records tr[data-id=q1]")
    for _ in range(30):
        press(page, "Tab")
        if row.evaluate("row => row.getRootNode().activeElement === row"):
            break
    with rerun(page):
        press(page, "ArrowDown", "ArrowUp", "Enter")
    expect(shown(page, ".trace-evidence")).to_have_count(1)
    assert "record=q1" in page.url


def test_a_status_is_corrected_and_the_record_reviewed(page: Page, app: str, folder: Path) -> None:
    at(page, f"{app}/review?run=after", "Review")
    tab_to(page, "Your name")
    with rerun(page):
        page.keyboard.type("Ada")
        press(page, "Enter")
    tab_to_sentence(page, "a")
    with rerun(page):
        press(page, "3")  # unsupported
    with rerun(page):
        press(page, "Control+Enter")
    made = open_store(url_of(folder)).corrections.of_run("after").values()
    said = [(one.author, one.field, one.value) for events in made for one in events]
    assert said == [("Ada", "supported", "unsupported"), ("Ada", "reviewed", True)]


def test_the_next_record_is_corrected_and_saved(page: Page, app: str, folder: Path) -> None:
    run = add_to_correct(folder)
    at(page, f"{app}/runs?run={run}&record=q1", "What of q1?")
    expect(page.get_by_role("button", name="Next").first).to_be_enabled()  # a key before that is heard by nothing
    with rerun(page):
        press(page, "j")
    expect(page.get_by_role("heading", name="What of q2?")).to_be_visible()
    tab_to_sentence(page, "a")
    press(page, "ArrowDown")
    with rerun(page):
        press(page, "Enter")
    with rerun(page):
        press(page, "Tab", "Enter")  # on the first of the controls under the sentence
    on = "document.activeElement.shadowRoot?.activeElement?.innerText ?? ''"
    assert "fully supported" in page.evaluate(on)  # the focus stays where it was
    tab_to(page, "Your name")
    page.keyboard.type("Ada")
    with rerun(page):
        press(page, "Enter")
    with rerun(page):
        press(page, "Control+s")
    assert corrections_of(folder, run, "q2") == [("Ada", "supported", "b", "fully")]
