"""The pages about many records, as a person uses them: Runs, Compare, Trends and Review; at the end in a browser."""

import json
import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from app_page import AppPage, app_on, words
from ask_page import SECONDS, click_row, open_menu, rerun, settled, shown
from correcting_page import pinned, say, supported_by
from playwright.sync_api import Locator, Page, expect
from run_examples import labeled, row, run_file
from run_page import add_to_correct, at, corrections_of, url_of
from waiting import until

from trace_core.demo.limits import HELD_EACH
from trace_core.store.store import open_store

DATA = DASHBOARD = "runs"


@pytest.mark.parametrize(
    ("path", "part", "seen"),
    [
        ("runs", {"show": "Compare"}, "A comparison needs two runs"),
        ("runs", {"show": "Over time"}, "A trend needs two"),
        ("runs", {}, "There is no run yet. A run scores"),
        ("review", {}, "There is no run to review yet"),
        ("review", {"part": "Trust"}, "There is no run to measure yet"),
        ("corpus", {}, "There is no collection yet."),
        ("corpus", {}, "You see their chunks before anything is written."),
    ],
)
def test_an_empty_store_says_what_to_do_next(tmp_path: Path, path: str, part: dict[str, str], seen: str) -> None:
    with empty(tmp_path):
        assert seen in AppPage(path, **part).text


def test_an_empty_store_leads_to_what_is_to_be_done(tmp_path: Path) -> None:
    with empty(tmp_path):
        assert "There is no run yet" in AppPage("review").follow("Go to Runs").text
        assert "There is no data set yet" in AppPage("runs").press("Upload a data set").text
        page = AppPage().follow("Add documents on the Collections page")
        assert "There is no collection yet." in page.text


def empty(folder: Path) -> AbstractContextManager[Path]:
    for name in ("demo-loaded", "demo-runs-loaded"):
        (folder / name).touch()
    return app_on(folder)


# ---- a run --------------------------------------------------------------------------------------


def test_a_run_is_filtered_by_the_address(data: Path) -> None:
    page = AppPage("runs", run="before", field="latency", tab="Numbers", **{"from": "1"})
    assert "1 of 3 records match" in page.text
    assert "2 of 3 records match" in page.choose("Field of the rows", "team").text  # the third row has none
    assert "1 of 3 records match" in page.choose("team", "blue (1)").text
    assert page.address == {"run": "before", "tab": "Numbers", "field": "team", "value": "blue"}
    assert "records match" not in page.press("Show all").text


def test_a_run_shows_means_under_each_convention(data: Path) -> None:
    page = AppPage("runs", run="before", tab="Numbers")
    # q1 and q2 have 2 relevant sentences of 20; q3 failed and is in no mean.
    assert page.card("Context relevance")["shown"] == "0.100"
    assert page.card("Adherence")["shown"] == "1.000"
    assert page.card("Adherence")["counts"] == "2 defined, 0 undefined, 1 failed"
    assert page.alerts() == []
    assert page.choose("Status", "failed").card("Adherence")["shown"] == "undefined"
    page.press("Show all").choose("Convention", "RAGBench, as released")  # which needs no new labels
    assert page.card("Context relevance")["shown"] == "0.667"  # 2 of 3 sentences


def test_a_download_follows_the_filter_unless_all_is_chosen(data: Path) -> None:
    page = AppPage("runs", run="before", words="q2", tab="Export")
    name, text = page.download("Run as JSON")
    assert "-1-of-3." in name
    made = json.loads(text)
    assert [record["id"] for record in made["records"]] == ["q2"]
    assert made["run"]["note"] == "1 of 3 records: words q2"
    _, text = page.choose("Records", "All 3 records").download("CSV")
    assert len(pd.read_csv(StringIO(text))) == 3


# ---- data sets ----------------------------------------------------------------------------------


