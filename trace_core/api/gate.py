"""Admission and threads: a bounded number of requests, and a few threads per kind of work. Everything here runs on one
event loop, so that no lock is needed; only the jobs run in threads."""

import asyncio
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
LONGEST_WAIT = 20.0
"""The longest wait for a thread in seconds; after it, a request is asked to come back later."""
THREADS: Mapping[str, int] = {"parse": 1, "local": 1, "judge": 8, "ragas": 1}
"""The embedding model serves one caller at a time, and the pages, too; a judge only waits for replies."""


class Busy(Exception):
    """Too many requests; `retry_after` is in whole seconds."""

    def __init__(self, detail: str = "Too many requests at once.", retry_after: int = 5) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class Gate:
    """Counts admitted requests, and gives their jobs threads; one per server."""

    def __init__(self) -> None:
        self._inside: Counter[str] = Counter()
        self._free = {kind: asyncio.Semaphore(threads) for kind, threads in THREADS.items()}
        self._pool = ThreadPoolExecutor(sum(THREADS.values()), thread_name_prefix="trace")

    @contextmanager
    def enter(self, address: str = "") -> Iterator[None]:
        """Count one request for the duration of the block. Raises `Busy` where there is no place for it."""
        if self._inside.total() >= AT_ONCE or self._inside[address] >= OF_ONE_ADDRESS:
            raise Busy
        self._inside[address] += 1
        try:
            yield
        finally:
            self._inside[address] -= 1
            self._inside += Counter()  # without those that have no request

    async def run(self, kind: str, job: Callable[[], T], seconds: float) -> T:
        """Run the job in a thread of that kind. Raises `Busy` for too long a wait, `TimeoutError` for too long a job. A
        thread that is still at work after its time serves nobody else until it has ended."""
        free = self._free[kind]
        try:
            await asyncio.wait_for(free.acquire(), LONGEST_WAIT)
        except TimeoutError:
            raise Busy from None
        work = asyncio.get_running_loop().run_in_executor(self._pool, job)
        work.add_done_callback(lambda future: free.release())
        work.add_done_callback(lambda future: future.cancelled() or future.exception())  # nobody may be left to hear it
        return await asyncio.wait_for(asyncio.shield(work), seconds)
