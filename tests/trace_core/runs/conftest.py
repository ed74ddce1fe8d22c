import pytest

from trace_core.store.runs import RunStore


@pytest.fixture
def store(tmp_path):
    """An empty store of runs in SQLite."""
    opened = RunStore(f"sqlite:///{tmp_path / 'trace.sqlite'}")
    yield opened
    opened.database.close()
