"""Many slow requests to POST /trace at once (dripping, stalled or left half sent), and a normal client beside them."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import struct
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from trace_core.api.gate import OF_ONE_ADDRESS

KINDS = ("drips", "drips in chunks", "stalls", "sends no body", "closes", "resets", "leaves before the reply", "pauses")
"""The last kind is complete within a second, and answered."""
MORE, TRIES = 8, 6
_CONTEXTS = ["The tank holds 1.8 litres of water. It sits at the back of the machine."] * 10
_QUERY = {"tests": ["faithfulness"], "contexts": _CONTEXTS, "answer": "The tank holds 1.8 litres. It is made of steel."}
BODY = json.dumps({"query": json.dumps(_QUERY)}).encode()
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER of 0 s: closing resets the connection


def head(framing: str = f"Content-Length: {len(BODY)}") -> bytes:
    """The first lines of a request with a body of that length or framing."""
    lines = ("POST /trace HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Connection: close", framing)
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


async def sent(url: str, kind: str, draw: random.Random) -> str:
    """One request of that kind: its status, or "none" where the client left or no reply came."""
    at = urlsplit(url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    part = BODY[: draw.randrange(1, len(BODY))]
    try:
        chunked = kind == "drips in chunks"
        writer.write(head("Transfer-Encoding: chunked") if chunked else head())
        if kind in ("drips", "drips in chunks"):
            await _drip(reader, writer, chunked)
        elif kind != "sends no body":
            writer.write(BODY if kind == "leaves before the reply" else part)
        await writer.drain()
        if kind in ("closes", "resets", "leaves before the reply"):
            await asyncio.sleep(draw.random() / 5)
            if kind == "resets":
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            return "none"
        if kind == "pauses":
            await asyncio.sleep(draw.random())
            writer.write(BODY[len(part) :])
        return await _status(reader)
    except ConnectionError:
        return "none"
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def _drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chunked: bool) -> None:
    """Send a byte every 200 ms until the server replies."""
    with suppress(ConnectionError):
        for byte in BODY:
            if reader._buffer or reader.at_eof():  # type: ignore[attr-defined]  # peeked at, not read
                return
            writer.write(b"1\r\n%c\r\n" % byte if chunked else bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.2)


async def _status(reader: asyncio.StreamReader) -> str:
    try:
        line = await asyncio.wait_for(reader.readline(), 60)
    except (TimeoutError, ConnectionError):
        return "none"
    return line.split()[1].decode() if line else "none"


@contextmanager
def sending(url: str, total: int, at_once: int) -> Iterator[Counter[tuple[str, str]]]:
    """Send `total` slow requests while the block runs, and wait for the last one; counts each (kind, status)."""
    seen: Counter[tuple[str, str]] = Counter()

    async def send() -> None:
        places, draw = asyncio.Semaphore(at_once), random.Random(0)

        async def one(number: int) -> None:
            kind = KINDS[number % len(KINDS)]
            async with places:
                seen[kind, await sent(url, kind, draw)] += 1

        await asyncio.gather(*(one(number) for number in range(total)))

    thread = threading.Thread(target=lambda: asyncio.run(send()))
    thread.start()
    try:
        yield seen
    finally:
        thread.join()


@dataclass
class Beside:
    """Waiting times in seconds of a client that requests pages all the while; errors are in `failed`."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)


@contextmanager
def beside(
    url: str, paths: tuple[str, ...] = ("/trace/schema", "/_stcore/health"), every: float = 0.2
) -> Iterator[Beside]:
    """Request these addresses repeatedly for the duration of the block."""
    found, over = Beside({path: [] for path in paths}), threading.Event()

    def ask(path: str) -> None:
        while not over.wait(every):
            start = time.perf_counter()
            try:
                urllib.request.urlopen(f"{url}{path}", timeout=30).read()
            except OSError as error:
                found.failed.append(f"{path}: {error}")
            found.seconds[path].append(time.perf_counter() - start)

    threads = [threading.Thread(target=ask, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
    try:
        yield found
    finally:
        over.set()
        for thread in threads:
            thread.join()


def places(url: str) -> int:
    """How many requests of one address are admitted together: the most of several tries, since a busy line refuses."""
    found = 0
    for _ in range(TRIES):
        found = max(found, asyncio.run(_together(url)))
        if found >= OF_ONE_ADDRESS:
            break
    return found


async def _together(url: str) -> int:
    """How many requests are answered of a few more than one address has places for, all sent at the same moment."""
    at = urlsplit(url)
    lines = [await asyncio.open_connection(at.hostname, at.port) for _ in range(OF_ONE_ADDRESS + MORE)]
    for _, writer in lines:
        writer.write(head() + BODY[:-1])
        await writer.drain()
    await asyncio.sleep(0.5)
    for _, writer in lines:
        writer.write(BODY[-1:])
    statuses = await asyncio.gather(*(_status(reader) for reader, _ in lines))
    for _, writer in lines:
        writer.close()
    return statuses.count("200")
