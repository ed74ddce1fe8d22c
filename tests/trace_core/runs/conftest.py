import pytest

from trace_core.store.runs import RunStore


@pytest.fixture
def store(request, tmp_path):
    """An empty store of runs in SQLite; for tests that use `url`, in each kind of database."""
    each = "url" in request.fixturenames
    opened = RunStore(request.getfixturevalue("url") if each else f"sqlite:///{tmp_path / 'trace.sqlite'}")
    yield opened
    opened.database.close()
