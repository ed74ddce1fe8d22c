"""How far a run is, how fast it goes, and how long it will take."""

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

    `rate` is records a second lately and `seconds_left` what that gives, `None` at first; `unsaved` wait for the store.
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
        done: int = 0,
        failed: int = 0,
        to_do: int | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lock, self._clock, self._start = threading.Lock(), clock, clock()
        self._stop: float | None = None
        self._lately: deque[tuple[float, int]] = deque()
        self._to_do = total - done if to_do is None else to_do
        self.run_id, self.total, self.done, self.failed = run_id, total, done, failed
        self.status, self.reason, self.in_flight, self.unsaved = "running", "", 0, 0

    def add(self, new: int, *, again: int = 0, failed: int = 0) -> None:
        """Count new records, those that replace others, and the change in the number of failed ones."""
        with self._lock:
            self.done += new
            self.failed += failed
            self._to_do -= new + again
            self._lately.append((self._clock(), new + again))

    def end(self, status: str, reason: str) -> None:
        """The run has ended in this process."""
        with self._lock:
            self.status, self.reason, self._stop = status, reason, self._clock()

    def now(self) -> Progress:
        """The run at this moment."""
        with self._lock:
            now = self._clock() if self._stop is None else self._stop
            while self._lately and self._lately[0][0] < now - WINDOW:
                self._lately.popleft()
            span = min(now - self._start, WINDOW)
            rate = sum(n for _, n in self._lately) / span if self._lately and span > 0 else None
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
                max(0, self._to_do) / rate if rate and running else None,
                now - self._start,
                self.reason,
            )
