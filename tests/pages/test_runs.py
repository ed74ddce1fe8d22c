"""The pages about many records, as a person uses them: Runs, Compare, Trends and Review."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from ask_page import (
    CLICKS,
    SECONDS,
    choose,
    choose_file,
    click_row,
    no_error,
    open_menu,
    ran,
    rerun,
    settled,
    shown,
    tab,
    visit,
)
from browser import watched
from correcting_page import say
from playwright.sync_api import Locator, Page, expect
from run_examples import row
from run_page import at, card, url_of

from trace_core.store.store import open_store

pytestmark = pytest.mark.browser
DASHBOARD = "runs"


def test_an_empty_store_says_what_to_do_next(page: Page, dashboards: Mapping[str, Any]) -> None:
    visit(page, f"{dashboards['empty'].url}/runs?show=Compare")
    expect(page.get_by_text("Comparing needs two runs")).to_be_visible()
    tab(page, "Over time")
    expect(page.get_by_text("A trend needs two")).to_be_visible()
    with rerun(page):
        page.get_by_role("link", name="Review", exact=True).click()
    expect(page.get_by_text("There is no run to review yet")).to_be_visible()
    tab(page, "Trust")
    expect(page.get_by_text("There is no run to measure yet")).to_be_visible()
    with rerun(page):
        page.get_by_test_id("stMain").get_by_role("link", name="Go to Runs").click()
    tab(page, "Runs")  # the one that was left is open
    expect(page.get_by_text("There is no run yet. A run scores")).to_be_visible()
    page.get_by_role("button", name="Upload a data set").click()
    expect(page.get_by_text("There is no data set yet")).to_be_visible()
    with rerun(page):
        page.get_by_role("link", name="Ask", exact=True).click()
    with rerun(page):
        page.get_by_role("link", name="Add documents on the Collections page").click()
    expect(page.get_by_text("There is no collection yet.")).to_be_visible()
    tab(page, "Add documents")
    expect(page.get_by_text("You see their chunks before anything is written.")).to_be_visible()


def test_a_run_shows_means_under_each_convention_and_filters_by_the_address(page: Page, app: str) -> None:
    at(page, f"{app}/runs?run=before&field=latency&from=1&tab=Numbers", "before")
    expect(page.get_by_text("1 of 3 records match")).to_be_visible()
    page.get_by_role("button", name="Filter and columns").click()
    choose(page, "Field of the rows", "team")
    expect(page.get_by_text("2 of 3 records match")).to_be_visible()  # the third row has none
    with rerun(page):
        open_menu(page.get_by_role("combobox", name="team"))
        page.get_by_role("option", name="blue (1)").click()
    expect(page.get_by_text("1 of 3 records match")).to_be_visible()
    assert parse_qs(urlsplit(page.url).query) == {
        "run": ["before"],
        "tab": ["Numbers"],
        "field": ["team"],
        "value": ["blue"],
    }
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    with rerun(page):
        page.get_by_role("button", name="Show all").click()
    # q1 and q2 have 2 relevant sentences of 20; q3 failed and is in no mean.
    expect(card(page, "Context relevance")).to_have_text("0.100")
    expect(card(page, "Adherence")).to_have_text("1.000")
    expect(page.get_by_text("2 defined, 0 undefined, 1 failed").first).to_be_visible()
    no_error(page)
    page.get_by_role("button", name="Filter and columns").click()
    choose(page, "Status", "failed")
    expect(card(page, "Adherence")).to_have_text("undefined")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    with rerun(page):
        page.get_by_role("button", name="Show all").click()
    choose(page, "Convention", "RAGBench, as released")  # which needs no new labels
    expect(card(page, "Context relevance")).to_have_text("0.667")  # 2 of 3 sentences


def test_a_file_with_strange_headings_is_a_scored_run_in_six_clicks(
    page: Page, app: str, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "odd.csv"
    rows = [f"What of {n}?,It is {n} metres high.,It is {n} metres high.\n" for n in range(1, 4)]
    file.write_text("Wir fragten,Fundstelle,Der Bot\n" + "".join(rows), encoding="utf-8")
    at(page, f"{app}/runs", "Runs")
    page.evaluate(CLICKS)
    tab(page, "Data sets")
    choose_file(page, file)
    missing = page.locator(".st-key-mapping-missing")
    expect(missing.get_by_text("Which column holds the question?")).to_be_visible(timeout=SECONDS)
    for group, column in (("question", "Wir fragten"), ("documents", "Fundstelle"), ("answer", "Der Bot")):
        asked = missing.get_by_role("radiogroup", name=f"Which column holds the {group}?")
        with rerun(page):
            asked.get_by_text(column, exact=True).click()
    expect(page.get_by_role("table", name="Fields with their coverage")).to_contain_text("3 of 3 rows")
    page.get_by_role("button", name="Score these rows").click()
    page.wait_for_url("**run=*", timeout=SECONDS)
    expect(page.get_by_text("3 records · Adherence")).to_be_visible(timeout=SECONDS)
    assert page.evaluate("window.clicks") == 6
    with rerun(page):
        page.get_by_role("button", name="All runs").click()
    expect(page.get_by_role("tab", name="Runs", exact=True)).to_have_attribute("aria-selected", "true")

    tab(page, "Data sets")  # rows that repeat are left out by default, and a second file has its own name
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("question\nOne of the first?\n", encoding="utf-8")
    second.write_text("question\nTwice?\nTwice?\nOnce?\n", encoding="utf-8")
    name = page.get_by_label("Name of the data set")
    page.locator('input[type="file"]').set_input_files(first)
    expect(name).to_have_value("first", timeout=SECONDS)
    with rerun(page):  # meanwhile both names are there
        page.locator('input[type="file"]').set_input_files(second)
    expect(name).to_have_value("second", timeout=SECONDS)
    save = page.get_by_role("button", name="Save this data set")
    expect(page.get_by_text("Leave out 1 row repeating another word for word")).to_be_visible()
    with rerun(page):
        save.click()
    expect(page.get_by_text("Saved 2 rows.")).to_be_visible()
    assert {one.total for one in open_store(url_of(folder)).datasets.list_datasets() if one.name == "second"} == {2}
    with rerun(page):
        save.click()
    expect(page.get_by_text("These rows are already saved as “second”.")).to_be_visible()
    with rerun(page):
        page.get_by_role("button", name="Set up a run of these rows").click()
    assert page.get_by_role("combobox", name="Data set").input_value() == "second (2 rows)"
    expect(page.get_by_text("2 rows without documents: choose the collection")).to_be_visible()


def test_rows_that_are_one_question_are_asked_about_before_any_work(
    page: Page, app: str, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "long.csv"
    path.write_text("qid,question,passage,answer\n1,Why?,So it is.,So.\n1,Why?,And so.,\n", encoding="utf-8")
    at(page, f"{app}/runs", "Runs")
    tab(page, "Data sets")
    choose_file(page, path)
    expect(page.get_by_text("2 rows share id and question with others, each has another passage")).to_be_visible()
    save = page.get_by_role("button", name="Save this data set")
    expect(save).to_be_disabled()
    expect(page.get_by_role("button", name="Score these rows")).to_have_count(0)
    with rerun(page):
        page.get_by_text("One record a question").click()
    with rerun(page):
        save.click()
    expect(page.get_by_text("Saved 1 row.")).to_be_visible()


def test_a_run_goes_on_when_its_tab_is_closed(page: Page, app: str, folder: Path) -> None:
    rows = [(f"c{n}", row(n)) for n in range(40)]
    open_store(url_of(folder)).datasets.add_dataset("Forty rows", rows, counts={"label": 40})
    at(page, f"{app}/runs", "Runs")
    page.get_by_text("New run").click()
    settled(page)
    if page.get_by_role("combobox", name="Data set").input_value() != "Forty rows (40 rows)":  # added the same second
        choose(page, "Data set", "Forty rows (40 rows)")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**run=*", timeout=60_000)
    page.goto("about:blank")
    store = open_store(url_of(folder)).runs
    run_id = max((run for run in store.list_runs() if run.counts["total"] == 40), key=lambda run: run.created_at).id
    deadline = time.monotonic() + 60
    while store.load_run(run_id).status != "done":
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert store.columns(run_id).id.tolist() == [f"c{n}" for n in range(40)]
    assert store.load_run(run_id).counts["scored"] == 40


def test_a_download_follows_the_filter_and_a_mark_opens_its_record(page: Page, app: str) -> None:
    at(page, f"{app}/runs?run=before&words=q2&tab=Export", "before")
    with page.expect_download() as download:
        page.get_by_role("button", name="Run as JSON").click()
    assert "-1-of-3." in download.value.suggested_filename
    made = json.loads(download.value.path().read_text())
    assert [record["id"] for record in made["records"]] == ["q2"]
    assert made["run"]["note"] == "1 of 3 records: words q2"
    with rerun(page):
        page.get_by_text("All 3 records").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    assert len(pd.read_csv(download.value.path())) == 3

    with rerun(page):
        page.get_by_role("button", name="Show all").click()
    marks = page.locator(".js-plotly-plot").first
    click_mark(marks, marks.locator(".barlayer .point path").nth(1))  # q2's, as q1 is no better
    expect(page).to_have_url(re.compile("record=q2"), timeout=SECONDS)
    expect(page.get_by_role("heading", name="What of q2?")).to_be_visible()
    expect(shown(page, ".trace-evidence")).to_have_count(1)
    expect(page.locator(".js-plotly-plot")).to_have_count(0)


def test_a_click_on_a_row_opens_its_evidence_and_keys_go_on_and_close_it(page: Page, app: str) -> None:
    at(page, f"{app}/runs?run=before&order=position", "before")
    rows = page.locator(".trace-records tbody tr")
    expect(rows).to_have_count(3)
    with rerun(page):
        rows.nth(1).locator(".answer").click()
    expect(page.get_by_role("heading", name="What of q2?")).to_be_visible()
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    with rerun(page):
        page.keyboard.press("k")
    expect(page.get_by_role("heading", name="What of q1?")).to_be_visible()
    expect(page.get_by_text("Record 1 of 3")).to_be_visible()
    with rerun(page):
        page.keyboard.press("j")
    expect(page.get_by_role("heading", name="What of q2?")).to_be_visible()
    with rerun(page):
        page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="What of q2?")).to_have_count(0)
    assert parse_qs(urlsplit(page.url).query) == {"run": ["before"], "order": ["position"]}


def click_mark(chart: Locator, mark: Locator) -> None:
    """Click on a chart's mark, once it is drawn."""
    page = chart.page
    expect(mark).to_be_visible()
    settled(page)
    chart.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    drawn = mark.bounding_box()
    assert drawn
    place = drawn["x"] + drawn["width"] / 2, drawn["y"] + drawn["height"] / 2
    page.mouse.move(*place)  # plotly lays its own surface over the marks, and has to see what is pointed at
    page.wait_for_timeout(500)
    with rerun(page):
        page.mouse.click(*place)


