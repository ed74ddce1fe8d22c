"""Golden questions made from a collection on the page: never in the demo, cost before, into the table, then kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from judge_server import MODEL, Answer, Asked, JudgeServer, completion, judge_server, refused
from streamlit.testing.v1 import AppTest

from pages.components.shared import access, services
from trace_core import demo
from trace_core.golden import golden_of
from trace_core.retrieval import Collections, close_all, embedder, open_qdrant
from trace_core.settings import Settings
from trace_core.store.store import open_store

KEY = "sk-test-0123456789"
Begin = Callable[..., AppTest]


def reply(asked: Asked) -> Answer:
    """Asks with the chunk's own words and answers with its first sentence."""
    text = asked.material["text"]
    answer = {"answer": re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]}
    return completion(answer if "question" in asked.material else {"question": text[:300], **answer})


def draw() -> None:
    from pages.components.runs.golden_editor import golden_questions

    golden_questions()


@pytest.fixture(scope="module")
def judge() -> Iterator[JudgeServer]:
    with judge_server(reply) as server:
        yield server


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, judge: JudgeServer) -> Iterator[Begin]:
    """The page under settings: the manual in an embedded Qdrant, and a judge where a key is set."""
    collections = Collections(open_qdrant(Settings(TRACE_DATA_DIR=tmp_path, _env_file=None)), embedder())
    demo.load(collections)

    def begin(**env: str) -> AppTest:
        settings = Settings(TRACE_DATA_DIR=tmp_path, TRACE_TOP_K=20, TRACE_MODEL=MODEL, _env_file=None, **env)
        services.shared_llm.clear()
        monkeypatch.setattr(services, "settings", lambda: settings)
        monkeypatch.setattr(services, "collections", lambda: collections)
        opened = AppTest.from_function(draw, default_timeout=120).run()
        assert not opened.exception
        return opened

    yield begin
    services.shared_llm.clear()
    close_all()


def said(page: AppTest) -> str:
    assert not page.exception
    return "\n".join(shown.value for shown in (*page.caption, *page.markdown, *page.success)).replace("\\", "")


def with_key(judge: JudgeServer) -> dict[str, str]:
    return {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": judge.url}


def test_the_demo_offers_it_to_nobody(page: Begin, judge: JudgeServer) -> None:
    assert not page(TRACE_DEMO="1", **with_key(judge)).toggle


def test_the_cost_is_said_then_the_questions_stand_in_the_table_and_are_kept(
    page: Begin, judge: JudgeServer, tmp_path: Path
) -> None:
    shown = page(**with_key(judge)).toggle(key="golden-make").set_value(True).run()
    shown = shown.selectbox(key="golden-from").set_value("espresso-manual").run()
    shown = shown.number_input(key="golden-n").set_value(4).run()
    assert "4 chunks · 8 calls at most" in said(shown)
    assert judge.calls == 0
    shown = shown.button(key="golden-begin").click().run()
    assert "4 questions from 4 chunks of espresso-manual." in said(shown)
    assert judge.calls == 8
    assert shown.selectbox(key="golden-start").value not in ("", *demo.DEMOS)
    assert access.datasets() == []
    shown = shown.button(key="golden-keep").click().run()
    assert "4 questions are saved." in said(shown)
    datasets = open_store(f"sqlite:///{tmp_path / 'trace.sqlite'}").datasets
    (kept,) = datasets.list_datasets()
    assert kept.name == "Golden questions made from espresso-manual"
    found = golden_of(datasets, kept.id).values()
    assert {one.category for one in found} == {"made"}
    assert all(one.reference_answer and one.expected_documents for one in found)


def test_what_was_left_out_is_named_with_its_reason(page: Begin) -> None:
    with judge_server(lambda asked: refused(401)) as broken:
        shown = page(**with_key(broken)).toggle(key="golden-make").set_value(True).run()
        shown = shown.selectbox(key="golden-from").set_value("espresso-manual").run()
        shown = shown.button(key="golden-begin").click().run()
    assert "0 questions from" in said(shown)
    assert "the call failed" in said(shown)
    table = shown.dataframe[0].value
    assert set(table["Why there is no question"]) == {"the call failed"}
    assert "does not accept the key" in table["Said"][0]
    assert shown.selectbox(key="golden-start").value == ""
