"""How the Ask page looks: nothing too wide, nothing too faint, in light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ask_page import opened, rerun, serve_app, shown
from evidence_page import FAINTEST, faintest, sentence
from playwright.sync_api import Locator, Page

from trace_core import demo

pytestmark = pytest.mark.browser
WIDE = """() => [document.documentElement, document.querySelector('[data-testid="stMain"]')]
    .map((x) => x.scrollWidth - x.clientWidth)"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve_app(tmp_path_factory.mktemp("data")) as url:
        yield url


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_fits_and_can_be_read(page: Page, app: str, scheme: str, width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    opened(page, app)
    for example in demo.examples():
        picked = page.get_by_role("radio", name=example.question)
        if picked.get_attribute("aria-checked") != "true":
            with rerun(page):
                picked.click()
        assert page.evaluate(WIDE) == [0, 0]
        assert faintest(page) >= [4.5]
        assert shown(page, ".trace-scorecard").evaluate(FAINTEST) >= [4.5]
        sentence(page, "a").hover()
        assert faintest(page) >= [4.5]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_chosen_and_the_main_button_can_be_read(page: Page, app: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    opened(page, app)
    assert contrast(page.get_by_role("radio", name=demo.examples()[0].question)) >= 4.5
    assert contrast(page.get_by_role("tab", name="Ask a collection")) >= 4.5
    with rerun(page):
        page.get_by_role("tab", name="Score your own").click()
    assert contrast(page.get_by_role("button", name="Score", exact=True)) >= 4.5


def contrast(control: Locator) -> float:
    faint: list[float] = control.evaluate(FAINTEST)
    return faint[0]
