"""While a judge is slow its answer is read piece by piece, and Stop and Resume answer at once: of a run, and of golden
questions that are made.
"""

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from app_page import AppPage, app_on
from ask_page import FILTER, SECONDS, open_menu, opened, question_box, rerun, serve_app, settled
from judge_server import MODEL, Answer, Asked, completion, judge_server, streamed
from playwright.sync_api import Page, expect
from run_examples import row, supported
from run_page import at, url_of
from streamlit.testing.v1 import AppTest
from waiting import until

from pages.components.shared import services
from trace_core.store.store import open_store

AT_ONCE = SECONDS // 2
"""Milliseconds. It is a second where nothing else runs; here it is that the judge, twice as long, is not waited for."""
CHUNKS, ROWS, QUICK = 6, 8, 4


def answer(asked: Asked) -> Answer:
    """A question of the chunk's own words, its first sentence as the answer; of a record, that 0a supports all."""
    if "response" in asked.material:
        return completion(supported([key for key, _ in asked.material["response"]]))
    text = asked.material["text"]
    said = {"answer": re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]}
    return completion(said if "question" in asked.material else {"question": text[:300], **said})


class Slow:
    """A judge that answers four calls at once; the others once `go_on` is set. Of the last chunk it answers something
    else again.
    """

    def __init__(self) -> None:
        self.go_on, self.calls, self.url = threading.Event(), 0, ""

    def slow_down(self) -> None:
        """Answer four calls, and let the others wait again."""
        self.calls = 0
        self.go_on.clear()

    def __call__(self, asked: Asked) -> Answer:
        self.calls += 1
        number = self.calls
        if asked.body.get("stream"):
            return streamed("Every <b>two</b> months ", "[0]. $x$ It ", "is made of gold.", wait=0.6)
        if number > QUICK:
            self.go_on.wait(SECONDS / 1000)
        if number >= 2 * CHUNKS and {"question", "text"} <= asked.material.keys():
            return completion({"answer": "Something else."})
        return answer(asked)


@pytest.fixture(scope="module")
def judge() -> Iterator[Slow]:
    slow = Slow()
    with judge_server(slow) as server:
        slow.url = server.url
        yield slow
        slow.go_on.set()


ENV = {"OPENAI_API_KEY": "sk-test-0123456789", "TRACE_MODEL": MODEL, "TRACE_TOP_K": "20", "TRACE_CONCURRENCY": "1"}


