"""Where the rows of a run are processed: threads of this process, or a Dask cluster. The records return to the process
that executes the run; it alone writes them to the store."""

import json
from concurrent import futures
from concurrent.futures import Future
from functools import lru_cache
from importlib import import_module
from socket import create_connection
from typing import Any
from urllib.parse import urlsplit

from trace_core.errors import SettingsError
from trace_core.facts.records import Record
from trace_core.runs.execute.worker import Job, Worker, make_worker
from trace_core.settings import load

JOIN_SECONDS = 10
"""How long a scheduler may take to answer."""
HERE = "127.0.0.1:0"  # any port, for this machine alone: by default Dask serves to all
DASK_THREADS = 32  # of one process, as judge calls mostly wait


class Executor:
    """Takes jobs, returns futures of records: from threads of this process (`local`), a Dask cluster in this process
    (`dask`), or one that is there (its scheduler's address). Raises `SettingsError`. To a cluster only configuration
    and row are sent: the other side makes its worker by its own settings, so no secret leaves here."""

    def __init__(self, where: str, concurrency: int) -> None:
        self._client: Any = None
        self._cluster: Any = None
        if where == "local":
            self._pool: futures.Executor = futures.ThreadPoolExecutor(concurrency, thread_name_prefix="run")
            return
        try:
            dask: Any = import_module("distributed")
        except ImportError:
            raise SettingsError(
                "TRACE_EXECUTOR names Dask, which is not installed.",
                "Install it (pip install -r requirements-cluster.txt), or unset TRACE_EXECUTOR.",
            ) from None
        place = urlsplit(where if "://" in where else f"tcp://{where}")
        try:
            if where != "dask" and place.scheme in ("tcp", "tls", "ws", "wss"):
                # Dask itself waits longer, and reports more than a person can read.
                create_connection((place.hostname, place.port), JOIN_SECONDS).close()
            if where == "dask":
                own = {"threads_per_worker": DASK_THREADS, "dashboard_address": HERE, "worker_dashboard_address": HERE}
                self._cluster = dask.LocalCluster(n_workers=1, processes=False, **own)
            self._client = dask.Client(self._cluster or where, timeout=JOIN_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise SettingsError(
                f"The Dask scheduler that TRACE_EXECUTOR names does not answer ({type(error).__name__}).",
                "Start it, or mend its address, as in tcp://host:8786.",
            ) from None
        self._pool = self._client.get_executor(pure=False)

    @property
    def is_down(self) -> bool:
        """Whether the client gave up, as it does some seconds after its scheduler ended."""
        return self._client is not None and self._client.status in ("closing", "closed")

    def submit(self, worker: Worker, job: Job) -> Future[Record]:
        """Start a job as soon as there is room."""
        if self._client is None:
            return self._pool.submit(worker, job)
        return self._pool.submit(work, json.dumps(dict(worker.config), sort_keys=True), job)

    def close(self) -> None:
        """Start nothing more; wait for the threads' running jobs, and shut a cluster down that was started here."""
        if self._client is None:
            self._pool.shutdown(cancel_futures=True)
            return
        self._pool.shutdown(wait=False)
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def work(config: str, job: Job) -> Record:
    """Process one job, in any process."""
    return _worker(config)(job)


@lru_cache(maxsize=4)
def _worker(config: str) -> Worker:
    return make_worker(json.loads(config), load())
