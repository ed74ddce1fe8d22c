"""How long a person waits on the Ask page, in a real browser: `python bench/ask_speed.py`.

Prints, against the limits, the first page of a new server, the page again (warm browser), the first
question on a page that has just been drawn, and the next ones.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browser import launch, serve, watched  # noqa: E402  # after the path is set

from trace_core import demo  # noqa: E402

QUESTIONS = 8


def opened(page: Page, url: str) -> float:
    """Seconds until the whole page is drawn."""
    start = time.perf_counter()
    page.goto(url)
    page.get_by_text("Findings").first.wait_for(timeout=60_000)
    return time.perf_counter() - start


DRAWN = """question => {
  let enter = null;
  addEventListener("keydown", () => { enter ??= performance.now(); }, {capture: true, once: true});
  const headings = () => [...document.querySelectorAll("h1, h2, h3, h4, h5")];
  const shown = () => headings().some(heading => heading.textContent.includes(question));
  window.drawn = new Promise(tell => {
    const watch = new MutationObserver(() => {
      if (enter === null || !shown()) return;
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(() => tell((performance.now() - enter) / 1000)));
    });
    watch.observe(document.body, {childList: true, subtree: true, characterData: true});
  });
}"""
"""The page's own clock: waiting from here would ask every half second, and round the time up to that."""


def asked(page: Page, question: str) -> float:
    """Seconds from Enter until the frame with the new record, its scores included, has been drawn."""
    field = page.get_by_placeholder("Ask a question …")
    field.fill(question)
    page.evaluate(DRAWN, question)
    field.press("Enter")
    seconds: float = page.evaluate("window.drawn")
    page.get_by_role("heading", name=question).wait_for(timeout=60_000)
    return seconds


def line(what: str, seconds: float, limit: float) -> None:
    """One row of the result."""
    print(f"{what:<44} {seconds:6.2f} s   limit {limit:.1f} s   {seconds / limit:5.0%}")


def main() -> None:
    """Start a server on a new data folder and measure."""
    golden = [q["question"] for q in demo.questions("espresso-manual")][: QUESTIONS + 1]
    with (
        TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        serve("app.py", cwd=ROOT, env={"TRACE_DATA_DIR": folder}) as url,
    ):
        browser = launch(playwright)
        page = watched(browser.new_context(viewport={"width": 1440, "height": 1000}))
        line("first page, new server, new folder, cold browser", opened(page, url), 3)
        line("page again, warm browser", opened(page, url), 2)
        line("first question, page open 0 s", asked(page, golden[0]), 1.5)
        rest = sorted(asked(page, question) for question in golden[1:])
        line("next questions, median", median(rest), 0.3)
        line("next questions, slowest", rest[-1], 0.3)
        browser.close()


if __name__ == "__main__":
    main()
