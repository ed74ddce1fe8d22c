"""Servers that die while the dashboard uses them, and come back: what is there stays, and it goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from ask_page import (
    FILTER,
    SECONDS,
    ask,
    choose,
    heading,
    no_error,
    one_error,
    opened,
    question_box,
    rerun,
    serve_app,
    shown,
    tab,
    values,
)
from browser import free_port
from playwright.sync_api import Page, expect
from postgresql_server import PostgreSQL, postgresql
from qdrant_server import running

from trace_core import demo
from trace_core.retrieval import Collections, embedder, open_qdrant
from trace_core.settings import Settings
from trace_core.store.database import Database
from trace_core.store.store import RecordStore

pytestmark = pytest.mark.browser
PUMP = "What do I do when the pump is loud?"
TANK = "How much water does the tank hold?"
CHUNKS = "Which chunk size and overlap should I start with?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    with postgresql() as made:
        yield made


@pytest.fixture
def database(server: PostgreSQL) -> Iterator[PostgreSQL]:
    """PostgreSQL, started; whatever a test leaves it in."""
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def app(folder: Path, server: PostgreSQL) -> Iterator[str]:
    """The dashboard that keeps its records there."""
    with serve_app(folder, TRACE_DATABASE_URL=server.url) as url:
        yield url


def fill(qdrant: str) -> None:
    """Put the demo collections into it; their vectors are shipped, no model is loaded."""
    opened = open_qdrant(Settings(QDRANT_URL=qdrant, _env_file=None))
    demo.load_collections(Collections(opened, embedder()))
    opened.close()


def ask_in_vain(page: Page, question: str) -> str:
    """Ask, and return the one message that comes in place of an answer."""
    box = question_box(page)
    box.fill(question)
    with rerun(page):
        box.press("Enter")
    expect(page.get_by_role("button", name="Retry")).to_be_visible()
    return one_error(page)


def the_rest_works(page: Page) -> None:
    expect(heading(page, demo.examples()[0].question)).to_be_visible()
    assert values(page)
    tab(page, "Score your own")
    page.get_by_role("textbox", name="Document 0").fill("The tank holds 2 litres.")
    page.get_by_role("textbox", name="Answer").fill("The tank holds 2 litres.")
    page.get_by_role("button", name="Score", exact=True).click()
    expect(shown(page, ".trace-scorecard .card .value").last).to_have_text("1.00", timeout=30_000)


def test_qdrant_does_not_answer_at_first_then_does_is_killed_and_comes_back(page: Page, tmp_path: Path) -> None:
    """One clear message while it is away, and everything else goes on."""
    port = free_port()
    with ExitStack() as first, serve_app(tmp_path, QDRANT_URL=f"http://127.0.0.1:{port}") as url:
        opened(page, url)
        said = one_error(page)
        assert f"Qdrant at http://127.0.0.1:{port} does not answer." in said
        assert "Check QDRANT_URL and that the server runs" in said
        expect(question_box(page)).to_be_disabled()
        the_rest_works(page)
        with rerun(page):
            page.get_by_role("link", name="Collections", exact=True).click()
        assert one_error(page) == said

        qdrant = first.enter_context(running(port, tmp_path / "points"))
        fill(f"http://127.0.0.1:{port}")
        opened(page, url)
        choose(page, "Collection", "rag-handbook")
        record, scores = ask(page, CHUNKS), values(page)
        qdrant.kill()
        qdrant.wait()
        assert ask_in_vain(page, TANK) == said
        expect(heading(page, CHUNKS)).to_be_visible()
        assert values(page) == scores
        assert record in page.url
        with running(port, tmp_path / "points"):
            assert ask(page, FILTER) not in ("", record)
            no_error(page)
            expect(page.get_by_text("documents from rag-handbook")).to_be_visible()
            page.goto(f"{url}/?record={record}")
            expect(heading(page, CHUNKS)).to_be_visible(timeout=SECONDS)
            assert values(page) == scores
            page.goto("about:blank")


def test_postgresql_is_killed_and_comes_back(page: Page, folder: Path, database: PostgreSQL, app: str) -> None:
    opened(page, app)
    kept = [ask(page, FILTER)]
    database.kill()
    assert ask(page, TANK) == ""
    said = one_error(page)
    assert "The database does not work" in said
    assert "Check TRACE_DATABASE_URL" in said
    assert "so a link to it will not work" in said
    assert len(values(page)) == 4
    expect(page.get_by_role("button", name="Link")).to_have_count(0)
    choose(page, "Convention", "RAGBench, as released")
    assert one_error(page) == said
    database.start()
    kept.append(ask(page, PUMP))
    no_error(page)
    with closing(Database(database.url)) as there:
        found = [RecordStore(there).load(record_id) for record_id in kept]
    assert [record.question if record else None for record in found] == [FILTER, PUMP]
    logged = [json.loads(line)["query"] for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
    assert [question for question in logged if question in (FILTER, TANK, PUMP)] == [FILTER, TANK, PUMP]
