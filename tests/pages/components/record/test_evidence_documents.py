"""The document side of the evidence view: filters, collapsed runs, scrolling, size."""

from __future__ import annotations

import pytest
from evidence_page import filter_button, focused, letters, page_scrolls, pane_scroll, sentence, settle, shown
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_filters_count_and_show_their_sentences(machine_page: Page) -> None:
    assert machine_page.locator(".filter").all_inner_texts() == ["All 605", "Relevant 4", "Utilized 3", "Missed 2"]
    expect(filter_button(machine_page, "All")).to_have_attribute("aria-pressed", "true")
    far = "2" + letters(400)
    for name, keys in {
        "Relevant": ["0a", "0b", "1b", far],
        "Utilized": ["0a", "1b", "2z"],
        "Missed": ["0b", far],
    }.items():
        filter_button(machine_page, name).click()
        expect(filter_button(machine_page, name)).to_have_attribute("aria-pressed", "true")
        assert shown(machine_page) == keys


def test_long_runs_are_collapsed_and_open_in_batches(machine_page: Page) -> None:
    runs = machine_page.locator(".run")
    assert runs.all_inner_texts() == ["… 25 more sentences", "… 374 more sentences", "… 199 more sentences"]
    runs.nth(1).click()
    expect(machine_page.locator(".documents .sentence")).to_have_count(7 + 200)
    assert runs.nth(1).inner_text() == "… 174 more sentences"
    assert focused(machine_page) == "2" + letters(26)
    runs.nth(0).focus()
    machine_page.keyboard.press("Enter")
    expect(runs).to_have_text(["… 174 more sentences", "… 199 more sentences"])


def test_evidence_scrolls_into_view_and_the_page_stays(app_page: Page) -> None:
    app_page.locator(".run").first.click()
    app_page.locator(".documents .pane").evaluate("pane => { pane.scrollTop = 0 }")
    before = page_scrolls(app_page)
    sentence(app_page, "c").hover()
    settle(app_page)
    pane = app_page.locator(".documents .pane").bounding_box()
    evidence = sentence(app_page, "2z").bounding_box()
    assert pane
    assert evidence
    assert pane["y"] <= evidence["y"]
    assert evidence["y"] + evidence["height"] <= pane["y"] + pane["height"]
    assert pane_scroll(app_page) > 0
    assert page_scrolls(app_page) == before
