"""The real parts that many tests share. Property tests are judged by what they find, not by how fast they are."""

import os
from collections.abc import Iterator
from pathlib import Path

import postgresql_server
import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import create_engine, text

from trace_core.retrieval import Collections, SentenceTransformerEmbedder, close_all, embedder, open_qdrant
from trace_core.settings import Settings

os.environ["HF_HUB_OFFLINE"] = "1"  # nothing here needs the network

settings.register_profile(  # on top of the current one: in CI, hypothesis draws the same examples each time
    "unhurried",
    parent=settings(),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def model() -> SentenceTransformerEmbedder:
    """The packaged embedding model itself, loaded once."""
    return embedder()


@pytest.fixture
def collections(tmp_path: Path, model: SentenceTransformerEmbedder) -> Iterator[Collections]:
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
