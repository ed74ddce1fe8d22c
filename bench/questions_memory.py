"""What the server holds while one visitor asks on and on, in one real browser: `questions_memory.py [1000]`.

Each question is another one, goes through the page's websocket and is kept; nothing is asked before the answer
is in sight. Prints the server's resident memory after every tenth of them (Linux), and by how much it grew after
the first tenth, beside the limit.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright
from visitors import ROOT, prepare, press, question, server_memory, visitor, waited

sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from ask_page import serve_app  # noqa: E402  # after the path is set
from browser import launch  # noqa: E402

QUESTIONS, PARTS = 1000, 10
LIMIT = 30.0
"""MB that the server may grow by between the first tenth and the last."""


def main() -> None:
    """Start a server on a new data folder, ask, and measure."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else QUESTIONS
    held: list[float] = []
    start = time.perf_counter()
    with TemporaryDirectory() as folder, sync_playwright() as playwright, serve_app(Path(folder)) as url:
        browser = launch(playwright)
        page = visitor(browser, url)
        for number in range(1, n + 1):
            prepare(page, question(number))
            press(page)
            if waited(page) is None:
                raise SystemExit(f"Question {number} was not answered within two minutes.")
            if number % (n // PARTS) == 0:
                held.append(server_memory())
                print(f"after {number:5,} questions: {held[-1]:6.1f} MB", flush=True)
        browser.close()
    print(f"{(time.perf_counter() - start) / n:.2f} s a question")
    print(f"grown after the first {n // PARTS:,}: {held[-1] - held[0]:.1f} MB   limit {LIMIT:.0f} MB")


if __name__ == "__main__":
    main()
