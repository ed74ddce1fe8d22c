"""Reading a request's body: JSON within the size limit, not too slow, in the form `{"query": string}`."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request

from trace_core.api.gate import Busy
from trace_core.endpoint.payload import LONGEST

SECONDS_TO_READ = 30.0
PATIENCE = 5.0
"""Seconds until the rate counts."""
BYTES_A_SECOND = 2_000
"""A slower client only occupies a connection: any phone is faster."""
MOST_HELD = 100_000_000
"""The most bytes of unfinished bodies, all of them together."""
_DRAINED = 4  # times the limit: a client that is still sending cannot read the reply


class BadBody(Exception):
    """A rejected body, with HTTP status and reason."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


def check_type(request: Request) -> None:
    """Raises `BadBody` with 415 for anything but JSON: a form on another site can send the rest without preflight."""
    given = request.headers.get("content-type", "")
    if given.partition(";")[0].strip().lower() != "application/json":
        raise BadBody(415, "The body must be sent as application/json.")


class _Held:
    """The number of bytes of unfinished bodies in memory."""

    size = 0


async def read_body(request: Request, limit: int) -> bytes:
    """The body, at most `limit` bytes. Raises `BadBody` with 413 or 408, and `Busy` where too many are being read."""
    try:
        return await asyncio.wait_for(_read(request, limit), SECONDS_TO_READ)
    except TimeoutError:
        raise BadBody(408, "The body did not arrive in time.") from None
    except ClientDisconnect:
        raise BadBody(408, "The connection was closed before the body had arrived.") from None


async def _read(request: Request, limit: int) -> bytes:
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and len(announced) < 20 and int(announced) > _DRAINED * limit:
        raise _too_large(limit)
    parts: list[bytes] = []
    size = held = 0
    start = time.monotonic()
    stream = request.stream().__aiter__()
    try:
        while part := await _next(stream, start, size):
            size += len(part)
            if size > _DRAINED * limit:
                break
            if size <= limit:
                parts.append(part)
                held += len(part)
                _Held.size += len(part)
            else:
                parts.clear()
            if _Held.size > MOST_HELD:
                raise Busy(PATIENCE)
    finally:
        _Held.size -= held
    if size > limit:
        raise _too_large(limit)
    return b"".join(parts)


async def _next(stream: AsyncIterator[bytes], start: float, size: int) -> bytes:
    """The next part, empty at the end. Raises `TimeoutError` where it is slower than the minimum rate."""
    due = start + PATIENCE + size / BYTES_A_SECOND
    async with asyncio.timeout(max(0.0, due - time.monotonic())):
        async for part in stream:
            if part:
                return part
        return b""


def _too_large(limit: int) -> BadBody:
    return BadBody(413, f"The body is larger than {limit} bytes (TRACE_MAX_BODY).")


def read_query(body: bytes) -> str:
    """The query string in a body. Raises `BadBody`, 422 or 413; it repeats nothing of the body."""
    expected = 'The body must be JSON: {"query": "<string>"}.'
    try:
        given = json.loads(body, strict=False)  # line breaks within the string stay as they are
    except json.JSONDecodeError as error:
        raise BadBody(422, f"{expected} {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except (ValueError, RecursionError):  # not UTF-8, a number with too many digits, or nested too deeply
        raise BadBody(422, expected) from None
    if not isinstance(given, dict):
        raise BadBody(422, f"{expected} This is not an object.")
    if "query" not in given:
        raise BadBody(422, f"{expected} There is no field query.")
    query = given["query"]
    if not isinstance(query, str):
        raise BadBody(422, f"{expected} The field query is not a string; write the JSON of your query as a string.")
    if len(query) > LONGEST:
        raise BadBody(413, f"The query has {len(query):,} characters; at most {LONGEST:,} are read.")
    return query
