"""The evidence view in a real browser: what an analyst points at, types, hears and pins; its looks."""

import pytest
from ask_page import STAYS
from axe_page import dressed
from browser import dialogs
from evidence_page import (
    HOSTILE,
    faintest,
    filter_button,
    focused,
    letters,
    lit,
    opened,
    page_scrolls,
    sentence,
    shown,
    tab_to,
)
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

WIDER = """view => [view, ...view.querySelectorAll('*:not(.unseen, .unseen *)')]
    .filter((x) => x.scrollWidth > x.clientWidth + 1 && getComputedStyle(x).display !== 'inline')
    .map((x) => x.className)"""


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


# ---- the documents: filters, collapsed runs, scrolling ------------------------------------------


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
    expect(sentence(app_page, "2z")).to_be_in_viewport(ratio=1)
    sentence(app_page, "2z").evaluate(STAYS)
    documents = app_page.locator(".documents .pane")
    pane = documents.bounding_box()
    evidence = sentence(app_page, "2z").bounding_box()
    assert pane
    assert evidence
    assert pane["y"] <= evidence["y"]
    assert evidence["y"] + evidence["height"] <= pane["y"] + pane["height"]
    assert documents.evaluate("pane => pane.scrollTop") > 0
    assert page_scrolls(app_page) == before


# ---- hostile text -------------------------------------------------------------------------------


def test_hostile_text_is_shown_and_runs_nothing(page: Page, app: str) -> None:
    with dialogs(page) as messages:
        opened(page, app, "hostile")
        sentence(page, "b").click()
        expect(page.get_by_text("picked: b")).to_be_visible()
        for side in ("answer", "documents"):
            texts = page.locator(f".{side} .sentence .text").evaluate_all("all => all.map(x => x.textContent)")
            assert texts == HOSTILE
        assert page.locator(".title").evaluate("title => title.textContent") == HOSTILE[0]
        assert page.locator(".detail .said").evaluate("said => said.textContent") == HOSTILE[1]
        expect(page.locator(".trace-evidence :is(script, img, a, strong, em, i, b)")).to_have_count(0)
        assert page.evaluate("window.hacked") is None
    assert messages == []


def test_without_answer_and_documents_it_says_so(page: Page, app: str) -> None:
    opened(page, app, "empty")
    expect(page.locator(".answer")).to_contain_text("There is no answer.")
    expect(page.locator(".documents")).to_contain_text("There are no documents.")


# ---- looks --------------------------------------------------------------------------------------


def test_all_text_can_be_read_in_light_and_dark(app_page: Page) -> None:
    colors = []
    for scheme in dressed(app_page):
        colors.append(app_page.locator(".trace-evidence").evaluate("view => getComputedStyle(view).color"))
        for key in ("", "a", "b", "c", "0a", "0b", "1a"):
            if key:
                sentence(app_page, key).hover()
            assert faintest(app_page) >= [4.5], (scheme, key)
    assert len(set(colors)) == 2


def test_nothing_is_wider_than_the_screen(page: Page, app: str) -> None:
    opened(page, app, "hostile")
    sentence(page, "a").click()
    for width in (1440, 768, 332):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        assert page.locator(".trace-evidence").evaluate(WIDER) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("key", "said"), [("a", "0a gives the size."), ("0b", "The tank is what was asked for.")])
def test_on_a_narrow_screen_the_reason_opens_under_the_pinned_sentence(machine_page: Page, key: str, said: str) -> None:
    sentence(machine_page, key).click()
    machine_page.set_viewport_size({"width": 390, "height": 844})
    under = machine_page.locator("li", has=sentence(machine_page, key)).locator(".detail")
    expect(under).to_contain_text(said)
    sentence(machine_page, key).click()
    expect(machine_page.locator(".answer > .detail")).to_be_visible()
