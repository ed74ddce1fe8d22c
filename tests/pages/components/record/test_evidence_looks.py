"""How the evidence view looks: hostile text, contrast, width, and a page without Streamlit."""

from __future__ import annotations

import pytest
from axe_page import dressed
from browser import dialogs
from evidence_page import HOSTILE, faintest, opened, sentence, settle
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

WIDER = """view => [view, ...view.querySelectorAll('*:not(.unseen, .unseen *)')]
    .filter((x) => x.scrollWidth > x.clientWidth + 1 && getComputedStyle(x).display !== 'inline')
    .map((x) => x.className)"""


# ---- hostile text -------------------------------------------------------------------------------


def test_hostile_text_is_shown_and_runs_nothing(page: Page, app: str) -> None:
    with dialogs(page) as shown:
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
    assert shown == []


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
        settle(page)
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


# ---- without Streamlit --------------------------------------------------------------------------
