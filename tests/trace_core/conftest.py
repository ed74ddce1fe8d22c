"""The real parts that many tests share."""

import os
from collections.abc import Iterator
from pathlib import Path

import postgresql_server
import pytest
from sqlalchemy import create_engine, text

from trace_core.retrieval import Collections, Embedder, close_all, embedder, open_qdrant
from trace_core.settings import Settings

os.environ["HF_HUB_OFFLINE"] = "1"  # nothing here needs the network


@pytest.fixture(scope="session")
def model() -> Embedder:
    """The packaged embedding model itself, loaded once."""
    return embedder()


@pytest.fixture
def collections(tmp_path: Path, model: Embedder) -> Iterator[Collections]:
    """An empty embedded Qdrant of the test's own."""
    qdrant = open_qdrant(Settings(TRACE_DATA_DIR=tmp_path, _env_file=None))
    yield Collections(qdrant, model)
    close_all()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A real server of its own: the URL of its database."""
    with postgresql_server.postgresql() as server:
        server.start()
        yield server.url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'sub' / 'trace.sqlite'}"
    server = request.getfixturevalue("postgresql")
    engine = create_engine(server)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA IF EXISTS public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return server
