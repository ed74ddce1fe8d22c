"""Many slow requests to POST /trace at once: dripping, stalled, left half sent or broken off."""

import asyncio
import json
import random
import socket
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

KINDS = ("drips", "stalls", "sends no body", "resets", "pauses")
"""The last kind is complete within a second, and answered."""
_CONTEXTS = ["The tank holds 1.8 litres of water. It sits at the back of the machine."] * 10
_QUERY = {"tests": ["faithfulness"], "contexts": _CONTEXTS, "answer": "The tank holds 1.8 litres. It is made of steel."}
BODY = json.dumps({"query": json.dumps(_QUERY)}).encode()
HEAD = (
    "POST /trace HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    f"Content-Length: {len(BODY)}\r\n\r\n"
).encode()
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER of 0 s: closing resets the connection


async def sent(url: str, kind: str, draw: random.Random) -> str:
    """One request of that kind: its status, or "none" where the client left or no reply came."""
    at = urlsplit(url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    part = BODY[: draw.randrange(1, len(BODY))]
    try:
        writer.write(HEAD if kind in ("drips", "sends no body") else HEAD + part)
        await writer.drain()
        if kind == "drips":
            await _drip(reader, writer)
        elif kind == "resets":
            await asyncio.sleep(draw.random() / 5)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            return "none"
        elif kind == "pauses":
            await asyncio.sleep(draw.random())
            writer.write(BODY[len(part) :])
        line = await asyncio.wait_for(reader.readline(), 60)
        return line.split()[1].decode() if line else "none"
    except (ConnectionError, TimeoutError):
        return "none"
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def _drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send a byte every 200 ms until the server replies."""
    with suppress(ConnectionError):
        for byte in BODY:
            if reader._buffer or reader.at_eof():  # type: ignore[attr-defined]  # peeked at, not read
                return
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.2)


@contextmanager
def sending(url: str, total: int) -> Iterator[Counter[tuple[str, str]]]:
    """Send that many slow requests at once while the block runs, and wait for the last; counts each (kind, status)."""
    seen: Counter[tuple[str, str]] = Counter()

    async def one(number: int) -> None:
        kind = KINDS[number % len(KINDS)]
        seen[kind, await sent(url, kind, random.Random(number))] += 1

    async def every() -> None:
        await asyncio.gather(*map(one, range(total)))

    thread = threading.Thread(target=lambda: asyncio.run(every()))
    thread.start()
    try:
        yield seen
    finally:
        thread.join()
