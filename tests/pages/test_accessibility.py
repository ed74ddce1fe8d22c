"""Every page in the navigation, light and dark: axe-core finds nothing serious."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from ask_page import ROOT, SECONDS, ask, opened, rerun, serve_app, settled
from axe_page import findings
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def page_titles() -> list[str]:
    """The titles of all `st.Page` in app.py, in their order."""
    calls = [node for node in ast.walk(ast.parse((ROOT / "app.py").read_text("utf-8"))) if isinstance(node, ast.Call)]
    pages = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "Page"]
    return [ast.literal_eval(word.value) for call in pages for word in call.keywords if word.arg == "title"]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve_app(tmp_path_factory.mktemp("data")) as url:
        yield url


def test_the_pages_are_read_from_the_app() -> None:
    assert page_titles()[:2] == ["Ask", "Guide"] or "Guide" in page_titles()


def test_axe_finds_what_is_wrong(page: Page) -> None:
    """A check that finds nothing anywhere would pass for a good one."""
    page.set_content('<html lang="en"><title>t</title><main><img src="data:,"><button></button></main></html>')
    assert {finding.split()[0] for finding in findings(page)} == {"button-name", "image-alt"}
    page.problems.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("title", page_titles())
def test_no_page_has_a_serious_finding(page: Page, app: str, title: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    opened(page, app)
    link = page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True)
    if link.get_attribute("aria-current") != "page":
        with rerun(page):
            link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title, timeout=SECONDS)
    settled(page)
    assert findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_answer_has_no_serious_finding(page: Page, app: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    opened(page, app)
    ask(page, "How often do I have to change the water filter?")
    assert findings(page) == []
