"""Hostile names, questions, documents, answers and reasons on the pages about many records and collections.

Nothing of them runs, nothing is fetched from elsewhere, no Markdown or HTML comes of them, and they can be read.
"""

import json
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

import pytest
from ask_page import click_row, rerun, settled, tab, visit
from browser import dialogs
from evidence_page import HOSTILE
from hostile_examples import ATTACK, NAME, SHOWN, SURROGATE, TAGS
from playwright.sync_api import Page, Request, expect
from run_examples import row
from run_page import at

pytestmark = pytest.mark.browser
DASHBOARD = "hostile"
CAPTION = '[data-testid="stCaptionContainer"]'


@pytest.fixture
def page(page: Page, app: str) -> Iterator[Page]:
    """A page that notes dialogs and requests to other hosts; at the end there were none, and nothing ran."""
    done: list[str] = []
    here = urlsplit(app).netloc

    def note(request: Request) -> None:
        if urlsplit(request.url).netloc not in ("", here):
            done.append(request.url)

    page.on("request", note)
    with dialogs(page) as shown:
        yield page
    page.remove_listener("request", note)
    assert done + shown == []
    assert page.evaluate("window.hacked") is None


MADE = """() => [...document.querySelectorAll('[data-testid="stApp"] *')].filter(x =>
    (x.matches('img') && /evil|\\/x$/.test(x.src)) ||
    (x.matches('a') && (x.textContent === 'link' || (!/^https:\\/\\/evil/.test(x.textContent) &&
        new URL(x.getAttribute('href') || '', location).host !== location.host))) ||
    (x.matches('b, strong, em') && /^(tag|bold)$/.test(x.textContent)) || x.matches('.katex, script[src*=evil]') ||
    (x.matches('span') && x.textContent === 'red') || (x.matches('script') && /hacked/.test(x.textContent)))
    .map(x => x.outerHTML.slice(0, 200))"""
"""Whatever Markdown or HTML made of a text; but for an address that is a link to itself and says so."""


def harmless(page: Page) -> None:
    """No element came of a text, and no page broke."""
    assert page.evaluate(MADE) == []
    expect(page.get_by_test_id("stException")).to_have_count(0)


def can_be_read(page: Page, selector: str, text: str = SHOWN) -> None:
    expect(page.locator(selector).filter(has_text=text).first).to_be_visible()


def pick_row(page: Page, place: int = 0) -> None:
    """Pick the first row of that table."""
    with rerun(page):
        click_row(page.get_by_test_id("stDataFrame").nth(place), 1, left=15)


def test_the_check_finds_what_markdown_and_html_make(page: Page) -> None:
    """A check that finds nothing anywhere would pass for a good one."""
    made = '<b>tag</b><img src="data:,evil"><a href="data:,evil">link</a><span>red</span><i class="katex"></i>'
    page.set_content(f'<div data-testid="stApp">{made}<script>// hacked</script></div>')
    assert len(page.evaluate(MADE)) == 6


def test_the_list_of_runs(page: Page, app: str) -> None:
    at(page, f"{app}/runs", "Runs")
    pick_row(page)
    can_be_read(page, "strong")
    harmless(page)


def test_runs_over_time(page: Page, app: str) -> None:
    at(page, f"{app}/runs?show=Over+time", "Runs")
    can_be_read(page, CAPTION)
    harmless(page)


def test_a_data_set_before_and_after_it_is_saved(page: Page, app: str) -> None:
    at(page, f"{app}/runs?show=Data+sets", "Runs")
    rows = [
        row(1, question=ATTACK, documents=[ATTACK], response=ATTACK, category=ATTACK),
        row(2, question=SURROGATE, documents=[SURROGATE], response=SURROGATE),
        {ATTACK: ATTACK},
    ]
    upload(page, "rows.jsonl", rows)
    expect(page.get_by_role("button", name="Save this data set")).to_be_visible()
    page.get_by_label("Name of the data set").fill(SHOWN)
    with rerun(page):
        page.get_by_label("Name of the data set").press("Enter")
    with rerun(page):
        page.get_by_role("button", name="Save this data set").click()
    can_be_read(page, "strong")
    harmless(page)


def test_a_run_and_its_record(page: Page, app: str) -> None:
    visit(page, f"{app}/runs?run=after")
    for name in ("Records", "Findings", "Export"):
        if name != "Records":
            tab(page, name)
        can_be_read(page, "h1")
        harmless(page)
    tab(page, "Records")
    can_be_read(page, ".trace-records .question")
    visit(page, f"{app}/runs?{urlencode({'run': 'after', 'record': ATTACK})}")
    can_be_read(page, ".trace-evidence .answer .sentence")
    can_be_read(page, ".trace-evidence .documents")
    harmless(page)


