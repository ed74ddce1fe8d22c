"""The real parts that many tests share. Property tests are judged by what they find, not by how fast they are."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

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


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def tool(name):
    """The newest of PostgreSQL's programs of that name, or None."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(debian[-1]) if debian else None)


@pytest.fixture(scope="session")
def postgresql():
    """A real server of its own: the URL of its database."""
    pytest.importorskip("psycopg", reason="psycopg is not installed", exc_type=ImportError)
    if not (tool("initdb") and tool("pg_ctl")):
        pytest.skip("no PostgreSQL: initdb and pg_ctl were not found")
    root, port = os.getuid() == 0, free_port()
    if root and not shutil.which("runuser"):
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")
    # Outside of pytest's own folder, which another run of the tests closes to all but its user.
    folder = Path(tempfile.mkdtemp(prefix="postgresql-"))
    as_owner = ["runuser", "-u", "postgres", "--"] if root else []
    if root:
        shutil.chown(folder, "postgres")
    data = folder / "data"

    def run(*command):
        subprocess.run([*as_owner, *command], check=True, cwd=folder, stdout=subprocess.DEVNULL)

    run(tool("initdb"), "-D", str(data), "-A", "trust", "-U", "owner", "-N")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -k {data} -c fsync=off"
    run(tool("pg_ctl"), "-D", str(data), "-l", str(data / "log"), "-o", options, "-w", "start")
    yield f"postgresql+psycopg://owner:s3cret@127.0.0.1:{port}/postgres"
    run(tool("pg_ctl"), "-D", str(data), "-m", "immediate", "stop")
    shutil.rmtree(folder)


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
