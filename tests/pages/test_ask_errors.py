"""The Ask page when something does not work: one clear message, and everything else goes on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ask_page import FILTER, ask, choose, heading, one_error, opened, rerun, serve_app, shown, tab, values
from playwright.sync_api import Page, expect

from trace_core import demo

pytestmark = pytest.mark.browser


def the_rest_works(page: Page) -> None:
    expect(heading(page, demo.examples()[0].question)).to_be_visible()
    assert values(page)
    tab(page, "Score your own")
    page.get_by_role("textbox", name="Document 0").fill("The tank holds 2 litres.")
    page.get_by_role("textbox", name="Answer").fill("The tank holds 2 litres.")
    page.get_by_role("button", name="Score", exact=True).click()
    expect(shown(page, ".trace-scorecard .card .value").last).to_have_text("1.00", timeout=30_000)


def test_qdrant_that_does_not_answer_is_one_message_on_each_page(page: Page, dashboards: Mapping[str, Any]) -> None:
    opened(page, dashboards["no qdrant"].url)
    said = one_error(page)
    assert "Qdrant at http://127.0.0.1:1 does not answer." in said
    assert "Check QDRANT_URL" in said
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_disabled()
    the_rest_works(page)
    with rerun(page):
        page.get_by_role("link", name="Collections", exact=True).click()
    assert one_error(page) == said


def test_an_empty_collection_leaves_the_record_before(page: Page, app: str) -> None:
    opened(page, app)
    ask(page, FILTER)
    scores = values(page)
    choose(page, "Collection", "nothing inside")
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("Is there anything?")
    with rerun(page):
        box.press("Enter")
    expect(page.get_by_text("Not answered.")).to_be_visible()
    assert "nothing inside" in one_error(page)
    expect(heading(page, FILTER)).to_be_visible()
    assert values(page) == scores


def test_a_setting_without_meaning(page: Page, tmp_path: Path) -> None:
    with serve_app(tmp_path, TRACE_TOP_K="abc") as url:
        opened(page, url)
        assert "TRACE_TOP_K" in one_error(page)
        page.goto("about:blank")


def test_without_a_database_the_answer_is_still_shown(page: Page, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with serve_app(tmp_path, TRACE_DATABASE_URL=f"sqlite:///{tmp_path}/file/secret.sqlite") as url:
        opened(page, url)
        assert ask(page, FILTER) == ""
        said = one_error(page)
        assert "so a link to it will not work" in said
        assert "TRACE_DATABASE_URL" in said
        choose(page, "Convention", "RAGBench, as released")
        assert one_error(page) == said
        expect(page.get_by_role("button", name="Link")).to_have_count(0)
        assert len(values(page)) == 4
        page.goto("about:blank")
