"""The form on the Guide page: a query is put together, sent, and answered with scores or with what to complete."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from ask_page import SECONDS, serve_app, visit
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

HTML = "<b>$x$</b>"
TWO_ANSWERS = "Tests: context recall\nContexts:\n[n] North.\n[s] South.\nRelevant: n, x1\nAnswer: Oslo.\nAnswer: Rome."


def guide(page: Page, url: str) -> Locator:
    visit(page, f"{url}/guide?topic=API")
    form = page.locator(".trace-form")
    expect(form).to_be_visible(timeout=SECONDS)
    return form


def send(form: Locator, button: str = "Send") -> str:
    form.get_by_role("button", name=button, exact=True).click()
    expect(form.get_by_role("status")).not_to_contain_text("Sent", timeout=60_000)
    return form.get_by_role("status").inner_text()


def paste(form: Locator, query: str) -> str:
    if not form.get_by_label("A query as it stands").is_visible():
        form.get_by_text("Paste a query").click()
    form.get_by_label("A query as it stands").fill(query)
    return send(form, "Send the pasted query")


def sent(form: Locator) -> dict:
    return json.loads(form.get_by_role("region", name="The query that is sent").inner_text())


def test_the_fields_are_the_query_and_a_server_with_a_key_asks_for_it(page: Page, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    with serve_app(tmp_path, TRACE_API_KEY="k-1") as url:
        form = guide(page, url)
        form.get_by_label("Example").select_option("One test")
        form.get_by_role("button", name="Add a context").click()
        form.get_by_label("Text of context 2").fill(HTML)
        form.get_by_role("checkbox", name="Relevant: context 2").check()
        form.get_by_label("Relevant ids that were not retrieved").fill("c8\nc9")
        form.locator("label").filter(has_text="context_precision").click()
        query = sent(form)
        assert query["tests"] == ["context_recall", "context_precision"]
        assert query["contexts"][1] == {"id": "c2", "text": HTML}
        assert query["relevant_context_ids"] == ["c1", "c2", "c8", "c9"]
        words = shlex.split(form.get_by_role("region", name="The same in a shell").inner_text())
        assert words[:2] == ["curl", "-s"]
        assert any(word.endswith("/trace") for word in words)
        assert json.loads(json.loads(words[-1])["query"]) == query

        assert "401 refused" in send(form)
        form.get_by_label("API key").fill("k-1")
        assert send(form) == "200 scored"
        assert form.locator(".scores").inner_text().split() == ["context_recall", "0.500", "context_precision", "1.000"]
        assert form.evaluate("form => form.scrollWidth <= form.clientWidth")
        assert "$TRACE_API_KEY" in form.get_by_role("region", name="The same in a shell").inner_text()
        assert "k-1" not in form.inner_text()
        form.get_by_role("button", name="Remove context 1").click()
        assert sent(form)["contexts"] == [{"id": "c2", "text": HTML}]

        assert "400 refused. The label Answer appears twice" in paste(form, TWO_ANSWERS)
        assert sent(form) == {
            "tests": ["context_recall"],
            "contexts": [{"id": "n", "text": "North."}, {"id": "s", "text": "South."}],
            "relevant_context_ids": ["n", "x1"],
        }
        assert send(form) == "200 scored"
        assert form.locator(".scores").inner_text().split() == ["context_recall", "0.500"]
        page.problems.clear()  # the browser itself reports the 401 and the 400
        page.goto("about:blank")