@pytest.fixture(scope="module")
def app(judge: Slow, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("data")
    (folder / "demo-runs-loaded").touch()
    with serve_app(folder, OPENAI_BASE_URL=judge.url, **ENV) as url:
        yield url


@pytest.fixture
def data(judge: Slow, tmp_path: Path) -> Iterator[Path]:
    """The folder of a page without a browser, with a data set."""
    judge.slow_down()
    (tmp_path / "demo-runs-loaded").touch()
    rows = [(f"q{n}", row(n)) for n in range(ROWS)]
    open_store(url_of(tmp_path)).datasets.add_dataset("Eight rows", rows, counts={"label": ROWS})
    with app_on(tmp_path, OPENAI_BASE_URL=judge.url, **ENV):
        yield tmp_path


def at_once(page: AppPage, label: str) -> str:
    """Press it; returns what the page says then, at once."""
    began = time.perf_counter()
    page.press(label)
    assert time.perf_counter() - began < AT_ONCE / 1000
    return page.text


@pytest.mark.usefixtures("data")
def test_a_run_says_that_it_was_stopped_and_then_that_it_goes_on(judge: Slow) -> None:
    page = AppPage("runs").press("Start").wait(f"4 of {ROWS} records")
    until(lambda: judge.calls > QUICK)  # the fifth has begun
    assert "You stopped this run." in at_once(page, "Stop")
    assert "What is in progress is finished first: 1 record." in page.text
    judge.go_on.set()
    page.wait(f"You stopped this run. 3 of {ROWS} records remain.")
    assert re.search(rf"\d of {ROWS} records(?! remain)|{ROWS} records · Adherence", at_once(page, "Resume"))
    page.wait(f"{ROWS} records · Adherence", without="Stop")


def draw_progress(run_id: str) -> None:
    from pages.components.runs.progress import show_progress
    from pages.components.shared import services

    show_progress(services.store().runs.load_run(run_id), 3)


@pytest.mark.usefixtures("data")
def test_the_bar_says_as_many_records_as_the_page_shows_not_what_is_done_meanwhile(judge: Slow) -> None:
    page = AppPage("runs").press("Start").wait(f"4 of {ROWS} records")
    [bar] = AppTest.from_function(draw_progress, args=(page.address["run"],), default_timeout=60).run().get("progress")
    assert bar.text.startswith(f"3 of {ROWS} records")
    judge.go_on.set()
    page.wait(f"{ROWS} records · Adherence", without="Stop")


@pytest.mark.usefixtures("data")
def test_questions_are_made_of_a_collection_and_the_table_shows_and_saves_them(judge: Slow) -> None:
    judge.go_on.set()
    page = AppPage("runs", show="Data sets").check("Make them from a collection").choose("From", "espresso-manual")
    page.fill("Chunks to ask about", CHUNKS)
    assert f"{CHUNKS} chunks · {2 * CHUNKS} calls at most" in page.text
    page.press(f"Make up to {CHUNKS} questions")
    assert f"{CHUNKS - 1} questions from {CHUNKS} chunks" in page.text
    assert "Left out: 1 the chunk does not give the answer again." in page.text
    assert page.chosen("Start from") == f"Made from espresso-manual ({CHUNKS - 1} questions)"
    assert f"{CHUNKS - 1} questions are saved" in page.press("Save these questions").text


def test_a_run_that_was_stopped_here_goes_on_in_another_process(tmp_path: Path) -> None:
    (tmp_path / "demo-runs-loaded").touch()
    store = open_store(url_of(tmp_path))
    dataset = store.datasets.add_dataset("Two rows", [(f"q{n}", row(n)) for n in range(2)], counts={"label": 2})
    with app_on(tmp_path):
        run = services.engine().create(dataset, "a run", labeler="local")
        services.engine().start(run)
        assert services.engine().wait(run, 120)
        store.runs.claim(run, "another-host 1 1 token")
        assert "Another process works on this run: 2 of 2 records." in AppPage("runs", run=run).text


@pytest.mark.browser
def test_an_answer_is_read_as_text_while_the_rest_is_being_written(app: str, page: Page, judge: Slow) -> None:
    judge.slow_down()
    opened(page, app)
    box = question_box(page)
    box.fill(FILTER)
    with rerun(page):
        box.press("Enter")
        expect(page.get_by_text("Every <b>two</b> months", exact=False).first).to_be_visible(timeout=SECONDS)
        assert judge.calls == 1
    expect(page.locator(".trace-scorecard:visible")).to_have_count(1)


@pytest.mark.browser
def test_making_questions_is_stopped_at_once_and_asks_nothing_twice(app: str, page: Page, judge: Slow) -> None:
    """A click while the script runs, which AppTest cannot make."""
    judge.slow_down()
    at(page, f"{app}/runs?show=Data+sets", "Runs")
    page.get_by_text("Golden questions", exact=True).click()
    with rerun(page):
        page.get_by_text("Make them from a collection").click()
    with rerun(page):
        open_menu(page.get_by_role("combobox", name="From", exact=True))
        page.get_by_role("option", name="espresso-manual").click()
    with rerun(page):
        page.get_by_role("spinbutton", name="Chunks to ask about").fill(str(CHUNKS))
        page.get_by_role("spinbutton", name="Chunks to ask about").press("Enter")
    make = page.get_by_role("button", name=f"Make up to {CHUNKS} questions")
    make.click()
    expect(page.get_by_text(re.compile(rf"2 of {CHUNKS} chunks · "))).to_be_visible(timeout=SECONDS)
    page.get_by_test_id("stExpanderDetails").get_by_role("button", name="Stop").click()
    expect(page.get_by_text("You stopped it with 4 to go")).to_be_visible(timeout=AT_ONCE)
    settled(page)
    judge.go_on.set()
    assert judge.calls < 2 * CHUNKS
    table = page.get_by_role("combobox", name="Start from")
    expect(table).to_have_value("Made from espresso-manual (2 questions)")
    make.click()
    expect(page.get_by_text(f"{CHUNKS - 1} questions from {CHUNKS} chunks")).to_be_visible(timeout=SECONDS)
    settled(page)
    expect(table).to_have_value(f"Made from espresso-manual ({CHUNKS - 1} questions)")
