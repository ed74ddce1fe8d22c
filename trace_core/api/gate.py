"""Admission and threads: a bounded number of requests, and a few threads per kind of work.

Everything here runs on one event loop, so that no lock is needed; only the jobs run in threads.

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
"""Requests waiting or in progress; a further one is asked to come back later."""
OF_ONE_ADDRESS = 48
"""The most places that one caller may take, so that others always find one."""
LONGEST_WAIT = 10.0
"""The longest expected wait for a thread in seconds; beyond it, a request is asked to come back later."""
THREADS: Mapping[str, int] = {"parse": 1, "local": 1, "judge": 8, "ragas": 1}
"""The embedding model serves one caller at a time, and the pages use it too: one thread is enough.
A judge only waits for replies.
"""
_WEIGHT = 0.2  # weight of the latest job in the running mean of seconds


class Busy(Exception):
    """Too many requests; `retry_after` is in whole seconds."""

    def __init__(self, wait: float) -> None:
        self.retry_after = max(1, min(60, math.ceil(wait)))
        super().__init__(self.retry_after)


class Line:
    """The threads for one kind of work, and the queue of jobs waiting for them."""

    def __init__(self, name: str, threads: int, longest_wait: float = LONGEST_WAIT) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"trace-{name}")
        self._threads, self._longest_wait = threads, longest_wait
        self._inside = 0
        self._mean = 0.1  # seconds of work per job

    @property
    def wait(self) -> float:
        """Seconds that another job would wait for a thread, judging by the latest jobs."""
        return max(0, self._inside - self._threads + 1) * self._mean / self._threads

    async def run(self, job: Callable[[], T], seconds: float) -> T:
        """Run the job. Raises `Busy` for too long a wait, expected or actual; `TimeoutError` for too long a job."""
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
        """Wait for a thread, for at most twice the longest expected wait."""
        try:
            await asyncio.wait_for(begun.wait(), 2 * self._longest_wait)
        except TimeoutError:
            work.cancel()  # it stays in the queue, and is skipped there
            raise Busy(self.wait) from None


class Gate:
    """Counts admitted requests and keeps the queues; made at the first request, since a routed app gets no start-up."""

    def __init__(
        self, at_once: int = AT_ONCE, threads: Mapping[str, int] = THREADS, of_one: int = OF_ONE_ADDRESS
    ) -> None:
        self._at_once, self._threads, self._of_one = at_once, threads, of_one
        self._inside: Counter[str] = Counter()
        self._lines: dict[str, Line] = {}

    @contextmanager
    def enter(self, address: str = "") -> Iterator[None]:
        """Count one request for the duration of the block. Raises `Busy` where there is no place for it."""
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
        """Run the job in a thread of that kind; raises the errors of `Line.run`."""
        if kind not in self._lines:
            self._lines[kind] = Line(kind, self._threads[kind])
        return await self._lines[kind].run(job, seconds)
