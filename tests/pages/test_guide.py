"""The Guide: presets, editing, sets, conventions; and in a browser the drawings and the form for POST /trace."""

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from app_page import AppPage, words
from ask_page import SECONDS, visit
from playwright.sync_api import Locator, Page, expect

from trace_core.demo.guide import PRESETS
from trace_core.metrics import CONVENTIONS, METRICS

FIRST = "All four metrics at once"


@pytest.fixture
def example(data: Path) -> AppPage:
    """The first worked example."""
    return AppPage("guide", preset=FIRST)


def cells(page: AppPage, label: str) -> dict[str, str]:
    """Of the metric: convention → the value and its formula."""
    rows = page.table("Metrics under the four conventions, side by side")
    [row] = [row for row in rows if row[0].startswith(label)]
    return dict(zip(CONVENTIONS, row[1:], strict=True))


def venn_words(page: AppPage) -> str:
    return str(page.parts("trace_venn")[0]["words"])


def evidence(page: AppPage) -> list[dict]:
    """The document sentences."""
    return [s for document in page.parts("trace_evidence")[0]["documents"] for s in document["sentences"]]


# ---- the presets --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "three"),
    [
        ("From sentences to scores", ["1.00", "1.00", "0.00"]),
        ("Counting relevant sentences", ["0.67", "0.67", "undefined"]),
        ("Nothing relevant", ["0.00", "1.00", "0.00"]),
        ("A judge that contradicts itself", ["1.00", "0.67", "0.00"]),
        ("Utilization above relevance", ["1.00", "1.00", "0.00"]),
    ],
)
def test_every_preset_has_its_figures(example: AppPage, preset: str, three: Sequence[str]) -> None:
    assert example.choose("Worked examples", preset).shown()[1:] == three


def test_an_address_names_an_example(example: AppPage) -> None:
    assert "Edit anything, and every number follows." in example.text
    assert example.shown()[1:] == ["0.75", "0.75", "0.00"]


def test_where_a_source_prints_something_else_is_said(example: AppPage) -> None:
    assert [one.slip for one in PRESETS.values() if one.slip and " ".join(one.slip.split()) not in example.text] == []


def test_the_guide_says_of_each_metric_what_it_is(data: Path) -> None:
    text = AppPage("guide").text
    for metric in METRICS.values():
        wanted = (metric.question, metric.description, metric.source, metric.limits, *metric.fixes, metric.reference)
        assert [word for word in wanted if word not in text] == []


def test_each_part_of_the_guide_has_its_address(data: Path) -> None:
    page = AppPage("guide").tab("API")
    assert page.address["topic"] == "API"
    assert AppPage("guide", **page.address).parts("trace_form")


# ---- editing ------------------------------------------------------------------------------------


def test_every_metric_stands_under_every_convention_with_its_formula(example: AppPage) -> None:
    heads = [words(head) for head in example.app.table[0].value.columns]
    assert heads == [" ", *(convention.label for convention in CONVENTIONS.values())]
    for label, filled in (
        ("Context relevance", ("0.20 = min(1, 4 ÷ 20)", "0.67 = 4 ÷ 6", "0.67 = 4 ÷ 6", "0.56 = 20 ÷ 36")),
        ("Adherence", ("2 of 3 fully supported", "1 of 3 unsupported", "0.67 = 2 ÷ 3", "2 of 3 fully supported")),
        ("Balance", ("0.333 high", "0.291 moderate inconsistency", "0.091 perfectly balanced", "0.275 moderate")),
    ):
        for cell, text in zip(cells(example, label).values(), filled, strict=True):
            assert text in cell


def test_labels_change_every_number_until_one_starts_over(example: AppPage) -> None:
    page = example.fill("Utilized keys", "0b, 0c, 1a, 1b")
    assert page.shown()[1:] == ["1.00", "1.00", "0.00"]
    assert "4 both, 0 relevant only" in venn_words(page)
    assert not any(sentence["missed"] for sentence in evidence(page))
    assert cells(page, "Context utilization")["ragbench"] == "0.67 = 4 ÷ 6"
    page.choose("c: fully supported?", "not labeled")
    assert page.shown()[1:] == ["1.00", "1.00", "undefined"]
    assert cells(page, "Adherence")["trace"] == "undefined: unlabeled"
    page.fill("Relevant keys", "0B., 0c and 1a, 9z")
    assert "all_relevant_sentence_keys: '0B.' read as 0b" in page.text
    assert "0.15" in cells(page, "Context relevance")["trace"]
    assert page.press("Start over").shown()[1:] == ["0.75", "0.75", "0.00"]


def test_texts_change_every_number(example: AppPage) -> None:
    page = example.press("Add a document").fill("Document 2", "A new one. It has two sentences.")
    assert "Of 8 document sentences" in venn_words(page)
    assert cells(page, "Context relevance")["ragbench"] == "0.50 = 4 ÷ 8"
    page.fill("Answer", "Only one sentence is left.")
    assert len(page.parts("trace_evidence")[0]["response"]) == 1
    assert page.shown()[1:] == ["0.75", "0.75", "1.00"]
    assert "Of 6 document sentences" in venn_words(page.press("Remove the last"))


def test_what_was_edited_outlives_another_page(example: AppPage) -> None:
    page = example.fill("Utilized keys", "0b")
    assert page.shown()[1] == "0.25"
    assert page.follow("Ask").follow("Guide").tab("Try it").shown()[1] == "0.25"


