"""Limits on speed, cost and time: requests and tokens per minute, concurrent requests, a budget, a deadline. All
callers of a server share one limiter: if it says "too many requests", all of them wait for as long as it asks. Whoever
waits looks up a few times a second: a stop, the end of the process or of the time ends every wait."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import NamedTuple

from trace_core.errors import BudgetSpent, LlmError
from trace_core.llm.usage import Price, Tokens, tokens_of

MINUTE = 60.0
LONGEST_PAUSE = 120.0
"""Seconds; a server that asks for more is not waited for: its refusals are errors at once."""
LATER = "Try again later; finished work is kept."
STOP = "The work was stopped while it waited for the model's server."
ENDING = threading.Event()
"""Set while the process is about to end."""
_LOOK_SECONDS = 0.2
OnPayment = Callable[[int, float], None]


class Patience:
    """Whether to wait on, for one piece of work; `stop` ends its waits."""

    def __init__(self) -> None:
        self._stop = threading.Event()

    def stop(self) -> None:
        """End all waits, now and later."""
        self._stop.set()

    @property
    def over(self) -> bool:
        """Whether the work or the process is to end."""
        return self._stop.is_set() or ENDING.is_set() or not threading.main_thread().is_alive()

    def turn(self, seconds: float = math.inf) -> float:
        """The seconds to wait before looking again, of these. Raises `LlmError` if there is nothing to wait for."""
        if self.over:
            raise LlmError(STOP, LATER)
        if time_left() <= 0:
            raise LlmError("The model's server was not asked in the time left.", LATER)
        return max(0.0, min(seconds, time_left(), _LOOK_SECONDS))

    @contextmanager
    def lock(self, lock: threading.Lock) -> Iterator[None]:
        """Hold the lock within the block. Raises `LlmError` as `turn` does, whoever holds it and for how long."""
        while not lock.acquire(timeout=self.turn()):
            pass
        try:
            yield
        finally:
            lock.release()

    def wait(self, seconds: float) -> None:
        """Wait for that long. Raises `LlmError` if it is not worth it."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._stop.wait(self.turn(left))


class Limits(NamedTuple):
    """Requests and tokens per minute, and the `budget` in the prices' currency (`None`: no limit); concurrent requests;
    and how many `seconds` a request may wait for the server's whole reply."""

    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int = 16
    budget: float | None = None
    seconds: float = 60.0


class Limiter:
    """Spaces requests evenly; thread-safe. Times are seconds of `clock`."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._free = threading.Condition()
        self._running = 0
        self.due = 0.0
        """When the next request may be sent."""

    def acquire(self, tokens: float, patience: Patience) -> None:
        """Wait for the turn of a request of about this number of tokens; `release` ends it. Raises `LlmError`."""
        requests, most = self._limits.requests_per_minute, self._limits.tokens_per_minute
        step = max(MINUTE / requests if requests else 0.0, tokens * MINUTE / most if most else 0.0)
        with self._free:
            while (wait := self.due - self._clock()) > 0 or self._running >= self._limits.concurrency:
                self._free.wait(patience.turn(wait if wait > 0 else math.inf))
            self._running += 1
            self.due = max(self.due, self._clock()) + step if step else 0.0

    def release(self) -> None:
        """End the request's turn."""
        with self._free:
            self._running -= 1
            self._free.notify_all()

    def pause(self, seconds: float) -> None:
        """After a 429, send nothing for this number of seconds."""
        with self._free:
            self.due = max(self.due, self._clock() + seconds)


