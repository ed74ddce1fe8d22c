"""The public demo: what it says, allows and keeps to itself; nobody finds or changes another's work."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from ask_page import FILTER, ask, click_row, open_menu, opened, rerun, settled, tab, visit
from browser import watched
from corpus_page import about, add_tab, begin, ended, into, upload
from playwright.sync_api import Page, expect
from run_examples import row
from run_page import at, more, url_of

from pages.components.shared.visitors import NOTICE
from trace_core.demo.limits import HELD_EACH, LONGEST, ROWS
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
    tab(page, "Data sets")


def at_collections(page: Page) -> None:
    with rerun(page):
        page.get_by_role("link", name="Collections", exact=True).click()


def choose_file(page: Page, name: str, data: bytes) -> None:
    with rerun(page):
        page.locator('input[type="file"]').first.set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": data}
        )


def rows(*numbers: int) -> bytes:
    return "\n".join(json.dumps(row(n)) for n in numbers).encode()


def test_a_visitor_is_told_what_disappears_and_long_texts_are_refused(page: Page, app: str, folder: Path) -> None:
    opened(page, app)
    expect(page.get_by_text(NOTICE)).to_be_visible()
    assert str(folder) not in page.content()
    assert ask(page, FILTER)
    assert not (folder / "queries.jsonl").exists()

    refused = page.get_by_text(f"The demo reads up to {LONGEST:,} characters at once")
    box = page.get_by_role("textbox", name="Document 0")
    tab(page, "Score your own")
    box.fill("word " * (LONGEST // 5 + 1))
    with rerun(page):
        page.get_by_role("button", name="Score", exact=True).click()
    expect(refused).to_be_visible()
    with rerun(page):
        page.get_by_role("link", name="Guide", exact=True).click()
    tab(page, "Try it")
    expect(page.get_by_text(NOTICE)).to_be_visible()
    box.fill("word " * (LONGEST // 5 + 1))
    with rerun(page):
        box.press("Control+Enter")
    expect(refused).to_be_visible()
    expect(page.locator(".trace-evidence")).to_have_count(0)


def test_the_owners_runs_are_neither_renamed_nor_deleted_nor_corrected(page: Page, app: str, folder: Path) -> None:
    at(page, f"{app}/runs", "Runs")
    with rerun(page):
        click_row(page.get_by_test_id("stDataFrame").first, 1, left=15)
    expect(page.get_by_text("In demo mode nothing can be renamed or deleted.")).to_be_visible()
    expect(page.get_by_role("button", name="Rename or note")).to_have_count(0)
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)
    at(page, f"{app}/review?run=after&record=q1", "Review")
    expect(page.get_by_text("In demo mode you can correct only runs that you made")).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    assert open_store(url_of(folder)).corrections.of_run("after") == {}


def test_what_a_visitor_makes_is_in_nobody_elses_lists_and_asks_no_model(
    page: Page, other: Page, app: str, folder: Path, tmp_path: Path
) -> None:
    data_sets(page, app)
    expect(page.get_by_text("Make them from a collection")).to_have_count(0)  # which would ask the owner's model
    choose_file(page, "many.jsonl", rows(*range(ROWS + 1)))
    with rerun(page):
        page.get_by_role("button", name="Save this data set").click()
    expect(page.get_by_text(f"The demo takes {ROWS} rows at once, these are more.")).to_be_visible()
    expect(page.get_by_text("many:")).to_have_count(0)
    choose_file(page, "of ada.jsonl", rows(7, 8))
    with rerun(page):
        page.get_by_role("button", name="Save this data set").click()
    tab(page, "Runs")
    page.get_by_text("New run").click()
    settled(page)
    open_menu(page.get_by_role("combobox", name="Labeler"))
    expect(page.get_by_role("option")).to_have_text(["local model"])
    page.keyboard.press("Escape")
    assert page.get_by_role("combobox", name="Data set").input_value() == "of ada (2 rows)"
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**run=*", timeout=60_000)
    expect(page.get_by_text("2 records · Adherence")).to_be_visible(timeout=180_000)
    (made,) = [run for run in open_store(url_of(folder)).runs.list_runs() if run.dataset_id]
    assert (made.config["labeler"], made.config["answerer"]) == ("local", "extractive")
    settled(page)
    more(page)
    page.get_by_role("button", name="Measure: 4 answers by extractive").click()
    measured = "2 records, 4 documents, Token F1 by extractive"
    expect(page.get_by_text(measured)).to_be_visible(timeout=180_000)
    with rerun(page):
        page.get_by_role("button", name="All runs").click()
    expect(page.get_by_role("heading", name="3 runs")).to_be_visible()

    at(other, f"{app}/runs", "Runs")
    expect(other.get_by_role("heading", name="2 runs")).to_be_visible()
    tab(other, "Data sets")
    expect(other.get_by_text("Two rows: 2 rows")).to_be_visible()
    expect(other.get_by_text("of ada")).to_have_count(0)
    at(other, f"{app}/review?run={made.id}", "Review")
    expect(other.get_by_text("of ada")).to_have_count(0)
    visit(other, f"{app}/runs?run={made.id}")  # whoever has the link reads it
    expect(other.get_by_text("2 records · Adherence")).to_be_visible()
    more(other)
    expect(other.get_by_text(measured)).to_be_visible()

    file = tmp_path / "tank.md"
    file.write_text("The tank holds two litres.", "utf-8")
    at_collections(page)
    page.get_by_role("button", name="Delete", exact=True).first.click()
    expect(page.get_by_text("In demo mode nothing can be deleted.")).to_be_visible()
    page.keyboard.press("Escape")
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
    tab(page, "Look inside")
    about(page, "of ada")

    at_collections(other)
    open_menu(other.get_by_role("combobox", name="Collection", exact=True))
    expect(other.get_by_role("option").filter(has_text="of ada")).to_have_count(0)
    other.keyboard.press("Escape")
    add_tab(other)
    into(other, "of ada")
    upload(other, file)
    begin(other)
    expect(other.get_by_text("The name 'of ada' is taken.")).to_be_visible()


def test_one_visitors_files_together_do_not_fill_the_server(page: Page, app: str) -> None:
    """Each is small enough; together they are not, past the page too."""
    data_sets(page, app)
    with page.expect_request(lambda request: request.method == "PUT") as sent:
        choose_file(page, "small.csv", b"question\nWhy?\n")
    token = {"X-Xsrftoken": sent.value.all_headers()["x-xsrftoken"]}
    place = sent.value.url.rpartition("/")[0]
    file = {"name": "rows.csv", "mimeType": "text/csv", "buffer": b"x" * 4_900_000}
    answered = [page.request.put(f"{place}/{n}", headers=token, multipart={"file": file}).status for n in range(4)]
    assert answered == [204] * (HELD_EACH // 4_900_000) + [413, 413]
