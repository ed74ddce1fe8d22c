"""The pages of a PDF, read by a separate process that is killed when it takes too long.

This file is the program of that process too: so that a PDF made to run forever or to fill the memory cannot harm the
caller, it imports nothing else of TRACE there, and limits its memory and its processor time per page.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO

if __name__ != "__main__":
    from trace_core.errors import InputError

PROGRAM = Path(__file__)
WHOLE_SECONDS, SECONDS_EACH_MB = 30.0, 10.0
"""Time limit for a PDF: seconds for any, and further seconds per megabyte."""
PAGE_SECONDS = 10.0
MEMORY = 2_000_000_000


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
                reason = "it takes too long" if line.get("error") == "_TooSlow" else line.get("error")
                yield (
                    line["text"]
                    if "text" in line
                    else InputError(f"Page {number} cannot be read ({reason}).", file=place)
                )


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


# ---- the program --------------------------------------------------------------------------------


class _TooSlow(BaseException):
    """The page takes too long; not an `Exception`, since the parser would catch it."""


def main() -> None:
    """Read a PDF from standard input, and print a line of JSON per page.

    The first line is `{"pages": n}`, `{"encrypted": true}` or `{"broken": kind}`; then `{"text": …}` or
    `{"error": kind}`.
    """
    import logging
    import resource

    signal.signal(signal.SIGVTALRM, _too_slow)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    from pypdf import PdfReader

    logging.disable()  # pypdf logs every oddity that it can handle
    encrypted, count = False, 0
    try:
        with _page_seconds():
            reader = PdfReader(sys.stdin.buffer)
            # Many PDFs only forbid changes: the empty password opens them.
            encrypted = reader.is_encrypted
            encrypted = encrypted and not reader.decrypt("")
            count = 0 if encrypted else len(reader.pages)
    except (Exception, _TooSlow) as error:  # noqa: BLE001  # the parser raises many kinds; all mean "cannot be read"
        _print({"encrypted": True} if encrypted else {"broken": type(error).__name__})
        return
    _print({"encrypted": True} if encrypted else {"pages": count})
    for number in range(count):
        try:
            with _page_seconds():
                text = reader.pages[number].extract_text()
            _print({"text": text})
        except (Exception, _TooSlow) as error:  # noqa: BLE001  # reported with the page's number
            _print({"error": type(error).__name__})


def _too_slow(_: int, __: FrameType | None) -> None:
    raise _TooSlow


@contextmanager
def _page_seconds() -> Iterator[None]:
    """Limit the block's processor time."""
    signal.setitimer(signal.ITIMER_VIRTUAL, PAGE_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _print(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
