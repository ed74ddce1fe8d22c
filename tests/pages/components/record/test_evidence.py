"""The evidence view in a real browser: what an analyst points at, types, hears and pins."""

from __future__ import annotations

import pytest
from evidence_page import filter_button, focused, lit, sentence, tab_to
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


# ---- pointing -----------------------------------------------------------------------------------


def test_pointing_at_an_answer_sentence_lights_what_supports_it(machine_page: Page) -> None:
    sentence(machine_page, "a").hover()
    assert lit(machine_page) == ["0a", "1b"]
    sentence(machine_page, "b").hover()
    assert lit(machine_page) == []
    machine_page.mouse.move(1, 1)
    expect(machine_page.locator(".trace-evidence.selecting")).to_have_count(0)


def test_the_reason_stands_beside_the_sentence_pointed_at(machine_page: Page) -> None:
    detail = machine_page.locator(".detail")
    expect(detail).to_contain_text("One sentence stands alone.")
    sentence(machine_page, "b").hover()
    expect(detail).to_contain_text("unsupported")
    expect(detail).to_contain_text("Supported by: nothing.")
    expect(detail).to_contain_text("Nowhere said.")


def test_every_status_has_a_mark_and_a_word(machine_page: Page) -> None:
    rows = [
        (sentence(machine_page, key).locator(".mark").inner_text(), words)
        for key in ("a", "b", "c", "0a", "0b")
        for words in [sentence(machine_page, key).locator(".word").inner_text()]
    ]
    assert rows == [
        ("✓", "fully supported"),
        ("✗", "unsupported"),
        ("◐", "partially supported"),
        ("●", "relevant, utilized"),
        ("○", "relevant, missed"),
    ]
    expect(sentence(machine_page, "c").locator(".meta")).to_contain_text("a general statement")
    expect(machine_page.locator(".counts")).to_contain_text("1 unsupported")
    expect(machine_page.locator(".footer")).to_contain_text("Labels: local")


# ---- keyboard and screen reader -----------------------------------------------------------------


def test_tab_enters_each_pane_once(app_page: Page) -> None:
    tab_to(app_page, "a")
    app_page.keyboard.press("Tab")
    assert focused(app_page) == "total"
    for _ in ("relevant", "utilized", "missed", "the documents"):
        app_page.keyboard.press("Tab")
    assert focused(app_page) == "0a"


def test_arrow_keys_walk_a_pane_and_light_as_they_go(machine_page: Page) -> None:
    tab_to(machine_page, "a")
    assert lit(machine_page) == ["0a", "1b"]
    machine_page.keyboard.press("ArrowDown")
    assert (focused(machine_page), lit(machine_page)) == ("b", [])
    machine_page.keyboard.press("End")
    assert (focused(machine_page), lit(machine_page)) == ("c", ["2z"])
    machine_page.keyboard.press("ArrowDown")
    assert focused(machine_page) == "c"
    machine_page.keyboard.press("Home")
    assert focused(machine_page) == "a"


def test_a_screen_reader_hears_status_and_support(machine_page: Page) -> None:
    tab_to(machine_page, "a")
    status = machine_page.locator(".trace-evidence [role=status]")
    expect(status).to_have_text("Sentence a: fully supported. Supported by: 0a, 1b.")
    machine_page.keyboard.press("ArrowDown")
    expect(status).to_have_text("Sentence b: unsupported. Supported by: nothing.")
    machine_page.keyboard.press("ArrowDown")
    expect(status).to_have_text("Sentence c: partially supported. Supported by: 2z, a general statement.")


def test_sentences_are_buttons_described_by_their_reason(machine_page: Page) -> None:
    answer_pane = machine_page.get_by_role("group", name="Answer sentences")
    first = answer_pane.get_by_role("button").first
    expect(first).to_have_accessible_name("a The tank holds two litres. fully supported 0a 1b")
    expect(first).to_have_accessible_description("0a gives the size.")
    expect(first).to_have_attribute("aria-pressed", "false")


# ---- pinning ------------------------------------------------------------------------------------


def test_a_click_pins_and_tells_python(app_page: Page) -> None:
    sentence(app_page, "a").click()
    expect(app_page.get_by_text("picked: a")).to_be_visible()
    sentence(app_page, "b").hover()
    assert lit(app_page) == ["0a", "1b"]
    expect(sentence(app_page, "a")).to_have_attribute("aria-pressed", "true")
    app_page.keyboard.press("Escape")
    expect(sentence(app_page, "a")).to_have_attribute("aria-pressed", "false")
    assert lit(app_page) == []


def test_dragging_over_text_copies_it_and_pins_nothing(machine_page: Page) -> None:
    box = sentence(machine_page, "a").locator(".text").bounding_box()
    assert box
    machine_page.mouse.move(box["x"] + 2, box["y"] + 10)
    machine_page.mouse.down()
    machine_page.mouse.move(box["x"] + 120, box["y"] + 10, steps=5)
    machine_page.mouse.up()
    assert "The tank" in machine_page.evaluate("getSelection().toString()")
    expect(sentence(machine_page, "a")).to_have_attribute("aria-pressed", "false")


def test_a_rerun_changes_nothing(app_page: Page) -> None:
    sentence(app_page, "a").click()
    expect(app_page.get_by_text("picked: a")).to_be_visible()
    app_page.get_by_role("button", name="Run again").click()
    expect(app_page.get_by_text("picked: None")).to_be_visible()
    assert lit(app_page) == ["0a", "1b"]
    expect(app_page.locator(".trace-evidence")).to_have_count(1)
    expect(app_page.locator(".answer .sentence")).to_have_count(3)


def test_a_corrected_label_shows_at_once_and_keeps_ones_place(app_page: Page) -> None:
    filter_button(app_page, "Missed").click()
    sentence(app_page, "b").click()
    app_page.get_by_text("Correct the label").click()
    expect(sentence(app_page, "b").locator(".word")).to_have_text("fully supported")
    expect(sentence(app_page, "b")).to_have_attribute("aria-pressed", "true")
    assert lit(app_page) == ["0b"]
    expect(filter_button(app_page, "Missed")).to_have_attribute("aria-pressed", "true")
