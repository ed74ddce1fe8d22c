"""How long a person waits on the page of a large run, in a real browser.

    python bench/runs_page.py [--records 10000] [--rounds 10]
    python bench/runs_page.py --runs 200 [--each 300]

Fills a new store with generated records and prints, against the limits, median and 95th percentile of each wait,
and the server's peak memory (Linux). `--runs` fills it with many small runs instead, and opens every page.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browser import launch, serve, watched  # noqa: E402  # after the path is set

from trace_core.diagnosis.rescoring import rescore  # noqa: E402
from trace_core.facts.labels import Labels, Support  # noqa: E402
from trace_core.facts.records import Document, Record, Response  # noqa: E402
from trace_core.metrics import CONVENTIONS  # noqa: E402
from trace_core.store.runs import RunStore  # noqa: E402

WORDS = "grinder water pressure boiler steam milk filter pump valve heat cup basket crema dose scale timer".split()
POOL = 5000
CONFIG = {"settings": {"relevance_divisor": 20}, "labeler": "recorded", "convention": "trace", "seed": 1}
CARD = '[data-testid="stMain"] [data-testid="stCaptionContainer"]'
FOUND = '[data-testid="stMain"] [data-testid="stCaptionContainer"]'
APP = """document.querySelector('[data-testid="stApp"]')"""
SAID = """selector => [document, ...[...document.querySelectorAll('[data-testid^="stBidiComponent"]')]
    .flatMap(part => [part, ...part.querySelectorAll('*')]).flatMap(part => part.shadowRoot ?? [])]
    .flatMap(root => [...root.querySelectorAll(selector)]).map(found => found.textContent).join('|')"""
WATCH = f"""() => {{
    const app = {APP}, kinds = ['pointerdown', 'keydown'];
    let start, ran = false;
    const begin = () => {{ start = performance.now(); kinds.forEach(kind => removeEventListener(kind, begin, true)); }};
    kinds.forEach(kind => addEventListener(kind, begin, true));
    window.waited = new Promise(done => new MutationObserver((_, observer) => {{
        ran ||= app.dataset.testScriptState === 'running';
        if (!ran || app.dataset.testScriptState !== 'notRunning') return;
        observer.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => done((performance.now() - start) / 1000)));
    }}).observe(app, {{attributes: true, attributeFilter: ['data-test-script-state']}}));
}}"""
"""Runs in the page, so that observation from outside adds nothing: measures from the key or click to two frames after
the server has drawn the whole page.
"""
PAGES = {
    "": "Findings",
    "runs": "200 runs",
    "runs?show=Compare": "A, before",
    "runs?show=Over+time": "The four metrics, run after run",
    "review": "Your name",
    "review?part=Trust": "Labels of",
    "corpus": "Collections",
    "guide": "Guide",
}


def text(rng: random.Random, sentences: int) -> str:
    """Generated sentences."""
    return " ".join(" ".join(rng.choices(WORDS, k=rng.randint(4, 20))).capitalize() + "." for _ in range(sentences))


def made(rng: random.Random) -> Record:
    """A record with three documents, an answer, and random labels."""
    documents = [Document(id=str(i), rank=i + 1, text=text(rng, rng.randint(3, 9))) for i in range(3)]
    record = Record(id="", question="", documents=documents, response=Response(text=text(rng, 3)))
    sentences = record.sentences()
    keys = sentences.document_keys()
    relevant, utilized = rng.sample(keys, rng.randint(0, 6)), rng.sample(keys, rng.randint(0, 6))
    supports = [
        Support(response_sentence_key=key, supporting_sentence_keys=utilized[:2], fully_supported=rng.random() < 0.8)
        for key in sentences.response_keys()
    ]
    record.labels = Labels(
        all_relevant_sentence_keys=relevant,
        all_utilized_sentence_keys=utilized,
        sentence_support_information=supports,
        overall_supported=all(s.fully_supported for s in supports),
    )
    return rescore(record, "trace")


def records(pool: list[Record], count: int) -> Iterator[Record]:
    """`count` records, each with a unique id and question."""
    for n in range(1, count + 1):
        again = {"id": f"q{n}", "question": f"What of case {n}, the {WORDS[n % len(WORDS)]}?"}
        yield pool[n % len(pool)].model_copy(update=again)


def fill(folder: str, runs: int, each: int) -> None:
    """A store with `runs` runs of `each` records."""
    rng = random.Random(1)
    pool = [made(rng) for _ in range(min(each, POOL))]
    store = RunStore(f"sqlite:///{folder}/trace.sqlite")
    for n in range(runs):
        run = store.create_run(f"run {n}", CONFIG, total=each, status="done", run_id=f"r{n}")
        store.save_records(run, records(pool, each))
    store.database.close()


def waited(work: Callable[[], object]) -> float:
    """The duration of the work in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def line(what: str, seconds: list[float], limit: float) -> None:
    """One row of the result."""
    half, most = np.quantile(seconds, [0.5, 0.95])
    print(f"{what:<44} p50 {half:6.2f} s   p95 {most:6.2f} s   limit {limit:.1f} s   n={len(seconds)}", flush=True)


