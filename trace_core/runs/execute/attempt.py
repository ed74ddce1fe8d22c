"""One attempt at a run: rows in, records stored durably one by one, until done, stopped or out of money."""

import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, field

from trace_core.errors import RunTaken, StoreError, counted
from trace_core.facts.records import Record
from trace_core.llm.usage import charge_of
from trace_core.runs.execute.worker import Executor, Job, Postponement, Worker, at_once, failure_of
from trace_core.runs.lease import BEAT_SECONDS
from trace_core.runs.progress import Meter
from trace_core.settings import Settings
from trace_core.store.query_log import QueryLog
from trace_core.store.store import Store

PATIENCE = (0.1, 0.3, 1.0, 2.0, 4.0)  # seconds between attempts to write to a failing store
FIRST_ROWS = 10
"""If as many rows fail for one reason before any succeeds, that reason is every row's, and the run stops."""
PROCESS_ENDS = "The process that worked on it was told to end. What was in flight was kept."
UNWRITTEN = (
    "{} labeled records are not written. Repair the database and resume: as long as this process runs, it keeps "
    "them; after that they are labeled again, and a model's cached replies are not asked for twice."
)
CUT_PROMPTS = (
    "The model's server read only a part of the prompt of {}, and their labels rest on that part. Raise the server's "
    "context length, or set context_tokens in prices.json, and label them again."
)

JobResult = tuple[Job, Record]


