"""The dashboards that the browser tests share, each started once, when the first test looks at it.

A file of tests names its dashboard, `DASHBOARD = "filled"`, or gets the plain one; files that change
the same things do not share one.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

import hostile_examples
import pytest
import run_page
from app_page import app_on
from ask_page import serve_app
from qdrant_client import QdrantClient, models


class Dashboard(NamedTuple):
    """Where it answers, and the folder that holds its data."""

    url: str
    folder: Path


class Dashboards:
    """The dashboards by name; `env` is what the owner of each has set."""

    env = {  # noqa: RUF012
        "demo": {
            "TRACE_DEMO": "1",
            "OPENAI_API_KEY": "sk-owner",  # at a judge that nobody answers for
            "OPENAI_BASE_URL": "http://127.0.0.1:1/v1",
            "TRACE_LABELER": "gpt",
        },
        "keyed": {"TRACE_API_KEY": "k-1"},
    }

    def __init__(self, make_folder: pytest.TempPathFactory) -> None:
        self._make_folder = make_folder
        self._running = ExitStack()
        self._started: dict[str, Dashboard] = {}

    def __getitem__(self, name: str) -> Dashboard:
        if name not in self._started:
            folder = self._make_folder.mktemp("data")
            prepare(name, folder)
            url = self._running.enter_context(serve_app(folder, **self.env.get(name, {})))
            self._started[name] = Dashboard(url, folder)
        return self._started[name]

    def close(self) -> None:
        self._running.close()


def prepare(name: str, folder: Path) -> None:
    """What is there before the dashboard starts."""
    (folder / "demo-runs-loaded").touch()
    if name == "plain":
        vectors = models.VectorParams(size=384, distance=models.Distance.COSINE)
        with closing(QdrantClient(path=str(folder / "qdrant"))) as client:
            client.create_collection("nothing inside", vectors_config=vectors)
    elif name in ("filled", "runs", "demo"):
        run_page.fill(folder)
    elif name == "hostile":
        hostile_examples.fill(folder)


@pytest.fixture(scope="session")
def dashboards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboards]:
    made = Dashboards(tmp_path_factory)
    yield made
    made.close()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Path]:
    """The data folder of the pages that a test draws without a browser (`AppPage`), with what the file names."""
    name = getattr(request.module, "DATA", "plain")
    folder = tmp_path_factory.mktemp("data")
    prepare(name, folder)
    with app_on(folder, **Dashboards.env.get(name, {})):
        yield folder


@pytest.fixture(scope="module")
def dashboard(dashboards: Dashboards, request: pytest.FixtureRequest) -> Dashboard:
    """The one that the file of the test names."""
    return dashboards[getattr(request.module, "DASHBOARD", "plain")]


@pytest.fixture(scope="module")
def app(dashboard: Dashboard) -> str:
    return dashboard.url


@pytest.fixture(scope="module")
def folder(dashboard: Dashboard) -> Path:
    return dashboard.folder
