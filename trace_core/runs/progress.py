"""How far a run is, how fast it goes, and how long it will take."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

WINDOW = 60.0
"""Seconds over which the rate is measured, up to now."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A run at one moment. `done` counts all records in the store, `failed` those of them that failed.

    `rate` is records a second lately and `seconds_left` what that gives, both `None` until something was
    done. `unsaved` records are labeled and wait for a store that failed.
    """

    run_id: str
    status: str
    total: int
    done: int
    failed: int
    in_flight: int
    unsaved: int
    rate: float | None
    seconds_left: float | None
    seconds: float
    reason: str


class Meter:
    """Counts; safe among threads. `done` and `failed` are what earlier attempts left, `to_do` what this one has."""

    def __init__(
        self,
        run_id: str,
        total: int,
        done: int,
        failed: int,
        to_do: int,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lock = threading.Lock()
        self._clock = clock
        self._began = clock()
        self._ended: float | None = None
        self._finished: deque[tuple[float, int]] = deque()
        self.run_id, self.total, self.done, self.failed = run_id, total, done, failed
        self._to_do = to_do
        self.status, self.reason, self.in_flight, self.unsaved = "running", "", 0, 0

    def saved(self, records: int, *, new: int, failed: int) -> None:
        """Count written records: `new` ones, and the change in the number of failed ones."""
        with self._lock:
            now = self._clock()
            self.done += new
            self.failed += failed
            self._to_do -= records
            self._finished.append((now, records))
            while self._finished[0][0] < now - WINDOW:
                self._finished.popleft()

    def end(self, status: str, reason: str) -> None:
        """The run has ended in this process."""
        with self._lock:
            self.status, self.reason, self._ended = status, reason, self._clock()

    def now(self) -> Progress:
        """The run at this moment."""
        with self._lock:
            now = self._ended if self._ended is not None else self._clock()
            recent = [(at, n) for at, n in self._finished if at >= now - WINDOW]
            span = now - max(self._began, now - WINDOW)
            rate = sum(n for _, n in recent) / span if recent and span > 0 else None
            left = max(0, self._to_do)
            running = self.status in ("running", "stopping")
            return Progress(
                self.run_id,
                self.status,
                self.total,
                self.done,
                self.failed,
                self.in_flight,
                self.unsaved,
                rate,
                left / rate if rate and running else None,
                now - self._began,
                self.reason,
            )
