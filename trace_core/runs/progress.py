"""How far work is, how fast it goes, and how long it will take."""

import threading
import time
from collections import deque
from dataclasses import dataclass, replace

WINDOW = 60.0
"""Seconds over which the rate is measured, up to now."""


@dataclass(slots=True)
class Progress:
    """Work at one moment. Of a run `done` counts all records in the store, `failed` those of them that failed. `rate`
    is records a second lately and `seconds_left` what that gives, `None` at first; `backlog` wait for the store."""

    total: int
    done: int = 0
    failed: int = 0
    in_flight: int = 0
    backlog: int = 0
    status: str = "running"
    reason: str = ""
    rate: float | None = None
    seconds_left: float | None = None


class Meter:
    """Counts in `state`; safe among threads. At first that is what earlier attempts left; this one has `to_do` rows."""

    def __init__(self, state: Progress, to_do: int | None = None) -> None:
        self.state, self._to_do = state, state.total if to_do is None else to_do
        self._lock, self._start = threading.Lock(), time.monotonic()
        self._stop: float | None = None
        self._lately: deque[tuple[float, int]] = deque()

    def add(self, new: int, *, again: int = 0, failed: int = 0) -> None:
        """Count new records, those that replace others, and the change in the number of failed ones."""
        with self._lock:
            self.state.done += new
            self.state.failed += failed
            self._to_do -= new + again
            self._lately.append((time.monotonic(), new + again))

    def end(self, status: str, reason: str) -> None:
        """The work has ended in this process."""
        with self._lock:
            self.state.status, self.state.reason, self._stop = status, reason, time.monotonic()

    def now(self) -> Progress:
        """The work at this moment."""
        with self._lock:
            now = time.monotonic() if self._stop is None else self._stop
            while self._lately and self._lately[0][0] < now - WINDOW:
                self._lately.popleft()
            span = min(now - self._start, WINDOW)
            rate = sum(n for _, n in self._lately) / span if self._lately and span > 0 else None
            left = max(0, self._to_do) / rate if rate and self.state.status in ("running", "stopping") else None
            return replace(self.state, rate=rate, seconds_left=left)
