"""A run whose judge left sentences of answers open: how many, which they are, and asking again for them alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from ask_page import no_error, rerun, serve_app, visit
from judge_server import MODEL, Asked, JudgeServer, completion, judge_server
from playwright.sync_api import Page, expect
from run_page import card, url_of

from trace_core.labeling import GptLabeler
from trace_core.llm import Llm
from trace_core.pipeline import evaluate
from trace_core.store.store import open_store

pytestmark = pytest.mark.browser
KEY = "sk-test-0123456789"


def labels(*keys: str) -> dict[str, object]:
    entry = {"explanation": "", "supporting_sentence_keys": ["0a"], "fully_supported": True}
    return {
        "relevance_explanation": "", "all_relevant_sentence_keys": ["0a"], "overall_supported_explanation": "",
        "overall_supported": True, "all_utilized_sentence_keys": ["0a"],
        "sentence_support_information": [{"response_sentence_key": key, **entry} for key in keys],
    }  # fmt: skip


def leaves_out(asked: Asked):
    """Of two sentences the second is left out, when asked for it too; the judge of one says all."""
    if asked.is_repair:
        return completion({"sentence_support_information": []})
    return completion(labels("a"))


def one_is_said(asked: Asked):
    """Asked again, the judge says what it left out, but for q2."""
    return leaves_out(asked) if "q2" in asked.material["question"] else completion(labels("b"))


@pytest.fixture(scope="module")
def judge() -> Iterator[JudgeServer]:
    with judge_server(leaves_out) as server:
        yield server


@pytest.fixture(scope="module")
def app(judge: JudgeServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("data")
    for name in ("demo-loaded", "demo-runs-loaded"):
        (folder / name).touch()
    labeler = GptLabeler(Llm(MODEL, KEY, base_url=judge.url, shown=judge.url))
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


def test_what_the_judge_left_open_is_counted_shown_and_asked_for(page: Page, app: str, judge: JudgeServer) -> None:
    visit(page, f"{app}/runs?run=open")
    expect(page.get_by_text("2 of 3 records have no adherence: the labels say nothing of a sentence")).to_be_visible()
    expect(card(page, "Adherence")).to_have_text("1.000")  # of the one that has it
    with rerun(page):
        page.get_by_role("button", name="Show 2 without adherence").click()
    expect(page.get_by_text("2 of 3 records match")).to_be_visible()
    assert "undefined=adherence%3Aunlabeled" in page.url
    expect(card(page, "Adherence")).to_have_text("undefined")

    judge.reply = one_is_said
    judge.asked.clear()
    with rerun(page):
        page.get_by_role("button", name="Ask again for the missing sentences: 2 calls of gpt (gpt-test)").click()
    expect(page.get_by_text("Record q2, sentences b: ")).to_be_visible()
    assert [asked.is_repair for asked in judge.asked] == [True, True]
    expect(page.get_by_text("1 of 3 records match")).to_be_visible()
    with rerun(page):
        page.get_by_role("button", name="Show all").click()
    expect(page.get_by_text("1 of 3 records has no adherence")).to_be_visible()
    expect(page.get_by_text("2 defined, 1 undefined, 0 failed").first).to_be_visible()
    no_error(page)
