"""Hostile names, questions, documents, answers and reasons on the pages about many records and collections.

Nothing of them runs, nothing is fetched from elsewhere, no Markdown or HTML comes of them, and they can be read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from ask_page import click_row, rerun, serve_app, settled
from playwright.sync_api import Page, expect
from qdrant_client import QdrantClient
from qdrant_client.models import Distance, PointStruct, VectorParams
from run_examples import failed, labeled, row
from run_page import CONFIG, at, url_of

from trace_core.facts.records import Document
from trace_core.store.store import open_store

pytestmark = pytest.mark.browser

TAGS = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><b>tag</b>'
MARKS = "$x^2$ **bold** [link](https://evil.example/a) ![pic](https://evil.example/i.png) :red[red] :material/home:"
ATTACK = f"{TAGS} {MARKS} \u202eright to left\u202c مرحبا \x1b[31m\x07"
"""One line; the last of it are control characters."""
NAME = "$x^2$ __bold__ [link](evil.example) ![pic](evil.png) `code`"
"""A collection's: of the signs that Markdown knows those that Qdrant takes."""
SURROGATE = "\ud800 lone"
SHOWN = f"{TAGS} {MARKS}"
RUNS = ("before", "after")


def hostile(record_id: str, *, second: bool):
    """A record whose every text attacks, with a sentence that was supported before and is not after."""
    made = labeled(record_id, question=ATTACK, response=f"Cats purr. {ATTACK}", second=second)
    documents = [Document(id=ATTACK, rank=1, text=f"Cats purr. {ATTACK}", title=ATTACK)]
    return made.model_copy(update={"documents": [*made.documents, *documents]})


def fill(folder: Path) -> None:
    """Two runs, the later one worse, corrected by somebody with a reason; a collection."""
    store = open_store(url_of(folder)).runs
    config = CONFIG | {"labeler": ATTACK, "collection": ATTACK, "model": [ATTACK]}
    for day, name in enumerate(RUNS, start=1):
        store.create_run(
            ATTACK, config, total=2, status="stopped", run_id=name, note=ATTACK,
            created_at=f"2026-01-0{day}T10:00:00+00:00",
        )  # fmt: skip
        store.save_records(name, [hostile(ATTACK, second=name == "before"), failed("f", ATTACK)])
        open_store(url_of(folder)).corrections.add(
            name, ATTACK, author=ATTACK, sentence_key="a", field="supported", value="fully", reason=ATTACK
        )
    client = QdrantClient(path=str(folder / "qdrant"))
    client.create_collection(NAME, vectors_config=VectorParams(size=384, distance=Distance.COSINE))
    payload = {"text": f"{ATTACK} {ATTACK}", "id": ATTACK, "title": ATTACK, ATTACK: ATTACK}
    client.upsert(NAME, [PointStruct(id=1, vector=[0.1] * 384, payload=payload)])
    client.close()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("data")
    fill(folder)
    with serve_app(folder) as url:
        yield url


@pytest.fixture
def page(page: Page, app: str) -> Iterator[Page]:
    """A page that notes dialogs and requests to other hosts; at the end there were none, and nothing ran."""
    done: list[str] = []
    page.on("dialog", lambda dialog: (done.append(dialog.message), dialog.dismiss()))
    here = urlsplit(app).netloc
    page.on("request", lambda one: urlsplit(one.url).netloc not in ("", here) and done.append(one.url))
    yield page
    assert done == []
    assert page.evaluate("window.hacked") is None
    page.problems[:] = [problem for problem in page.problems if "404" not in problem]


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


@pytest.mark.parametrize("tab", ["Over the run", "Findings", "Usage"])
def test_a_run_and_its_record(page: Page, app: str, tab: str) -> None:
    at(page, f"{app}/runs?{urlencode({'run': 'after', 'record': ATTACK})}", "Runs")
    if tab != "Over the run":
        with rerun(page):
            page.get_by_role("tab", name=tab, exact=True).click()
    can_be_read(page, "h3")  # the run's name
    can_be_read(page, ".trace-evidence .answer .sentence")
    can_be_read(page, ".trace-evidence .documents")
    harmless(page)


def test_a_record_that_is_not_there_is_named_as_text(page: Page, app: str) -> None:
    at(page, f"{app}/runs?{urlencode({'run': ATTACK})}", "Runs")
    can_be_read(page, '[data-testid="stAlert"]', "<b>tag</b>")
    harmless(page)


def test_what_got_worse(page: Page, app: str) -> None:
    at(page, f"{app}/compare?a=before&b=after", "Compare")
    pick_row(page, 1)
    can_be_read(page, "h5")
    can_be_read(page, '[data-testid="stText"]')
    harmless(page)


def test_trends(page: Page, app: str) -> None:
    at(page, f"{app}/trends", "Trends")
    can_be_read(page, "h3")
    expect(page.locator(".js-plotly-plot .xtick").first).to_contain_text("<img src=x")
    harmless(page)


def test_a_review(page: Page, app: str) -> None:
    at(page, f"{app}/review?{urlencode({'run': 'after', 'record': ATTACK})}", "Review")
    with rerun(page):
        page.get_by_label("Your name").fill(TAGS)
        page.get_by_label("Your name").press("Enter")
    can_be_read(page, "h5")
    can_be_read(page, ".trace-evidence .documents")
    page.get_by_text("What people said").click()
    can_be_read(page, '[data-testid="stExpanderDetails"] p')
    harmless(page)


def test_a_collection(page: Page, app: str) -> None:
    at(page, f"{app}/corpus", "Collections")
    can_be_read(page, "td", NAME)
    can_be_read(page, '[data-testid="stCaptionContainer"]')
    can_be_read(page, '[data-testid="stMarkdownContainer"] p')
    harmless(page)


def test_documents_before_they_are_added(page: Page, app: str) -> None:
    at(page, f"{app}/corpus", "Collections")
    with rerun(page):
        page.get_by_role("tab", name="Add documents").click()
    rows = [{"title": ATTACK, "text": ATTACK}, {"title": SURROGATE, "text": SURROGATE}]
    upload(page, "![pic](evil.png)<b>tag<b>$x$.jsonl", rows)
    can_be_read(page, '[data-testid="stMarkdownContainer"] li')
    harmless(page)


def test_a_data_set_before_and_after_it_is_kept(page: Page, app: str) -> None:
    at(page, f"{app}/runs", "Runs")
    with rerun(page):
        page.get_by_role("tab", name="Data sets").click()
    rows = [
        row(1, question=ATTACK, documents=[ATTACK], response=ATTACK, category=ATTACK),
        row(2, question=SURROGATE, documents=[SURROGATE], response=SURROGATE),
        {ATTACK: ATTACK},
    ]
    upload(page, "rows.jsonl", rows)
    expect(page.get_by_text("Of the first")).to_be_visible()
    page.get_by_label("Name of the data set").fill(SHOWN)
    with rerun(page):
        page.get_by_label("Name of the data set").press("Enter")
    with rerun(page):
        page.get_by_role("button", name="Keep this data set").click()
    can_be_read(page, "strong")
    harmless(page)


def upload(page: Page, name: str, rows: list[dict]) -> None:
    """A file of JSON lines; what UTF-8 cannot carry is escaped, as a file may."""
    lines = "\n".join(map(json.dumps, rows)).encode()
    with rerun(page):
        file = {"name": name, "mimeType": "application/x-ndjson", "buffer": lines}
        page.locator('input[type="file"]').first.set_input_files(file)
    settled(page)
