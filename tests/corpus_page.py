"""Helpers for browser tests of the Collections page."""

from __future__ import annotations

from pathlib import Path

from ask_page import SECONDS, choose, rerun, settled, tab, visit
from playwright.sync_api import Locator, Page, expect


def opened(page: Page, url: str) -> Page:
    visit(page, f"{url}/corpus")
    expect(page.get_by_role("heading", name="Collections", exact=True)).to_be_visible(timeout=SECONDS)
    return page


def add_tab(page: Page) -> None:
    with rerun(page):
        page.get_by_role("tab", name="Add documents").click()


def into(page: Page, name: str) -> None:
    """Type the collection's name as a person does."""
    with rerun(page):
        box = page.get_by_role("combobox", name="Into the collection")
        box.click()
        box.fill(name)
        box.press("Enter")


def upload(page: Page, *files: Path) -> None:
    with rerun(page):
        page.locator('input[type="file"]').set_input_files(files)


def begin(page: Page) -> None:
    with rerun(page):
        page.get_by_role("button", name="Add these documents").click()


def ended(page: Page, said: str) -> Locator:
    """The final message of the ingest."""
    found = page.get_by_test_id("stAlert").filter(has_text=said)
    expect(found).to_be_visible(timeout=120_000)
    settled(page)
    return found


def close(page: Page) -> None:
    with rerun(page):
        page.get_by_role("button", name="Close", exact=True).click()


def about(page: Page, collection: str) -> Locator:
    """Look inside the collection; returns the line about it."""
    if page.get_by_role("tab", name="Look inside").get_attribute("aria-selected") != "true":
        tab(page, "Look inside")
    if page.get_by_role("combobox", name="Collection", exact=True).input_value() != collection:
        choose(page, "Collection", collection)
    return page.get_by_test_id("stCaptionContainer").filter(has_text="embedded with")
