"""The Ask page: the example, golden questions, conventions, links; and in a browser what is seen and downloaded."""

import json
import re
from pathlib import Path

import pytest
from app_page import AppPage
from ask_page import FILTER, METRICS, SECONDS, ask, opened, rerun, shown, stored
from playwright.sync_api import Page, expect

from trace_core import demo
from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.records import Record
from trace_core.facts.refusal import is_refusal

HANDBOOK = "rag-handbook"
GOLDEN = demo.questions(HANDBOOK)
UNKNOWN = next(row["question"] for row in GOLDEN if not row["expected_documents"])
RELEASED = "RAGBench, as released"


# ---- in a browser -------------------------------------------------------------------------------


@pytest.mark.browser
def test_an_example_is_in_sight_at_once_and_no_other_host_is_asked(page: Page, app: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    opened(page, app)
    evidence = shown(page, ".trace-evidence").bounding_box()
    assert evidence is not None
    assert evidence["y"] < 300  # at 1440 × 900
    expect(shown(page, ".trace-scorecard .verdict")).to_have_count(1)
    expect(shown(page, ".trace-scorecard .card .label")).to_have_text(METRICS)
    expect(shown(page, ".trace-scorecard .derived")).to_have_count(1)  # balance; the others are in the details
    expect(shown(page, ".trace-evidence .column")).to_have_count(2)
    assert {url.removeprefix("blob:")[: len(app) + 1] for url in asked} == {f"{app}/"}


@pytest.mark.browser
def test_the_labels_as_json_lead_to_their_sentences(page: Page, app: str) -> None:
    opened(page, app)
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


@pytest.mark.browser
def test_the_contribution_of_documents_is_measured_and_logged(page: Page, app: str, folder: Path) -> None:
    """In a dialog, which AppTest cannot draw by itself."""
    opened(page, app)
    wanted = stored(folder, ask(page, FILTER))
    with rerun(page):
        shown(page, ".trace-evidence .measure").click()
    with rerun(page):
        page.get_by_role("button", name=f"Measure: {len(wanted.documents)} extractive answers").click()
    expect(shown(page, ".trace-evidence .document").first).to_contain_text("contribution")
    before, after = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()][-2:]
    assert set(after.pop("doc_contribution_scores")) == {document.id for document in wanted.documents}
    assert after == before  # one more line of the query log
    assert after["query"] == FILTER


@pytest.mark.browser
def test_another_question_takes_the_answer_before_off_the_page(page: Page, app: str) -> None:
    opened(page, f"{app}/ask")  # the page has an address of its own
    page.evaluate(
        """() => { window.blank = false; const look = () => {
            window.blank ||= !document.querySelector('.trace-scorecard'); requestAnimationFrame(look); }; look(); }"""
    )
    ask(page, FILTER)
    assert page.evaluate("window.blank")


@pytest.mark.browser
def test_how_far_a_labeler_is_trusted_leads_to_how_it_was_measured(page: Page, app: str) -> None:
    opened(page, app)
    ask(page, FILTER)
    chip = shown(page, ".trace-scorecard .verdict .trust")
    expect(chip).to_contain_text("of 100 false sentences")
    chip.click()
    expect(page.get_by_role("tab", name="Trust")).to_have_attribute("aria-selected", "true", timeout=SECONDS)


# ---- asking -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def refused(data: Path) -> AppPage:
    """A page on which the handbook was asked what it does not say. test_demo.py asks all golden questions."""
    return AppPage().choose("Collection", HANDBOOK).ask(UNKNOWN)


def answer_of(page: AppPage) -> str:
    return " ".join(sentence["text"] for sentence in page.parts("trace_evidence")[0]["response"])


def test_a_scored_example_needs_no_click(data: Path) -> None:
    page = AppPage()
    assert f"## {demo.examples()[0].question}" in page.text
    [scores] = page.parts("trace_scorecard")
    assert [card["label"] for card in scores["metrics"]] == METRICS
    assert [one["label"] for one in scores["derived"] if one["main"]] == ["Balance (RMSE)"]
    assert scores["trust"] is None  # of labels that people wrote
    assert len(page.parts("trace_evidence")) == 1
    assert "What helps:" in page.text
    assert page.alerts() == []


def test_of_a_record_that_is_not_there_is_said_so(data: Path) -> None:
    page = AppPage(record="nobody")
    assert page.alerts() == ["There is no record nobody."]
    assert demo.examples()[0].question in page.text


def test_a_click_asks_a_suggested_question_and_a_convention_keeps_its_record(data: Path) -> None:
    question = demo.questions("espresso-manual")[0]["question"]
    page = AppPage().press(question)
    assert f"## {question}" in page.text
    first = page.address["record"]
    assert page.choose("Convention", RELEASED).address["record"] == first
    page.choose("Collection", HANDBOOK)
    assert f"## {question}" not in page.text  # no record of one collection beside another
    assert page.address.get("record", "") == ""
    assert page.address["collection"] == HANDBOOK
    assert page.alerts() == []


