"""Every page, light and dark: axe-core finds nothing moderate or worse, none is too wide for a phone, and no table
offers Streamlit's own CSV, whose cells are not escaped: a spreadsheet would compute them.
"""

from pathlib import Path

import pytest
from ask_page import FILTER, ask, opened, settled, tab
from axe_page import dressed, findings, findings_in_both
from evidence_page import FAINTEST
from playwright.sync_api import Locator, Page, expect
from run_page import add_golden, at

pytestmark = pytest.mark.browser
DASHBOARD = "filled"
TABS = ("Records", "Findings", "Numbers", "Export")
VIEWS = {
    "corpus": "Collections",
    "guide": "Guide",
    "guide?topic=Try+it": "Guide",
    "guide?topic=API": "Guide",
    "runs": "Runs",
    "runs?run=before&record=q1": "What of q1?",
    "runs?run=golden&tab=Golden+questions": "golden",
    "runs?show=Compare&a=before&b=after": "Runs",
    "runs?show=Over+time": "Runs",
    "runs?show=Data+sets": "Runs",
    "review?run=after": "Review",
    "review?part=Trust&run=before": "Review",
}
WIDER = """() => Math.max(...[document.documentElement, document.querySelector('[data-testid="stMain"]')]
    .map((x) => x.scrollWidth - x.clientWidth))"""


SCORED = {"runs": "Name", "runs?show=Compare&a=before&b=after": "Question"}
"""Views with a table of scores, and what names its rows."""
HEADS = "tables => tables.map(table => [...table.querySelectorAll('th')].map(head => head.textContent))"
"""The columns of each table that can be seen: tables are drawn, and told to screen readers."""


@pytest.fixture(scope="module", autouse=True)
def _golden(folder: Path) -> None:
    add_golden(folder)


def looked_at(page: Page, named: str = "") -> list[str]:
    """What is wrong on this view: findings, and how many pixels it is too wide for a screen or a phone.

    A phone shows the scores beside what is `named` in each row.
    """
    wrong = findings_in_both(page)
    for width in (390, 1440):  # last as it was
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        settled(page)
        wider = page.evaluate(WIDER)
        wrong += [f"{wider} pixels wider than {width}"] if wider > 0 else []
        seen = page.locator("[data-testid=stDataFrame] canvas table").evaluate_all(HEADS)
        if named and not any({named, "Adherence"} <= set(heads) for heads in seen):
            wrong.append(f"no adherence beside {named} at {width}: {seen}")
    buttons = page.get_by_test_id("stDataFrame").locator("button")
    if named:  # the buttons of its table are there to be seen
        expect(buttons.and_(page.locator('[aria-label^="Search"]')).first).to_be_attached()
    return wrong + buttons.and_(page.locator('[aria-label^="Download"]')).all_inner_texts()


def test_what_is_wrong_and_what_is_too_wide_is_found(page: Page) -> None:
    """A check that finds nothing anywhere would pass for a good one."""
    faint = '<p style="color: #eee; background: #fff">faint</p>'
    page.set_content(
        f'<html lang="en"><title>t</title><main><h1>t</h1><img src="data:,"><button></button>{faint}</main></html>'
    )
    assert {finding.split()[0] for finding in findings(page)} == {"button-name", "image-alt", "color-contrast"}
    assert {finding.split()[0] for finding in findings(page, ["color-contrast"])} == {"color-contrast"}
    page.set_content('<div data-testid="stMain"><p style="width: 2000px">wide</p></div>')
    assert page.evaluate(WIDER) > 0
    page.problems.clear()


@pytest.mark.parametrize("path", VIEWS)
def test_a_page_can_be_read_by_everybody(page: Page, app: str, path: str) -> None:
    at(page, f"{app}/{path}", VIEWS[path])
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert looked_at(page, SCORED.get(path, "")) == []


def test_every_tab_of_a_run_can_be_read_by_everybody(page: Page, app: str) -> None:
    at(page, f"{app}/runs?run=before", "before")
    found = {}
    for name in TABS:
        if name != "Records":
            tab(page, name)
        found[name] = looked_at(page)
    assert found == {name: [] for name in TABS}


def test_an_answer_can_be_read_by_everybody(page: Page, app: str) -> None:
    opened(page, app)
    ask(page, FILTER)
    assert looked_at(page) == []


def test_main_buttons_and_the_tab_that_is_open_can_be_read(page: Page, app: str) -> None:
    opened(page, app)
    for _ in dressed(page):
        assert contrast(page.get_by_role("button", name="Ask", exact=True)) >= 4.5
        assert contrast(page.get_by_role("tab", name="Ask a collection")) >= 4.5
    tab(page, "Score your own")
    for _ in dressed(page):
        assert contrast(page.get_by_role("button", name="Score", exact=True)) >= 4.5


def contrast(control: Locator) -> float:
    faint: list[float] = control.evaluate(FAINTEST)
    return faint[0]
