"""Many visitors asking at once on the Ask page: `python bench/visitors.py [20]`.

First the visitors are simulated on machines of their own: they speak the server's protocol and draw nothing. Then all
share one real browser on the server's machine. Prints how long one visitor waits on a quiet server, how long each of
many waits who ask at the same moment, how many saw an error or another's question, and the server's memory per visitor.
"""

from __future__ import annotations

import asyncio
import math
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as TookTooLong

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from ask_page import opened, serve_app  # noqa: E402  # after the path is set
from browser import launch, watched  # noqa: E402
from light_visitor import alone, together  # noqa: E402

VISITORS, QUIET = 20, 5
LIMIT = 20.0
"""The p95 of many at once, as a multiple of the quiet median; browsers on the server's machine add their own load."""
WATCH = """question => {
    const box = document.querySelector('[aria-label="Your question"]');
    box.addEventListener('keydown', () => {
        const start = performance.now();
        const timer = setInterval(() => {
            const there = [...document.querySelectorAll('h1, h2, h3, h4, h5')].some(h => h.innerText === question);
            if (there) { window.waited = (performance.now() - start) / 1000; clearInterval(timer); }
        }, 20);
    }, {once: true});
}"""
"""Measures an answer's waiting time in the page itself: this script is busy with the other pages."""


def quantile(values: list[float], share: float) -> float:
    """The value that this share of the values does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def question(number: int) -> str:
    """A unique question for the visitor."""
    return f"How many litres does the water tank hold, asks visitor {number:03}?"


def visitor(browser: Browser, url: str) -> Page:
    """A new visitor on the Ask page."""
    return opened(watched(browser.new_context(viewport={"width": 1280, "height": 900})), url)


def prepare(page: Page, asked: str) -> None:
    """Type the question, and start the clock at Enter."""
    page.evaluate("window.waited = null")
    page.get_by_role("textbox", name="Your question").fill(asked)
    page.evaluate(WATCH, asked)


def press(page: Page) -> None:
    """Ask."""
    page.get_by_role("textbox", name="Your question").press("Enter", no_wait_after=True)


def waited(page: Page) -> float | None:
    """The visitor's waiting time in seconds; `None` where no answer came."""
    try:
        page.wait_for_function("window.waited !== null", timeout=120_000)
    except TookTooLong:
        return None
    seconds: float = page.evaluate("window.waited")
    return seconds


def server_memory(what: str = "VmRSS") -> float:
    """The server's memory in MB: that of this process's child that runs Streamlit (Linux).

    `RssAnon` leaves out the files that are mapped, such as the model's, which the system may drop at any time.
    """
    me = os.getpid()
    for child in Path(f"/proc/{me}/task/{me}/children").read_text().split():
        if b"streamlit" in Path(f"/proc/{child}/cmdline").read_bytes():
            status = Path(f"/proc/{child}/status").read_text()
            return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith(what))
    raise SystemExit("The server's process was not found.")


def main() -> None:
    """Start a server on a new data folder and measure."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else VISITORS
    with TemporaryDirectory() as folder, serve_app(Path(folder)) as url:
        on_their_machines(url, n)
        in_one_browser(url, n)


def on_their_machines(url: str, n: int) -> None:
    """Measure only the server: the first question loads the model and does not count."""
    quiet = asyncio.run(alone(url, [question(900 + number) for number in range(2 * QUIET)]))[1:]
    times, mixed = asyncio.run(together(url, [question(500 + number) for number in range(n)]))
    p95, half = quantile(times, 0.95), quantile(quiet, 0.5)
    print(f"{n} visitors on machines of their own, all asked at once; saw another's question {mixed}")
    print(
        f"one alone: median {half:.2f} s of {len(quiet)}; at once: median {quantile(times, 0.5):.2f} s, p95 {p95:.2f} s"
    )
    print(f"p95 over quiet: {p95 / half:.1f}   limit {LIMIT:.0f}", flush=True)


def in_one_browser(url: str, n: int) -> None:
    """Measure server and every visitor's browser on the same machine."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        first = visitor(browser, url)
        quiet = []
        for number in range(900, 901 + QUIET):
            prepare(first, question(number))
            press(first)
            quiet.append(waited(first))
        calm = sorted(seconds for seconds in quiet[1:] if seconds is not None)  # the first one loads the model
        before = server_memory()
        pages = [visitor(browser, url) for _ in range(n)]
        for number, page in enumerate(pages):
            prepare(page, question(number))
        start = time.perf_counter()
        for page in pages:
            press(page)
        asked_within = time.perf_counter() - start
        times = [waited(page) for page in pages]
        said = [page.locator('[data-testid="stApp"]').inner_text() for page in pages]
        errors = sum(page.get_by_test_id("stException").count() > 0 for page in pages)
        mixed = sum(any(question(o) in text for o in range(n) if o != i) for i, text in enumerate(said))
        memory = (server_memory() - before) / n
        browser.close()
    answered = [seconds for seconds in times if seconds is not None]
    p95, calm_half = quantile(answered, 0.95), quantile(calm, 0.5)
    print(f"{n} visitors in one browser on the server's machine, all asked within {asked_within:.2f} s")
    print(f"answered {len(answered)}, with an error {errors}, saw another's question {mixed}")
    print(f"one visitor, quiet server: median {calm_half:.2f} s of {len(calm)}")
    print(f"all at once: median {quantile(answered, 0.5):.2f} s, p95 {p95:.2f} s, longest {max(answered):.2f} s")
    print(f"p95 over quiet: {p95 / calm_half:.1f}")
    print(f"server memory a visitor with an answer: {memory:.1f} MB")


if __name__ == "__main__":
    main()
