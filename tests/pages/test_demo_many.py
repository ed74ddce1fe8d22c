"""The public demo on the pages about runs, data sets and collections: nobody finds or changes another's work."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from ask_page import click_row, open_menu, rerun, settled, visit
from browser import watched
from corpus_page import add_tab, begin, ended, into, upload
from corpus_page import opened as collections_page
from playwright.sync_api import Page, expect
from run_examples import row
from run_page import at, more, url_of

from trace_core.demo.limits import HELD_EACH, ROWS
from trace_core.store.store import open_store

pytestmark = pytest.mark.browser
DASHBOARD = "demo"


@pytest.fixture
def other(page: Page) -> Iterator[Page]:
    """Another visitor."""
    opened = watched(page.context)
    yield opened
    opened.close()


def data_sets(page: Page, app: str) -> None:
    at(page, f"{app}/runs", "Runs")
    with rerun(page):
        page.get_by_role("tab", name="Data sets").click()


def choose_file(page: Page, name: str, data: bytes) -> None:
    with rerun(page):
        page.locator('input[type="file"]').first.set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": data}
        )


def rows(*numbers: int) -> bytes:
    return "\n".join(json.dumps(row(n)) for n in numbers).encode()


def test_the_owners_runs_are_seen_and_neither_renamed_nor_deleted(page: Page, app: str) -> None:
    at(page, f"{app}/runs", "Runs")
    with rerun(page):
        click_row(page.get_by_test_id("stDataFrame").first, 1, left=15)
    expect(page.get_by_text("In demo mode nothing can be renamed or deleted.")).to_be_visible()
    expect(page.get_by_role("button", name="Rename or note")).to_have_count(0)
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)


def test_the_owners_runs_are_not_corrected(page: Page, app: str, folder: Path) -> None:
    at(page, f"{app}/review?run=after&record=q1", "Review")
    with rerun(page):
        page.get_by_label("Your name").fill("Ada")
        page.get_by_label("Your name").press("Enter")
    expect(page.get_by_text("In demo mode you can correct only runs that you made")).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    assert open_store(url_of(folder)).corrections.of_run("after") == {}


def test_what_a_visitor_makes_is_in_nobody_elses_lists_and_asks_no_model(
    page: Page, other: Page, app: str, folder: Path
) -> None:
    data_sets(page, app)
    expect(page.get_by_text("Make them from a collection")).to_have_count(0)  # which would ask the owner's model
    choose_file(page, "of ada.jsonl", rows(7, 8))
    with rerun(page):
        page.get_by_role("button", name="Save this data set").click()
    with rerun(page):
        page.get_by_role("tab", name="Runs", exact=True).click()
    page.get_by_text("New run").click()
    open_menu(page.get_by_role("combobox", name="Labeler"))
    expect(page.get_by_role("option")).to_have_text(["Local (no key)"])
    page.keyboard.press("Escape")
    open_menu(page.get_by_role("combobox", name="Data set"))
    page.get_by_role("option", name="of ada (2 rows)").click()
    settled(page)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**run=*", timeout=60_000)
    expect(page.get_by_text("2 records: 2 scored")).to_be_visible(timeout=180_000)
    (made,) = [run for run in open_store(url_of(folder)).runs.list_runs() if run.dataset_id]
    assert (made.config["labeler"], made.config["answerer"]) == ("local", "extractive")
    with rerun(page):
        page.get_by_role("button", name="All runs").click()
    expect(page.get_by_role("heading", name="3 runs")).to_be_visible()

    at(other, f"{app}/runs", "Runs")
    expect(other.get_by_role("heading", name="2 runs")).to_be_visible()
    with rerun(other):
        other.get_by_role("tab", name="Data sets").click()
    expect(other.get_by_text("Two rows: 2 rows")).to_be_visible()
    expect(other.get_by_text("of ada")).to_have_count(0)
    at(other, f"{app}/review?run={made.id}", "Review")
    expect(other.get_by_text("of ada")).to_have_count(0)
    visit(other, f"{app}/runs?run={made.id}")  # whoever has the link reads it
    expect(other.get_by_text("2 records: 2 scored")).to_be_visible()


def test_what_a_visitor_measures_of_a_run_is_there_for_everyone(page: Page, other: Page, app: str) -> None:
    """It follows from the run's records alone."""
    visit(page, f"{app}/runs?run=after")
    more(page)
    page.get_by_role("button", name="Measure: 6 answers by extractive").click()
    measured = "3 records, 6 documents, Token F1 by extractive"
    expect(page.get_by_text(measured)).to_be_visible(timeout=180_000)
    visit(other, f"{app}/runs?run=after")
    more(other)
    expect(other.get_by_text(measured)).to_be_visible()


def test_too_many_rows_are_refused(page: Page, app: str) -> None:
    data_sets(page, app)
    choose_file(page, "many.jsonl", rows(*range(ROWS + 1)))
    with rerun(page):
        page.get_by_role("button", name="Save this data set").click()
    expect(page.get_by_text(f"The demo takes {ROWS} rows at once, these are {ROWS + 1}.")).to_be_visible()
    expect(page.get_by_text("many:")).to_have_count(0)


def test_one_visitors_files_together_do_not_fill_the_server(page: Page, other: Page, app: str) -> None:
    """Each is small enough; together they are not, past the page too. Another visitor's are taken."""

    def filled(one: Page) -> list[int]:
        data_sets(one, app)
        with one.expect_request(lambda request: request.method == "PUT") as sent:
            choose_file(one, "small.csv", b"question\nWhy?\n")
        token = {"X-Xsrftoken": sent.value.all_headers()["x-xsrftoken"]}
        place = sent.value.url.rpartition("/")[0]
        file = {"name": "rows.csv", "mimeType": "text/csv", "buffer": b"x" * 4_900_000}
        return [one.request.put(f"{place}/{n}", headers=token, multipart={"file": file}).status for n in range(4)]

    assert filled(page) == [204] * (HELD_EACH // 4_900_000) + [413, 413]
    assert filled(other)[0] == 204


def test_collections_stay_and_another_visitors_is_not_listed_and_not_added_to(
    page: Page, other: Page, app: str, tmp_path: Path
) -> None:
    file = tmp_path / "tank.md"
    file.write_text("The tank holds two litres.", "utf-8")
    collections_page(page, app)
    page.get_by_text("Delete this collection").click()
    expect(page.get_by_text("In demo mode nothing can be deleted.")).to_be_visible()
    add_tab(page)
    open_menu(page.get_by_role("combobox", name="Into the collection"))
    expect(page.get_by_role("option").filter(has_text="espresso-manual")).to_have_count(0)
    page.keyboard.press("Escape")
    into(page, "espresso-manual")
    upload(page, file)
    begin(page)
    expect(page.get_by_text("the demo's own collections stay as they are")).to_be_visible()
    into(page, "of ada")
    begin(page)
    ended(page, "Added to")
    expect(page.get_by_role("table", name="Collections")).to_have_count(0)  # on the other tab
    with rerun(page):
        page.get_by_role("tab", name="Look inside").click()
    expect(page.get_by_role("table", name="Collections")).to_contain_text("of ada")

    collections_page(other, app)
    expect(other.get_by_role("table", name="Collections")).not_to_contain_text("of ada")
    add_tab(other)
    into(other, "of ada")
    upload(other, file)
    begin(other)
    expect(other.get_by_text("The name 'of ada' is taken.")).to_be_visible()
