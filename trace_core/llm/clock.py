"""How long one request may take and how much may come back, whatever the server does in between.

The timeouts of the HTTP client are for a silence: a server that sends a byte now and then is never silent.
So each read from the network waits for what is left of the whole request's time, and no longer.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import httpcore2
import httpx2

from trace_core.llm.deadline import seconds_left

MOST_BYTES = 10_000_000
"""No reply that anybody waits for is so long."""

T = TypeVar("T")


class Clock:
    """One request's time and bytes; `spent` says in words what ran out.

    The time ends at the latest when that of the caller does, who said `at_most`.
    """

    def __init__(self, seconds: float, most_bytes: int = MOST_BYTES) -> None:
        self._seconds = min(seconds, seconds_left())
        self._until = time.monotonic() + self._seconds
        self._most, self._left = most_bytes, most_bytes
        self.spent = ""

    def wait(self, timeout: float | None) -> float:
        """How long may be waited now. Raises where the time is over."""
        left = self._until - time.monotonic()
        if left <= 0:
            self.spent = f"did not finish its reply within {max(0.0, self._seconds):.3g} s"
            raise httpcore2.ReadTimeout(self.spent)
        return left if timeout is None else min(left, timeout)

    def count(self, received: int) -> None:
        """Count bytes that came. Raises where the sum exceeds the limit."""
        self._left -= received
        if self._left < 0:
            self.spent = f"sent a reply of more than {self._most // 1_000_000} MB"
            raise httpcore2.ReadError(self.spent)


_running: ContextVar[Clock | None] = ContextVar("clock", default=None)


@contextmanager
def running(clock: Clock | None) -> Iterator[None]:
    """Whatever this thread reads within the block, it reads by the clock."""
    token = _running.set(clock)
    try:
        yield
    finally:
        _running.reset(token)


def by(clock: Clock | None, items: Iterable[T]) -> Iterator[T]:
    """The items, each of them waited for by the clock."""
    waiting = iter(items)
    while True:
        with running(clock):
            try:
                item = next(waiting)
            except StopIteration:
                return
        yield item


def keep_time(client: httpx2.Client) -> None:
    """Make everything that the client reads be read by the clock; through its proxies, too."""
    for transport in (client._transport, *client._mounts.values()):
        pool = getattr(transport, "_pool", None)
        if pool is not None:
            pool._network_backend = _Backend(pool._network_backend)


class _Stream(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        clock = _running.get()
        if clock is None:
            return self._stream.read(max_bytes, timeout)
        try:
            data = self._stream.read(max_bytes, clock.wait(timeout))
        except httpcore2.ReadTimeout:
            clock.wait(timeout)  # was it that silence, or the time for the whole?
            raise
        clock.count(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        clock = _running.get()
        self._stream.write(buffer, clock.wait(timeout) if clock else timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, backend: httpcore2.NetworkBackend) -> None:
        self._backend = backend

    def connect_tcp(self, *arguments: Any, **options: Any) -> httpcore2.NetworkStream:
        return _Stream(self._backend.connect_tcp(*arguments, **options))

    def connect_unix_socket(self, *arguments: Any, **options: Any) -> httpcore2.NetworkStream:
        return _Stream(self._backend.connect_unix_socket(*arguments, **options))

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)
