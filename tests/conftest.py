"""Settings shared by all tests: the number of generated examples, and which tests are retried.

Fixtures for a browser: `browser` once, `context` and its page once per file; `page` is blank at each test's beginning.
"""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import browser as browsing
import pytest
from browser import HASTY, WINDOW, blank, chromium_path, launch, watched
from forked_server import forked
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

expect.set_options(timeout=20_000)  # a condition that is true costs nothing, and a busy machine may take its time


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        if chromium_path() is None and not Path(playwright.chromium.executable_path).exists():
            pytest.skip("no Chromium: install one, or name it in $CHROMIUM")
        started = launch(playwright, HASTY)
        yield started
        started.close()


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One context for all tests of a file, so that the browser's cache is shared."""
    made = browser.new_context(viewport=WINDOW)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A blank page. Anything that goes wrong in it fails the test.

    It is the same one for a whole file: in a new one, a third of each visit would go to loading the same scripts.
    """
    opened = context.pages[0] if context.pages else watched(context)
    yield opened
    if not opened.is_closed():
        blank(opened)
    problems, opened.problems[:] = list(opened.problems), []
    assert problems == []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="draw 10,000 examples a property, and kill runs more often")


def pytest_configure(config: pytest.Config) -> None:
    """Judge property tests by their findings, not by their speed.

    Each run uses the same examples, so that only a change can alter the result; `--long` looks for new examples.
    """
    browsing.start = forked
    os.environ["TRACE_WARM_UP"] = "off"  # else every page and server reads what no test asks
    gc.disable()  # what is imported and collected stays: to search it for garbage takes a sixth of the time
    long = config.getoption("long")
    settings.register_profile(
        "unhurried",
        derandomize=not long,
        max_examples=10_000 if long else 200,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    settings.load_profile("unhurried")


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the tests that start processes: they are few and slow, and would wait for one another at the end.

    Retry only tests with a real browser or process, which may fail on a busy machine.

    The summary names each test that was retried; a real fault fails every time. `--reruns 0` turns retries off.
    """
    items.sort(key=lambda item: item.get_closest_marker("process") is None)
    if config.getoption("reruns") is None:
        for item in items:
            if item.get_closest_marker("browser") or item.get_closest_marker("process"):
                item.add_marker(pytest.mark.flaky(reruns=1))
