"""A first visit: every page shows something at once."""

import pytest
from ask_page import SECONDS, visit
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

DASHBOARD = "first visit"


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("runs", ["2 runs"]),
        ("compare", ["B is better in adherence", "answers are grounded", "31 pairs, no record left out."]),
        ("trends", ["The four metrics, run after run", "31 questions, labels: local model"]),
        ("review", ["0 of 31 reviewed", "Your name"]),
        (
            "judge",
            ["κ on support: ", "Against people", "Counts only records whose review is finished", "Measured against"],
        ),
    ],
)
def test_no_page_is_empty(page: Page, app: str, path: str, seen: list[str]) -> None:
    """What a page says at once, from top to bottom."""
    visit(page, f"{app}/{path}")
    said = page.get_by_test_id("stMain")
    places = []
    for text in seen:
        expect(said.get_by_text(text).first).to_be_visible(timeout=SECONDS)
        places.append(said.get_by_text(text).first.bounding_box()["y"])
    assert places == sorted(places)
    expect(page.get_by_text("There is no run yet")).to_have_count(0)