def first_chart(page: Page, url: str) -> None:
    """Open the run's page and wait for its first chart."""
    page.goto(f"{url}/runs?run=r0")
    page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=120_000)


def settled(page: Page) -> None:
    """Wait until the server has drawn the whole page."""
    page.wait_for_function(
        f"() => {APP}?.dataset.testScriptState === 'notRunning'",
        polling=10,
        timeout=30_000,
    )


def said(page: Page, selector: str) -> str:
    """The current text of all matching visible elements."""
    return str(page.evaluate(SAID, selector))


def after(page: Page, act: Callable[[], None]) -> float:
    """Seconds from the key or click until the whole page is drawn."""
    page.wait_for_timeout(700)  # a person looks before the next click
    page.evaluate(WATCH)
    act()
    return float(page.evaluate("window.waited"))


def changed(page: Page, selector: str, act: Callable[[], None]) -> float:
    """Seconds until the whole page is drawn; checks that the text of these elements has changed."""
    before = said(page, selector)
    seconds = after(page, act)
    assert said(page, selector) != before, "nothing changed"  # a measurement without a change would be meaningless
    return seconds


def choose(page: Page, convention: str) -> float:
    """Seconds to switch to another convention, with the menu already open."""
    page.wait_for_timeout(700)
    page.get_by_role("combobox", name="Convention", exact=True).click()
    option = page.get_by_role("option", name=convention, exact=True)
    option.wait_for()
    return changed(page, CARD, option.click)


def search(page: Page, words: str) -> float:
    """Seconds from Enter until the matching records are counted and drawn."""
    field = page.get_by_placeholder("in question, answer and id")
    field.fill(words)
    return changed(page, FOUND, lambda: field.press("Enter"))


def evidence(page: Page, row: int) -> float:
    """Seconds from the click on a row until its evidence is drawn; then closes the record."""
    line = page.locator(".trace-records tbody tr").nth(row)
    line.scroll_into_view_if_needed()
    seconds = after(page, line.click)
    page.locator(".trace-evidence").first.wait_for(timeout=1000)
    page.get_by_role("button", name="Close").click()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    settled(page)
    return seconds


def large_run(page: Page, url: str, count: int, rounds: int) -> None:
    """Measure the waits on one run's page."""
    line("first chart, first visit to the server", [waited(lambda: first_chart(page, url))], 2)
    line("first chart, again", [waited(lambda: first_chart(page, url)) for _ in range(rounds)], 2)
    settled(page)
    names = [CONVENTIONS[name].label for name in (*CONVENTIONS, *CONVENTIONS)][1:] * rounds
    line("another convention", [choose(page, name) for name in names[:rounds] if name], 0.5)
    page.get_by_role("button", name="Filter and columns").click()
    every = [f"case {count * n // rounds + 7}," if n % 2 else "the pump?" for n in range(rounds)]
    line("search", [search(page, words) for words in every], 0.3)
    first_chart(page, url)
    settled(page)
    line("row to its evidence", [evidence(page, row) for row in range(min(rounds, 8))], 0.5)


def peak_megabytes() -> float:
    """The peak memory of the server, which is this process's only Python child."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    status = [
        Path(f"/proc/{child}/status").read_text()
        for child in children
        if b"streamlit" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
    return float(re.findall(r"VmHWM:\s+(\d+)", status[0])[0]) / 1024


def every_page(page: Page, url: str, rounds: int) -> None:
    """Measure the opening of each page of the dashboard."""
    for path, words in PAGES.items():

        def go(path: str = path, words: str = words) -> None:
            page.goto(f"{url}/{path}")
            page.get_by_test_id("stMain").get_by_text(words).first.wait_for(timeout=60_000)
            settled(page)

        go()
        line(f"page {path or 'ask'}", [waited(go) for _ in range(rounds)], 2)


def main() -> None:
    """Fill a store, start a server on it and measure."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--records", type=int, default=10_000)
    arguments.add_argument("--rounds", type=int, default=10)
    arguments.add_argument("--runs", type=int, default=1)
    arguments.add_argument("--each", type=int, default=300)
    asked = arguments.parse_args()
    each = asked.records if asked.runs == 1 else asked.each
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        filled = waited(lambda: fill(folder, asked.runs, each))
        print(f"{asked.runs} × {each} records, filled in {filled:.1f} s", flush=True)
        environment = {"TRACE_DATA_DIR": folder, "TRACE_DATABASE_URL": f"sqlite:///{folder}/trace.sqlite"}
        with serve("app.py", cwd=ROOT, env=environment) as url:
            browser = launch(playwright)
            page = watched(browser.new_context(viewport={"width": 1440, "height": 1000}))
            if asked.runs == 1:
                large_run(page, url, each, asked.rounds)
            else:
                every_page(page, url, asked.rounds)
            print(f"server: {peak_megabytes():.0f} MB at most")
            browser.close()


if __name__ == "__main__":
    main()
