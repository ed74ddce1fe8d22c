"""Screenshots of the pages: light and dark, wide and narrow.

    python bench/screenshots.py                # docs/ask-<light|dark>-<1440|390>.png: an answer that is wrong in part
    python bench/screenshots.py --all FOLDER   # every page on a first visit: FOLDER/<page>-<light|dark>-<width>.png

Has the same requirements as the browser tests.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path += [str(ROOT), str(ROOT / "tests")]

from ask_page import opened, rerun, serve_app, settled, shown, visit  # noqa: E402
from browser import launch, watched  # noqa: E402
from playwright.sync_api import Page, sync_playwright  # noqa: E402

HIGHEST = 2600
MARGIN = 12
"""Pixels around what is shown of an answer."""
TEXTS = {
    "Question": "How often do I change the water filter?",
    "Document 0": "Replace the water filter every 2 months or after 50 litres, whichever comes first. Soak a new "
    "filter in cold water for 5 minutes before you fit it. A lamp turns blue when the filter is used up.",
    "Answer": "Replace the water filter every 2 months or after 50 litres. It can be ordered from the web shop for "
    "12 euros.",
}
PAGES = {name: name for name in ("runs", "review", "corpus", "guide")} | {
    "compare": "runs?show=Compare",
    "over-time": "runs?show=Over+time",
    "data-sets": "runs?show=Data+sets",
    "trust": "review?part=Trust",
    "run": "runs?run=demo-after",
    "record": "runs?run=demo-after&record=16",
}
"""The name of a picture and the address that it shows; the demo's runs fill every page."""


def main() -> None:
    """Score one answer, then take the requested screenshots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every page, into this folder")
    every: Path | None = parser.parse_args().all
    folder = every or ROOT / "docs"
    with TemporaryDirectory() as data, serve_app(Path(data)) as url, sync_playwright() as playwright:
        browser = launch(playwright)
        page = watched(browser.new_context())
        score(opened(page, url))
        for look, width in looks(page):
            picture(page, width, folder / f"ask-{look}.png")
            for name, address in PAGES.items() if every else ():
                whole(page, f"{url}/{address}", width, folder / f"{name}-{look}.png")
        browser.close()


def looks(page: Page) -> Iterator[tuple[str, int]]:
    """Set each colour scheme and width; yields their name and the width in pixels."""
    for scheme in ("light", "dark"):
        for width in (1440, 390):
            page.emulate_media(color_scheme=scheme)
            yield f"{scheme}-{width}", width


def score(page: Page) -> None:
    """Score texts of one's own."""
    page.get_by_role("tab", name="Score your own").click()
    for label, text in TEXTS.items():
        settled(page)
        page.get_by_role("textbox", name=label, exact=True).fill(text)
    with rerun(page):
        page.get_by_role("button", name="Score", exact=True).click()


def picture(page: Page, width: int, path: Path) -> None:
    """Take a screenshot of the scored answer, as far as it fits."""
    page.set_viewport_size({"width": width, "height": HIGHEST})
    page.wait_for_timeout(1000)  # components measure themselves
    first = page.get_by_role("heading", name=TEXTS["Question"], exact=True).bounding_box()
    last = shown(page, ".trace-evidence").bounding_box()
    assert first
    assert last
    top, left = first["y"], max(0, last["x"] - MARGIN)
    size = min(last["width"] + 2 * MARGIN, width - left), last["y"] + last["height"] - top
    page.screenshot(path=path, clip={"x": left, "y": top, "width": size[0], "height": size[1]})


def whole(page: Page, url: str, width: int, path: Path) -> None:
    """Take a screenshot of a page from top to bottom, as far as it fits."""
    page.set_viewport_size({"width": width, "height": HIGHEST})
    visit(page, url)
    settled(page)
    page.wait_for_timeout(2500)  # charts are drawn
    page.screenshot(path=path)


main()