@dataclass(slots=True)
class Attempt:
    """An attempt, which runs in its own thread. `backlog` are labeled records that are not stored yet."""

    run_id: str
    owner: str
    store: Store
    settings: Settings
    executor: Executor
    worker: Worker
    jobs: Iterable[Job]
    meter: Meter
    replaces: bool
    budget: float | None = None
    charge: float = 0.0
    backlog: list[JobResult] = field(default_factory=list)
    log: QueryLog | None = None
    stopping: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread = field(init=False)
    """Not a daemon: a process that is asked to end waits until the rows in flight are stored."""
    _flying: dict[Future[Record], Job] = field(default_factory=dict)
    _costs: list[float] = field(default_factory=list)
    _beat: float = 0.0
    _first: list[JobResult] | None = field(default_factory=list)
    """The failures before the first success; `None` after it, or once they turn out to differ."""
    _no_more: str = ""
    """The reason why no further row is started; "" if rows may start."""

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self.run, name=f"run {self.run_id}")

    def stop(self) -> None:
        """Start no further row; what waits for a server is left for later. Returns at once."""
        self.stopping.set()
        self.meter.state.status = "stopping"
        if self.worker.llm:
            self.worker.llm.stop()

    def run(self) -> None:
        """Work until nothing is left, then release the run with its final status."""
        reason = ""
        try:
            self._work(iter(self.jobs))
        except StoreError as error:
            reason = str(error)
        except Exception as error:  # noqa: BLE001  # a thread has nobody to raise to: it is said on the page
            reason = f"Something unexpected happened ({type(error).__name__}: {error})."
        reason = self._keep_the_rest(
            reason or self._no_more or ("You stopped this run." if self.stopping.is_set() else "")
        )
        status = "stopped" if reason else "done"
        try:
            if not self.settings.demo:  # people's corrections of the same answers in other runs
                self.store.corrections.take_over(self.run_id)
            run = self.store.runs.load_run(self.run_id)
            pending, cut = run.counts["pending"], int(run.usage.get("cut_prompts", 0))
            if not pending:
                status, reason = "done", CUT_PROMPTS.format(counted(cut, "record")) if cut else ""
            elif status == "done":
                status, reason = "stopped", f"{pending} records remain."
            self.store.runs.release(self.run_id, self.owner, status, reason)
        except StoreError as error:  # the next `recover` finds and marks it
            reason = reason or str(error)
        self.meter.end(status, reason or self.meter.state.reason)

    def _work(self, jobs: Iterator[Job]) -> None:
        self._save()
        most = at_once(self.settings, computes=self.worker.computes)
        while True:
            room = most if self._first is None else min(most, FIRST_ROWS - len(self._first))
            while len(self._flying) < room and self._may_begin() and (job := next(jobs, None)):
                try:
                    self._flying[self.executor.submit(self.worker, job)] = job
                except RuntimeError:  # threads accept nothing more once the interpreter ends
                    self._no_more = PROCESS_ENDS
            if not self._flying:
                return
            if results := self._collect(BEAT_SECONDS):
                self.backlog += self._release(results)
                self._save()
            elif time.monotonic() - self._beat > BEAT_SECONDS:
                self.store.runs.beat(self.run_id, self.owner)
                self._beat = time.monotonic()

    def _may_begin(self) -> bool:
        """Whether another row may start, which by the cost of the records so far would not exceed the budget."""
        each = sum(self._costs) / len(self._costs) if self._costs else 0.0
        cost = self.charge + (len(self._flying) + 1) * each
        if not threading.main_thread().is_alive():
            self._no_more = PROCESS_ENDS
        elif self.budget is not None and (cost > self.budget or self.charge >= self.budget):
            self._no_more = f"The budget of {self.budget:g} is used up ({self.charge:.4g} spent). Raise it and resume."
        return not self.stopping.is_set() and not self._no_more

    def _collect(self, seconds: float | None) -> list[JobResult]:
        """The records that are ready within that time, without those of rows that are left for later."""
        self.meter.state.in_flight = len(self._flying)
        ready, _ = wait(self._flying, timeout=seconds, return_when=FIRST_COMPLETED)
        results: list[JobResult] = []
        for future in ready:
            job = self._flying.pop(future)
            try:
                results.append((job, future.result()))
            except Postponement as error:
                self._no_more = self._no_more or ("" if self.stopping.is_set() else str(error))
            except CancelledError:
                self._no_more = self._no_more or "The executor that worked on it was shut down."
            except Exception as error:  # noqa: BLE001  # whatever one row raises is that row's failure
                results.append((job, failure_of(job, error)))
        self.meter.state.in_flight = len(self._flying)
        return results

    def _release(self, results: list[JobResult]) -> list[JobResult]:
        """The records to store now: none while every row fails. If all of them fail alike, no more are started."""
        if self._first is None:
            return results
        self._first += results
        reasons = {record.error.message if record.error else "" for _, record in self._first}
        if "" not in reasons and len(self._first) < FIRST_ROWS:
            return []
        first, self._first = self._first, None
        error = first[0][1].error
        if len(reasons) == 1 and error:
            alike = f"Stopped after {len(first)} of {self.meter.state.total:,}: {error.message}"
            self._no_more = f"{alike} {error.hint} Then resume the run."
        return first

    def _save(self) -> None:
        """Store what is kept, retrying while the store fails; records that cannot be written stay."""
        self.meter.state.backlog = len(self.backlog)
        for seconds in (*PATIENCE, None) if self.backlog else ():
            try:
                self._write()
                return
            except RunTaken:
                self.backlog.clear()  # the new owner of the run makes them again
                raise
            except StoreError:
                if seconds is None:
                    raise
                time.sleep(seconds)

    def _write(self) -> None:
        records = [record for _, record in self.backlog]
        usage = usage_of(records)
        self.store.runs.save_records(
            self.run_id, records, positions=[job.position for job, _ in self.backlog], owner=self.owner, usage=usage
        )
        self.backlog.clear()
        self._beat = time.monotonic()
        failures = sum(record.error is not None for record in records)
        before = len(records) if self.replaces else 0
        self.meter.state.backlog = 0
        self.meter.add(len(records) - before, again=before, failed=failures - before)
        self.charge += charge_of(usage)
        self._costs += [cost for record in records if (cost := charge_of(record.usage))]
        try:
            if self.log:
                for record in records:
                    self.log.append(record)
        except StoreError as error:  # it does not stop the run, but is reported
            self.meter.state.reason = str(error)

    def _keep_the_rest(self, reason: str) -> str:
        """Collect and store the rows in flight, which may be paid for, whatever went wrong."""
        while self._flying:
            self.backlog += self._collect(None)
        self.backlog += self._first or []
        try:
            self._save()
        except RunTaken as error:
            return reason or str(error)
        except StoreError as error:
            why = reason if str(error) in reason else f"{reason} {error}".strip()
            return f"{why} {UNWRITTEN.format(len(self.backlog))}"
        return reason


def usage_of(records: Iterable[Record]) -> dict[str, float]:
    """The sum of what the records cost."""
    total: Counter[str] = Counter()
    for record in records:
        total.update(record.usage)
        if record.usage.get("calls") and "cost" not in record.usage:
            total.update({"calls_without_cost": record.usage["calls"]})
    return dict(total)
