"""How the Ask page looks: nothing too wide, nothing too faint, in light and dark, wide and narrow."""

from __future__ import annotations

import pytest
from ask_page import opened, tab
from axe_page import dressed
from evidence_page import FAINTEST
from playwright.sync_api import Locator, Page

from trace_core import demo

pytestmark = pytest.mark.browser
WIDE = """() => [document.documentElement, document.querySelector('[data-testid="stMain"]')]
    .map((x) => x.scrollWidth - x.clientWidth)"""


def test_what_is_chosen_and_the_main_button_can_be_read(page: Page, app: str) -> None:
    opened(page, app)
    for _ in dressed(page):
        assert contrast(page.get_by_role("radio", name=demo.examples()[0].question)) >= 4.5
        assert contrast(page.get_by_role("tab", name="Ask a collection")) >= 4.5
    tab(page, "Score your own")
    for _ in dressed(page):
        assert contrast(page.get_by_role("button", name="Score", exact=True)) >= 4.5


def contrast(control: Locator) -> float:
    faint: list[float] = control.evaluate(FAINTEST)
    return faint[0]
