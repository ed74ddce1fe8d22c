"""How the Collections page looks: nothing too wide, nothing too faint, in light and dark, wide and narrow."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_page import dressed
from corpus_page import add_tab, begin, close, ended, into, opened, upload
from evidence_page import FAINTEST
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
DASHBOARD = "collections"
WIDER = """() => Math.max(...[...document.querySelectorAll('html, body, [data-testid=stMain]')]
    .map((x) => x.scrollWidth - x.clientWidth))"""


# Tables, and all text but that of links and of buttons that cannot be pressed.
READ = (
    '[data-testid="stMain"] :is([data-testid="stTable"], '
    '[data-testid="stMarkdownContainer"]:not(button:disabled *, a *)):visible'
)


def fits(page: Page) -> None:
    """In both widths nothing is too wide, and what can be read is not too faint, in light and dark."""
    for width in (390, 1440):  # last as it was
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in dressed(page):
            assert page.evaluate(WIDER) <= 0
            # All in one go: between two looks the page may be drawn anew.
            faint = page.locator(READ).evaluate_all(f"parts => parts.map({FAINTEST}).filter((found) => found)")
            assert faint
            assert [found for found in faint if found[0] < 4.5] == [], scheme


def test_it_fits_and_can_be_read(page: Page, app: str, tmp_path: Path) -> None:
    (tmp_path / "a-long-name-without-any-space-in-it-that-does-not-end.md").write_text("Text. " * 300, encoding="utf-8")
    (tmp_path / "empty.txt").touch()
    opened(page, app)
    fits(page)
    add_tab(page)
    into(page, "looks")
    upload(page, *sorted(tmp_path.iterdir()))
    begin(page)
    ended(page, "Added to")
    fits(page)
    close(page)
