"""The engine that executes runs: one per process, independent of any page, so that a closed tab stops nothing. A
process that dies loses only the rows in flight: another engine finds the run (`recover`) and resumes it (`start`)."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from trace_core.datasets import Item
from trace_core.errors import RunTaken, SettingsError, StoreError
from trace_core.labeling import LABELERS
from trace_core.llm.usage import Usage, charge_of
from trace_core.metrics import check_convention
from trace_core.pipeline import default_answerer
from trace_core.runs.execute.attempt import Attempt, usage_of
from trace_core.runs.execute.worker import Executor, Job, OpenCollections, Worker, make_worker
from trace_core.runs.lease import is_dead, new_owner
from trace_core.runs.progress import Meter, Progress
from trace_core.settings import Settings
from trace_core.store.query_log import QueryLog
from trace_core.store.runs import Run
from trace_core.store.store import Store
from trace_core.summary.statistics import SEED


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChoices:
    """What is chosen for a run, else the settings'. Rows without an answer are left out unless they are to `answer`;
    `left_out` is how many rows of its file could not be used."""

    labeler: str | None = None
    collection: str | None = None
    vector: str | None = None
    top_k: int | None = None
    convention: str | None = None
    budget: float | None = None
    answer: bool = False
    left_out: int = 0

    def config(self, settings: Settings) -> dict[str, Any]:
        """The run's configuration for files: everything that determines its records, and no secrets."""
        labeler, top_k = self.labeler or settings.labeler, self.top_k or settings.top_k
        return {
            "settings": settings.public() | {"top_k": top_k},
            "prompt": LABELERS[labeler].prompt if labeler in LABELERS else None,
            "answerer": default_answerer(settings),
            "seed": SEED,
            **asdict(self),
            "labeler": labeler,
            "top_k": top_k,
            "convention": self.convention or settings.convention,
            "budget": settings.budget if self.budget is None else self.budget,
        }


