"""The processing of one row of a run. Rows and configuration are plain data, so that any process can do it."""

import logging
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from trace_core.answering import Answerer, make_answerer
from trace_core.datasets import Item
from trace_core.datasets.rows import RECORDED
from trace_core.errors import SettingsError
from trace_core.facts.records import Failure, Record
from trace_core.labeling import Labeler, make_labeler
from trace_core.llm import Llm, has_llm, llm_from
from trace_core.metrics import Scoring
from trace_core.pipeline import Search, complete, default_answerer, needs_llm, retrieve
from trace_core.retrieval import Collections, embedder, open_qdrant
from trace_core.runs.files.row_records import expecting, scores_record, to_record
from trace_core.settings import Settings

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