class Purse:
    """A budget in the prices' currency and the `expenses` so far; `None` means no limit. Thread-safe. The expected cost
    of a request is reserved before it is sent: only replies longer than expected overspend. `note` is called with the
    number and the cost of calls as they are paid."""

    def __init__(self, budget: float | None, expenses: float = 0.0, note: OnPayment = lambda *_: None) -> None:
        self.budget, self.expenses, self.refusal = budget, expenses, ""
        self._note = note
        self._reservations = 0.0
        self._change = threading.Condition()

    def reserve(self, cost: float, patience: Patience) -> None:
        """Reserve money for a request, waiting for running ones if necessary. Raises `BudgetSpent` or `LlmError`."""
        with self._change:
            while self.budget is not None and self.expenses + self._reservations + cost > self.budget:
                if self.expenses + cost > self.budget or not self._reservations:
                    what = f"The budget of {self.budget:g} does not allow another call"
                    self.refusal = f"{what}: {self.expenses:.4g} was spent."
                    hint = "Raise TRACE_BUDGET (or --budget) and go on; what was made is kept."
                    raise BudgetSpent(self.refusal, hint)
                self._change.wait(patience.turn())
            self._reservations += cost

    def pay(self, reservation: float, cost: float | None, calls: int = 0) -> float:
        """Settle a finished request of as many calls at `cost` or, if that is unknown, at the reserved amount."""
        amount = reservation if cost is None else cost
        with self._change:
            self._reservations = max(0.0, self._reservations - reservation)
            self.expenses += amount
            self._change.notify_all()
        if calls:
            self._note(calls, amount)
        return amount


@dataclass(slots=True)
class Work:
    """One call: what it may still do (`left` requests, not counting those that were refused) and what it has cost.
    `tokens` and `cost` are what each of its requests is expected to take."""

    limiter: Limiter
    purse: Purse
    price: Price | None
    left: int
    tokens: float
    cost: float
    patience: Patience
    refusals: int = 0
    calls: int = 0
    cut_prompts: int = 0
    total: Tokens | None = Tokens(0, 0, 0)  # noqa: RUF009  # a tuple
    """The tokens of all requests, `None` if one does not count its own."""
    payments: float = 0.0
    running: bool = False

    def begin(self) -> None:
        """Wait for the turn of a request. Raises `LlmError`."""
        self.patience.turn()
        self.purse.reserve(self.cost, self.patience)
        try:
            self.limiter.acquire(self.tokens, self.patience)
        except BaseException:
            self.purse.pay(self.cost, 0)
            raise
        self.running = True
        self.left -= 1
        self.calls += 1

    def end(self, cost: float | None, calls: int = 1) -> None:
        """End the request; a `cost` of `None` means unknown."""
        self.running = False
        self.limiter.release()
        self.payments += self.purse.pay(self.cost, cost, calls)

    def settle(self, usage: object) -> None:
        """End a request, if it has not ended, with its reply; a `usage` of `None` means that there is no whole one."""
        if self.running:
            tokens = tokens_of(usage)
            self.total = Tokens(*map(sum, zip(self.total, tokens, strict=True))) if self.total and tokens else None
            self.end(self.price.of(*tokens) if self.price and tokens else None)

    def put_off(self, pause: float) -> None:
        """End a request that the server put off, which does not count as a call."""
        self.left += 1
        self.refusals += 1
        self.calls -= 1
        self.limiter.pause(pause)
        self.end(0, calls=0)

    def usage(self) -> dict[str, float]:
        """What is known of the cost."""
        counts: dict[str, float] = {"rate_limited": self.refusals, "cut_prompts": self.cut_prompts}
        usage: dict[str, float] = {"calls": self.calls} | {name: n for name, n in counts.items() if n}
        if self.total is None:
            return usage | ({"estimated_cost": self.payments} if self.payments else {})
        if any(self.total):
            usage |= {f"{name}_tokens": n for name, n in self.total._asdict().items()}
        return usage | ({"cost": self.price.of(*self.total)} if self.price and self.calls else {})


_end: ContextVar[float] = ContextVar("end", default=math.inf)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """End requests made within the block this long after its start, and send none after that."""
    token = _end.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _end.reset(token)


def time_left() -> float:
    """The seconds left; infinite without `at_most`."""
    return _end.get() - time.monotonic()
