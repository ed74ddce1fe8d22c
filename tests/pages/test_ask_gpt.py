"""The Ask page with a language model as answerer and judge: a local server that speaks the protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ask_page import (
    FILTER,
    SECONDS,
    ask,
    choose,
    no_error,
    one_error,
    opened,
    question_box,
    record_id,
    rerun,
    serve_app,
    settings,
    stored,
    values,
)
from judge_server import Answer, Asked, JudgeServer, completion, judge_server, refused, streamed
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
KEY = "sk-test-of-the-visitor-0123456789"
ANSWER = ("Every <b>two</b> months ", "[0]. $x$ It ", "is made of gold.")


def labels(asked: Asked):
    """The first response sentence is supported, the others are not."""
    keys = [key for key, _ in asked.material["response"]]
    return {
        "relevance_explanation": "0a.",
        "all_relevant_sentence_keys": ["0a", "0b"],
        "overall_supported_explanation": "Gold stands nowhere.",
        "overall_supported": False,
        "sentence_support_information": [
            {
                "response_sentence_key": key,
                "explanation": "Said there." if key == "a" else "Nowhere.",
                "supporting_sentence_keys": ["0a"] if key == "a" else [],
                "fully_supported": key == "a",
            }
            for key in keys
        ],
        "all_utilized_sentence_keys": ["0a"],
    }


def good(asked: Asked):
    return streamed(*ANSWER, wait=0.6) if asked.body.get("stream") else completion(labels(asked))


@pytest.fixture(scope="module")
def judge() -> Iterator[JudgeServer]:
    """A judge whose `reply` each test sets."""
    with judge_server(good) as server:
        yield server


@pytest.fixture(autouse=True)
def _nothing_was_asked(judge: JudgeServer) -> None:
    judge.reply = good
    judge.asked.clear()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def app(folder: Path, judge: JudgeServer) -> Iterator[str]:
    """With the judge's address, and no key of the owner's."""
    with serve_app(folder, OPENAI_BASE_URL=judge.url) as url:
        yield url


def bring_key(page: Page) -> None:
    settings(page)
    page.get_by_text("Your own key").click()
    field = page.get_by_role("textbox", name="OpenAI key")
    expect(field).to_have_attribute("type", "password")
    with rerun(page):
        field.fill(KEY)
        field.press("Enter")


def test_a_visitors_key_answers_and_judges_and_is_kept_nowhere(
    page: Page, app: str, folder: Path, judge: JudgeServer
) -> None:
    opened(page, app)
    bring_key(page)
    choose(page, "Answers", "GPT")
    choose(page, "Labeler", "GPT")
    page.keyboard.press("Escape")
    box = question_box(page)
    box.fill(FILTER)
    with rerun(page):
        box.press("Enter")
        # Piece by piece, and as text: while the rest is being written.
        expect(page.get_by_text("Every <b>two</b> months", exact=False).first).to_be_visible(timeout=SECONDS)
        assert len(judge.asked) == 1
    expect(page.locator(".trace-scorecard:visible")).to_have_count(1)
    expect(page.get_by_text("Labels: GPT").first).to_be_visible()
    no_error(page)
    assert values(page)[:2] == ["2 of 38", "0.50"]
    found = stored(folder, record_id(page))
    assert found.response.text == "".join(ANSWER)
    assert found.response.citations == [found.documents[0].id]
    assert found.usage["calls"] == 2
    assert {asked.authorization for asked in judge.asked} == {f"Bearer {KEY}"}
    kept = [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert kept == []

    def fails(status: int) -> Callable[[Asked], Answer]:
        return lambda asked: streamed("Soon.") if asked.body.get("stream") else refused(status, f"You sent {KEY}")

    # a judge that fails is one message, and the answer stays
    for status, said in ((401, "does not accept the key"), (500, "failed (500)")):
        judge.reply = fails(status)
        ask(page, f"How often do I descale it, by rule {status}?")  # another: a reply that came once is kept
        message = one_error(page)
        assert "The step “label” failed" in message
        assert said in message
        assert KEY not in message
        expect(page.get_by_text("Soon.").first).to_be_visible()
        found = stored(folder, record_id(page))
        assert found.response.text == "Soon."
        assert found.scores.adherence is None
        assert found.error.step == "label"


def test_the_owners_key_is_the_default(page: Page, tmp_path: Path, judge: JudgeServer) -> None:
    with serve_app(tmp_path, OPENAI_BASE_URL=judge.url, OPENAI_API_KEY=KEY) as url:
        opened(page, url)
        judge.reply = good
        ask(page, FILTER)
        expect(page.get_by_text("Labels: GPT").first).to_be_visible()
        assert {asked.authorization for asked in judge.asked} == {f"Bearer {KEY}"}
        page.goto("about:blank")
