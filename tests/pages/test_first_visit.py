"""A first visit: every page shows something at once."""

import pytest
from ask_page import SECONDS, visit
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

DASHBOARD = "first visit"


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("runs", "2 runs"),
        ("compare", "31 pairs."),
        ("trends", "2 of 2 runs shown, oldest first."),
        ("review", "Guidelines"),
        ("judge", "Demo: "),
    ],
)
def test_no_page_is_empty(page: Page, app: str, path: str, seen: str) -> None:
    visit(page, f"{app}/{path}")
    expect(page.get_by_test_id("stMain").get_by_text(seen).first).to_be_visible(timeout=SECONDS)
    expect(page.get_by_text("There is no run yet")).to_have_count(0)
