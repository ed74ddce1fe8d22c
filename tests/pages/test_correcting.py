"""Labels are corrected where the evidence is read: on a record of Runs, and on Review in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from ask_page import rerun, settled, tab, tab_to
from correcting_page import pinned, say, supported_by
from evidence_page import tab_to as tab_to_sentence
from playwright.sync_api import Page, expect
from run_examples import labeled
from run_page import CONFIG, at, card, url_of

from trace_core.store.store import open_store

pytestmark = pytest.mark.browser
DASHBOARD = "runs"
RUN = "to-correct"


@pytest.fixture
def run(folder: Path) -> Iterator[str]:
    """A run of two records; of each, sentence b of the answer is unsupported."""
    store = open_store(url_of(folder)).runs
    store.create_run(RUN, CONFIG, total=2, status="done", run_id=RUN, created_at="2026-01-03T10:00:00+00:00")
    answer = "Cats purr. Birds fly south."  # of no other run: there, a correction would hold as well
    store.save_records(RUN, [labeled(name, response=answer) for name in ("q1", "q2")])
    yield RUN
    store.delete_run(RUN)


def said(folder: Path, record: str) -> list[tuple[str, str, str, object]]:
    found = open_store(url_of(folder)).corrections.of_run(RUN).get(record, [])
    return [(one.author, one.field, one.sentence_key, one.value) for one in found]


def name(page: Page, who: str) -> None:
    with rerun(page):
        page.get_by_label("Your name").fill(who)
        page.get_by_label("Your name").press("Enter")


def test_a_record_is_corrected_beside_its_evidence_and_taken_back(page: Page, app: str, folder: Path, run: str) -> None:
    at(page, f"{app}/runs?run={run}&record=q1", "What of q1?")
    say(page, "0b", "relevant")
    expect(page.get_by_text("Not saved: 0b relevant → no")).to_be_visible()
    with rerun(page):
        page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Not saved")).to_have_count(0)
    with rerun(page):
        page.get_by_role("button", name="Previous").click()
    expect(page.get_by_text("Not saved: 0b relevant → no")).to_be_visible()
    with rerun(page):
        page.get_by_role("button", name="Discard").click()
    expect(page.get_by_text("Not saved")).to_have_count(0)
    expect(pinned(page, "0b").get_by_role("button", name="relevant")).to_have_attribute("aria-pressed", "true")
    assert said(folder, "q1") == []
    supported_by(page, "b", "1a")
    expect(page.get_by_text("Not saved: b supporting → 1a")).to_be_visible()
    supported_by(page, "b", "general")
    expect(page.get_by_text("Not saved: b supporting → 1a, general")).to_be_visible()
    with rerun(page):
        page.get_by_role("button", name="1a does not support b").click()
    expect(page.get_by_text("Not saved: b supporting → general")).to_be_visible()
    say(page, "a", "partially")
    expect(page.get_by_text("Not saved: b supporting → general; a supported → partially")).to_be_visible()
    with rerun(page):
        page.get_by_role("button", name="Discard").click()

    expect(card(page, "Adherence")).to_have_text("0.00")
    say(page, "b", "fully supported")
    box = page.locator(f".st-key-run-{RUN}-unsaved")
    expect(box).to_contain_text("b supported → fully")
    expect(box).to_contain_text("Adherence 0.00 → 1.00 (+1.00)")  # before anything is saved
    assert said(folder, "q1") == []
    with rerun(page):
        box.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Type your name")).to_be_visible()
    name(page, "Ada")
    with rerun(page):
        box.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. Context relevance")).to_be_visible()
    assert said(folder, "q1") == [("Ada", "supported", "b", "fully")]
    expect(card(page, "Adherence")).to_have_text("1.00")
    page.get_by_text("Corrections so far (1)").click()
    with rerun(page):
        page.get_by_role("button", name="Undo").click()
    expect(card(page, "Adherence")).to_have_text("0.00")
    say(page, "b", "fully supported")
    with rerun(page):
        box.get_by_role("button", name="Save").click()
    with rerun(page):
        page.get_by_role("button", name="Close").click()
    tab(page, "Numbers")
    expect(card(page, "Adherence")).to_have_text("0.500")  # of the run


def test_a_correction_holds_in_another_run_of_the_answer_and_says_where_from(
    page: Page, app: str, folder: Path, run: str
) -> None:
    store = open_store(url_of(folder))
    twin = store.runs.create_run("twin", CONFIG, total=1, status="done")
    answer = labeled("other id", question="What of q1?", response="Cats purr. Birds fly south.")
    store.runs.save_records(twin, [answer])
    store.corrections.add(run, "q1", author="Ada", sentence_key="b", field="supported", value="fully")
    at(page, f"{app}/runs?run={twin}", "twin")
    expect(page.get_by_text("1 correction of the same answers in other runs")).to_be_visible()
    at(page, f"{app}/runs?run={twin}&record=other+id", "What of q1?")
    expect(card(page, "Adherence")).to_have_text("1.00")
    page.get_by_text("Corrections so far (1)").click()
    expect(page.get_by_text("(in to-correct, of the same answer to the same documents)")).to_be_visible()
    store.runs.delete_run(twin)


def test_the_keyboard_alone_goes_to_the_next_record_corrects_it_and_saves(
    page: Page, app: str, folder: Path, run: str
) -> None:
    at(page, f"{app}/runs?run={run}&record=q1", "What of q1?")
    expect(page.get_by_role("button", name="Next").first).to_be_enabled()  # a key before that is heard by nothing
    with rerun(page):
        page.keyboard.press("j")
    expect(page.get_by_role("heading", name="What of q2?")).to_be_visible()
    tab_to_sentence(page, "a")
    page.keyboard.press("ArrowDown")
    with rerun(page):
        page.keyboard.press("Enter")
    page.keyboard.press("Tab")  # to the controls under the sentence
    with rerun(page):
        page.keyboard.press("Enter")
    on = "document.activeElement.shadowRoot?.activeElement?.innerText ?? ''"
    assert "fully supported" in page.evaluate(on)  # the focus stays where it was
    tab_to(page, "Your name")
    page.keyboard.type("Ada")
    with rerun(page):
        page.keyboard.press("Enter")
    with rerun(page):
        page.keyboard.press("Control+s")
    assert said(folder, "q2") == [("Ada", "supported", "b", "fully")]


def test_a_blind_review_shows_nothing_of_the_labeler_and_keeps_what_differs(
    page: Page, app: str, folder: Path, run: str
) -> None:
    at(page, f"{app}/review?run={run}&record=q1", "Review")
    name(page, "Bob")
    evidence = page.locator(".trace-evidence:visible")
    expect(evidence.locator(".sentence .word")).to_have_text(["unlabeled"] * 2)
    expect(evidence).not_to_contain_text("Labels: local")
    say(page, "a", "fully supported")  # as the labeler said: nothing to save
    say(page, "b", "fully supported")
    expect(evidence.locator(".sentence .word").nth(1)).to_have_text("fully supported")
    expect(page.get_by_text("Not saved: b supported → fully")).to_be_visible()
    expect(page.get_by_text("Adherence")).to_have_count(0)
    with rerun(page):
        page.get_by_role("button", name="Save and next").click()
    assert said(folder, "q1") == [("Bob", "supported", "b", "fully"), ("Bob", "reviewed", "", True)]
    settled(page)
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0)  # the grids are gone
