"""The public demo, as a visitor sees it: what it says, what it allows, what it keeps to itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from ask_page import FILTER, ask, opened, rerun, shown, tab, visit
from playwright.sync_api import Page, expect

from pages.components.shared.visitors import NOTICE
from trace_core.demo.limits import EACH, LONGEST

pytestmark = pytest.mark.browser
DASHBOARD = "demo"


def test_a_visitor_is_told_what_disappears_not_where_it_is_kept_and_no_question_is_logged(
    page: Page, app: str, folder: Path
) -> None:
    opened(page, app)
    expect(page.get_by_text(NOTICE)).to_be_visible()
    assert "embedded, (a folder)" in page.get_by_test_id("stSidebar").inner_text()
    assert str(folder) not in page.content()
    assert ask(page, FILTER)
    assert not (folder / "queries.jsonl").exists()


def test_texts_that_are_too_long_are_refused(page: Page, app: str) -> None:
    refused = page.get_by_text(f"The demo reads up to {LONGEST:,} characters at once")
    box = page.get_by_role("textbox", name="Document 0")
    opened(page, app)
    tab(page, "Score your own")
    box.fill("word " * (LONGEST // 5 + 1))
    with rerun(page):
        page.get_by_role("button", name="Score", exact=True).click()
    expect(refused).to_be_visible()
    visit(page, f"{app}/guide")
    expect(page.get_by_text(NOTICE)).to_be_visible()
    box.fill("word " * (LONGEST // 5 + 1))
    with rerun(page):
        box.press("Control+Enter")
    expect(refused).to_be_visible()
    expect(page.get_by_role("heading", name="Keys and evidence")).to_have_count(0)


def test_a_visitor_who_asks_too_often_waits_and_another_does_not(page: Page, app: str) -> None:
    opened(page, app)
    tab(page, "Score your own")
    page.get_by_role("textbox", name="Document 0").fill("The tank holds 2 litres.")
    page.get_by_role("textbox", name="Answer").fill("The tank holds 2 litres.")
    button = page.get_by_role("button", name="Score", exact=True)
    for _ in range(EACH):
        with rerun(page):
            button.click()
    expect(page.get_by_text("The demo is shared")).to_have_count(0)
    with rerun(page):
        button.click()
    expect(page.get_by_text("The demo is shared: that is enough for now. Try again in")).to_be_visible()
    expect(shown(page, ".trace-scorecard")).to_have_count(1)
    opened(page, app)
    assert ask(page, FILTER)
