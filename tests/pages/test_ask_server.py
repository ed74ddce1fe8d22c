"""Servers that die while the dashboard uses them, and come back: what is there stays, and it goes on."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from app_page import AppPage, app_on
from ask_page import FILTER
from browser import free_port
from postgresql_server import PostgreSQL, postgresql
from qdrant_server import running

from trace_core import demo
from trace_core.retrieval import Collections, embedder, open_qdrant
from trace_core.settings import Settings
from trace_core.store.database import Database
from trace_core.store.store import RecordStore

pytestmark = pytest.mark.process
PUMP = "What do I do when the pump is loud?"
TANK = "How much water does the tank hold?"
CHUNKS = "Which chunk size and overlap should I start with?"


@pytest.fixture
def database() -> Iterator[PostgreSQL]:
    """PostgreSQL, started."""
    with postgresql() as server:
        server.start()
        yield server


def fill(qdrant: str) -> None:
    """Put the demo collections into it; their vectors are shipped, no model is loaded."""
    opened = open_qdrant(Settings(QDRANT_URL=qdrant, _env_file=None))
    demo.load_collections(Collections(opened, embedder()))
    opened.close()


def the_rest_works(page: AppPage) -> None:
    assert demo.examples()[0].question in page.text
    assert len(page.shown()) == 4
    page.tab("Score your own").fill("Document 0", "The tank holds 2 litres.").fill("Answer", "The tank holds 2 litres.")
    assert page.press("Score").shown()[-1] == "1.00"


def test_qdrant_does_not_answer_at_first_then_does_is_killed_and_comes_back(tmp_path: Path) -> None:
    """One clear message while it is away, and everything else goes on."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with ExitStack() as first, app_on(tmp_path, QDRANT_URL=url):
        page = AppPage()
        [said] = page.alerts()
        assert f"Qdrant at {url} does not answer." in said
        assert "Check QDRANT_URL and that the server runs" in said
        assert page.find("Your question").disabled
        the_rest_works(page)
        assert page.follow("Collections").alerts() == [said]

        qdrant = first.enter_context(running(port, tmp_path / "points"))
        fill(url)
        page = AppPage().choose("Collection", "rag-handbook").ask(CHUNKS)
        record, scores = page.address["record"], page.shown()
        qdrant.kill()
        qdrant.wait()
        assert page.ask(TANK).alerts() == [said]
        assert page.all("Retry")
        assert CHUNKS in page.text
        assert (page.shown(), page.address["record"]) == (scores, record)
        with running(port, tmp_path / "points"):
            assert page.ask(FILTER).address["record"] not in ("", record)
            assert page.alerts() == []
            assert "documents from rag-handbook" in page.text
            page = AppPage(record=record)
            assert CHUNKS in page.text
            assert page.shown() == scores


def test_postgresql_is_killed_and_comes_back(tmp_path: Path, database: PostgreSQL) -> None:
    with app_on(tmp_path, TRACE_DATABASE_URL=database.url):
        page = AppPage().ask(FILTER)
        kept = [page.address["record"]]
        database.kill()
        page.ask(TANK)
        [said] = page.alerts()
        assert "record" not in page.address
        assert "The database does not work" in said
        assert "Check TRACE_DATABASE_URL" in said
        assert "so a link to it will not work" in said
        assert len(page.shown()) == 4
        assert "Anyone who opens this address" not in page.text
        assert page.choose("Convention", "RAGBench, as released").alerts() == [said]
        database.start()
        kept.append(page.ask(PUMP).address["record"])
        assert page.alerts() == []
        with closing(Database(database.url)) as there:
            found = [RecordStore(there).load(record_id) for record_id in kept]
    assert [record.question if record else None for record in found] == [FILTER, PUMP]
    logged = [json.loads(line)["query"] for line in (tmp_path / "queries.jsonl").read_text("utf-8").splitlines()]
    assert [question for question in logged if question in (FILTER, TANK, PUMP)] == [FILTER, TANK, PUMP]
