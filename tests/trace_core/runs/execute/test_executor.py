"""Runs on a real Dask cluster: one started here, and one that is there already."""

import contextlib
import sys

import pytest
from run_examples import Counting, row
from waiting import until

from trace_core import labeling
from trace_core.errors import SettingsError
from trace_core.runs.execute import worker
from trace_core.runs.execute.engine import Engine
from trace_core.runs.execute.worker import HERE
from trace_core.settings import Settings
from trace_core.store.datasets import DatasetStore
from trace_core.store.store import Store

distributed = pytest.importorskip("distributed", reason="distributed is not installed")
ROWS = 24


@pytest.fixture
def labeler(monkeypatch, tmp_path):
    """Registered by name: what travels to a cluster is a name, and the other side makes the labeler."""
    monkeypatch.setenv("TRACE_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    made = Counting(seconds=0.1)
    counting = labeling.LabelerKind("Counting", False, lambda embedder, llm: made)
    monkeypatch.setattr(labeling, "LABELERS", {**labeling.LABELERS, "counting": counting})
    worker._worker.cache_clear()
    yield made
    worker._worker.cache_clear()


def is_run(store, labeler, where, tmp_path):
    """Whether a run there has every record once, from calls side by side."""
    dataset = DatasetStore(store.database).add_dataset("rows", [(f"q{n}", row(n)) for n in range(1, ROWS + 1)])
    settings = Settings(TRACE_DATA_DIR=tmp_path, TRACE_EXECUTOR=where, _env_file=None)
    with contextlib.closing(Engine(Store(store.database), settings)) as engine:
        run = engine.create(dataset, "a run", labeler="counting")
        engine.start(run)
        assert engine.wait(run, 60)
    assert store.load_run(run).counts["scored"] == ROWS
    assert store.columns(run).id.tolist() == [f"q{n}" for n in range(1, ROWS + 1)]
    return len(labeler.calls) == ROWS and labeler.most_at_once > 2


def test_a_cluster_started_here_makes_the_same_run(store, labeler, tmp_path):
    assert is_run(store, labeler, "dask", tmp_path)


def test_a_cluster_that_is_there_is_joined_by_its_address_and_left_running(store, labeler, tmp_path):
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=4, processes=False, dashboard_address=HERE, protocol="tcp", host="127.0.0.1"
    ) as cluster:
        assert is_run(store, labeler, cluster.scheduler_address, tmp_path)
        assert cluster.status.name == "running"


def test_a_scheduler_that_does_not_answer_is_an_error_that_says_what_to_do(monkeypatch):
    monkeypatch.setattr(worker, "JOIN_SECONDS", 0.5)
    with pytest.raises(SettingsError, match="does not answer"):
        worker.Executor("tcp://127.0.0.1:1", 4)


def test_a_scheduler_that_was_restarted_is_joined_again(monkeypatch, store, tmp_path):
    monkeypatch.setattr(worker, "JOIN_SECONDS", 5)

    def cluster(port=0):
        return distributed.LocalCluster(n_workers=0, dashboard_address=HERE, host="127.0.0.1", scheduler_port=port)

    with cluster() as first:
        where = first.scheduler_address
        settings = Settings(TRACE_DATA_DIR=tmp_path, TRACE_EXECUTOR=where, _env_file=None)
        engine = Engine(Store(store.database), settings)
        joined = engine._open_executor()
        assert not joined.is_down
    until(lambda: joined.is_down)
    with cluster(int(where.rpartition(":")[2])):
        again = engine._open_executor()
        assert again is not joined
        assert engine._open_executor() is again
        engine.close()


def test_without_dask_the_error_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SettingsError, match=r"requirements-cluster\.txt"):
        worker.Executor("dask", 4)
