"""The second tab in a browser: score what a person brings, edit it, score again."""

from __future__ import annotations

import pytest
from ask_page import METRICS, opened, rerun, shown, tab, values
from playwright.sync_api import Locator, Page, expect

from trace_core import demo

pytestmark = pytest.mark.browser
HOSTILE = [
    "<script>window.hacked=1</script><img src=x onerror=window.hacked=1> is the first.",
    "It costs $x$ and $$y$$ in **bold** for [you](javascript:window.hacked=1) ] here.",
    "0a. this is no key.",
    "مرحبا بالعالم says the machine.",
]
ANSWER = "It costs $x$ and $$y$$ in **bold**."


@pytest.fixture
def own(page: Page, app: str) -> Page:
    opened(page, app)
    tab(page, "Score your own")
    return page


def field(page: Page, label: str) -> Locator:
    return page.get_by_role("textbox", name=label, exact=True)


def score(page: Page) -> None:
    page.evaluate("document.activeElement?.blur()")  # what was typed last is sent before the button is pressed
    with rerun(page):
        page.get_by_role("button", name="Score", exact=True).click()


def test_a_pasted_answer_is_scored_compared_and_survives_a_reload(
    own: Page,
) -> None:
    expect(shown(own, '[data-testid="stAlert"]')).to_contain_text("Fill in the fields and press Score")
    score(own)
    expect(own.get_by_text("Nothing to score yet. Paste an answer or a document.")).to_be_visible()
    expect(shown(own, ".trace-evidence")).to_have_count(0)
    field(own, "Question").fill("How big is the tank?")
    field(own, "Document 0").fill("The tank holds 2 litres. It is made of glass.")
    field(own, "Answer").fill("The tank holds 2 litres.")
    score(own)
    expect(shown(own, ".trace-scorecard .card .label")).to_have_text(METRICS)
    first = values(own)
    assert first[-1] == "1.00"
    expect(own.get_by_text("Compared with the version before")).to_have_count(0)
    field(own, "Answer").fill("The tank holds 2 litres. Elephants never forget birthdays in Paris.")
    score(own)
    expect(shown(own, ".trace-scorecard .card .value").last).to_have_text("0.00")
    assert own.locator("strong:visible").all_text_contents().count("Elephants never forget birthdays in Paris") == 1
    compared = own.get_by_text("Compared with the version before").inner_text()
    assert "Adherence 1.00 → 0.00 (-1.00)" in compared.replace("−", "-")
    assert "Context relevance 0.05 ·" in compared

    scores = values(own)
    with rerun(own):
        own.reload()
    expect(field(own, "Document 0")).to_have_value("The tank holds 2 litres. It is made of glass.")
    assert values(own) == scores
    with rerun(own):
        field(own, "Question").fill("How big is it?")
        field(own, "Question").press("Control+Enter")
    with rerun(own):
        own.reload()
    expect(field(own, "Question")).to_have_value("How big is it?")
    assert values(own) == scores
    with rerun(own):
        own.get_by_role("link", name="Guide").click()
    with rerun(own):
        own.get_by_role("link", name="Ask").click()
    expect(own.get_by_role("tab", name="Score your own")).to_have_attribute("aria-selected", "true")
    expect(field(own, "Question")).to_have_value("How big is it?")
    assert values(own) == scores


def test_hostile_text_is_shown_as_text_and_of_another_language_is_said_what_to_set(own: Page) -> None:
    text = "\n\n".join(HOSTILE)
    field(own, "Question").fill("What **does** it `cost` in $x$ <b>now</b>?")
    field(own, "Document 0").fill(text)
    field(own, "Answer").fill(ANSWER)
    score(own)
    expect(own.get_by_role("heading", name="What **does** it `cost` in $x$ <b>now</b>?", exact=True)).to_be_visible()
    documents = shown(own, ".trace-evidence .documents")
    while documents.locator(".run").count():
        documents.locator(".run").first.click()
    said = documents.locator(".sentence .text").all_text_contents()
    assert " ".join(" ".join(said).split()) == " ".join(text.split())
    assert shown(own, ".trace-evidence .answer .sentence .text").all_text_contents() == [ANSWER]
    expect(own.locator(".trace-evidence :is(script, img, a, strong, em, b)")).to_have_count(0)
    expect(own.locator("strong:has-text('bold'), .katex")).to_have_count(0)
    assert own.evaluate("window.hacked") is None

    german = "Der Tank fasst zwei Liter, und die Lampe zeigt an, wann er leer ist."
    field(own, "Question").fill("Wie viel fasst der Tank?")
    field(own, "Document 0").fill(german)
    field(own, "Answer").fill(german)
    score(own)
    warning = own.get_by_test_id("stAlert").filter(has_text="These texts are not in English.")
    advice = "Set TRACE_EMBEDDING_MODEL to a multilingual model, and OPENAI_API_KEY"
    expect(warning).to_contain_text(advice)


def test_a_record_opens_in_the_editor(page: Page, app: str) -> None:
    example = demo.examples()[0]
    assert example.response
    opened(page, app)
    scores = values(page)
    with rerun(page):
        page.get_by_role("button", name="Edit and score again").click()
    expect(page.get_by_role("tab", name="Score your own")).to_have_attribute("aria-selected", "true")
    expect(field(page, "Question")).to_have_value(example.question)
    expect(field(page, "Answer")).to_have_value(example.response.text)
    for i, document in enumerate(example.documents):
        expect(field(page, f"Document {i}")).to_have_value(document.text)
    expect(shown(page, ".trace-scorecard .card .value")).to_have_text(scores)
    field(page, "Answer").fill("Nothing.")
    score(page)
    expect(page.get_by_text("Compared with the version before")).to_be_visible()
    tab(page, "Ask a collection")
    expect(page.get_by_role("heading", name=example.question, exact=True)).to_be_visible()
    assert values(page) == scores