def test_a_record_that_is_not_there_is_named_as_text(page: Page, app: str) -> None:
    visit(page, f"{app}/runs?{urlencode({'run': ATTACK})}")
    can_be_read(page, '[data-testid="stAlert"]', "<b>tag</b>")
    harmless(page)


def test_what_got_worse(page: Page, app: str) -> None:
    at(page, f"{app}/runs?show=Compare&a=before&b=after", "Runs")
    pick_row(page, 1)
    can_be_read(page, "h2")
    can_be_read(page, '.st-key-side-by-side [data-testid="stMarkdownContainer"] p')
    harmless(page)


def test_a_review(page: Page, app: str) -> None:
    at(page, f"{app}/review?{urlencode({'run': 'after', 'record': ATTACK})}", "Review")
    with rerun(page):
        page.get_by_label("Your name").fill(TAGS)
        page.get_by_label("Your name").press("Enter")
    can_be_read(page, "h2")
    can_be_read(page, ".trace-evidence .documents")
    page.get_by_text("Corrections so far").click()
    can_be_read(page, '[data-testid="stExpanderDetails"] p')
    harmless(page)


def test_a_collection(page: Page, app: str) -> None:
    at(page, f"{app}/corpus?{urlencode({'collection': NAME})}", "Collections")
    can_be_read(page, "h2")
    can_be_read(page, '[data-testid="stMarkdownContainer"] p')
    harmless(page)


def test_documents_before_they_are_added(page: Page, app: str) -> None:
    at(page, f"{app}/corpus", "Collections")
    tab(page, "Add documents")
    rows = [{"title": ATTACK, "text": ATTACK}, {"title": SURROGATE, "text": SURROGATE}]
    upload(page, "![pic](evil.png)<b>tag<b>$x$.jsonl", rows)
    can_be_read(page, '[data-testid="stMarkdownContainer"] li')
    harmless(page)


def test_what_a_person_types_and_scores(page: Page, app: str) -> None:
    question, answer = "What **does** it `cost` in $x$ <b>now</b>?", "It costs $x$ and $$y$$ in **bold**."
    visit(page, f"{app}/?view=Score+your+own")
    for label, text in (("Question", question), ("Document 0", "\n\n".join(HOSTILE[:4])), ("Answer", answer)):
        page.get_by_role("textbox", name=label, exact=True).fill(text)
    page.evaluate("document.activeElement?.blur()")  # what was typed last is sent before the button is pressed
    with rerun(page):
        page.get_by_role("button", name="Score", exact=True).click()
    expect(page.get_by_role("heading", name=question, exact=True)).to_be_visible()
    documents = page.locator(".trace-evidence:visible .documents")
    while documents.locator(".run").count():
        documents.locator(".run").first.click()
    said = documents.locator(".sentence .text").all_text_contents()
    assert " ".join(" ".join(said).split()) == " ".join(" ".join(HOSTILE[:4]).split())
    assert page.locator(".trace-evidence .answer .sentence .text").all_text_contents() == [answer]
    expect(page.locator(".trace-evidence :is(script, img, a, strong, em, b)")).to_have_count(0)
    harmless(page)


def test_a_worked_example_that_is_edited(page: Page, app: str) -> None:
    visit(page, f"{app}/guide?{urlencode({'preset': HOSTILE[0]})}")
    for label in ("Question", "Document 0", "Answer"):
        page.get_by_role("textbox", name=label, exact=True).fill(" ".join(HOSTILE[:2]))
        page.keyboard.press("Control+Enter")
    page.get_by_role("tab", name="Labels").click()
    page.get_by_role("textbox", name="Relevant keys", exact=True).fill(HOSTILE[0])
    expect(page.get_by_text("is not a key here: dropped").first).to_be_visible()
    settled(page)
    text = "".join(page.locator(".trace-evidence .documents .text").all_text_contents())
    assert "<script>window.hacked = true</script>" in text
    assert "$$\\frac{1}{2}$$, **bold**" in text
    harmless(page)


def upload(page: Page, name: str, rows: list[dict]) -> None:
    """A file of JSON lines; what UTF-8 cannot carry is escaped, as a file may."""
    lines = "\n".join(map(json.dumps, rows)).encode()
    with rerun(page):
        file = {"name": name, "mimeType": "application/x-ndjson", "buffer": lines}
        page.locator('input[type="file"]').first.set_input_files(file)
    settled(page)
