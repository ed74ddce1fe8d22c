"""HTTP to a model's server: no reply takes longer than the time for it, and none is longer than the limit."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from typing import Any

import httpx2
from openai import DefaultHttpxClient

from trace_core.llm.completion import error_in, error_status
from trace_core.llm.limiter import time_left

LONGEST_REPLY = 10_000_000
"""In bytes, decoded."""
_OF_THE_BODY = ("content-encoding", "content-length", "transfer-encoding", "content-type")
"""The headers that describe a body as it was sent, before it was read."""


class TooLong(Exception):
    """The reply is longer than the limit."""


@cache
def _certificates() -> ssl.SSLContext:
    return httpx2.create_ssl_context()  # reads all authorities' certificates: once for all connections


def new_client() -> httpx2.Client:
    """A client with those limits. It follows no redirect: the prompt would go to an address that nobody configured."""
    return _Client(verify=_certificates(), follow_redirects=False, headers={"Accept-Encoding": "identity"})


class _Client(DefaultHttpxClient):
    def _init_transport(self, *args: Any, **options: Any) -> httpx2.BaseTransport:
        return _LimitingTransport(super()._init_transport(*args, **options))

    def _init_proxy_transport(self, *args: Any, **options: Any) -> httpx2.BaseTransport:
        return _LimitingTransport(super()._init_proxy_transport(*args, **options))


class _LimitingTransport(httpx2.BaseTransport):
    def __init__(self, transport: httpx2.BaseTransport) -> None:
        self._transport = transport

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
    """The decoded body of a response, up to the limits: the client's own time-out limits silence only."""

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        left = LONGEST_REPLY
        for part in self._response.iter_bytes():
            left -= len(part)
            if left < 0:
                raise TooLong
            if time_left() <= 0:
                raise httpx2.ReadTimeout("The time for the reply is over.")
            yield part

    def close(self) -> None:
        self._response.close()
