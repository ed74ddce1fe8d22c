"""Every page by keyboard alone: no test here touches a mouse. Collections, Guide and the evidence have their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from ask_page import FILTER, FOCUSED, heading, record_id, rerun, shown, stored, tab_to
from evidence_page import lit
from evidence_page import tab_to as tab_to_sentence
from playwright.sync_api import Page, expect
from run_page import at, url_of

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


def choose(page: Page, label: str, typed: str) -> None:
    """Choose from a menu by typing a part of the option."""
    tab_to(page, label)
    with rerun(page):
        page.keyboard.type(typed)
        press(page, "Enter")


def test_a_question_is_asked_and_a_sentence_of_the_answer_looked_at(page: Page, app: str, folder: Path) -> None:
    at(page, app, "Ask")
    tab_to(page, "Ask a question")
    with rerun(page):
        page.keyboard.type(FILTER)
        press(page, "Enter")
    expect(heading(page, FILTER)).to_be_visible()
    made = stored(folder, record_id(page))
    assert made.question == FILTER
    assert made.labels
    tab_to_sentence(page, "a")
    assert set(lit(page)) == set(made.labels.sentence_support_information[0].supporting_sentence_keys)


def test_a_run_is_opened_and_a_record_of_it(page: Page, app: str) -> None:
    at(page, f"{app}/runs", "Runs")
    tab_to(page, TABLE)
    tick(page, 2)
    tab_to(page, "Open")
    with rerun(page):
        press(page, "Enter")
    expect(heading(page, "before")).to_be_visible()
    tab_to(page, TABLE)
    tick(page, 1)
    expect(shown(page, ".trace-evidence")).to_have_count(1)
    assert "record=q1" in page.url


def test_two_runs_of_the_list_are_compared(page: Page, app: str) -> None:
    at(page, f"{app}/runs", "Runs")
    tab_to(page, TABLE)
    tick(page, 1)
    tick(page, 2)
    for _ in range(4):
        press(page, "Shift+Tab")
    enter(page, "Compare")
    expect(page.get_by_text("3 pairs, no record left out.")).to_be_visible()


def test_the_records_are_filtered_and_downloaded(page: Page, app: str) -> None:
    at(page, f"{app}/runs?run=after", "after")
    tab_to(page, "Filter the records")
    press(page, "Enter")
    tab_to(page, "Search")
    with rerun(page):
        page.keyboard.type("q2")
        press(page, "Enter")
    expect(page.get_by_text("1 of 3 records match")).to_be_visible()
    tab_to(page, "Overview")
    with rerun(page):
        press(page, "End")
    tab_to(page, "CSV")
    with page.expect_download() as download:
        press(page, "Enter")
    assert download.value.path().read_text("utf-8").count("q2") > 0


def test_two_runs_are_chosen_and_what_got_worse_is_looked_at(page: Page, app: str) -> None:
    at(page, f"{app}/runs?show=Compare", "Runs")
    choose(page, "A, before", "after")
    expect(page.get_by_text("Choose two different runs.")).to_be_visible()
    choose(page, "B, after", "before")
    expect(page.get_by_text("Choose two different runs.")).to_have_count(0)
    tab_to(page, TABLE)
    while page.evaluate(FOCUSED) == TABLE:  # the means; what got worse is the next table
        press(page, "Tab")
    tab_to(page, TABLE)
    tick(page, 1)
    expect(page.get_by_role("heading", name="What of q2?")).to_be_visible()


def test_a_run_is_left_out_of_the_trend(page: Page, app: str) -> None:
    at(page, f"{app}/runs?show=Over+time", "Runs")
    tab_to(page, "Which runs")
    press(page, "Enter")
    expect(page.get_by_test_id(TABLE).first).to_be_visible()
    tab_to(page, TABLE)
    tick(page, 1)
    expect(page.get_by_text("1 of 2 runs shown, oldest first.")).to_be_visible()


def test_a_status_is_corrected_and_the_record_reviewed(page: Page, app: str, folder: Path) -> None:
    at(page, f"{app}/review?run=after", "Review")
    tab_to(page, "Your name")
    with rerun(page):
        page.keyboard.type("Ada")
        press(page, "Enter")
    tab_to_sentence(page, "a")
    with rerun(page):
        press(page, "Enter")
    press(page, "Tab", "Tab", "Tab")  # past fully and partially
    with rerun(page):
        press(page, "Enter")
    enter(page, "Save and mark as reviewed")
    made = open_store(url_of(folder)).corrections.of_run("after").values()
    said = [(one.author, one.field, one.value) for events in made for one in events]
    assert said == [("Ada", "supported", "unsupported"), ("Ada", "reviewed", True)]


def test_a_labeler_is_measured_against_another_run(page: Page, app: str) -> None:
    at(page, f"{app}/judge?run=after", "Review")
    choose(page, "Measured against", "before")
    expect(page.get_by_text("2 of 3 records compared")).to_be_visible()
