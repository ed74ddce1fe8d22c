"""A stand-alone program that reads a PDF from standard input and prints a line of JSON per page.

It runs in a separate process, so that a PDF made to run forever or to fill the memory cannot harm the caller:
it imports nothing else of TRACE, limits its memory and its processor time per page, and can be killed.

The first line is `{"pages": n}`, `{"encrypted": true}` or `{"broken": kind}`; then `{"text": …}` or `{"error": kind}`.
"""

from __future__ import annotations

import json
import logging
import signal
import sys
from types import FrameType
from typing import Any

PAGE_SECONDS = 10.0
MEMORY = 2_000_000_000


class TooSlow(BaseException):
    """The page takes too long; not an `Exception`, since the parser would catch it."""


def main() -> None:
    """Read the standard input."""
    _keep_within_limits()
    from pypdf import PdfReader

    logging.disable()  # pypdf logs every oddity that it can handle
    encrypted, count = False, 0
    try:
        with _seconds(PAGE_SECONDS):
            reader = PdfReader(sys.stdin.buffer)
            # Many PDFs only forbid changes: the empty password opens them.
            encrypted = reader.is_encrypted
            encrypted = encrypted and not reader.decrypt("")
            count = 0 if encrypted else len(reader.pages)
    except (Exception, TooSlow) as error:  # noqa: BLE001  # the parser raises many kinds; all mean "cannot be read"
        _say({"encrypted": True} if encrypted else {"broken": type(error).__name__})
        return
    _say({"encrypted": True} if encrypted else {"pages": count})
    for number in range(count):
        try:
            with _seconds(PAGE_SECONDS):
                text = reader.pages[number].extract_text()
            _say({"text": text})
        except (Exception, TooSlow) as error:  # noqa: BLE001  # it is told with the page's number
            _say({"error": type(error).__name__})


class _seconds:
    """Limit the block to this much processor time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, self._seconds)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _keep_within_limits() -> None:
    import resource

    def over(_: int, __: FrameType | None) -> None:
        raise TooSlow

    signal.signal(signal.SIGVTALRM, over)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _say(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
