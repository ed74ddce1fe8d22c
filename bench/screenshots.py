"""Pictures of the Ask page with a question answered: light and dark, wide and narrow.

    python bench/screenshots.py

writes `docs/ask-<light|dark>-<1440|390>.png`. Needs what the browser tests need.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path += [str(ROOT), str(ROOT / "tests")]

from ask_page import FILTER, ask, opened, serve_app, shown  # noqa: E402
from browser import launch, watched  # noqa: E402
from playwright.sync_api import Page, sync_playwright  # noqa: E402

HIGHEST = 2600
BOTTOM = 48
"""Pixels left free under the last row."""


def main() -> None:
    """Ask once, then open the record's link in every look."""
    with TemporaryDirectory() as folder, serve_app(Path(folder)) as url, sync_playwright() as playwright:
        browser = launch(playwright)
        page = watched(browser.new_context())
        record = ask(opened(page, url), FILTER)
        for scheme in ("light", "dark"):
            for width in (1440, 390):
                page.emulate_media(color_scheme=scheme)
                picture(page, f"{url}/?record={record}", width, ROOT / "docs" / f"ask-{scheme}-{width}.png")
        browser.close()


def picture(page: Page, url: str, width: int, path: Path) -> None:
    """The whole page, as far as it fits."""
    page.set_viewport_size({"width": width, "height": HIGHEST})
    opened(page, url)
    page.wait_for_timeout(1000)  # components measure themselves
    last = shown(page, '[data-testid="stDownloadButton"]').bounding_box()
    height = min(HIGHEST, int(last["y"] + last["height"]) + BOTTOM) if last else HIGHEST
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(500)
    page.screenshot(path=path)


main()
