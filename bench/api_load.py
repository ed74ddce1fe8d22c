"""POST /trace under load while a person uses the Ask page: `python bench/api_load.py`.

Under `streamlit run` and under `uvicorn`, on a new data folder each: a person asks questions on a quiet server, then
again while 200 clients send queries as fast as they may (they obey Retry-After). Prints what the clients and the
person saw, and the limits: no status but 200 and 429, every 429 with Retry-After, the page's answers within twice
their quiet time.
"""

from __future__ import annotations

import json
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import requests
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from ask_page import serve_app  # noqa: E402  # after the path is set
from browser import launch, watched  # noqa: E402
from trace_server import serve_uvicorn  # noqa: E402

from trace_core import demo  # noqa: E402
from trace_core.endpoint import TESTS  # noqa: E402

CLIENTS = 200
QUESTIONS = 10
LIMIT = 2.0  # times the quiet time


@dataclass
class Seen:
    """Results of the clients; `seconds` are those of replies with 200."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    without_retry_after: int = 0
    duration: float = 0.0


def query(number: int) -> dict[str, str]:
    """A query for all six tests, with three contexts and unique texts."""
    contexts = [
        {"id": f"c{i}", "text": f"Machine {number} has a tank of {i} litres. It stands in room {number + i}."}
        for i in range(3)
    ]
    made = {
        "tests": list(TESTS),
        "question": f"How large is the tank of machine {number}?",
        "contexts": contexts,
        "answer": f"Machine {number} has a tank of 2 litres. It is made of steel.",
        "ground_truth": f"The tank of machine {number} holds 2 litres.",
        "relevant_context_ids": ["c2"],
    }
    return {"query": json.dumps(made)}


def client(url: str, number: int, stop: threading.Event, seen: Seen) -> None:
    """Send queries until `stop` is set; wait as Retry-After says."""
    with requests.Session() as session:
        turn = 0
        while not stop.is_set():
            start = time.perf_counter()
            reply = session.post(f"{url}/trace", json=query(number * 10_000 + turn), timeout=120)
            seconds = time.perf_counter() - start
            seen.statuses[reply.status_code] += 1
            turn += 1
            if reply.status_code == 200:
                seen.seconds.append(seconds)
                continue
            wait = reply.headers.get("Retry-After")
            seen.without_retry_after += wait is None
            stop.wait(float(wait or 1))


@contextmanager
def load(url: str) -> Iterator[Seen]:
    """Run the clients for the duration of the block."""
    seen, stop = Seen(), threading.Event()
    threads = [threading.Thread(target=client, args=(url, i, stop, seen)) for i in range(CLIENTS)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    yield seen
    stop.set()
    for thread in threads:
        thread.join()
    seen.duration = time.perf_counter() - start


def asked(page: Page, question: str) -> float:
    """Seconds from Enter until the new record's heading appears."""
    field_ = page.get_by_placeholder("Ask a question …")
    field_.fill(question)
    start = time.perf_counter()
    field_.press("Enter")
    page.get_by_role("heading", name=question).wait_for(timeout=120_000)
    seconds = time.perf_counter() - start
    page.wait_for_timeout(500)
    return seconds


def measure(name: str, url: str, page: Page) -> bool:
    """Measure one server: the person alone, then among the clients."""
    golden = [q["question"] for q in demo.questions(demo.DEMOS["espresso-manual"])]
    page.goto(url)
    page.get_by_text("Findings").first.wait_for(timeout=60_000)
    page.wait_for_timeout(3000)
    asked(page, golden[-1])  # loads the model
    quiet = [asked(page, question) for question in golden[:QUESTIONS]]
    with load(url) as seen:
        time.sleep(3)
        loaded = [asked(page, question) for question in golden[QUESTIONS : 2 * QUESTIONS]]
    ratio = statistics.median(loaded) / statistics.median(quiet)
    fast = sorted(seen.seconds)
    fine = set(seen.statuses) <= {200, 429} and not seen.without_retry_after
    print(f"\n{name}: {CLIENTS} clients for {seen.duration:.0f} s")
    print(f"  statuses {dict(sorted(seen.statuses.items()))}, 429 without Retry-After {seen.without_retry_after}")
    print(f"  answered {len(fast) / seen.duration:.0f} a second, median {statistics.median(fast):.2f} s", end="")
    print(f", 95 % within {fast[int(0.95 * len(fast))]:.2f} s, slowest {fast[-1]:.2f} s")
    print(f"  the page: quiet median {statistics.median(quiet):.2f} s (slowest {max(quiet):.2f} s)", end="")
    print(f", under load {statistics.median(loaded):.2f} s (slowest {max(loaded):.2f} s)")
    print(f"  {ratio:.2f} times the quiet time, limit {LIMIT:g}", flush=True)
    return fine and ratio <= LIMIT


def main() -> int:
    """Measure both ways to start."""
    fine = True
    for name, start in (("streamlit run", serve_app), ("uvicorn", serve_uvicorn)):
        with TemporaryDirectory() as folder, sync_playwright() as playwright, start(Path(folder)) as url:
            browser = launch(playwright)
            fine &= measure(name, url, watched(browser.new_context(viewport={"width": 1440, "height": 1000})))
            browser.close()
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
