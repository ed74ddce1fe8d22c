"""What holds for the embedded Qdrant holds for one across HTTP: these tests are run on both.

The second is the contract stub, not Qdrant: see `tests/qdrant_server.py`.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from qdrant_server import QdrantStub, served

from trace_core.retrieval import Collections, Embedder, close_all, open_qdrant
from trace_core.settings import Settings


@pytest.fixture(params=["embedded", "stub"])
def collections(request: pytest.FixtureRequest, tmp_path: Path, model: Embedder) -> Iterator[Collections]:
    """An empty Qdrant of the test's own."""
    if request.param == "embedded":
        yield Collections(open_qdrant(Settings(TRACE_DATA_DIR=tmp_path, _env_file=None)), model)
        close_all()
        return
    with served(QdrantStub()) as url:
        qdrant = open_qdrant(Settings(QDRANT_URL=url, _env_file=None))
        yield Collections(qdrant, model)
        qdrant.close()
