"""The Ask page in a browser: the example, golden questions, evidence, conventions, links, the download."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from ask_page import (
    FILTER,
    METRICS,
    SECONDS,
    ask,
    choose,
    heading,
    no_error,
    one_error,
    opened,
    question_box,
    record_id,
    rerun,
    shown,
    stored,
    tab,
    values,
)
from playwright.sync_api import Page, expect

from trace_core import demo
from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.records import Record
from trace_core.facts.refusal import is_refusal

pytestmark = pytest.mark.browser


# ---- the first look -----------------------------------------------------------------------------


def test_a_scored_example_needs_no_click_and_its_json_leads_to_its_sentences(page: Page, app: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    opened(page, app)
    evidence = shown(page, ".trace-evidence").bounding_box()
    assert evidence is not None
    assert evidence["y"] < 300  # at 1440 × 900
    expect(heading(page, demo.examples()[0].question)).to_be_visible()
    expect(shown(page, ".trace-scorecard .verdict")).to_have_count(1)
    expect(shown(page, ".trace-scorecard .card .label")).to_have_text(METRICS)
    expect(shown(page, ".trace-scorecard .derived")).to_have_count(1)  # balance; the others are in the details
    expect(shown(page, ".trace-evidence .column")).to_have_count(2)
    expect(page.get_by_text("What helps:").first).to_be_visible()
    no_error(page)
    assert {url.removeprefix("blob:")[: len(app) + 1] for url in asked} == {f"{app}/"}

    page.get_by_text("Labels (JSON)").click()
    entries = shown(page, ".trace-evidence .json .entry")
    expect(entries.first).to_be_visible()
    statuses = [s.get_attribute("class") for s in shown(page, ".trace-evidence .answer .sentence").all()]
    tints = [entry.get_attribute("class").split()[-1] for entry in entries.all()]
    assert all(tint in status for tint, status in zip(tints, statuses, strict=True))
    with rerun(page):
        shown(page, ".trace-evidence .json .jump").first.click()
    pinned = page.locator('.trace-evidence .sentence[aria-pressed="true"]')
    expect(pinned).to_have_attribute("data-key", shown(page, ".json .jump").first.inner_text().strip('"'))

    opened(page, f"{app}/?record=nobody")
    assert "There is no record nobody." in one_error(page)
    expect(heading(page, demo.examples()[0].question)).to_be_visible()


# ---- asking -------------------------------------------------------------------------------------


def test_a_click_asks_the_collection_once_and_a_failure_leaves_the_record_before(
    page: Page, app: str, folder: Path
) -> None:
    """tests/trace_core/test_demo.py asks all golden questions: what is found, and what is refused."""
    which = "rag-handbook"
    golden = demo.questions(which)
    known = next(row for row in golden if row["expected_documents"])
    unknown = next(row["question"] for row in golden if not row["expected_documents"])
    ids = {source.title: source.name for source in demo.sources(which)}
    question = demo.questions("espresso-manual")[0]["question"]
    opened(page, f"{app}/ask")  # the page has an address of its own
    page.get_by_role("button", name="Questions").click()
    with rerun(page):
        page.get_by_role("button", name=question).click()
    expect(heading(page, question)).to_be_visible()
    page.keyboard.press("Escape")
    first = record_id(page)
    choose(page, "Convention", "RAGBench, as released")
    assert record_id(page) == first
    choose(page, "Collection", which.name)
    expect(heading(page, question)).to_have_count(0)  # no record of one collection beside another
    assert (record_id(page), "collection=rag-handbook" in page.url) == ("", True)
    no_error(page)

    page.evaluate(
        """() => { window.blank = false; const look = () => {
            window.blank ||= !document.querySelector('.trace-scorecard'); requestAnimationFrame(look); }; look(); }"""
    )
    assert stored(folder, ask(page, known["question"])).retrieval.collection == which.name
    assert page.evaluate("window.blank"), "another question takes the earlier answer off the page"
    titles = shown(page, ".trace-evidence .title").all_text_contents()[:3]
    assert {ids[title] for title in titles} & set(known["expected_documents"])
    ask(page, unknown)
    answer = " ".join(shown(page, ".trace-evidence .answer .sentence .text").all_text_contents())
    assert answer.startswith("I cannot answer")
    assert is_refusal(answer)
    no_error(page)
    scores = values(page)

    def is_not_answered(reason: str) -> None:
        box = question_box(page)
        box.fill("Is there anything?")
        with rerun(page):
            box.press("Enter")
        expect(page.get_by_role("button", name="Retry")).to_be_visible()
        assert reason in one_error(page)
        expect(box).to_have_value("Is there anything?")

    choose(page, "Labeler", "GPT")
    page.keyboard.press("Escape")
    is_not_answered("There is no key for a language model.")
    assert "Settings" in one_error(page)
    expect(heading(page, unknown)).to_be_visible()
    assert values(page) == scores
    choose(page, "Labeler", "local model")
    page.keyboard.press("Escape")
    with rerun(page):
        page.get_by_role("button", name="Retry").click()
    expect(heading(page, "Is there anything?")).to_be_visible()
    choose(page, "Collection", "nothing inside")
    expect(page.get_by_text("Ask nothing inside a question, or begin")).to_be_visible()
    is_not_answered("nothing inside")
    choose(page, "Collection", "espresso-manual")
    with rerun(page):
        page.get_by_role("link", name="Collections", exact=True).click()
    page.get_by_role("button", name="How it is read").click()
    choose(page, "Text field", "title")
    with rerun(page):
        page.get_by_role("link", name="Ask", exact=True).click()
    record = stored(folder, ask(page, FILTER))
    assert [d.text for d in record.documents] == [d.title for d in record.documents]
    page.get_by_role("button", name="Questions").click()
    with rerun(page):
        page.get_by_role("button", name=unknown).click()  # asked before
    expect(heading(page, unknown)).to_be_visible()


# ---- the record ---------------------------------------------------------------------------------


def test_a_record_is_downloaded_measured_broken_rescored_and_opened_by_link(page: Page, app: str, folder: Path) -> None:
    opened(page, app)
    expect(shown(page, ".trace-scorecard .trust")).to_have_count(0)  # of labels that people wrote
    wanted = stored(folder, ask(page, FILTER))
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download JSON").click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert waiting.value.suggested_filename == f"trace-{wanted.id}.json"
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    record = Record.model_validate_json(text)
    assert (record.id, record.question) == (wanted.id, FILTER)
    assert numbers(record)[1:] == values(page)[1:]  # the first is a count of sentences
    sentences = shown(page, ".trace-evidence .answer .sentence .text").all_text_contents()
    assert record.response
    assert [s.text.strip() for s in record.response.sentences] == sentences
    titles = shown(page, ".trace-evidence .title").all_text_contents()
    assert [document.title for document in record.documents] == titles

    page.get_by_role("button", name="Link").click()
    link = page.get_by_test_id("stPopoverBody").get_by_test_id("stCode").inner_text().strip()
    assert link == f"{app}/?record={wanted.id}&collection=espresso-manual"
    page.keyboard.press("Escape")

    with rerun(page):
        shown(page, ".trace-evidence .measure").click()
    with rerun(page):
        page.get_by_role("button", name=f"Measure: {len(wanted.documents)} answers by extractive").click()
    expect(shown(page, ".trace-evidence .document").first).to_contain_text("contribution")
    before, after = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()][-2:]
    assert set(after.pop("doc_contribution_scores")) == {document.id for document in wanted.documents}
    assert after == before  # one more line of the query log
    assert after["query"] == FILTER

    tab(page, "Test the label")
    with rerun(page):
        page.get_by_role("button", name=re.compile("Break it in . ways")).click()
    table = page.get_by_role("table", name="Faults put into the answer")
    expect(table).to_be_visible(timeout=SECONDS)
    faults = table.locator("tbody tr td:nth-child(1)")
    expect(faults).to_have_text(["Another number", "Without its support"])
    assert set(table.locator("tbody tr td:nth-child(3)").all_text_contents()) <= {"✓ yes", "✗ no"}
    expect(page.get_by_text(re.compile("local model noticed [0-2] of 2"))).to_be_visible()

    page.get_by_text("Labels (JSON)").click()
    labels = shown(page, ".trace-evidence .json").inner_text()
    choose(page, "Convention", "RAGBench, as released")
    assert "convention=ragbench" in page.url
    assert record_id(page) == wanted.id
    expect(shown(page, ".trace-scorecard .card .value")).to_have_text(numbers(rescore(wanted, "ragbench")))
    assert values(page) != numbers(record)
    assert shown(page, ".trace-evidence .json").inner_text() == labels
    opened(page, link)  # another session
    expect(heading(page, FILTER)).to_be_visible()
    assert values(page)[1:] == numbers(record)[1:]
    no_error(page)
    chip = shown(page, ".trace-scorecard .verdict .trust")
    expect(chip).to_contain_text("Of 100 false sentences it flags")
    chip.click()
    expect(page.get_by_role("tab", name="Trust")).to_have_attribute("aria-selected", "true", timeout=SECONDS)


def numbers(record: Record) -> list[str]:
    assert record.scores
    named = ("context_relevance", "context_utilization", "completeness", "adherence")
    scores = [getattr(record.scores, name) for name in named]
    return ["undefined" if score is None else f"{score:.2f}" for score in scores]