def test_a_file_with_strange_headings_is_a_scored_run_in_six_clicks(data: Path) -> None:
    rows = [f"What of {n}?,It is {n} metres high.,It is {n} metres high.\n" for n in range(1, 4)]
    file = "Wir fragten,Fundstelle,Der Bot\n" + "".join(rows)
    page = AppPage("runs").tab("Data sets").upload(("odd.csv", file.encode()))
    for group, column in (("question", "Wir fragten"), ("documents", "Fundstelle"), ("answer", "Der Bot")):
        page.choose(f"Which column holds the {group}?", column)
    assert page.table("Fields with their coverage")[0][2] == "3 of 3 rows"
    assert "run" in page.press("Score these rows").address
    assert page.clicks == 6
    page.wait("3 records · Adherence", without="Stop")
    assert "show" not in page.press("All runs").address


def test_a_menu_of_columns_shows_values_as_they_are(data: Path) -> None:
    page = AppPage("runs", show="Data sets").upload(("odd.csv", b"question,answer\n[When do *you* sleep?],At dusk.\n"))
    assert page.find("question").options[1] == "question  ·  [When do *you* sleep?]"


def test_rows_that_repeat_are_left_out_and_a_second_file_has_its_own_name(data: Path) -> None:
    page = AppPage("runs", show="Data sets").upload(("first.csv", b"question\nOne of the first?\n"))
    assert page.find("Name of the data set").value == "first"
    page.upload(("second.csv", b"question\nTwice?\nTwice?\nOnce?\n"))
    assert page.find("Name of the data set").value == "second"
    assert page.find("Leave out 1 row repeating another word for word").value
    assert "Saved 2 rows." in page.press("Save this data set").text
    assert {one.total for one in open_store(url_of(data)).datasets.list_datasets() if one.name == "second"} == {2}
    assert "These rows are already saved as “second”." in page.press("Save this data set").text
    page.press("Set up a run of these rows")
    assert page.chosen("Data set") == "second (2 rows)"
    assert "2 rows without documents: choose the collection" in page.text


def test_rows_that_are_one_question_are_asked_about_before_any_work(data: Path) -> None:
    file = b"qid,question,passage,answer\n1,Why?,So it is.,So.\n1,Why?,And so.,\n"
    page = AppPage("runs", show="Data sets").upload(("long.csv", file))
    assert "2 rows share id and question with others, each has another passage" in page.text
    assert page.find("Save this data set").disabled
    assert not page.all("Score these rows")
    page.choose(words(page.app.radio[-1].label), "One record a question, with all its passages")
    assert "Saved 1 row." in page.press("Save this data set").text


def test_a_run_file_whose_schema_stands_at_its_end_is_imported_as_a_run(data: Path) -> None:
    whole = run_file([labeled("q1")], "n" * 3000)
    content = json.dumps(dict(reversed(whole.items()))).encode()
    page = AppPage("runs", show="Data sets").upload(("run.json", content))
    assert "This is a run file. Import it to see its run in the list." in page.text


def test_of_two_data_sets_with_one_name_the_one_that_is_pressed_is_set_up(data: Path) -> None:
    store = open_store(url_of(data)).datasets
    ids = [store.add_dataset("same", [(str(n), row(n))], counts={"label": 1}) for n in (1, 2)]
    for dataset in ids:
        page = AppPage("runs", show="Data sets")
        page.app.button(key=f"run-{dataset}").click()
        assert page.run().fill("Name", "mine").find("Data set").value.id == dataset


# ---- compared and reviewed ----------------------------------------------------------------------


def test_a_run_leads_to_the_run_before_and_what_got_worse(data: Path) -> None:
    page = AppPage("runs", run="after").follow("Compare with before")
    assert page.address == {"show": "Compare", "a": "before", "b": "after"}
    assert "3 pairs. “Undefined”: pairs without this score in A or B." in page.text
    # q1 lost its adherence; q2 lost a relevant sentence that was not used, and gained by it; q3 had failed in A.
    assert "What got worse: 1" in page.text
    assert "What got better: 1" in page.text
    assert "What got better: 0" in page.choose("Changed in", "Adherence").text
    assert "2 of 2 verdicts differ. How many do when nothing changes is not measured" in page.text
    assert "B, after: the same answer" in page.pick("worse-", 0).text
    assert page.address["pair"] == "q1"
    assert "pair" not in page.pick("worse-").address
    page.pick("worse-", 0)
    verdicts = [card["verdict"]["name"] for card in page.parts("trace_scorecard")]
    assert verdicts == ["incomplete", "unsupported"]
    assert page.text.index("What got worse") < page.text.index("A, before: the") < page.text.index("What got better")


