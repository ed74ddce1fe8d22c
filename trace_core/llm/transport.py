"""HTTP to a model's server: each wait ends with the time for the reply, and no reply is longer than the limit."""

import ssl
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from typing import Any

import httpcore2
import httpx2
from openai import DefaultHttpxClient

from trace_core.llm.completion import error_in, error_status
from trace_core.llm.limiter import time_left

LONGEST_REPLY = 10_000_000
"""In bytes, decoded."""
_PIECE = 8192  # the bytes that are read or sent at once: unpacked, a thousand times as many
_OF_THE_BODY = ("content-encoding", "content-length", "transfer-encoding", "content-type")
"""The headers that describe a body as it was sent, before it was read."""


class TooLong(Exception):
    """The reply is longer than the limit."""


@cache
def _certificates() -> ssl.SSLContext:
    return httpx2.create_ssl_context()  # reads all authorities' certificates: once for all connections


def new_client() -> httpx2.Client:
    """A client with those limits. It follows no redirect: the prompt would go to an address that nobody configured."""
    headers = {"Accept-Encoding": "identity"}
    client = DefaultHttpxClient(verify=_certificates(), follow_redirects=False, headers=headers)
    client._transport = _LimitingTransport(client._transport)
    client._mounts = {name: proxy and _LimitingTransport(proxy) for name, proxy in client._mounts.items()}
    return client


class _LimitingTransport(httpx2.BaseTransport):
    def __init__(self, transport: Any) -> None:
        self._transport = transport
        backend = transport._pool._network_backend
        connect = backend.connect_tcp
        backend.connect_tcp = lambda *args, **options: _Connection(connect(*args, **options))

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The response; one that is no stream has the status of the error that its body reports."""
        response = self._transport.handle_request(request)
        headers = [pair for pair in response.headers.multi_items() if pair[0].lower() not in _OF_THE_BODY]
        kind, status = response.headers.get("content-type", ""), response.status_code
        body = _Body(response)
        if "text/event-stream" in kind:
            headers.append(("content-type", kind))
            return httpx2.Response(status, headers=headers, stream=body, extensions=response.extensions)
        with closing(body):
            content = b"".join(body)
        if response.is_success and (error := error_in(content)):
            status = error_status(error)
        return httpx2.Response(status, headers=headers, content=content, extensions=response.extensions)

    def close(self) -> None:
        self._transport.close()


class _Body(httpx2.SyncByteStream):
    """The decoded body of a response, up to the limit."""

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        left = LONGEST_REPLY
        for part in self._response.iter_bytes():
            left -= len(part)
            if left < 0:
                raise TooLong
            yield part

    def close(self) -> None:
        self._response.close()


class _Connection(httpcore2.NetworkStream):
    """The client's own time-outs limit silence only: a byte now and then, in header or body, would go on forever."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(min(max_bytes, _PIECE), _within(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            self._stream.write(buffer[start : start + _PIECE], _within(timeout, httpcore2.WriteTimeout))

    def start_tls(self, *args: Any, **options: Any) -> httpcore2.NetworkStream:
        return _Connection(self._stream.start_tls(*args, **options))

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _within(timeout: float | None, late: type[Exception]) -> float | None:
    if (left := time_left()) <= 0:
        raise late("too late")
    return left if timeout is None else min(timeout, left)
