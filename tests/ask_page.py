"""Helpers for browser tests of the Ask page."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from browser import serve
from playwright.sync_api import Locator, Page, expect

from trace_core.facts.records import Record
from trace_core.store.store import RecordStore

ROOT = Path(__file__).parents[1]
FILTER = "How often do I have to change the water filter?"
METRICS = ["Context relevance", "Context utilization", "Completeness", "Adherence"]
CLEAN = (
    *("QDRANT_URL", "QDRANT_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
    *("TRACE_MODEL", "TRACE_LABELER", "TRACE_DATABASE_URL", "TRACE_TOP_K", "TRACE_CONVENTION"),
)
SECONDS = 60_000
"""The longest wait for an answer: the first one loads the model, and the machine may be busy."""


def serve_app(folder: Path, **env: str):
    """The dashboard on a data folder, independent of this process' environment; models load on demand."""
    ours = {"TRACE_DATA_DIR": str(folder), "TRACE_WARM_UP": "off"}
    return serve("app.py", cwd=ROOT, env=dict.fromkeys(CLEAN, "") | ours | env)


def stored(folder: Path, record_id: str) -> Record:
    record = RecordStore(f"sqlite:///{folder / 'trace.sqlite'}").load(record_id)
    assert record
    return record


def opened(page: Page, url: str) -> Page:
    visit(page, url)
    expect(page.get_by_role("heading", name="Ask", exact=True)).to_be_visible(timeout=SECONDS)
    return page


QUIET = """() => new Promise(resolve => {
    let since = performance.now();
    const look = () => {
        const app = document.querySelector('[data-testid="stApp"]');
        if (app?.dataset.testScriptState !== 'notRunning') since = performance.now();
        performance.now() - since > 100 ? resolve(true) : setTimeout(look, 20);
    };
    look();
})"""


def settled(page: Page) -> None:
    """Wait until the script has finished and stays finished, since the latest typing may start it once more."""
    page.wait_for_function(QUIET, timeout=SECONDS)


@contextmanager
def ran(page: Page) -> Iterator[None]:
    """Wait for a script run that the block starts, and for its end.

    The server reports the run: on a busy page a quick run leaves no other trace.
    """
    before = page.runs
    yield
    deadline = time.monotonic() + SECONDS / 1000
    while page.runs == before:
        assert time.monotonic() < deadline, "the script did not run"
        page.wait_for_timeout(20)
    settled(page)


@contextmanager
def rerun(page: Page) -> Iterator[None]:
    """Wait until the script is idle, then for a run that the block starts."""
    settled(page)
    with ran(page):
        yield


def visit(page: Page, url: str) -> None:
    """Go to an address, and wait until the page is completely drawn.

    A deep link first requests two addresses under its own path, and is refused: that is not an error of the page.
    """
    with ran(page):
        page.goto(url)
    page.problems[:] = [problem for problem in page.problems if "404 (Not Found)" not in problem]


def ask(page: Page, question: str) -> str:
    """Ask, wait for the scored answer, and return the record's id in the address."""
    box = question_box(page)
    box.fill(question)
    with rerun(page):
        box.press("Enter")
    expect(heading(page, question)).to_be_visible()
    expect(shown(page, ".trace-scorecard")).to_have_count(1)
    expect(shown(page, ".trace-evidence")).to_have_count(1)
    return record_id(page)


def question_box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Your question")


def record_id(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query).get("record", [""])[0]


def heading(page: Page, text: str) -> Locator:
    return page.get_by_role("heading", name=text, exact=True)


def shown(page: Page, selector: str) -> Locator:
    """The elements that the open tab shows."""
    return page.locator(f"{selector}:visible")


STAYS = """box => new Promise(resolve => {
    let top = NaN, since = 0;
    const look = now => {
        const seen = box.getBoundingClientRect().top;
        if (seen !== top) [top, since] = [seen, now];
        now - since > 300 ? resolve() : requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})"""


FOCUSED = """() => {
    const on = document.activeElement;
    if (on.tagName === 'MAIN' || on === document.body) return '';  // holds everything's names
    return on.getAttribute('aria-label') || on.innerText || on.dataset.testid || '';
}"""


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control with that name has the focus and keeps it."""
    passed = []
    while name not in (on := page.evaluate(FOCUSED)) or on.startswith("Help"):
        passed.append(on)
        assert len(passed) < 90, f"Tab never reached {name}, but {passed}"
        page.keyboard.press("Tab")
    page.locator(":focus").evaluate(STAYS)


def open_menu(box: Locator) -> None:
    """Open a select box once it has stopped moving: an open menu closes when the page unfolds or scrolls below it."""
    box.scroll_into_view_if_needed()
    box.evaluate(STAYS)
    box.click()


def click_row(table: Locator, row: int, left: int) -> None:
    """Click into a table's row, counted from 1, `left` pixels from its left edge, once it is drawn and stands still."""
    table.scroll_into_view_if_needed()
    table.locator("canvas tbody tr").nth(row - 1).wait_for(state="attached")
    table.evaluate(STAYS)
    box = table.bounding_box()
    assert box
    table.page.mouse.click(box["x"] + left, box["y"] + 35 * row + 17)


CLICKS = """() => {
    window.clicks = 0;
    addEventListener('pointerdown', event => { window.clicks += event.isTrusted; }, true);
}"""
"""Counts a person's clicks from now on, in `window.clicks`."""


def choose_file(page: Page, *files: Path, key: str = "") -> None:
    """Choose files for the page's first field for them, as a person does: with a click, or a key where it has focus."""
    with page.expect_file_chooser() as chooser:
        page.evaluate("0")  # answered once the page tells Playwright of choosers: a key may overtake that request
        page.keyboard.press(key) if key else page.get_by_role("button", name="Upload", exact=True).first.click()
    with rerun(page):
        chooser.value.set_files(files)


def tab(page: Page, name: str) -> None:
    with rerun(page):
        page.get_by_role("tab", name=name, exact=True).click()
