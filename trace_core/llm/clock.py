"""Limit how long one request may take and how much it may return, whatever the server does.

The HTTP client's timeouts limit silence only, and a server that sends a byte now and then is never silent.
So each network read waits at most for the time left to the whole request.
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
"""The most bytes of a reply; no useful one is so long."""

T = TypeVar("T")


class Clock:
    """One request's limits of time and bytes; `spent` says in words what ran out.

    The time ends no later than the caller's, set with `at_most`.
    """

    def __init__(self, seconds: float, most_bytes: int = MOST_BYTES) -> None:
        self._seconds = min(seconds, seconds_left())
        self._until = time.monotonic() + self._seconds
        self._most, self._left = most_bytes, most_bytes
        self.spent = ""

    def wait(self, timeout: float | None) -> float:
        """The seconds that may be waited now. Raises if the time is over."""
        left = self._until - time.monotonic()
        if left <= 0:
            self.spent = f"did not finish its reply within {max(0.0, self._seconds):.3g} s"
            raise httpcore2.ReadTimeout(self.spent)
        return left if timeout is None else min(left, timeout)

    def count(self, received: int) -> None:
        """Count received bytes. Raises if the sum exceeds the limit."""
        self._left -= received
        if self._left < 0:
            self.spent = f"sent a reply of more than {self._most // 1_000_000} MB"
            raise httpcore2.ReadError(self.spent)


_running: ContextVar[Clock | None] = ContextVar("clock", default=None)


@contextmanager
def running(clock: Clock | None) -> Iterator[None]:
    """Apply the clock to everything that this thread reads within the block."""
    token = _running.set(clock)
    try:
        yield
    finally:
        _running.reset(token)


def by(clock: Clock | None, items: Iterable[T]) -> Iterator[T]:
    """The items, with the clock applied to the wait for each."""
    waiting = iter(items)
    while True:
        with running(clock):
            try:
                item = next(waiting)
            except StopIteration:
                return
        yield item


def keep_time(client: httpx2.Client) -> None:
    """Apply the running clock to all reads of the client, including those through proxies."""
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
            clock.wait(timeout)  # raises if the whole request's time is over
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
