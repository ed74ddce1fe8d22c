"""Screenshots of the pages: light and dark, wide and narrow.

    python bench/screenshots.py                # docs/ask-<light|dark>-<1440|390>.png: a question answered
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

from ask_page import FILTER, ask, opened, serve_app, settled, shown, visit  # noqa: E402
from browser import launch, watched  # noqa: E402
from playwright.sync_api import Page, sync_playwright  # noqa: E402

HIGHEST = 2600
BOTTOM = 48
"""Pixels left free below the last row."""
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
    """Ask once, then take the requested screenshots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every page, into this folder")
    folder: Path | None = parser.parse_args().all
    with TemporaryDirectory() as data, serve_app(Path(data)) as url, sync_playwright() as playwright:
        browser = launch(playwright)
        page = watched(browser.new_context())
        record = ask(opened(page, url), FILTER)
        for look, width in looks(page):
            picture(page, f"{url}/?record={record}", width, (folder or ROOT / "docs") / f"ask-{look}.png")
            for name, address in PAGES.items() if folder else ():
                whole(page, f"{url}/{address}", width, folder / f"{name}-{look}.png")
        browser.close()


def looks(page: Page) -> Iterator[tuple[str, int]]:
    """Set each colour scheme and width; yields their name and the width in pixels."""
    for scheme in ("light", "dark"):
        for width in (1440, 390):
            page.emulate_media(color_scheme=scheme)
            yield f"{scheme}-{width}", width


def picture(page: Page, url: str, width: int, path: Path) -> None:
    """Take a screenshot of the answered question, as far as it fits."""
    page.set_viewport_size({"width": width, "height": HIGHEST})
    opened(page, url)
    page.wait_for_timeout(1000)  # components measure themselves
    last = shown(page, '[data-testid="stDownloadButton"]').bounding_box()
    height = min(HIGHEST, int(last["y"] + last["height"]) + BOTTOM) if last else HIGHEST
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(500)
    page.screenshot(path=path)


def whole(page: Page, url: str, width: int, path: Path) -> None:
    """Take a screenshot of a page from top to bottom, as far as it fits."""
    page.set_viewport_size({"width": width, "height": HIGHEST})
    visit(page, url)
    settled(page)
    page.wait_for_timeout(2500)  # charts are drawn
    page.screenshot(path=path)


main()
