"""The pages of a PDF, read by a separate process that is killed when it takes too long."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

from trace_core.errors import InputError

PROGRAM = Path(__file__).with_name("pdf_pages.py")
WHOLE_SECONDS, SECONDS_EACH_MB = 30.0, 10.0
"""Time limit for a PDF: seconds for any, and further seconds per megabyte."""


def pdf_pages(place: str, stream: BinaryIO) -> Iterator[str | InputError]:
    """The text of each page, or its error where it cannot be read. Raises `InputError` for the PDF as a whole."""
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(stream, copy)
        seconds = WHOLE_SECONDS + SECONDS_EACH_MB * copy.tell() / 1_000_000
        copy.seek(0)
        with closing(_lines(copy, place, seconds)) as lines:
            first = next(lines)
            if "broken" in first:
                hint = "Save or download it again."
                raise InputError(f"The PDF is broken ({first['broken']}).", hint, file=place)
            if "encrypted" in first:
                raise InputError("The PDF is encrypted.", "Save it without a password.", file=place)
            for number, line in enumerate(lines, start=1):
                yield line["text"] if "text" in line else _unread(number, line["error"], place)


def _unread(number: int, kind: str, place: str) -> InputError:
    why = "it takes too long" if kind == "TooSlow" else kind
    return InputError(f"Page {number} cannot be read ({why}).", file=place)


def _lines(copy: BinaryIO, place: str, seconds: float) -> Generator[dict[str, Any]]:
    """The process's output, at least one line. Raises `InputError` where the process ends early or is killed."""
    process = subprocess.Popen(  # noqa: S603  # our own program, and nothing from outside
        [sys.executable, "-I", str(PROGRAM)],
        stdin=copy, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    late = threading.Event()

    def end() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(seconds, end)
    timer.start()
    assert process.stdout is not None  # noqa: S101  # it is a pipe
    try:
        for line in process.stdout:
            yield json.loads(line)
        code = process.wait()
        if late.is_set():
            raise InputError(f"The PDF takes longer than {seconds:.0f} s to read.", "Split it.", file=place)
        if code:
            raise InputError("The PDF is broken (its reader ended).", "Save or download it again.", file=place)
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        process.stdout.close()
