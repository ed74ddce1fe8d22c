"""The form on the Guide page: it sends a query to POST /trace, and shows the reply and the shell's line."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from ask_page import SECONDS, serve_app, visit
from playwright.sync_api import Locator, Page, expect

from trace_core.endpoint.examples import PLAIN

pytestmark = pytest.mark.browser


def guide(page: Page, url: str) -> Locator:
    visit(page, f"{url}/guide")
    form = page.locator(".trace-form")
    expect(form).to_be_visible(timeout=SECONDS)
    return form


def send(form: Locator, query: str) -> str:
    form.get_by_role("textbox", name="Query").fill(query)
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("status")).not_to_contain_text("Sent", timeout=60_000)
    return form.get_by_role("status").inner_text()


def reply(form: Locator) -> dict:
    return json.loads(form.get_by_role("region", name="Reply").inner_text())


def test_a_query_is_sent_and_the_reply_shown(page: Page, app: str) -> None:
    form = guide(page, app)
    contexts = [{"id": "1", "text": "<b>$x$</b>"}]
    query = json.dumps({"tests": ["context_recall"], "contexts": contexts, "relevant_context_ids": ["1", "2"]})
    assert send(form, query) == "200 understood"
    assert reply(form)["evaluation_scores"] == {"context_recall": 1 / 2}
    assert reply(form)["provided_parameters"]["contexts"] == [{"id": "1", "text": "<b>$x$</b>"}]

    page.problems.clear()
    assert send(form, "what?") == "400 refused"
    assert "neither JSON nor plain language" in reply(form)["detail"]
    page.problems.clear()  # the browser itself reports the 400

    form.get_by_role("combobox", name="Example").select_option("Plain language")
    words = shlex.split(form.get_by_role("region", name="The same in a shell").inner_text())
    assert words[:2] == ["curl", "-s"]
    assert words[2].endswith("/trace")
    assert json.loads(words[-1]) == {"query": PLAIN}


def test_a_server_with_a_key_asks_for_it(page: Page, tmp_path: Path) -> None:
    with serve_app(tmp_path, TRACE_API_KEY="k-1") as url:
        form = guide(page, url)
        query = json.dumps({"tests": ["context_recall"], "contexts": ["a"], "relevant_context_ids": ["1"]})
        assert send(form, query) == "401 refused"
        form.get_by_label("API key").fill("k-1")
        assert send(form, query) == "200 understood"
        assert "$TRACE_API_KEY" in form.get_by_role("region", name="The same in a shell").inner_text()
        assert "k-1" not in form.inner_text()
        page.problems.clear()  # the browser itself reports the 401
        page.goto("about:blank")
