"""Fixtures for every test that needs a browser: `browser` once, `page` afresh for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import chromium_path, launch, watched
from playwright.sync_api import Browser, Page, sync_playwright


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        if chromium_path() is None and not Path(playwright.chromium.executable_path).exists():
            pytest.skip("no Chromium: install one, or name it in $CHROMIUM")
        started = launch(playwright)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own context. Whatever goes wrong in it fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened = watched(context)
    yield opened
    context.close()
    assert opened.problems == []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser on a busy machine may stumble once: such a test is tried anew, and the summary says so."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=2))
