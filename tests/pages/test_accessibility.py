"""Every page in the navigation, light and dark: axe-core finds nothing serious."""

from __future__ import annotations

import ast
import re

import pytest
from ask_page import FILTER, ROOT, SECONDS, ask, opened, rerun
from axe_page import findings, findings_in_both
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def page_titles() -> list[str]:
    """The titles of all `st.Page` in app.py that the navigation shows, in their order."""
    calls = [node for node in ast.walk(ast.parse((ROOT / "app.py").read_text("utf-8"))) if isinstance(node, ast.Call)]
    pages = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "Page"]
    shown = [{word.arg: word.value for word in call.keywords} for call in pages]
    return [ast.literal_eval(words["title"]) for words in shown if "visibility" not in words]


def test_axe_finds_what_is_wrong(page: Page) -> None:
    """A check that finds nothing anywhere would pass for a good one."""
    page.set_content('<html lang="en"><title>t</title><main><img src="data:,"><button></button></main></html>')
    assert {finding.split()[0] for finding in findings(page)} == {"button-name", "image-alt"}
    page.problems.clear()


def test_no_page_has_a_serious_finding(page: Page, app: str) -> None:
    opened(page, app)
    links = page.get_by_test_id("stTopNavLink")
    expect(links).to_have_text([re.compile(f"{title}$") for title in page_titles()])
    found = {}
    for title in page_titles():
        link = links.filter(has_text=title)
        if link.get_attribute("aria-current") != "page":
            with rerun(page):
                link.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title, timeout=SECONDS)
        found[title] = findings_in_both(page)
    assert found == {title: [] for title in page_titles()}


def test_an_answer_has_no_serious_finding(page: Page, app: str) -> None:
    opened(page, app)
    ask(page, FILTER)
    assert findings_in_both(page) == []
