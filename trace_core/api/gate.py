"""How much is let in, and who does the work: a bounded number of requests, a few threads a kind of work.

Everything here is used on one event loop, so that no lock is needed; only the jobs run in threads.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

AT_ONCE = 64
"""Requests waiting or worked on; one more is told to come again."""
OF_ONE_ADDRESS = 48
"""The most places that one caller may hold: there is always a place for another."""
LONGEST_WAIT = 10.0
"""Seconds that a request is expected to wait for a thread; beyond, it is told to come again instead."""
THREADS: Mapping[str, int] = {"parse": 1, "local": 1, "judge": 8, "ragas": 1}
"""The embedding model serves one caller at a time, and the pages are its callers too: one thread is enough.
A judge is waited for, not worked for."""
_WEIGHT = 0.2  # of the latest job in the running mean of seconds


class Busy(Exception):
    """Too much at once; `retry_after` is when to come again, in whole seconds."""

    def __init__(self, wait: float) -> None:
        self.retry_after = max(1, min(60, math.ceil(wait)))
        super().__init__(self.retry_after)


class Line:
    """The threads of one kind of work, and who waits for them."""

    def __init__(self, name: str, threads: int, longest_wait: float = LONGEST_WAIT) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"trace-{name}")
        self._threads, self._longest_wait = threads, longest_wait
        self._inside = 0
        self._mean = 0.1  # seconds of work a job

    @property
    def wait(self) -> float:
        """Seconds that one more job would wait for a thread, by what the last ones took."""
        return max(0, self._inside - self._threads + 1) * self._mean / self._threads

    async def run(self, job: Callable[[], T], seconds: float) -> T:
        """Do the job. Raises `Busy` where it would wait too long, or did; `TimeoutError` where it works too long."""
        if self._inside >= 2 * self._threads and self.wait > self._longest_wait:
            raise Busy(self.wait - self._longest_wait)
        loop, started, begun = asyncio.get_running_loop(), 0.0, asyncio.Event()

        def timed() -> T:
            nonlocal started
            started = time.perf_counter()
            loop.call_soon_threadsafe(begun.set)
            return job()

        self._inside += 1
        work = loop.run_in_executor(self._pool, timed)
        try:
            await self._begin(begun, work)
            return await asyncio.wait_for(work, seconds)
        finally:
            self._inside -= 1
            if started:
                self._mean += _WEIGHT * (time.perf_counter() - started - self._mean)

    async def _begin(self, begun: asyncio.Event, work: asyncio.Future[T]) -> None:
        """Wait for a thread, at most twice as long as anybody is expected to."""
        try:
            await asyncio.wait_for(begun.wait(), 2 * self._longest_wait)
        except TimeoutError:
            work.cancel()  # it stays in the line, and is passed over there
            raise Busy(self.wait) from None


class Gate:
    """Counts all that is inside, and keeps the lines: made at the first request, as a routed app gets no start-up."""

    def __init__(
        self, at_once: int = AT_ONCE, threads: Mapping[str, int] = THREADS, of_one: int = OF_ONE_ADDRESS
    ) -> None:
        self._at_once, self._threads, self._of_one = at_once, threads, of_one
        self._inside: Counter[str] = Counter()
        self._lines: dict[str, Line] = {}

    @contextmanager
    def enter(self, address: str = "") -> Iterator[None]:
        """Count one request in for as long as the block lasts. Raises `Busy` where there is no place for it."""
        if self._inside.total() >= self._at_once or self._inside[address] >= self._of_one:
            raise Busy(max((line.wait for line in self._lines.values()), default=1.0) / 2)
        self._inside[address] += 1
        try:
            yield
        finally:
            self._inside[address] -= 1
            if not self._inside[address]:
                del self._inside[address]

    async def run(self, kind: str, job: Callable[[], T], seconds: float) -> T:
        """Do the job in a thread of that kind; raises as `Line.run`."""
        if kind not in self._lines:
            self._lines[kind] = Line(kind, self._threads[kind])
        return await self._lines[kind].run(job, seconds)