def test_a_run_leads_to_a_findings_records_the_run_before_and_what_got_worse(page: Page, app: str) -> None:
    at(page, f"{app}/runs?run=after", "after")
    tab(page, "Findings")
    with rerun(page):
        page.locator(".st-key-rule-unsupported button").click()
    expect(page.get_by_text("2 of 3 records match")).to_be_visible()
    assert "finding=unsupported" in page.url
    with ran(page):
        page.get_by_role("button", name="Compare with before").click()
    expect(page.get_by_role("tab", name="Compare")).to_have_attribute("aria-selected", "true")
    assert parse_qs(urlsplit(page.url).query) == {"show": ["Compare"], "a": ["before"], "b": ["after"]}
    expect(page.get_by_text("3 pairs, no record left out.")).to_be_visible()
    # q1 lost its adherence; q2 lost a relevant sentence that was not used, and gained by it; q3 had failed in A.
    expect(page.get_by_role("heading", name="What got worse: 1")).to_be_visible()
    expect(page.get_by_role("heading", name="What got better: 1")).to_be_visible()
    with rerun(page):
        page.get_by_test_id("stButtonGroup").get_by_role("radio", name="Adherence").click()
    expect(page.get_by_role("heading", name="What got better: 0")).to_be_visible()
    expect(page.get_by_text("2 of 2 verdicts differ. How many do by themselves is not measured")).to_be_visible()
    with rerun(page):
        click_row(page.locator("[class*='st-key-worse']").get_by_test_id("stDataFrame"), 1, 15)
    expect(page.locator(".st-key-side-by-side")).to_contain_text("after: the same answer")
    assert "pair=q1" in page.url

    # What is copied from a table stays there: cells are not escaped, and a spreadsheet would compute them.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('as it was')")
    click_row(page.get_by_test_id("stDataFrame").first, 1, 60)
    page.keyboard.press("Control+c")
    page.wait_for_timeout(500)
    assert page.evaluate("navigator.clipboard.readText()") == "as it was"


