"""Pages with runs to show, light and dark: axe-core finds nothing serious, and none is too wide for a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from ask_page import rerun, serve_app
from axe_page import findings
from playwright.sync_api import Page
from run_page import at, fill

pytestmark = pytest.mark.browser
TABS = ("Over the run", "Distribution", "Together", "Findings", "Documents", "Ground truth", "Usage", "Export")
VIEWS = {
    "runs": "Runs",
    "runs?run=before&record=q1": "Runs",
    "compare?a=before&b=after": "Compare",
    "trends": "Trends",
    "review?run=after": "Review",
    "judge?run=before": "Judge",
}
WIDER = """() => {
    const main = document.querySelector('[data-testid="stMain"]');
    return main.scrollWidth - main.clientWidth;
}"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("data")
    fill(folder)
    with serve_app(folder) as url:
        yield url


def looked_at(page: Page) -> list[str]:
    """What is wrong on this view: serious findings, and how many pixels it is too wide for a phone."""
    found = findings(page)
    before = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(300)
    wider = page.evaluate(WIDER)
    page.set_viewport_size(before or {"width": 1440, "height": 1000})
    return [*found, *([f"{wider} pixels too wide"] if wider > 0 else [])]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", VIEWS)
def test_a_page_with_runs_can_be_read_by_everybody(page: Page, app: str, path: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    at(page, f"{app}/{path}", VIEWS[path])
    assert looked_at(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_tab_of_a_run_can_be_read_by_everybody(page: Page, app: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    at(page, f"{app}/runs?run=before", "Runs")
    found = {}
    for tab in TABS:
        if tab != TABS[0]:
            with rerun(page):
                page.get_by_role("tab", name=tab, exact=True).click()
        found[tab] = looked_at(page)
    assert found == {tab: [] for tab in TABS}