def test_a_labeler_is_measured_against_rows_or_a_run_and_a_miss_is_opened(data: Path) -> None:
    page = AppPage("review", part="Trust", run="before")
    assert "1 of 3 records compared, 1 failed." in page.text  # only q1 has a ground truth
    assert "2 of 3 records compared, 1 failed." in page.choose("Measured against", "the labels of after").text
    assert "## What of q" in page.pick("misses-", 0).text


def test_a_reviewer_corrects_a_label_and_the_run_follows(data: Path) -> None:
    store = open_store(url_of(data)).runs
    assert store.columns("after").score("trace").values["adherence"].tolist() == [0, 1, 0]
    page = AppPage("review", run="after", record="q3").fill("Your name", "Ada").say(("supported", "b", "fully"))
    page.press("Save and next")
    assert "Adherence 0.00 → 1.00 (+1.00)" in page.text
    assert "1 of 3 reviewed" in page.text
    assert page.address["record"] != "q3"
    assert corrections_of(data, "after", "q3") == [("Ada", "supported", "b", "fully"), ("Ada", "reviewed", "", True)]
    assert store.columns("after").score("trace").values["adherence"].tolist() == [0, 1, 1]
    labels = store.load_record("after", "q3").labels
    assert labels is not None
    assert labels.labeler == "human"


def test_two_people_who_differ_are_both_kept(data: Path) -> None:
    both = [AppPage("review", run="before", record="q2").fill("Your name", name) for name in ("Ada", "Bob")]
    for page, status in zip(both, ("partially", "unsupported"), strict=True):  # open before either saves
        page.say(("supported", "a", status)).press("Save and next")
    labels = [
        (author, value) for author, field, _, value in corrections_of(data, "before", "q2") if field == "supported"
    ]
    assert labels == [("Ada", "partially"), ("Bob", "unsupported")]
    page = AppPage("review", part="Trust", run="before")
    assert "κ on support: " in page.text
    assert "1 of 2" in {row[-1] for row in page.table("Means, as people correct them")}
    assert "Counts only records whose review is finished." in page.text


@pytest.mark.parametrize(("old", "new"), [("compare", "Compare"), ("judge", "Trust")])
def test_an_old_address_leads_to_the_part_it_became(data: Path, old: str, new: str) -> None:
    page = AppPage(old)
    assert (page.app.title[0].value, new) in [("Runs", page.address.get("show")), ("Review", page.address.get("part"))]


# ---- in a browser -------------------------------------------------------------------------------


@pytest.mark.browser
def test_a_run_goes_on_when_its_tab_is_closed(page: Page, app: str, folder: Path) -> None:
    rows = [(f"c{n}", row(n)) for n in range(40)]
    open_store(url_of(folder)).datasets.add_dataset("Forty rows", rows, counts={"label": 40})
    at(page, f"{app}/runs", "Runs")
    page.get_by_text("New run").click()
    settled(page)
    menu = page.get_by_role("combobox", name="Data set")
    if menu.input_value() != "Forty rows (40 rows)":  # added the same second
        with rerun(page):
            open_menu(menu)
            page.get_by_role("option", name="Forty rows (40 rows)").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**run=*", timeout=60_000)
    page.goto("about:blank")
    store = open_store(url_of(folder)).runs
    run_id = max((run for run in store.list_runs() if run.counts["total"] == 40), key=lambda run: run.created_at).id
    until(lambda: store.load_run(run_id).status == "done")
    assert store.columns(run_id).id.tolist() == [f"c{n}" for n in range(40)]
    assert store.load_run(run_id).counts["scored"] == 40