def test_a_labeler_is_measured_against_rows_or_a_run_and_a_miss_is_opened(page: Page, app: str) -> None:
    at(page, f"{app}/review?part=Trust&run=before", "Review")
    expect(page.get_by_text("1 of 3 records compared, 1 failed.")).to_be_visible()  # only q1 has a ground truth
    with rerun(page):
        open_menu(page.get_by_role("combobox", name="Measured against"))
        page.get_by_role("option", name="the labels of after").click()
    expect(page.get_by_text("2 of 3 records compared, 1 failed.")).to_be_visible()
    with ran(page):
        click_row(page.locator("[class*='st-key-misses']").get_by_test_id("stDataFrame"), 1, 15)
    expect(page.get_by_role("heading", name="What of q")).to_be_visible()


def test_a_reviewer_corrects_a_label_and_the_run_follows(page: Page, app: str, folder: Path) -> None:
    store = open_store(url_of(folder)).runs
    at(page, f"{app}/review?run=after&record=q3", "Review")
    with rerun(page):
        page.get_by_label("Your name").fill("Ada")
        page.get_by_label("Your name").press("Enter")
    before = store.columns("after").score("trace").values["adherence"].tolist()
    assert before == [0, 1, 0]
    say(page, "b", "fully supported")
    with rerun(page):
        page.get_by_role("button", name="Save and next").click()
    expect(page.locator(".st-key-review-unsaved")).to_contain_text("Adherence 0.00 → 1.00 (+1.00)")
    expect(page.get_by_text("1 of 3 reviewed")).to_be_visible()
    assert "record=q3" not in page.url
    said = open_store(url_of(folder)).corrections.of_run("after").get("q3", [])
    assert [(o.author, o.field, o.sentence_key, o.value) for o in said] == [
        ("Ada", "supported", "b", "fully"),
        ("Ada", "reviewed", "", True),
    ]
    assert store.columns("after").score("trace").values["adherence"].tolist() == [0, 1, 1]
    labels = store.load_record("after", "q3").labels
    assert labels is not None
    assert labels.labeler == "human"


