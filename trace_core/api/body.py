"""Reading a request's body: JSON within the size limit, not too slow, in the form `{"query": string}`."""

import asyncio
import json

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from trace_core.api.gate import Busy
from trace_core.endpoint.payload import LONGEST

SECONDS_TO_READ = 30.0
MOST_IN_MEMORY = 100_000_000
"""The most bytes of unfinished bodies, all of them together."""
_DRAIN = 4  # times the limit: a client that is still sending cannot read the reply
_in_memory = {"bytes": 0}  # of all unfinished bodies


async def read_body(request: Request, limit: int) -> bytes:
    """The body, at most `limit` bytes. Raises `HTTPException` with 415, 413 or 408, and `Busy` where too many are being
    read. Only JSON is read: a form of another site can send the rest without being asked."""
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "The body must be sent as application/json.")
    parts: list[bytes] = []
    size = memory = 0
    try:
        async with asyncio.timeout(SECONDS_TO_READ):
            async for part in request.stream():
                size += len(part)
                if size > _DRAIN * limit:
                    break
                if size <= limit:
                    parts.append(part)
                    memory += len(part)
                    _in_memory["bytes"] += len(part)
                if _in_memory["bytes"] > MOST_IN_MEMORY:
                    raise Busy
    except (TimeoutError, ClientDisconnect):
        raise HTTPException(408, "The body did not arrive in time.") from None
    finally:
        _in_memory["bytes"] -= memory
    if size > limit:
        raise HTTPException(413, f"The body is larger than {limit} bytes (TRACE_MAX_BODY).")
    return b"".join(parts)


def read_query(body: bytes) -> str:
    """The query string in a body. Raises `HTTPException`, 422 or 413; it repeats nothing of the body."""
    try:
        value = json.loads(body, strict=False)  # line breaks within the string stay as they are
        wrong = "" if isinstance(value, dict) else "This is not an object."
    except json.JSONDecodeError as error:
        value, wrong = {}, f"{error.msg} at line {error.lineno}, column {error.colno}."
    except (ValueError, RecursionError):  # not UTF-8, a number with too many digits, or nested too deeply
        value, wrong = {}, "It cannot be read."
    if not wrong and "query" not in value:
        wrong = "There is no field query."
    elif not wrong and not isinstance(value["query"], str):
        wrong = "The field query is not a string; write the JSON of your query as a string."
    if wrong:
        raise HTTPException(422, f'The body must be JSON: {{"query": "<string>"}}. {wrong}')
    query = str(value["query"])
    if len(query) > LONGEST:
        raise HTTPException(413, f"The query has {len(query):,} characters; at most {LONGEST:,} are read.")
    return query