def test_what_a_collection_knows_is_answered_from_its_documents(data: Path) -> None:
    known = next(row for row in GOLDEN if row["expected_documents"])
    ids = {source.title: source.name for source in demo.sources(HANDBOOK)}
    page = AppPage(collection=HANDBOOK).ask(known["question"])
    retrieval = stored(data, page.address["record"]).retrieval
    assert retrieval
    assert retrieval.collection == HANDBOOK
    titles = [document["title"] for document in page.parts("trace_evidence")[0]["documents"][:3]]
    assert {ids[title] for title in titles} & set(known["expected_documents"])


def test_what_a_collection_does_not_know_is_refused(refused: AppPage) -> None:
    assert answer_of(refused).startswith("I cannot answer")
    assert is_refusal(answer_of(refused))
    assert refused.alerts() == []


def test_a_failure_leaves_the_record_before_until_it_is_tried_again(data: Path) -> None:
    page = AppPage(collection=HANDBOOK).ask(UNKNOWN)
    scores = page.shown()
    page.choose("Labeler", "GPT").ask("Is there anything?")
    [error] = page.alerts()
    assert "There is no key for a language model." in error
    assert "Settings" in error
    assert page.find("Your question").value == "Is there anything?"
    assert f"## {UNKNOWN}" in page.text
    assert page.shown() == scores
    page.choose("Labeler", "local model").press("Retry")
    assert "## Is there anything?" in page.text


def test_an_empty_collection_says_that_it_is(data: Path) -> None:
    page = AppPage().choose("Collection", "nothing inside")
    assert "Ask nothing inside a question, or start" in page.text
    [error] = page.ask("Is there anything?").alerts()
    assert page.all("Retry")
    assert "nothing inside" in error
    assert page.find("Your question").value == "Is there anything?"


def test_a_text_field_chosen_on_collections_is_what_ask_reads(data: Path) -> None:
    page = AppPage("corpus", collection="espresso-manual").choose("Text field", "title").follow("Ask").ask(FILTER)
    record = stored(data, page.address["record"])
    assert [d.text for d in record.documents] == [d.title for d in record.documents]


def test_a_question_asked_before_is_opened_again(refused: AppPage) -> None:
    refused.ask(FILTER)
    page = refused.press(UNKNOWN, n=-1)
    assert f"## {UNKNOWN}" in page.text


# ---- the record ---------------------------------------------------------------------------------


def test_a_link_opens_the_record_in_another_session(data: Path) -> None:
    page = AppPage()
    page.app.context["url"] = "http://here/?record=x"
    wanted = stored(data, page.ask(FILTER).address["record"])
    link = page.app.code[0].value
    assert link == f"http://here/?record={wanted.id}&collection=espresso-manual"
    page = AppPage(record=wanted.id, collection="espresso-manual")
    assert f"## {FILTER}" in page.text
    assert page.shown()[1:] == numbers(wanted)[1:]
    assert page.alerts() == []


def test_a_record_is_downloaded_as_it_is_shown(data: Path) -> None:
    page = AppPage().ask(FILTER)
    wanted = stored(data, page.address["record"])
    name, text = page.download("Download JSON")
    assert name == f"trace-{wanted.id}.json"
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    record = Record.model_validate_json(text)
    assert (record.id, record.question) == (wanted.id, FILTER)
    assert numbers(record)[1:] == page.shown()[1:]  # the first is a count of sentences
    assert record.response
    [evidence] = page.parts("trace_evidence")
    assert [s.text for s in record.response.sentences] == [s["text"] for s in evidence["response"]]
    assert [document.title for document in record.documents] == [shown["title"] for shown in evidence["documents"]]


def test_faults_are_put_into_the_answer_and_noticed_or_not(data: Path) -> None:
    page = AppPage().ask(FILTER).tab("Test the label")
    [label] = [one.label for one in page.app.button if re.match(r"Break it in . ways", one.label)]
    rows = page.press(label).table("Faults put into the answer")
    assert [row[0] for row in rows] == ["Another number", "Without its support"]
    assert {row[2] for row in rows} <= {"✓ yes", "✗ no"}
    assert re.search("local model noticed [0-2] of 2", page.text)


def test_another_convention_scores_the_same_labels_anew(data: Path) -> None:
    page = AppPage().ask(FILTER)
    wanted = stored(data, page.address["record"])
    labels = page.parts("trace_evidence")[0]["labels"]
    page.choose("Convention", RELEASED)
    assert page.address["convention"] == "ragbench"
    assert page.address["record"] == wanted.id
    assert page.shown() == numbers(rescore(wanted, "ragbench"))
    assert page.shown() != numbers(wanted)
    assert page.parts("trace_evidence")[0]["labels"] == labels


def numbers(record: Record) -> list[str]:
    assert record.scores
    named = ("context_relevance", "context_utilization", "completeness", "adherence")
    scores = [getattr(record.scores, name) for name in named]
    return ["undefined" if score is None else f"{score:.2f}" for score in scores]
