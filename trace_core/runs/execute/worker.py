"""The processing of the rows of a run, in threads of this process or on a Dask cluster. Rows and configuration are
plain data, so that any process can do it; the records go back to the one that executes the run, which stores them."""

import json
import logging
import traceback
from collections.abc import Callable, Mapping
from concurrent import futures
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib import import_module
from socket import create_connection
from typing import Any
from urllib.parse import urlsplit

from trace_core.answering import Answerer, make_answerer
from trace_core.datasets import Item
from trace_core.datasets.rows import RECORDED
from trace_core.errors import SettingsError
from trace_core.facts.records import Failure, Record
from trace_core.labeling import Labeler, make_labeler
from trace_core.labeling.local.labeler import LocalLabeler
from trace_core.llm import Llm, has_llm, llm_from
from trace_core.metrics import Scoring
from trace_core.models.onnx import threads
from trace_core.pipeline import Search, complete, default_answerer, needs_llm, retrieve
from trace_core.retrieval import Collections, embedder, open_qdrant
from trace_core.runs.files.row_records import expecting, scores_record, to_record
from trace_core.settings import Settings, load

JOIN_SECONDS = 10
"""How long a scheduler may take to answer."""
HERE = "127.0.0.1:0"  # any port, for this machine alone: by default Dask serves to all
DASK_THREADS = 32  # of one process, as judge calls mostly wait
_log = logging.getLogger(__name__)

OpenCollections = Callable[[], Collections]


class Postponement(Exception):
    """No further call is made, as the budget is spent or the run was stopped: the row is left for later."""


@dataclass(frozen=True, slots=True)
class Job:
    """One row: its position in the run, its record's id, its fields."""

    position: int
    record_id: str
    row: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Worker:
    """Makes a record from a row. `config` is the run's. As thread-safe as its parts."""

    config: Mapping[str, Any]
    labeler: Labeler | None
    answerer: Answerer | None = None
    collections: OpenCollections | None = None
    llm: Llm | None = None

    @property
    def computes(self) -> bool:
        """Whether processors label its records, and it waits for no server."""
        return self.llm is None and isinstance(self.labeler, LocalLabeler)

    def __call__(self, job: Job) -> Record:
        """The finished record, or a failed one that gives the reason. Raises `Postponement`."""
        row = Item.model_validate(job.row)
        scoring = Scoring.of_run(self.config)
        if row.kind == "scores":  # nothing to label
            return expecting(scores_record(row, job.record_id, scoring.convention), row)
        find = None if row.has_documents else partial(self._retrieve, row)
        record = to_record(row, job.record_id)
        record = complete(record, self.labeler, retrieve=find, answerer=self.answerer, scoring=scoring)
        if record.error and self.llm and self.llm.refusal:
            raise Postponement(self.llm.refusal)
        return expecting(record, row)

    def _retrieve(self, row: Item, record: Record) -> None:
        """Give the record its documents: those that its answer was made from where the row has their ids."""
        collection = self.config.get("collection")
        if self.collections is None or not collection:
            raise SettingsError("The row has no documents, and no collection was named.", "Choose a collection.")
        if row.by_id:
            record.documents = self.collections().documents(collection, row.document_ids or [])
        else:
            search = Search(collection, self.config.get("top_k") or 5, self.config.get("vector"))
            retrieve(record, self.collections(), search)


def failure_of(job: Job, error: BaseException) -> Record:
    """A failed record for a row. The log says where it failed, without texts or keys."""
    question, kind = job.row.get("question"), type(error).__name__
    _log.error("%s at a record of a run:\n%s", kind, "".join(traceback.format_tb(error.__traceback__)))
    hint = "Try it again; if it fails again, report what the server's log says."
    failure = Failure(step="run", message=f"Something unexpected happened ({kind}).", hint=hint)
    return Record(id=job.record_id, question=question if isinstance(question, str) else "", error=failure)


def make_worker(config: Mapping[str, Any], settings: Settings, collections: OpenCollections | None = None) -> Worker:
    """The worker for a run's configuration: `run` is the run's id, `budget` what may be spent, `spent` what has been.
    Raises `SettingsError` for a part that is unavailable or lacks its key."""
    embedding = embedder(settings.embedding_model)
    name = config.get("labeler") or settings.labeler
    answers = config.get("answerer") or default_answerer(settings)
    llm = None
    if needs_llm(name, answers) and has_llm(settings):
        budget = settings.budget if config.get("budget") is None else config["budget"]
        attempt = int(config.get("attempt") or 0)  # of a run that is made again: else it would read its first replies
        llm = llm_from(settings).for_run(config.get("run", ""), budget, config.get("spent", 0.0), attempt)
    labeler = None if name == RECORDED else make_labeler(name, embedding, llm)
    client = collections or cache(lambda: Collections(open_qdrant(settings), embedding))
    return Worker(config, labeler, make_answerer(answers, embedding, llm), client, llm)


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
                "Start it, or correct its address, as in tcp://host:8786.",
            ) from None
        self._pool = self._client.get_executor(pure=False)

    @property
    def is_down(self) -> bool:
        """Whether the client gave up, as it does some seconds after its scheduler ended."""
        return self._client is not None and self._client.status in ("closing", "closed")

    def submit(self, worker: Worker, job: Job) -> futures.Future[Record]:
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


def at_once(settings: Settings, *, computes: bool) -> int:
    """How many records are made at once: where processors of this machine alone label them, no more than these."""
    here = computes and settings.executor == "local"
    return min(settings.concurrency, threads()) if here else settings.concurrency


def work(config: str, job: Job) -> Record:
    """Process one job, in any process."""
    return _worker(config)(job)


@lru_cache(maxsize=4)
def _worker(config: str) -> Worker:
    return make_worker(json.loads(config), load())
