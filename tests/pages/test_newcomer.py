"""A newcomer's paths, with the clicks and pixels counted: from an own document, and from a table of answers."""

import json
import time
from pathlib import Path

import pytest
from ask_page import CLICKS, SECONDS, choose_file, ran, rerun, settled, shown, tab
from correcting_page import say
from playwright.sync_api import Page, expect
from run_page import at

pytestmark = pytest.mark.browser
DASHBOARD = "newcomer"

MOST_CLICKS = 20
TANK = "The tank holds two litres. Fill it with cold water. Wash it once a week."
ROWS = f"""question,contexts,answer
How much does the tank hold?,"[""{TANK}""]",The tank holds two litres.
How often is the tank washed?,"[""{TANK}""]",The tank is washed twice a day with vinegar.
"""


MOST_SCROLLED = 900
SCROLLED = """() => {
    window.scrolled = 0;
    const tops = new Map();
    addEventListener('scroll', ({ target }) => {
        if (target.dataset?.testid !== 'stMain') return;
        window.scrolled += Math.abs(target.scrollTop - (tops.get(target) ?? 0));
        tops.set(target, target.scrollTop);
    }, true);
}"""
"""Counts the pixels that the page is scrolled from now on, in `window.scrolled`."""


def test_an_own_document_a_question_its_evidence_and_a_correction_in_a_minute(
    page: Page, app: str, tmp_path: Path
) -> None:
    (tmp_path / "jug.md").write_text(TANK.replace("tank", "jug"), encoding="utf-8")
    at(page, f"{app}/corpus", "Collections")
    page.evaluate(CLICKS)
    page.evaluate(SCROLLED)
    start = time.monotonic()
    tab(page, "Add documents")
    with rerun(page):
        box = page.get_by_role("combobox", name="Into the collection")
        box.click()
        box.fill("pottery")
        box.press("Enter")
    with rerun(page):
        page.locator('input[type="file"]').set_input_files(tmp_path / "jug.md")
    add = page.get_by_role("button", name="Add these documents")
    with rerun(page):
        add.click()
    said = page.get_by_test_id("stAlert").filter(has_text="Added")
    expect(said).to_be_visible(timeout=120_000)
    settled(page)
    tops = [one.evaluate("one => one.getBoundingClientRect().top") for one in (add, said)]
    assert 0 < tops[1] - tops[0] < 200, "what came of it stands where the button is"
    with ran(page):
        page.get_by_role("button", name="Ask it").click()
    expect(page.get_by_text("Ask pottery a question, or start")).to_be_visible()  # and no record of another's
    with ran(page):
        page.get_by_role("button", name="What do the documents say about").click()
    expect(page.get_by_text("from pottery")).to_be_visible(timeout=SECONDS)
    expect(shown(page, ".trace-evidence .answer .sentence").first).to_be_in_viewport()
    page.get_by_role("button", name="Add to a run").click()
    name = page.get_by_role("combobox", name="Run", exact=True)
    with rerun(page):
        name.fill("pots")
        name.press("Enter")
    with rerun(page):
        page.get_by_role("button", name="Add", exact=True).click()
    with ran(page):
        page.get_by_role("link", name="Added. Open pots").click()
    with rerun(page):
        page.locator(".trace-records tbody tr").first.click()
    say(page, "a", "unsupported")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Your name").press("Enter")
    settled(page)
    with rerun(page):
        page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. Context relevance")).to_be_visible()
    seconds, (clicks, scrolled) = time.monotonic() - start, page.evaluate("[window.clicks, window.scrolled]")
    print(f"{seconds:.0f} s, {clicks} clicks, {scrolled:.0f} pixels")
    assert clicks <= MOST_CLICKS
    assert scrolled <= MOST_SCROLLED


def test_from_a_csv_to_the_json_of_a_run_whose_worst_record_is_corrected(page: Page, app: str, tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text(ROWS, encoding="utf-8")
    page.set_viewport_size({"width": 1440, "height": 900})
    at(page, f"{app}/runs", "Runs")
    page.evaluate(CLICKS)
    page.evaluate(SCROLLED)
    tab(page, "Data sets")
    choose_file(page, tmp_path / "answers.csv")
    expect(page.get_by_label("Name of the data set")).to_have_value("answers", timeout=SECONDS)
    settled(page)
    page.get_by_role("button", name="Score these rows").click()
    page.wait_for_url("**run=*", timeout=SECONDS)
    rows = page.locator(".trace-records tbody tr")
    expect(rows).to_have_count(2, timeout=SECONDS)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=SECONDS)
    settled(page)
    run = page.url
    with rerun(page):
        rows.first.click()  # the worst
    expect(page.get_by_role("heading", name="How often is the tank washed?")).to_be_visible()
    say(page, "a", "fully supported")
    page.get_by_label("Your name").click()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Your name").press("Enter")
    settled(page)
    with rerun(page):
        page.get_by_role("button", name="Save").click()
    with rerun(page):
        page.get_by_role("button", name="Close").click()  # back to the run
    tab(page, "Export")
    with page.expect_download() as download:
        page.get_by_role("button", name="Run as JSON").click()
    made = json.loads(download.value.path().read_text("utf-8"))
    assert [len(record["overrides"]) for record in made["records"]] == [0, 1]
    assert made["run"]["id"] in run
    assert download.value.suggested_filename == f"trace-{made['run']['id']}.json"
    clicks, scrolled = page.evaluate("[window.clicks, window.scrolled]")
    print(f"{clicks} clicks, {scrolled:.0f} pixels")
    assert clicks <= 12
    assert scrolled <= 400
