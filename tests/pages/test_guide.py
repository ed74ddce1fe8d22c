"""The Guide page in a browser: presets, editing, sets, conventions, keyboard, looks, hostile text."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from ask_page import choose, settled, tab, visit
from browser import dialogs
from evidence_page import HOSTILE
from playwright.sync_api import Locator, Page, expect

from trace_core.demo.guide import PRESETS
from trace_core.metrics import CONVENTIONS, METRICS

pytestmark = pytest.mark.browser
WIDER = """() => Math.max(...[...document.querySelectorAll('html, body, [data-testid=stMain]')]
    .map((x) => x.scrollWidth - x.clientWidth))"""
TABLE = "Metrics under the four conventions, side by side"


def opened(page: Page, app: str, preset: str = "All four metrics at once") -> Page:
    visit(page, f"{app}/guide?preset={quote(preset)}")
    expect(page.get_by_role("tab", name="Try it")).to_have_attribute("aria-selected", "true", timeout=30_000)
    return page


def pick(page: Page, preset: str) -> None:
    choose(page, "Worked examples", preset)


def values(page: Page) -> Locator:
    """Of utilization, completeness and adherence; relevance is a count of sentences."""
    return page.locator(".trace-scorecard .card:not([aria-label='Context relevance']) .value")


def derived(page: Page) -> Locator:
    return page.locator(".trace-scorecard .derived dd:not(.about)")


def field(page: Page, label: str) -> Locator:
    return page.get_by_role("textbox", name=label, exact=True)


def words(page: Page) -> Locator:
    return page.locator(".trace-venn svg desc")


def cell(page: Page, label: str, convention: str) -> Locator:
    found = page.get_by_role("table", name=TABLE).get_by_role("row", name=label)
    return found.get_by_role("cell").nth(1 + list(CONVENTIONS).index(convention))


# ---- the presets --------------------------------------------------------------------------------


def test_the_walkthrough_has_every_preset_with_its_figures_and_its_slip(page: Page, app: str) -> None:
    opened(page, app)  # the first visit of all: the whole app is around it
    expect(page.get_by_role("link", name="Ask", exact=True)).to_be_visible()
    expect(page.get_by_text("Edit anything, and every number follows.")).to_be_visible()
    expect(values(page)).to_have_text(["0.75", "0.75", "0.00"])
    expect(derived(page)).to_have_text(["0.333 around an average of 0.42"])
    expect(page.locator(".trace-scorecard .filled").first).to_have_text("relevant, in 2 of 2 documents; ÷ 20 = 0.20")
    expect(page.locator(".trace-evidence .documents .sentence")).to_have_count(6)
    drawing = page.get_by_role("img", name="Relevant and utilized sentences")
    expect(drawing).to_be_visible()
    expect(drawing).to_have_accessible_name(
        "Relevant and utilized sentences Of 6 document sentences, 4 are relevant (R) and 3 utilized (U): "
        "3 both, 1 relevant only, 0 utilized only, 2 neither."
    )
    expect(drawing.locator("text.keys")).to_have_text(["1b", "0b 0c 1a"])

    for preset, four in (
        ("From sentences to scores", ["1.00", "1.00", "0.00"]),
        ("Counting relevant sentences", ["0.67", "0.67", "undefined"]),
        ("Nothing relevant", ["0.00", "1.00", "0.00"]),
        ("A judge that contradicts itself", ["1.00", "0.67", "0.00"]),
        ("Utilization above relevance", ["1.00", "1.00", "0.00"]),
    ):
        pick(page, preset)
        expect(values(page)).to_have_text(four)

    page.get_by_text("Where a source prints something else than its formula gives").click()
    slips = page.get_by_test_id("stExpander")
    for one in PRESETS.values():
        if one.slip:
            expect(slips).to_contain_text(one.slip)


def test_each_part_of_the_guide_has_its_address(page: Page, app: str) -> None:
    visit(page, f"{app}/guide")
    text = page.get_by_test_id("stMain").inner_text()
    for metric in METRICS.values():
        wanted = (metric.question, metric.description, metric.source, metric.limits, *metric.fixes, metric.reference)
        assert [word for word in wanted if word not in text] == []
    tab(page, "API")
    assert "topic=API" in page.url
    visit(page, page.url)
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()


def test_labels_and_texts_change_every_number_and_outlive_another_page(page: Page, app: str) -> None:
    opened(page, app)
    table = page.get_by_role("table", name=TABLE)
    expect(table.get_by_role("columnheader")).to_have_text(["", *(c.label for c in CONVENTIONS.values())])
    for label, filled in (
        ("Context relevance", ("0.20 = min(1, 4 ÷ 20)", "0.67 = 4 ÷ 6", "0.67 = 4 ÷ 6", "0.56 = 20 ÷ 36")),
        ("Adherence", ("2 of 3 fully supported", "1 of 3 unsupported", "0.67 = 2 ÷ 3", "2 of 3 fully supported")),
        ("Balance", ("0.333 high", "0.291 moderate inconsistency", "0.091 perfectly balanced", "0.275 moderate")),
    ):
        for convention, text in zip(CONVENTIONS, filled, strict=True):
            expect(cell(page, label, convention)).to_contain_text(text)
    page.get_by_role("tab", name="Labels").click()
    field(page, "Utilized keys").fill("0b, 0c, 1a, 1b")
    expect(values(page)).to_have_text(["1.00", "1.00", "0.00"])
    expect(words(page)).to_contain_text("4 both, 0 relevant only")
    expect(page.locator(".trace-evidence .missed")).to_have_count(0)
    expect(cell(page, "Context utilization", "ragbench")).to_have_text("0.67 = 4 ÷ 6")
    said = page.get_by_role("radiogroup", name="c: fully supported?")
    said.get_by_role("radio", name="not labeled", exact=True).click()
    expect(values(page)).to_have_text(["1.00", "1.00", "undefined"])
    expect(cell(page, "Adherence", "trace")).to_have_text("undefined: unlabeled")
    field(page, "Relevant keys").fill("0B., 0c and 1a, 9z")
    expect(page.get_by_text("all_relevant_sentence_keys: '0B.' read as 0b")).to_be_visible()
    expect(cell(page, "Context relevance", "trace")).to_contain_text("0.15")
    page.get_by_role("button", name="Start over").click()
    expect(values(page)).to_have_text(["0.75", "0.75", "0.00"])

    page.get_by_role("tab", name="Texts").click()
    page.get_by_role("button", name="Add a document").click()
    field(page, "Document 2").fill("A new one. It has two sentences.")
    page.keyboard.press("Control+Enter")
    expect(words(page)).to_contain_text("Of 8 document sentences")
    expect(cell(page, "Context relevance", "ragbench")).to_have_text("0.50 = 4 ÷ 8")
    field(page, "Answer").fill("Only one sentence is left.")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".trace-evidence .answer .sentence")).to_have_count(1)
    expect(values(page)).to_have_text(["0.75", "0.75", "1.00"])
    page.get_by_role("button", name="Remove the last").click()
    expect(words(page)).to_contain_text("Of 6 document sentences")

    page.get_by_role("tab", name="Labels").click()
    field(page, "Utilized keys").fill("0b")
    expect(values(page).first).to_have_text("0.25")
    page.get_by_role("link", name="Ask", exact=True).click()
    expect(page.get_by_role("heading", name="Ask", exact=True)).to_be_visible(timeout=30_000)
    page.get_by_role("link", name="Guide", exact=True).click()
    expect(values(page).first).to_have_text("0.25")


# ---- looks --------------------------------------------------------------------------------------


def test_hostile_text_stays_text(page: Page, app: str) -> None:
    with dialogs(page) as shown:
        opened(page, app, HOSTILE[0])
        for label in ("Question", "Document 0", "Answer"):
            field(page, label).fill(" ".join(HOSTILE[:2]))
            page.keyboard.press("Control+Enter")
        page.get_by_role("tab", name="Labels").click()
        field(page, "Relevant keys").fill(HOSTILE[0])
        expect(page.get_by_text("is not a key here: dropped").first).to_be_visible()
        settled(page)
        text = "".join(page.locator(".trace-evidence .documents .text").all_text_contents())
        assert "<script>window.hacked = true</script>" in text
        assert "$$\\frac{1}{2}$$, **bold**" in text
        expect(page.locator('[data-testid="stMain"] :is(script, .katex, img[src="x"])')).to_have_count(0)
        expect(page.get_by_role("link", name="link", exact=True)).to_have_count(0)
        assert page.evaluate("window.hacked") is None
    assert shown == []
