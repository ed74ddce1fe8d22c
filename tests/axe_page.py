"""What axe-core finds on a page."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")


def findings(page: Page) -> list[str]:
    """What axe calls serious or critical: the rule, what it says, and where."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:300]} {node['target']} {node['failureSummary'][:400]}"
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]
