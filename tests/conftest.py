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
    """Real browsers, servers and processes may stumble on a busy machine: a test that fails is tried anew.

    The summary names each one that needed it, and what is broken fails every time.
    """
    for item in items:
        item.add_marker(pytest.mark.flaky(reruns=2 if item.get_closest_marker("browser") else 1))
