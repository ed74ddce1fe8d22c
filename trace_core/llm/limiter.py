"""Limits on speed, cost and time: requests and tokens per minute, concurrent requests, a budget, a deadline.

All callers of a server share one limiter. If the server says "too many requests", everyone waits for as
long as it asks, and the number of concurrent requests is halved; each success then raises it a
little, up to the configured limit.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from trace_core.errors import BudgetSpent

MINUTE = 60.0
PAUSE = 0.5
"""The seconds that everyone waits after a 429 without a time."""
LONGEST_PAUSE = 120.0


class Limits(NamedTuple):
    """Requests and tokens per minute (`None`: no limit), and concurrent requests."""

    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int = 16


class Limiter:
    """Spaces requests evenly; thread-safe. Times are seconds of `clock`."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._free = threading.Condition()
        self._running = 0
        self._allowed = float(limits.concurrency)
        self._request_at = self._token_at = self._resume_at = 0.0

    def acquire(self, tokens: float) -> None:
        """Wait for the turn of a request of about this number of tokens; `release` ends it."""
        waited = False
        with self._free:
            while True:
                now = self._clock()
                wait = max(self._request_at, self._token_at, self._resume_at) - now
                if wait <= 0 and self._running < max(1, int(self._allowed)):
                    break
                waited = True
                self._free.wait(wait if wait > 0 else None)
            self._running += 1
            self._request_at = _next(self._request_at, now, waited, 1, self._limits.requests_per_minute)
            self._token_at = _next(self._token_at, now, waited, tokens, self._limits.tokens_per_minute)

    def release(self) -> None:
        """End the request's turn."""
        with self._free:
            self._running -= 1
            self._free.notify_all()

    def used(self, tokens: float, estimated: float) -> None:
        """Replace the estimate by the server's count."""
        if self._limits.tokens_per_minute:
            with self._free:
                self._token_at += (tokens - estimated) * MINUTE / self._limits.tokens_per_minute
                self._free.notify_all()

    def succeeded(self) -> None:
        """After a reply, allow slightly more concurrent requests."""
        with self._free:
            if self._allowed < self._limits.concurrency:
                self._allowed = min(float(self._limits.concurrency), self._allowed + 1 / self._allowed)
                self._free.notify_all()

    def refused(self, retry_after: float | None) -> None:
        """After a 429, send nothing for this number of seconds, then halve the number of concurrent requests.

        A server that asks for more than `LONGEST_PAUSE` is not waited for: its refusals are errors at once.
        """
        seconds = retry_after if retry_after and 0 < retry_after <= LONGEST_PAUSE else PAUSE
        with self._free:
            now = self._clock()
            if now >= self._resume_at:  # halve once per wave of refusals
                self._allowed = max(1.0, self._allowed / 2)
            self._resume_at = max(self._resume_at, now + seconds)


def _next(due: float, now: float, waited: bool, amount: float, per_minute: float | None) -> float:
    """The time when the turn after this one is due; 0 means at once.

    It is counted from when this turn was due, so that waking late costs nothing; but idle time is not
    saved up, and at most one turn of lateness is made up.
    """
    if not per_minute:
        return 0.0
    step = amount * MINUTE / per_minute
    return max(due, now - step if waited else now) + step


class Purse:
    """A budget in the prices' currency and the amount already spent; `None` means no limit. Thread-safe.

    The expected cost of a request is reserved before it is sent, so that concurrent requests do not
    overspend; only replies longer than expected can.
    """

    def __init__(self, budget: float | None = None, spent: float = 0.0) -> None:
        self.budget = budget
        self._spent, self._reserved = spent, 0.0
        self._settled = threading.Condition()

    @property
    def spent(self) -> float:
        """The amount spent so far."""
        return self._spent

    def reserve(self, cost: float) -> None:
        """Reserve money for a request, waiting for running ones if necessary. Raises `BudgetSpent`."""
        with self._settled:
            while self.budget is not None and self._spent + self._reserved + cost > self.budget:
                if self._spent + cost > self.budget or not self._reserved:
                    raise BudgetSpent(
                        f"The budget of {self.budget:g} does not allow another call: {self._spent:.4g} was spent.",
                        "Raise TRACE_BUDGET (or --budget) and go on; what was made is kept.",
                    )
                self._settled.wait()
            self._reserved += cost

    def pay(self, reserved: float, cost: float | None) -> None:
        """Settle a finished request at `cost` or, if that is unknown, at the reserved amount."""
        with self._settled:
            self._reserved = max(0.0, self._reserved - reserved)
            self._spent += reserved if cost is None else cost
            self._settled.notify_all()


_end: ContextVar[float] = ContextVar("end", default=math.inf)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """End requests made within the block this long after its start, and send none after that."""
    token = _end.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _end.reset(token)


def seconds_left() -> float:
    """The seconds left; infinite without `at_most`."""
    return _end.get() - time.monotonic()
