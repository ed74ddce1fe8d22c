"""Reading a request's body: no more than the limit, no longer than a while, and `{"query": string}`."""

from __future__ import annotations

import asyncio
import json

from starlette.requests import ClientDisconnect, Request

SECONDS_TO_READ = 30.0
_DRAINED = 4  # times the limit: a client that is still sending cannot read the reply


class BadBody(Exception):
    """A status of its own, and why."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


async def read_body(request: Request, limit: int) -> bytes:
    """The body, at most `limit` bytes. Raises `BadBody` with 413 or 408."""
    try:
        return await asyncio.wait_for(_read(request, limit), SECONDS_TO_READ)
    except TimeoutError:
        raise BadBody(408, f"The body did not arrive within {SECONDS_TO_READ:g} s.") from None
    except ClientDisconnect:
        raise BadBody(408, "The connection was closed before the body had arrived.") from None


async def _read(request: Request, limit: int) -> bytes:
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and len(announced) < 20 and int(announced) > _DRAINED * limit:
        raise _too_large(limit)
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > _DRAINED * limit:
            break
        if size > limit:
            parts.clear()
        else:
            parts.append(part)
    if size > limit:
        raise _too_large(limit)
    return b"".join(parts)


def _too_large(limit: int) -> BadBody:
    return BadBody(413, f"The body is larger than {limit} bytes (TRACE_MAX_BODY).")


def read_query(body: bytes) -> str:
    """The query string in a body. Raises `BadBody` with 422; nothing of the body is repeated."""
    expected = 'The body must be JSON: {"query": "<string>"}.'
    try:
        given = json.loads(body)
    except json.JSONDecodeError as error:
        raise BadBody(422, f"{expected} {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except (ValueError, RecursionError):  # not UTF-8, an endless number, or nested without end
        raise BadBody(422, expected) from None
    if not isinstance(given, dict):
        raise BadBody(422, f"{expected} This is no object.")
    if "query" not in given:
        raise BadBody(422, f"{expected} There is no field query.")
    query = given["query"]
    if not isinstance(query, str):
        raise BadBody(422, f"{expected} The field query is no string; write the JSON of your query as a string.")
    return query