def test_two_people_who_differ_are_both_kept(page: Page, app: str, folder: Path) -> None:
    ada, bob = page, watched(page.context)
    names = [f"{name} {time.monotonic_ns()}" for name in ("Ada", "Bob")]  # afresh, should this be tried again
    for one, name in zip((ada, bob), names, strict=True):  # both have the page open before either saves
        at(one, f"{app}/review?run=before&record=q2", "Review")
        with rerun(one):
            one.get_by_label("Your name").fill(name)
            one.get_by_label("Your name").press("Enter")
    for one, status in ((ada, "partially"), (bob, "unsupported")):
        one.bring_to_front()
        say(one, "a", status)
        with rerun(one):
            one.get_by_role("button", name="Save and next").click()
    said = open_store(url_of(folder)).corrections.of_run("before").get("q2", [])
    assert [(o.author, o.value) for o in said if o.field == "supported" and o.author in names] == [
        (names[0], "partially"),
        (names[1], "unsupported"),
    ]
    bob.close()
    at(ada, f"{app}/review?part=Trust&run=before", "Review")
    expect(ada.get_by_role("heading", name="κ on support: ")).to_be_visible()
    expect(ada.get_by_role("table", name="Means, as people correct them")).to_contain_text("1 of 2")
    expect(ada.get_by_text("Counts only records whose review is finished.")).to_be_visible()


@pytest.mark.parametrize(("old", "new"), [("compare", r"/runs\?.*show=Compare"), ("judge", r"/review\?.*part=Trust")])
def test_an_old_address_leads_to_the_part_it_became(page: Page, app: str, old: str, new: str) -> None:
    visit(page, f"{app}/{old}")
    expect(page).to_have_url(re.compile(new), timeout=SECONDS)
