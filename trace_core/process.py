"""Files that can be made to run forever or to fill the memory: each is read by a process of its own, with limits. This
file is the program of that process too: there it imports nothing of TRACE but the file of the reader."""

import json
import math
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

if __name__ != "__main__":
    from trace_core.errors import InputError

Reader = Callable[..., Iterator[Any]]
"""Reads a binary stream, with options that are texts; a function of a file that imports only the standard library."""
WHOLE_SECONDS, SECONDS_EACH_MB = 20.0, 10.0  # seconds of computing for any file, and further seconds per megabyte
MEMORY = 2_000_000_000
MOST_BYTES = 2_000_000_000  # the bytes of JSON that a file's content may be
_RATIO, _LEAST_BOMB = 100, 100_000_000  # no file of texts unpacks to this many times its size and this many bytes
PLACES = 4  # the most processes at once: each may take all of its memory
FREE = threading.BoundedSemaphore(PLACES)
_FULL = 3  # the exit status of a process that needs more memory than it may have


def values_of(reader: Reader, path: Path, name: str, most: int = MOST_BYTES, *options: str) -> Iterator[Any]:
    """The values that the reader makes of a file in a process of its own, one after another. Raises `InputError`, which
    calls the file `name`, past `most` bytes of JSON or the limits of the process, and if the file is broken."""
    size = path.stat().st_size
    seconds = math.ceil(WHOLE_SECONDS + SECONDS_EACH_MB * size / 1_000_000)
    most = min(most, max(_LEAST_BOMB, _RATIO * size))
    if not FREE.acquire(timeout=seconds):
        raise InputError("Other files are being read.", "Try again in a minute.", file=name)
    program = [sys.executable, "-I", __file__, reader.__code__.co_filename, reader.__name__, str(seconds), *options]
    try:
        with (
            path.open("rb") as stream,  # the command is our own program, and nothing from outside
            subprocess.Popen(program, stdin=stream, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process,  # noqa: S603
        ):
            try:
                yield from _values(process.stdout, most, name)
                status = process.wait()
            finally:
                process.kill()
    finally:
        FREE.release()
    if status == -signal.SIGXCPU:
        raise InputError(f"The file takes longer than {seconds} s to read.", "Split it.", file=name)
    if status == _FULL:
        raise InputError(f"The file takes more than {MEMORY // 1_000_000:,} MB of memory.", "Split it.", file=name)
    if status:
        message = f"The file is broken: it cannot be read as {path.suffix[1:].upper()}."
        raise InputError(message, "Save or download it again.", file=name)


def _values(lines: Any, most: int, name: str) -> Iterator[Any]:
    left = most
    for line in iter(partial(lines.readline, most + 1), b""):
        left -= len(line)
        if left < 0:
            message = f"The file unpacks to more than {most // 1_000_000:,} MB."
            raise InputError(message, "Look at what is in it, or split it.", file=name)
        yield json.loads(line, parse_constant=lambda _: None)


def main(file: str, reader: str, seconds: str, *options: str) -> None:
    """Read a file from standard input; print its values, a line of JSON each. A date is its text."""
    import logging
    import runpy

    for limit, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, int(seconds)), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(limit, (most, most + 1))  # at the second of the two the system kills without a reason
    logging.disable()  # pypdf logs every oddity that it can handle
    stream: BinaryIO = sys.stdin.buffer
    try:
        for value in runpy.run_path(file)[reader](stream, *options):
            print(json.dumps(value, default=str))
    except MemoryError:
        sys.exit(_FULL)


if __name__ == "__main__":
    main(*sys.argv[1:])
