"""Where the rows of a run are processed: threads of this process, or a Dask cluster.

The records return to the process that executes the run; it alone writes them to the store.
"""

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
    """Takes jobs, returns futures of records; by default in threads of this process."""

    def __init__(self, pool: futures.Executor) -> None:
        self._pool = pool

    @property
    def is_down(self) -> bool:
        """Whether it takes no more jobs, through no wish of ours."""
        return False

    def submit(self, worker: Worker, job: Job) -> Future[Record]:
        """Start a job as soon as there is room."""
        return self._pool.submit(worker, job)

    def close(self) -> None:
        """Start nothing more, and wait for the running jobs."""
        self._pool.shutdown(cancel_futures=True)


class Cluster(Executor):
    """A Dask cluster: `dask` starts one in this process, an address joins an existing one. Raises `SettingsError`. Only
    configuration and row are sent: the other side makes its worker by its own settings, so no secret leaves here."""

    def __init__(self, address: str) -> None:
        try:
            dask: Any = import_module("distributed")
        except ImportError:
            raise SettingsError(
                "TRACE_EXECUTOR names Dask, which is not installed.",
                "Install it (pip install -r requirements-cluster.txt), or unset TRACE_EXECUTOR.",
            ) from None
        self._cluster: Any = None
        place = urlsplit(address if "://" in address else f"tcp://{address}")
        try:
            if address != "dask" and place.scheme in ("tcp", "tls", "ws", "wss"):
                # Dask itself waits longer, and reports more than a person can read.
                create_connection((place.hostname, place.port), JOIN_SECONDS).close()
            if address == "dask":
                self._cluster = dask.LocalCluster(
                    n_workers=1,
                    threads_per_worker=DASK_THREADS,
                    processes=False,
                    dashboard_address=HERE,
                    worker_dashboard_address=HERE,
                )
            self._client = dask.Client(self._cluster or address, timeout=JOIN_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise SettingsError(
                f"The Dask scheduler that TRACE_EXECUTOR names does not answer ({type(error).__name__}).",
                "Start it, or mend its address, as in tcp://host:8786.",
            ) from None
        super().__init__(self._client.get_executor(pure=False))

    @property
    def is_down(self) -> bool:
        """Whether the client gave up, as it does some seconds after its scheduler ended."""
        return self._client.status in ("closing", "closed")

    def submit(self, worker: Worker, job: Job) -> Future[Record]:
        """Send the configuration and the row to the cluster."""
        return self._pool.submit(work, json.dumps(dict(worker.config), sort_keys=True), job)

    def close(self) -> None:
        """Disconnect from the cluster; shut it down if it was started here."""
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


def make_executor(executor: str, concurrency: int) -> Executor:
    """`local`, `dask`, or a scheduler's address. Raises `SettingsError`."""
    if executor != "local":
        return Cluster(executor)
    return Executor(futures.ThreadPoolExecutor(concurrency, thread_name_prefix="run"))
