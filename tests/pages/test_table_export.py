"""No table offers Streamlit's own CSV or copy: their cells are not escaped, and a spreadsheet would compute them."""

from __future__ import annotations

import pytest
from ask_page import click_row, visit
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
DASHBOARD = "filled"
WITHOUT = ("", "runs?run=before&record=q1", "runs?show=Over+time", "review?run=after", "corpus", "guide")
WITH = ("runs", "runs?run=before", "runs?show=Compare&a=before&b=after", "review?part=Trust&run=before")
"""Views whose tables have buttons, so that this one would be seen."""


@pytest.mark.parametrize("path", [*WITHOUT, *WITH])
def test_no_page_offers_a_file_that_a_spreadsheet_computes(page: Page, app: str, path: str) -> None:
    visit(page, f"{app}/{path}")
    if path in WITH:
        tables = page.get_by_test_id("stDataFrame").filter(has=page.locator('button[aria-label^="Search"]'))
        expect(tables.first).to_be_attached()
    expect(page.locator('button[aria-label^="Download as CSV"]')).to_have_count(0)


def test_what_is_copied_from_a_table_stays_there(page: Page, app: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit(page, f"{app}/runs?show=Compare&a=before&b=after")
    page.evaluate("navigator.clipboard.writeText('as it was')")
    click_row(page.get_by_test_id("stDataFrame").first, 1, 60)
    page.keyboard.press("Control+c")
    page.wait_for_timeout(500)
    assert page.evaluate("navigator.clipboard.readText()") == "as it was"
