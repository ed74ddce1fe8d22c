"""What a judge adds to the pages of runs: a suggested mapping, and what it left open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from ask_page import CLICKS, SECONDS, choose_file, no_error, rerun, serve_app, visit
from judge_server import MODEL, Asked, JudgeServer, completion, judge_server
from playwright.sync_api import Page, expect
from run_examples import supported
from run_page import card, url_of

from trace_core.labeling import GptLabeler
from trace_core.llm import Llm
from trace_core.pipeline import evaluate
from trace_core.store.store import open_store

pytestmark = pytest.mark.browser
KEY = "sk-test-0123456789"
HEADINGS = {"question": "Wir fragten", "documents": "Fundstelle", "response": "Der Bot"}


def leaves_out(asked: Asked):
    """Of two sentences the second is left out, when asked for it too; the judge of one says all."""
    if asked.is_repair:
        return completion({"sentence_support_information": []})
    return completion(supported("a"))


def suggests(asked: Asked):
    if "columns" in asked.material:
        return completion({"choices": [{"field": field, "column": column} for field, column in HEADINGS.items()]})
    return completion(supported("a"))


@pytest.fixture(scope="module")
def judge() -> Iterator[JudgeServer]:
    with judge_server(leaves_out) as server:
        yield server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def app(judge: JudgeServer, folder: Path) -> Iterator[str]:
    for name in ("demo-loaded", "demo-runs-loaded"):
        (folder / name).touch()
    labeler = GptLabeler(Llm(MODEL, KEY, base_url=judge.url))
    answers = {"q1": "Cats purr. Dogs bark.", "q2": "Cats purr. Fish swim.", "q3": "Cats purr."}
    records = [
        evaluate(f"What of {name}?", ["Cats purr. Dogs bark."], answer, labeler=labeler).model_copy(update={"id": name})
        for name, answer in answers.items()
    ]
    store = open_store(url_of(folder)).runs
    store.create_run("open", {"labeler": "gpt", "convention": "trace"}, total=3, status="done", run_id="open")
    store.save_records("open", records)
    with serve_app(folder, OPENAI_BASE_URL=judge.url, OPENAI_API_KEY=KEY, TRACE_MODEL=MODEL) as url:
        yield url


def test_records_without_adherence_are_found_by_the_reason(page: Page, app: str) -> None:
    visit(page, f"{app}/runs?run=open&tab=Numbers&undefined=adherence%3Aunlabeled")
    expect(page.get_by_text("2 of 3 records match")).to_be_visible()
    expect(card(page, "Adherence")).to_have_text("undefined")
    with rerun(page):
        page.get_by_role("button", name="Show all").click()
    expect(card(page, "Adherence")).to_have_text("1.000")  # of the one that has it
    expect(page.get_by_text("1 defined, 2 undefined, 0 failed").first).to_be_visible()
    no_error(page)


def test_a_suggested_mapping_is_a_scored_run_in_four_clicks_also_the_next_time(
    page: Page, app: str, folder: Path, tmp_path: Path, judge: JudgeServer
) -> None:
    judge.reply = suggests
    rows = [f"What of {n}?,It is {n} metres high.,It is {n} metres high." for n in range(1, 5)]
    lacking = "And of 5?,,It is 5 metres high."
    for name, lines in {"first": rows[:2], "second": [*rows[2:], rows[2], lacking]}.items():
        text = "\n".join([",".join(HEADINGS.values()), *lines])
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    visit(page, f"{app}/runs?show=Data+sets")
    page.evaluate(CLICKS)
    choose_file(page, tmp_path / "first.csv")
    with rerun(page):
        page.get_by_role("button", name="Suggest").click()
    proposal = page.get_by_role("table").filter(has_text="Wir fragten").locator("tbody td")
    expect(proposal).to_have_text(["question", "Wir fragten", "documents", "Fundstelle", "answer", "Der Bot"])
    expect(page.get_by_role("button", name="Score these rows")).to_have_count(0)  # shown, and not applied
    with rerun(page):
        page.get_by_role("button", name="Use this mapping").click()
    expect(page.get_by_role("table", name="Fields with their coverage")).to_contain_text("2 of 2 rows")
    page.get_by_role("button", name="Score these rows").click()
    page.wait_for_url("**run=*", timeout=SECONDS)
    expect(page.get_by_text("2 records · Adherence")).to_be_visible(timeout=SECONDS)
    assert page.evaluate("window.clicks") == 4

    visit(page, f"{app}/runs?show=Data+sets")
    choose_file(page, tmp_path / "second.csv")
    expect(page.get_by_text("as in the last file with the same headings")).to_be_visible()
    for left_out in ("Leave out 1 row without documents", "Leave out 1 row repeating another word for word"):
        expect(page.get_by_role("checkbox", name=left_out)).to_be_checked()
    with rerun(page):
        page.get_by_text("Leave out 1 row without documents").click()
    with rerun(page):
        page.get_by_role("button", name="Save this data set").click()
    with rerun(page):
        page.get_by_role("button", name="Set up a run of these rows").click()
    expect(page.get_by_text("1 row without documents: choose the collection to retrieve")).to_be_visible()
    made = {one.name: one.total for one in open_store(url_of(folder)).datasets.list_datasets()}
    assert made == {"first": 2, "second": 3}
