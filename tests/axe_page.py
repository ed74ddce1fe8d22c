"""axe-core's findings on a page."""

from collections.abc import Iterator, Sequence
from typing import Any

from ask_page import settled
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SERIOUS = ("moderate", "serious", "critical")


def findings(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """The findings that axe rates moderate or worse: rule, message and place; of these rules alone, if any."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    found: list[dict[str, Any]] = Axe().run(page, options=options).response["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:300]} {node['target']} {node['failureSummary'][:400]}"
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]


def dressed(page: Page) -> Iterator[str]:
    """The page in light and then in dark mode, once its colours have changed."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(300)
        settled(page)
        yield scheme


def findings_in_both(page: Page) -> list[str]:
    """axe's findings in light mode, and in dark mode those of contrast, as nothing else is another."""
    rules = {"light": (), "dark": ("color-contrast",)}
    return [f"{scheme}: {found}" for scheme in dressed(page) for found in findings(page, rules[scheme])]
