"""A newcomer's path: from an own document to the JSON of a run with a corrected record, with the clicks counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ask_page import CLICKS, SECONDS, ask, choose, ran, rerun, settled, shown, tab
from corpus_page import add_tab, begin, ended, into, opened, upload
from correcting_page import say
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
DASHBOARD = "newcomer"

MOST_CLICKS = 20
TANK = "The tank holds two litres. Fill it with cold water. Wash it once a week."
ROWS = f"""question,contexts,answer
How much does the tank hold?,"[""{TANK}""]",The tank holds two litres.
How often is the tank washed?,"[""{TANK}""]",The tank is washed twice a day with vinegar.
"""


def test_from_an_own_document_to_the_json_of_a_corrected_run(page: Page, app: str, tmp_path: Path) -> None:
    (tmp_path / "tank.md").write_text(TANK, encoding="utf-8")
    (tmp_path / "answers.csv").write_text(ROWS, encoding="utf-8")
    opened(page, app)
    page.evaluate(CLICKS)
    add_tab(page)
    into(page, "kitchen")
    upload(page, tmp_path / "tank.md")
    begin(page)
    ended(page, "Added")

    with ran(page):
        page.get_by_test_id("stTopNavLink").filter(has_text="Ask").click()
    choose(page, "Collection", "kitchen")
    ask(page, "How much water does the tank hold?")
    expect(shown(page, ".trace-evidence .answer .sentence").first).to_contain_text("two litres")

    with ran(page):
        page.get_by_test_id("stTopNavLink").filter(has_text="Runs").click()
    tab(page, "Data sets")
    page.locator('input[type="file"]').set_input_files(tmp_path / "answers.csv")
    expect(page.get_by_label("Name of the data set")).to_have_value("answers", timeout=SECONDS)
    settled(page)
    with rerun(page):
        page.get_by_role("button", name="Save this data set").click()
    with rerun(page):
        page.get_by_role("button", name="Set up a run of these rows").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**run=*", timeout=SECONDS)
    expect(page.get_by_text("2 records: 2 scored")).to_be_visible(timeout=SECONDS)
    settled(page)
    run = page.url

    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box
    with rerun(page):
        page.mouse.click(box["x"] + 15, box["y"] + 70)  # the first row, which is the worst
    expect(page.get_by_role("heading", name="How often is the tank washed?")).to_be_visible()
    say(page, "a", "fully supported")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Your name").press("Enter")
    settled(page)
    with rerun(page):
        page.get_by_role("button", name="Save").click()
    with rerun(page):
        page.get_by_role("button", name="answers, ").click()  # back to the run
    tab(page, "Export")
    with page.expect_download() as download:
        page.get_by_role("button", name="Run as JSON").click()
    made = json.loads(download.value.path().read_text("utf-8"))
    assert [len(record["overrides"]) for record in made["records"]] == [0, 1]
    assert made["run"]["id"] in run
    clicks = page.evaluate("window.clicks")
    print(f"{clicks} clicks")
    assert clicks <= MOST_CLICKS
