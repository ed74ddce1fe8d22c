"""Output of commands: JSON on standard output, progress and errors on standard error."""

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

from trace_core.errors import InputError, counted
from trace_core.facts.strict import visible
from trace_core.runs.progress import Meter, Progress

T = TypeVar("T")
MOST_ROWS = 20
"""The most bad rows that are listed; the rest are counted."""
EVERY_SECONDS = 1.0
"""Seconds between progress reports."""


def print_json(value: Any) -> None:
    """Print JSON escaped to ASCII, so that any terminal and any reader can take every text."""
    print(json.dumps(value, allow_nan=False, indent=2))


@contextmanager
def writing(out: Path | None) -> Iterator[TextIO]:
    """The file to write to, or standard output. The file is replaced only when the block ends without an error."""
    if out is None:
        yield sys.stdout
        return
    target = out.resolve()
    if target.exists() and not target.is_file():  # a pipe or a device
        with target.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    aside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with aside.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, aside)
        aside.replace(target)
    except OSError as error:
        if error.filename == str(aside):  # the user did not ask for this file
            error.filename = str(out)
        raise
    finally:
        aside.unlink(missing_ok=True)


def progress(text: str, last: bool) -> None:
    """Show progress: one line that is updated on a terminal, separate lines elsewhere."""
    tty = sys.stderr.isatty()
    print(f"\r\x1b[K{text}" if tty else text, end="\n" if last or not tty else "", file=sys.stderr, flush=True)


def say(now: Progress, *, last: bool = False, what: str = "records") -> None:
    """Show a run's progress, its rate, and the time left."""
    parts = [f"{now.done} of {now.total} {what}"]
    parts += [f"{now.failed} failed"] if now.failed else []
    parts += [f"{now.rate:.1f} a second"] if now.rate else []
    parts += [f"{now.seconds_left:.0f} s left"] if now.seconds_left is not None else []
    parts += [f"{now.status}: {visible(now.reason)}" if now.reason else now.status] if last else []
    progress(", ".join(parts), last)


def counting(
    items: Iterable[T], total: int, what: str, *, is_failure: Callable[[T], bool] = lambda item: False
) -> Iterator[T]:
    """The items as they come, while their progress is shown; what they are is in `what`."""
    meter, last = Meter(Progress(total)), time.monotonic()
    for item in items:
        yield item
        meter.add(1, failed=int(is_failure(item)))
        if time.monotonic() > last + EVERY_SECONDS:
            say(meter.now(), what=what)
            last = time.monotonic()
    if not total:
        return
    meter.end("done" if meter.state.done == total else "stopped", "")
    say(meter.now(), last=True, what=what)


def report_bad(bad: Sequence[InputError], skip_bad: bool, count: int | None = None) -> None:
    """List the first bad rows of `count`; stop before any work unless bad rows are to be skipped."""
    count = len(bad) if count is None else count
    for error in bad[:MOST_ROWS]:
        print(f"{'skipped: ' if skip_bad else ''}{visible(str(error))}", file=sys.stderr)
    if count > MOST_ROWS:
        print(f"… and {count - MOST_ROWS} more", file=sys.stderr)
    if bad and not skip_bad:
        them = "it" if count == 1 else "them"
        raise InputError(f"{counted(count, 'bad row')}, nothing was done.", f"Correct {them}, or have {them} left out.")
