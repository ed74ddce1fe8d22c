"""The records of a run as a table: its columns and its place, and the record that is read beside or over it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from uuid import uuid4

import pytest
from app_page import AppPage
from ask_page import rerun
from playwright.sync_api import Page, expect
from run_examples import failed, labeled
from run_page import CONFIG, at, url_of

from trace_core.store.store import open_store

DATA = DASHBOARD = "runs"
ROWS = ".trace-records tbody tr"
PLACE = "row => [row.getBoundingClientRect().top, row.getBoundingClientRect().bottom]"
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}


def add_run(folder: Path, n: int = 60) -> str:
    """A run of `n` records, the oldest; the last has no label, as its labeler failed."""
    store, run = open_store(url_of(folder)).runs, uuid4().hex
    store.create_run(run, CONFIG, total=n, status="done", run_id=run, created_at="2025-12-29T10:00:00+00:00")
    fields = {"team": "blue", "reference_answer": "Cats purr."}
    store.save_records(run, [*(labeled(f"r{i}", fields=fields) for i in range(n - 1)), failed(f"r{n - 1}")])
    return run


def test_columns_are_chosen_in_the_address_and_each_is_offered_once(data: Path) -> None:
    run = add_run(data, 2)
    page = AppPage("runs", run=run)
    offers = page.options("Columns beside verdict and question")
    assert offers == ["Answer", "Reference answer", "Scores", "team"]
    page = AppPage("runs", run=run, column="team")
    [table] = page.parts("run-records")
    assert table["columns"] == [{"name": "team", "title": "team"}]
    assert table["rows"][0]["texts"]["team"] == "blue"


def test_what_failed_is_not_scored_and_its_answer_is_shown(data: Path) -> None:
    page = AppPage("runs", run=add_run(data, 2))
    row = page.parts("run-records")[0]["rows"][-1]
    assert (row["verdict"], row["answer"][0][0]) == ("not scored", "Cats purr.")
    assert "2 records · 1 not scored" in page.text
    assert "1 of 2 records match: status not scored" in page.choose("Status", "not scored").text


def test_what_went_wrong_is_said_twice_at_most(data: Path) -> None:
    page = AppPage("runs", run="before", record="q3")
    said = page.text + json.dumps(page.parts("trace_scorecard")[0])
    assert 1 <= said.count("The judge fell asleep.") <= 2
    assert "Not scored: The judge fell asleep." in said
    assert "Not enough labels" not in said


def test_a_filter_is_said_in_words_and_all_above_the_table_is_of_its_records(data: Path) -> None:
    page = AppPage("runs", run="before", metric="adherence", low="0.5", field="team", value="red")
    assert "1 of 3 records match: Adherence from 0.5; team red" in page.text
    assert "1 of 1 answers are grounded" in page.text


def test_a_finding_leads_from_its_tab_to_the_records(data: Path) -> None:
    page = AppPage("runs", run="after", tab="Findings")
    page.app.button(key="rule-unsupported").click()
    assert "tab" not in page.run().address
    assert page.parts("run-records")


def test_a_record_that_there_is_not_is_not_said_to_be_filtered(data: Path) -> None:
    assert "The filter excludes" not in AppPage("runs", run="before", record="nobody").text
    assert "The filter excludes" in AppPage("runs", run="before", record="q1", words="q2").text


# ---- in a browser -------------------------------------------------------------------------------


def in_sight(page: Page, row: int) -> bool:
    page.wait_for_timeout(1800)  # the place is held while the page is drawn
    top, bottom = page.locator(ROWS).nth(row).evaluate(PLACE)
    return top > 0 and bottom < page.viewport_size["height"]  # type: ignore[index]


@pytest.mark.browser
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_record_opens_at_its_top_and_closes_to_its_row(page: Page, app: str, folder: Path, size: dict) -> None:
    run = add_run(folder)
    page.set_viewport_size(size)
    at(page, f"{app}/runs?run={run}&order=position", run)
    row = page.locator(ROWS).nth(30)
    row.scroll_into_view_if_needed()
    with rerun(page):
        row.click()
    question = page.get_by_role("heading", name="What of r30?")
    page.wait_for_timeout(1800)
    expect(question).to_be_in_viewport()
    expect(page.locator(".trace-scorecard").first).to_be_in_viewport()
    with rerun(page):
        page.get_by_role("button", name="Close").click()
    assert in_sight(page, 30)
    at(page, page.url, run)
    assert in_sight(page, 30)


@pytest.mark.browser
def test_arrows_j_and_k_go_on_after_a_click_and_the_page_of_the_table_follows(
    page: Page, app: str, folder: Path
) -> None:
    run = add_run(folder)
    at(page, f"{app}/runs?run={run}&order=position", run)
    row = page.locator(ROWS).nth(48)
    row.scroll_into_view_if_needed()
    with rerun(page):
        row.click()
    expect(row).to_have_attribute("aria-current", "true")
    for key, n in (("ArrowDown", 49), ("ArrowUp", 48), ("j", 49), ("k", 48), ("j", 49), ("ArrowDown", 50)):
        with rerun(page):
            page.keyboard.press(key)
        expect(page.get_by_role("heading", name=f"What of r{n}?")).to_be_visible()
    with rerun(page):
        page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("page=2"))
    expect(page.locator(ROWS)).to_have_count(10)
    assert in_sight(page, 0)


@pytest.mark.browser
@pytest.mark.parametrize(("size", "most"), [(DESK, 380), (PHONE, 700)], ids=["desk", "phone"])
def test_the_table_begins_above_the_fold(page: Page, app: str, size: dict, most: int) -> None:
    page.set_viewport_size(size)
    at(page, f"{app}/runs?run=after", "after")
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    page.wait_for_timeout(500)
    box = page.locator(".trace-records").bounding_box()
    assert box
    assert box["y"] <= most


POINT = """chart => {
    const { xaxis, yaxis } = chart._fullLayout, box = chart.getBoundingClientRect(), at = chart.calcdata[3][2];
    return [box.left + xaxis._offset + xaxis.l2p(at.x), box.top + yaxis._offset + yaxis.l2p(at.y)];
}"""


@pytest.mark.browser
def test_a_point_of_a_line_says_its_question_and_opens_its_record(page: Page, app: str, folder: Path) -> None:
    run = add_run(folder, 9)
    at(page, f"{app}/runs?run={run}", run)
    with rerun(page):
        page.get_by_text("Scores over the run", exact=True).click()
    chart = page.locator(".js-plotly-plot").first
    chart.locator(".scatterlayer .point").first.wait_for(state="attached")
    page.wait_for_timeout(500)
    place = chart.evaluate(POINT)
    page.mouse.move(*place)
    expect(chart.locator(".hoverlayer")).to_contain_text("What of r2?")
    with rerun(page):
        page.mouse.click(*place)
    expect(page).to_have_url(re.compile("record=r2"))