class Engine:
    """Starts, stops and resumes runs; thread-safe. Nothing is lost by `close` or by the end of the process.
    `collections` is the process's own, if it has one; `worker_of` makes the worker of a configuration."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        collections: OpenCollections | None = None,
        worker_of: Callable[[Mapping[str, Any]], Worker] | None = None,
        log: QueryLog | None = None,
    ) -> None:
        self.store, self.settings, self._log, self._owner = store, settings, log, new_owner()
        self._worker_of = worker_of or (lambda config: make_worker(config, settings, collections))
        self._lock = threading.RLock()
        self._executor: Executor | None = None
        self._attempts: dict[str, Attempt] = {}

    def create(self, dataset_id: str, name: str, *, note: str = "", **choices: Any) -> str:
        """Create a pending run over a data set; `choices` are those of `RunChoices`. Raises `UnknownRun`, and
        `SettingsError` for an unavailable part."""
        config = RunChoices(**choices).config(self.settings)
        check_convention(config["convention"])
        dataset = self.store.datasets.load_dataset(dataset_id)
        total = dataset.total - (0 if config["answer"] else dataset.counts.get("unanswered", 0))
        if dataset.total and not total:
            raise SettingsError("No row has an answer.", "Choose to have them answered.")
        return self._create(name, config, total=total, dataset_id=dataset_id, note=note)

    def create_again(self, run_id: str, name: str) -> str:
        """Create a pending run over the same rows with the same configuration; no model's reply comes from the cache.
        Raises `UnknownRun`, `StoreError` for a run without its data set, `SettingsError` for an unavailable part."""
        first = self.store.runs.load_run(run_id)
        if not first.dataset_id:
            raise StoreError("The run has no data set to repeat it with.", "It was imported: make a new run.")
        attempt = 1 + sum(run.config.get("repeats") == run_id for run in self.store.runs.list_runs())
        config = first.config | {"repeats": run_id, "attempt": attempt}
        return self._create(name, config, total=first.counts["total"], dataset_id=first.dataset_id)

    def _create(self, name: str, config: dict[str, Any], **columns: Any) -> str:
        labeler = self._worker_of(config).labeler  # what is unavailable is reported before the run exists
        with self._lock:
            self._open_executor()
        versions = {"model": [labeler.version] if labeler else []}
        return self.store.runs.create_run(name, config | versions, **columns)

    def start(
        self, run_id: str, *, failed: bool = False, only: Collection[str] | None = None, budget: float | None = None
    ) -> None:
        """Start or resume the rows without a record; with `failed`, those whose record failed, or `only` these of them.
        Where every record failed, all are made again. A `budget` replaces the run's. Raises `UnknownRun`, `RunTaken`
        where it is running, `StoreError` where it has no data set, `SettingsError` for an unavailable part."""
        with self._lock:
            if self._is_running(run_id):
                raise RunTaken("The run is running.", "Wait for it, or stop it.")
            run = self.store.runs.load_run(run_id)
            if not run.dataset_id:
                raise StoreError("The run has no data set to continue with.", "It was imported: make a new run.")
            budget = run.config.get("budget") if budget is None else budget
            worker = self._worker_of(run.config | {"run": run.id, "budget": budget, "spent": charge_of(run.usage)})
            executor = self._open_executor()
            previous = run.owner if run.owner and (run.owner == self._owner or is_dead(run, self._owner)) else None
            self.store.runs.claim(run_id, self._owner, previous=previous)
            backlog = list(self._attempts[run_id].backlog) if run_id in self._attempts else []
            total, pending, failures = (run.counts[name] for name in ("total", "pending", "failed"))
            anew = not failed and total - pending == failures > 0
            if anew:
                pending, failures = total, 0
            jobs = self._jobs(run, (True, False) if anew else (failed,), only, {job.record_id for job, _ in backlog})
            to_do = pending if not failed else failures if only is None else len(only)
            extra = self._count_lost_calls(run, worker, usage_of(record for _, record in backlog))
            attempt = Attempt(
                run.id,
                self._owner,
                self.store,
                self.settings,
                executor,
                worker,
                jobs,
                Meter(Progress(total, total - pending, failures), to_do),
                replaces=failed,
                budget=budget,
                charge=charge_of(run.usage) + extra,
                backlog=backlog,
                log=self._log,
            )
            self._attempts[run_id] = attempt
            attempt.thread.start()

    def stop(self, run_id: str) -> None:
        """Start no further row; rows in flight are finished and stored, or left for later. Returns at once."""
        with self._lock:
            if self._is_running(run_id):
                self._attempts[run_id].stop()

    def wait(self, run_id: str, timeout: float | None = None) -> bool:
        """Wait for this process's work on the run to end; returns whether it has ended."""
        if run_id in self._attempts:
            self._attempts[run_id].thread.join(timeout)
        return not self._is_running(run_id)

    def progress(self, run_id: str) -> Progress | None:
        """The progress of this process's latest attempt; `None` where there was none."""
        attempt = self._attempts.get(run_id)
        return attempt.meter.now() if attempt else None

    def recover(self) -> list[str]:
        """Mark the runs whose owner is gone as `interrupted`, and return their ids. Cheap enough for every page.
        Remains of dead imports are deleted; runs whose final status this engine could not write get it now."""
        ids = []
        for run in self.store.runs.running():
            if run.importing:
                with suppress(StoreError):  # another process was faster, or is writing: a later call deletes it
                    if is_dead(run):
                        self.store.runs.delete_run(run.id, owner=run.owner)
                continue
            with self._lock:  # wait for a `start` that has claimed it and not begun yet
                mine = run.owner == self._owner and not self._is_running(run.id)
            if run.owner and (mine or is_dead(run, self._owner)):
                loss = Progress(0, status="interrupted", reason="The process that worked on it ended.")
                end = (self.progress(run.id) if mine else None) or loss
                with suppress(RunTaken):  # another process was faster
                    self.store.runs.release(run.id, run.owner, end.status, end.reason)
                    ids.append(run.id)
        return ids

    def close(self) -> None:
        """Stop all runs, finish the rows in flight, and close the executor."""
        for end in (self.stop, self.wait):
            for run_id in list(self._attempts):
                end(run_id)
        with self._lock:
            if self._executor:
                self._executor.close()
                self._executor = None

    def _is_running(self, run_id: str) -> bool:
        return run_id in self._attempts and self._attempts[run_id].thread.is_alive()

    def _open_executor(self) -> Executor:
        if self._executor is None or self._executor.is_down:  # its scheduler may be there again
            self._executor = Executor(self.settings.executor, self.settings.concurrency)
        return self._executor

    def _count_lost_calls(self, run: Run, worker: Worker, backlog: Usage) -> float:
        """Add what a killed process paid for without storing a record to the run's usage; returns the cost."""
        calls, cost = worker.llm.charges(run.id) if worker.llm else (0.0, 0.0)
        cost -= charge_of(run.usage) + charge_of(backlog)
        calls -= run.usage.get("calls", 0) + backlog.get("calls", 0)
        name = "estimated_cost" if "estimated_cost" in run.usage else "cost"
        difference = {"calls": calls, name: cost if cost > 1e-9 else 0.0}  # less is a matter of rounding
        if any(usage := {name: value for name, value in difference.items() if value > 0}):
            self.store.runs.save_records(run.id, [], owner=self._owner, usage=usage)
        return charge_of(usage)

    def _jobs(
        self, run: Run, kinds: Sequence[bool], only: Collection[str] | None, backlog: Collection[str]
    ) -> Iterator[Job]:
        """The rows to do: those whose record failed (true), those without one (false), or both."""
        answers = run.config.get("answer", True)
        for failures in kinds:
            for row in self.store.datasets.open_rows(str(run.dataset_id), run.id, failures=failures):
                here = row.record_id not in backlog and (only is None or row.record_id in only)
                if here and (answers or not Item.model_validate(row.row).unanswered):
                    yield Job(row.position, row.record_id, row.row)
