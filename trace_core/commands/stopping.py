"""Ctrl-C and SIGTERM: a command finishes what it has started and says so; a second signal ends it at once."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM)
WORDS = "stopped"
_MOMENT = 0.01
"""Seconds until a dropped `Stopped` is raised again: the callback that dropped it has returned by then."""


class Stopped(BaseException):
    """The command was asked to stop. Not a `KeyboardInterrupt`, which libraries catch and report in their own words."""

    def __init__(self, number: int, words: str = WORDS) -> None:
        super().__init__(number)
        self.words = words
        self.code = 128 + number
        """The exit code that shells give a process ended by a signal."""


@contextmanager
def stopping() -> Iterator[None]:
    """Within the block the first signal raises `Stopped`.

    It may fall into a library's callback, where exceptions are dropped or become others: dropped, it is raised again
    a moment later; another error after it leaves the block as `Stopped`.
    """
    heard: list[int] = []

    def told(number: int) -> NoReturn:
        heard.append(number)
        raise Stopped(number)

    with _heard(told), _raised_again():
        try:
            yield
        except Exception as error:
            if heard:
                raise Stopped(heard[0]) from error
            raise


@contextmanager
def ending() -> Iterator[None]:
    """Within the block a signal ends the process: nothing has started, and libraries may be half imported."""
    with _heard(_end):
        yield


@contextmanager
def noting() -> Iterator[list[int]]:
    """Within the block the first signal is only noted, for work that must not be interrupted halfway."""
    noted: list[int] = []
    with _heard(noted.append):
        yield noted


@contextmanager
def said_when_stopped(words: str) -> Iterator[None]:
    """Show `words` to a person who stops the work within the block."""
    try:
        yield
    except Stopped as stop:
        stop.words = words
        raise


@contextmanager
def _heard(told: Callable[[int], Any]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # only the main thread receives signals
        yield
        return

    def once(number: int, _: FrameType | None) -> None:
        for each in SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        told(number)

    before = [signal.signal(each, once) for each in SIGNALS]
    try:
        yield
    finally:
        for each, handler in zip(SIGNALS, before, strict=True):
            if signal.getsignal(each) is once:  # after the first signal the next one still ends the process
                signal.signal(each, handler)


@contextmanager
def _raised_again() -> Iterator[None]:
    """Within the block a `Stopped` that Python could only have reported is raised again."""
    reported = sys.unraisablehook

    def hook(dropped: Any) -> None:
        stop = dropped.exc_value
        if not isinstance(stop, Stopped):
            reported(dropped)
        elif threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGALRM, lambda *_: _raise(stop))
            signal.setitimer(signal.ITIMER_REAL, _MOMENT)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.unraisablehook = reported


def _raise(stop: Stopped) -> NoReturn:
    raise stop


def _end(number: int) -> NoReturn:
    os.write(2, f"\n{WORDS}\n".encode())
    os._exit(128 + number)