@pytest.mark.browser
def test_a_mark_of_a_chart_opens_its_record(page: Page, app: str) -> None:
    at(page, f"{app}/runs?run=before", "before")
    marks = page.locator(".js-plotly-plot").first
    click_mark(marks, marks.locator(".barlayer .point path").nth(1))  # q2's, as q1 is no better
    expect(page).to_have_url(re.compile("record=q2"), timeout=SECONDS)
    expect(page.get_by_role("heading", name="What of q2?")).to_be_visible()
    expect(shown(page, ".trace-evidence")).to_have_count(1)
    expect(page.locator(".js-plotly-plot")).to_have_count(0)


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


@pytest.mark.browser
def test_what_is_copied_from_a_table_stays_there(page: Page, app: str) -> None:
    """Cells are not escaped, and a spreadsheet would compute them."""
    at(page, f"{app}/runs?show=Compare&a=before&b=after", "Runs")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('as it was')")
    click_row(page.get_by_test_id("stDataFrame").first, 1, 60)
    page.keyboard.press("Control+c")
    page.wait_for_timeout(500)
    assert page.evaluate("navigator.clipboard.readText()") == "as it was"


@pytest.mark.browser
def test_the_controls_under_a_sentence_say_what_is_not_saved(page: Page, app: str, folder: Path) -> None:
    at(page, f"{app}/runs?run={add_to_correct(folder)}&record=q1", "What of q1?")
    say(page, "0b", "relevant")
    expect(page.get_by_text("Not saved: 0b relevant → no")).to_be_visible()
    with rerun(page):
        page.get_by_role("button", name="Discard").click()
    expect(page.get_by_text("Not saved")).to_have_count(0)
    expect(pinned(page, "0b").get_by_role("button", name="relevant")).to_have_attribute("aria-pressed", "true")
    supported_by(page, "b", "1a")
    expect(page.get_by_text("Not saved: b supporting → 1a")).to_be_visible()
    supported_by(page, "b", "general")
    expect(page.get_by_text("Not saved: b supporting → 1a, general")).to_be_visible()
    with rerun(page):
        page.get_by_role("button", name="1a does not support b").click()
    expect(page.get_by_text("Not saved: b supporting → general")).to_be_visible()
    say(page, "a", "partially")
    expect(page.get_by_text("Not saved: b supporting → general; a supported → partially")).to_be_visible()


@pytest.mark.browser
def test_a_partly_supported_sentence_asks_what_supports_it_and_ctrl_s_takes_the_name(
    page: Page, app: str, folder: Path
) -> None:
    run = add_to_correct(folder)
    at(page, f"{app}/runs?run={run}&record=q1", "What of q1?")
    say(page, "b", "partially")
    expect(page.get_by_text("Name what supports it first, or say unsupported.")).to_be_visible()
    supported_by(page, "b", "1a")
    expect(page.get_by_text("Name what supports it first")).to_have_count(0)
    expect(page.locator('.trace-evidence .sentence[data-key="b"]')).to_contain_text("partially supported")
    page.get_by_label("Your name").press_sequentially("Ada")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert corrections_of(folder, run, "q1") == [("Ada", "supporting", "b", ["1a"])]


@pytest.mark.browser
def test_one_visitors_files_together_do_not_fill_the_server(page: Page, dashboards: Mapping[str, Any]) -> None:
    """Each is small enough; together they are not, past the page too."""
    at(page, f"{dashboards['demo'].url}/runs?show=Data+sets", "Runs")
    file = {"name": "rows.csv", "mimeType": "text/csv", "buffer": b"x" * 4_900_000}
    with page.expect_request(lambda request: request.method == "PUT") as sent:
        page.locator('input[type="file"]').set_input_files(file | {"name": "small.csv", "buffer": b"question\nWhy?\n"})
    token = {"X-Xsrftoken": sent.value.all_headers()["x-xsrftoken"]}
    place = sent.value.url.rpartition("/")[0]
    answered = [page.request.put(f"{place}/{n}", headers=token, multipart={"file": file}).status for n in range(4)]
    assert answered == [204] * (HELD_EACH // 4_900_000) + [413, 413]
