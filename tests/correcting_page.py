"""Helpers for browser tests that correct labels: pin a sentence and press the controls below it."""

from ask_page import rerun, settled
from playwright.sync_api import Locator, Page, expect


def pinned(page: Page, key: str) -> Locator:
    """Click on the sentence; returns its controls."""
    settled(page)
    sentence = page.locator(f'.trace-evidence .sentence[data-key="{key}"]:visible')
    if sentence.get_attribute("aria-pressed") != "true":
        with rerun(page):
            sentence.click()
    controls = page.get_by_role("group", name=f"Correct the labels of {key}", exact=True)
    expect(controls).to_be_visible()
    return controls


def say(page: Page, key: str, word: str) -> None:
    """Press that control of the sentence."""
    controls = pinned(page, key)
    with rerun(page):
        controls.get_by_role("button", name=word).click()


def supported_by(page: Page, key: str, support: str) -> None:
    """Add a supporting sentence."""
    controls = pinned(page, key)
    with rerun(page):
        add = controls.get_by_role("combobox")
        add.focus()
        add.select_option(support)