# ---- in a browser -------------------------------------------------------------------------------

VALUES = ".trace-scorecard .card:not([aria-label='Context relevance']) .value"
"""Of utilization, completeness and adherence; relevance is a count of sentences."""


@pytest.mark.browser
def test_an_example_is_drawn_with_the_whole_app_around_it(page: Page, app: str) -> None:
    visit(page, f"{app}/guide?preset={FIRST.replace(' ', '+')}")  # the first visit of all
    expect(page.get_by_role("tab", name="Try it")).to_have_attribute("aria-selected", "true", timeout=SECONDS)
    expect(page.get_by_role("link", name="Ask", exact=True)).to_be_visible()
    expect(page.locator(VALUES)).to_have_text(["0.75", "0.75", "0.00"])
    derived = page.locator(".trace-scorecard .derived dd:not(.about)")
    expect(derived).to_have_text(["0.333 around an average of 0.42"])
    expect(page.locator(".trace-scorecard .filled").first).to_have_text("relevant, in 2 of 2 documents; ÷ 20 = 0.20")
    expect(page.locator(".trace-evidence .documents .sentence")).to_have_count(6)
    drawing = page.get_by_role("img", name="Relevant and utilized sentences")
    expect(drawing).to_be_visible()
    expect(drawing).to_have_accessible_name(
        "Relevant and utilized sentences Of 6 document sentences, 4 are relevant (R) and 3 utilized (U): "
        "3 both, 1 relevant only, 0 utilized only, 2 neither."
    )
    expect(drawing.locator("text.keys")).to_have_text(["1b", "0b 0c 1a"])


@pytest.mark.browser
def test_an_example_follows_what_is_typed_without_a_key_to_end_it(page: Page, app: str) -> None:
    visit(page, f"{app}/guide?preset={FIRST.replace(' ', '+')}")
    page.get_by_role("tab", name="Labels").click()
    page.get_by_role("textbox", name="Utilized keys", exact=True).fill("0b, 0c, 1a, 1b")
    expect(page.locator(VALUES)).to_have_text(["1.00", "1.00", "0.00"])
    expect(page.locator(".trace-venn svg desc")).to_contain_text("4 both, 0 relevant only")


HTML = "<b>$x$</b>"
TWO_ANSWERS = "Tests: context recall\nContexts:\n[n] North.\n[s] South.\nRelevant: n, x1\nAnswer: Oslo.\nAnswer: Rome."


@pytest.fixture
def form(page: Page, dashboards: Mapping[str, Any]) -> Locator:
    """The form for POST /trace on a phone, of a server that asks for a key."""
    page.set_viewport_size({"width": 390, "height": 800})
    visit(page, f"{dashboards['keyed'].url}/guide?topic=API")
    form = page.locator(".trace-form")
    expect(form).to_be_visible(timeout=SECONDS)
    return form


def send(form: Locator, button: str = "Send") -> str:
    form.get_by_role("button", name=button, exact=True).click()
    expect(form.get_by_role("status")).not_to_contain_text("Sent", timeout=60_000)
    return form.get_by_role("status").inner_text()


def paste(form: Locator, query: str) -> str:
    if not form.get_by_label("A query that you have").is_visible():
        form.get_by_text("Paste a query").click()
    form.get_by_label("A query that you have").fill(query)
    return send(form, "Send the pasted query")


def sent(form: Locator) -> dict:
    return json.loads(form.get_by_role("region", name="The query that is sent").inner_text())


@pytest.mark.browser
def test_the_fields_are_the_query_in_json_and_in_a_shell(form: Locator) -> None:
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
    form.get_by_role("button", name="Remove context 1").click()
    assert sent(form)["contexts"] == [{"id": "c2", "text": HTML}]


@pytest.mark.browser
def test_a_server_with_a_key_asks_for_it_and_shows_it_nowhere(page: Page, form: Locator) -> None:
    form.get_by_label("Example").select_option("One test")
    form.get_by_label("Relevant ids that were not retrieved").fill("c8")
    form.locator("label").filter(has_text="context_precision").click()
    assert "401 refused" in send(form)
    form.get_by_label("API key").fill("k-1")
    assert send(form) == "200 scored"
    assert form.locator(".scores").inner_text().split() == ["context_recall", "0.500", "context_precision", "1.000"]
    assert form.evaluate("form => form.scrollWidth <= form.clientWidth")
    assert "$TRACE_API_KEY" in form.get_by_role("region", name="The same in a shell").inner_text()
    assert "k-1" not in form.inner_text()
    page.problems.clear()  # the browser itself reports the 401
    page.goto("about:blank")


@pytest.mark.browser
def test_a_query_that_is_pasted_fills_the_fields(page: Page, form: Locator) -> None:
    form.get_by_label("API key").fill("k-1")
    assert "400 refused. The label Answer appears twice" in paste(form, TWO_ANSWERS)
    assert sent(form) == {
        "tests": ["context_recall"],
        "contexts": [{"id": "n", "text": "North."}, {"id": "s", "text": "South."}],
        "relevant_context_ids": ["n", "x1"],
    }
    assert send(form) == "200 scored"
    assert form.locator(".scores").inner_text().split() == ["context_recall", "0.500"]
    page.problems.clear()  # the browser itself reports the 400
    page.goto("about:blank")
