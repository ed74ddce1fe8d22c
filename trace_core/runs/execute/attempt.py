"""One attempt at a run: rows in, records stored durably one by one, until done, stopped or out of money."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, field
from typing import Any

from trace_core.errors import RunTaken, StoreError, counted
from trace_core.facts.records import Record
from trace_core.runs.execute.executor import Executor
from trace_core.runs.execute.worker import Job, OutOfMoney, Worker, broken
from trace_core.runs.lease import BEAT_SECONDS
from trace_core.runs.progress import Meter
from trace_core.store.query_log import QueryLog
from trace_core.store.runs import RunStore

PATIENCE = (0.1, 0.3, 1.0, 2.0, 4.0)
"""Seconds between attempts to write to a failing store."""
FIRST_ROWS = 10
"""If as many rows fail for one reason before any succeeds, that reason is every row's, and the run stops."""
BY_A_PERSON = "You stopped this run."
PROCESS_ENDS = "The process that worked on it was told to end. What was in flight was kept."
SHUT_DOWN = "The executor that worked on it was shut down."


class _StopRun(Exception):
    """Ends the attempt; `str` is the reason for people."""


@dataclass(slots=True)
class Attempt:
    """An attempt, which runs in its own thread. `kept` are labeled records that are not stored yet."""

    run_id: str
    owner: str
    store: RunStore
    executor: Executor
    worker: Worker
    jobs: Iterable[Job]
    meter: Meter
    concurrency: int
    replaces: bool
    budget: float | None = None
    spent: float = 0.0
    kept: list[tuple[Job, Record]] = field(default_factory=list)
    log: QueryLog | None = None
    stopping: threading.Event = field(default_factory=threading.Event)
    _flying: dict[Future[Record], Job] = field(default_factory=dict)
    _costs: list[float] = field(default_factory=list)
    _beat: float = 0.0
    _first: list[tuple[Job, Record]] | None = field(default_factory=list)
    """The failures before the first success; `None` after it, or once they turn out to differ."""
    _no_more: str = ""
    """The reason why no further row is started; "" if rows may start."""

    def run(self) -> None:
        """Work until nothing is left, then release the run with its final status."""
        status, reason = "done", ""
        try:
            self._work(iter(self.jobs))
            self._save(self._first or [])
            if self.stopping.is_set():
                status, reason = "stopped", BY_A_PERSON
        except _StopRun as error:
            status, reason = "stopped", self._keep_the_rest(str(error))
        except RunTaken as error:
            status, reason = "stopped", str(error)
        except StoreError as error:
            status, reason = "stopped", self._store_failed(error)
        except Exception as error:  # noqa: BLE001  # a thread has nobody to raise to: it is said on the page
            status, reason = (
                "stopped",
                self._keep_the_rest(f"Something unexpected happened ({type(error).__name__}: {error})."),
            )
        self._end(status, reason)

    def _work(self, jobs: Iterator[Job]) -> None:
        self._save([])
        while True:
            while len(self._flying) < self._room() and self._may_begin() and (job := next(jobs, None)):
                try:
                    self._flying[self.executor.submit(self.worker, job)] = job
                except RuntimeError:  # threads accept nothing more once the interpreter ends
                    self._no_more = PROCESS_ENDS
            if not self._flying:
                if self._no_more:
                    raise _StopRun(self._no_more)
                return
            self._land(FIRST_COMPLETED)

    def _room(self) -> int:
        """How many rows may be in flight: as long as none succeeded, only so many are tried."""
        return self.concurrency if self._first is None else min(self.concurrency, FIRST_ROWS - len(self._first))

    def _may_begin(self) -> bool:
        """Whether another row may start: nobody stopped the run, the process is alive, there is money."""
        if not threading.main_thread().is_alive():
            self._no_more = PROCESS_ENDS
        if self.stopping.is_set() or self._no_more:
            return False
        self._check_budget()
        return True

    def _land(self, when: str) -> None:
        """Collect and store finished records, or else send a sign of life."""
        self.meter.in_flight = len(self._flying)
        finished, _ = wait(self._flying, timeout=BEAT_SECONDS, return_when=when)
        landed = [(self._flying.pop(future), future) for future in finished]
        self.meter.in_flight = len(self._flying)
        if landed:
            self._save(self._sifted([(job, record) for job, future in landed if (record := self._record(job, future))]))
        elif time.monotonic() - self._beat > BEAT_SECONDS:
            self.store.beat(self.run_id, self.owner)
            self._beat = time.monotonic()

    def _sifted(self, made: list[tuple[Job, Record]]) -> list[tuple[Job, Record]]:
        """The records to store now: none while every row fails. Raises `_StopRun` where all of them fail alike.

        The rows of a fault that is every row's stay open, so that resuming the run does them again.
        """
        if self._first is None:
            return made
        self._first += made
        reasons = {record.error.message if record.error else "" for _, record in self._first}
        if "" not in reasons and len(self._first) < FIRST_ROWS:
            return []
        first, self._first = self._first, None
        if "" in reasons or len(reasons) > 1:
            return first
        error = first[0][1].error
        assert error is not None  # noqa: S101  # each of them has one
        self.store.save_records(self.run_id, [], owner=self.owner, usage=_used(record for _, record in first))
        raise _StopRun(
            f"Stopped after {len(first)} of {self.meter.total:,}: {error.message} {error.hint} Then resume the run."
        )

    def _record(self, job: Job, future: Future[Record]) -> Record | None:
        """The record; `None` where the row is left for later."""
        try:
            return future.result()
        except OutOfMoney as error:
            self._no_more = str(error)
            return None
        except CancelledError:
            self._no_more = self._no_more or SHUT_DOWN
            return None
        except Exception as error:  # noqa: BLE001  # whatever one row raises is that row's failure
            return broken(job, error)

    def _save(self, made: list[tuple[Job, Record]]) -> None:
        """Store the records, retrying while the store fails; records that cannot be written stay in `kept`."""
        self.kept += made
        if not self.kept:
            return
        self.meter.unsaved = len(self.kept)
        for seconds in (*PATIENCE, None):
            try:
                self._write()
                return
            except RunTaken:
                self.kept.clear()  # the new owner of the run makes them again
                raise
            except StoreError:
                if seconds is None:
                    raise
                time.sleep(seconds)

    def _write(self) -> None:
        records = [record for _, record in self.kept]
        usage = _used(records)
        self.store.save_records(
            self.run_id, records, positions=[job.position for job, _ in self.kept], owner=self.owner, usage=usage
        )
        self.kept.clear()
        self._beat = time.monotonic()
        failed = sum(record.error is not None for record in records)
        before = len(records) if self.replaces else 0
        self.meter.unsaved = 0
        self.meter.saved(len(records), new=len(records) - before, failed=failed - before)
        self.spent += usage.get("cost", 0.0)
        self._costs += [record.usage["cost"] for record in records if "cost" in record.usage]
        self._log(records)

    def _log(self, records: Iterable[Record]) -> None:
        """Write to the log. A log that cannot be written does not stop the run, but is reported."""
        try:
            for record in records if self.log else ():
                self.log.append(record)  # type: ignore[union-attr]  # the loop is empty without one
        except StoreError as error:
            self.meter.reason = str(error)

    def _check_budget(self) -> None:
        """Start no row that, judging by the cost of the records so far, would exceed the budget."""
        each = sum(self._costs) / len(self._costs) if self._costs else 0.0
        expected = self.spent + (len(self._flying) + 1) * each
        if self.budget is not None and (expected > self.budget or self.spent >= self.budget):
            self._no_more = f"The budget of {self.budget:g} is used up ({self.spent:.4g} spent). Raise it and resume."
            while self._flying:
                self._land(FIRST_COMPLETED)
            raise _StopRun(self._no_more)

    def _store_failed(self, error: StoreError) -> str:
        """Calls in flight are paid for: wait for them and keep their records, too."""
        self._wait_for_the_rest()
        if not self.kept:
            return str(error)
        return (
            f"{error} {len(self.kept)} labeled records are not written. Mend the database and resume: as long as this "
            "process lives it has them; after that they are labeled again, and a model's kept replies are not "
            "asked for twice."
        )

    def _keep_the_rest(self, reason: str) -> str:
        """Finish and store the rows in flight, whatever went wrong."""
        self._wait_for_the_rest()
        try:
            self._save(self._first or [])
        except RunTaken:
            return reason
        except StoreError as error:
            return f"{reason} {self._store_failed(error)}"
        return reason

    def _wait_for_the_rest(self) -> None:
        while self._flying:
            finished, _ = wait(self._flying)
            landed = [(self._flying.pop(future), future) for future in finished]
            self.kept += [(job, record) for job, future in landed if (record := self._record(job, future))]
        self.meter.in_flight, self.meter.unsaved = 0, len(self.kept)

    def _end(self, status: str, reason: str) -> None:
        try:
            run = self.store.load_run(self.run_id)
            pending = run.counts["pending"]
            if not pending:
                status, reason = "done", _cut_prompts(run.usage)
            elif status == "done":
                status, reason = "stopped", f"{pending} records remain."
            self.store.release(self.run_id, self.owner, status, reason)
        except StoreError as error:  # the next `recover` finds and marks it
            reason = reason or str(error)
        self.meter.end(status, reason or self.meter.reason)


def _cut_prompts(usage: Mapping[str, float]) -> str:
    """What to say of a run in which a server read only a part of some prompts; empty for any other."""
    cut = usage.get("cut_prompts")
    if not cut:
        return ""
    return (
        f"The model's server read only a part of the prompt of {counted(int(cut), 'record')}, and their labels rest on "
        "that part. Raise the server's context length, or set context_tokens in prices.json, and label them again."
    )


def _used(records: Iterable[Record]) -> dict[str, float]:
    """The sum of the records' usage; calls of unknown cost are counted as such."""
    total: dict[str, float] = {}
    for record in records:
        used: Mapping[str, Any] = record.usage
        for name, value in used.items():
            total[name] = total.get(name, 0.0) + value
        if used.get("calls") and "cost" not in used:
            total["calls_without_cost"] = total.get("calls_without_cost", 0.0) + used["calls"]
    return total
