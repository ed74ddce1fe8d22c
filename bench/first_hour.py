"""A new user's first hour in a real browser: how many steps each goal takes, and how long the product itself needs.

    python bench/first_hour.py > docs/first-hour.md

A fresh server, no key, the two demo runs that ship. Three goals, one after the other: why one answer of one's own
failed; a run over one's own rows; whether a second version got better. A step is a click, a paste, a chosen file or an
address. Has the same requirements as the browser tests, and takes about a minute.
"""

from __future__ import annotations

import csv
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path += [str(ROOT), str(ROOT / "tests")]

from ask_page import SECONDS, ran, rerun, serve_app, settled, shown, visit  # noqa: E402
from browser import launch, watched  # noqa: E402
from playwright.sync_api import Locator, Page, expect, sync_playwright  # noqa: E402

QUESTION = "When is the pottery room open?"
DOCUMENT = "The pottery room is open on Tuesdays and Thursdays from 18:00 to 21:00. It is closed in August."
RIGHT = "The pottery room is open on Tuesdays and Thursdays from 18:00 to 21:00."
WRONG = "The pottery room is open on Mondays and Thursdays from 18:00 to 21:00."
ROWS = 20


class Steps:
    """A person at the page: every action is one step."""

    def __init__(self, page: Page) -> None:
        self.page, self.taken, self._since = page, [], time.monotonic()

    def click(self, what: Locator, name: str) -> None:
        """Click something, and wait until the page is drawn."""
        self.taken.append(name)
        with rerun(self.page):
            what.click()

    def paste(self, label: str, text: str) -> None:
        """Paste a text into a field; leaving it tells the server."""
        self.taken.append(f"paste the {label.lower()}")
        settled(self.page)
        self.page.get_by_label(label, exact=True).fill(text)

    def choose_file(self, file: Path) -> None:
        """Choose a file to upload."""
        self.taken.append(f"choose {file.name}")
        with rerun(self.page):
            self.page.locator('input[type="file"]').set_input_files(file)
        expect(self.page.get_by_role("button", name="Save this data set")).to_be_visible(timeout=SECONDS)

    def seconds(self) -> float:
        """Since the last call."""
        since, self._since = self._since, time.monotonic()
        return self._since - since


def rows(file: Path, wrong: int) -> Path:
    """A file as a person has one: own column names, and the first `wrong` answers false."""
    with file.open("w", encoding="utf-8", newline="") as opened:
        table = csv.writer(opened)
        table.writerow(["user_query", "passages", "bot_answer"])
        for n in range(ROWS):
            answer = (WRONG if n < wrong else RIGHT).replace("pottery room", f"room {n}")
            table.writerow(
                [QUESTION.replace("pottery", f"{n}th"), DOCUMENT.replace("pottery room", f"room {n}"), answer]
            )
    return file


def own_answer(steps: Steps, folder: Path) -> None:
    """One answer of one's own, false in one word."""
    page = steps.page
    steps.click(page.get_by_role("tab", name="Score your own"), "open “Score your own”")
    steps.paste("Question", QUESTION)
    steps.paste("Document 0", DOCUMENT)
    steps.paste("Answer", WRONG)
    steps.click(page.get_by_role("button", name="Score", exact=True), "press Score")
    expect(shown(page, ".trace-evidence")).to_have_count(1, timeout=SECONDS)


def own_run(steps: Steps, folder: Path) -> None:
    """A run over one's own file, to its worst record."""
    page = steps.page
    steps.click(page.get_by_role("link", name="Runs", exact=True), "open Runs")
    _run_of(steps, rows(folder / "version-1.csv", 8))
    worst = page.get_by_role("button", name=re.compile(r"Show \d+ record")).first
    steps.click(worst, "open the records that failed")


def better(steps: Steps, folder: Path) -> None:
    """The same rows answered anew, compared."""
    page = steps.page
    steps.click(page.get_by_role("button", name="All runs"), "go back to all runs")
    _run_of(steps, rows(folder / "version-2.csv", 1))
    steps.taken.append("follow “Did it get better?”")
    with ran(page):
        page.get_by_role("button", name=re.compile("Did it get better")).click()
    expect(page.get_by_role("heading", name="What got worse")).to_be_visible(timeout=SECONDS)


def _run_of(steps: Steps, file: Path) -> None:
    page = steps.page
    steps.click(page.get_by_role("tab", name="Data sets"), "open “Data sets”")
    steps.choose_file(file)
    steps.taken.append("press “Score these rows”")
    page.get_by_role("button", name="Score these rows").click()
    page.wait_for_url("**run=*", timeout=SECONDS)
    expect(page.get_by_text(f"{ROWS} records: ")).to_be_visible(timeout=SECONDS)


GOALS: dict[str, Callable[[Steps, Path], None]] = {
    "Why one answer of my own failed": own_answer,
    "A run over my own rows, and its worst record": own_run,
    "Did the second version get better?": better,
}


def main() -> None:
    """Walk the three ways, and print the page."""
    print(INTRODUCTION)
    print("| goal | steps | seconds of waiting |\n| --- | ---: | ---: |")
    taken: dict[str, list[str]] = {}
    with TemporaryDirectory() as data, serve_app(Path(data)) as url, sync_playwright() as playwright:
        browser = launch(playwright)
        page = watched(browser.new_context(viewport={"width": 1440, "height": 900}))
        visit(page, url)
        steps = Steps(page)
        for goal, walk in GOALS.items():
            steps.taken = []
            steps.seconds()
            walk(steps, Path(data))
            taken[goal] = steps.taken
            print(f"| {goal} | {len(steps.taken)} | {steps.seconds():.1f} |", flush=True)
        browser.close()
    for goal, names in taken.items():
        print(f"\n**{goal}**: {', '.join(names)}.")


INTRODUCTION = """\
# The first hour

Made by `python bench/first_hour.py > docs/first-hour.md`: a person who has read the README and started `make run`,
played in a real browser at 1440 × 900 on a fresh server, without a key. A step is a click, a pasted text or a chosen
file. The seconds are those of the product, loading of models included; reading and thinking take longer.
"""


if __name__ == "__main__":
    main()
