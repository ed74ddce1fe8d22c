"""Ctrl-C and SIGTERM: a command finishes what it has started and says so; a second signal ends it at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM)
WORDS = "stopped"


class Stopped(BaseException):
    """The command was asked to stop. Not a `KeyboardInterrupt`, which libraries catch and report in their own words."""

    def __init__(self, number: int, words: str = WORDS) -> None:
        super().__init__(number)
        self.words = words
        self.code = 128 + number
        """The exit code that shells give a process ended by a signal."""


@contextmanager
def stopping() -> Iterator[None]:
    """Within the block the first signal raises `Stopped`."""
    with _heard(_raise):
        yield


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


def _raise(number: int) -> None:
    raise Stopped(number)


def _end(number: int) -> NoReturn:
    os.write(2, f"\n{WORDS}\n".encode())
    os._exit(128 + number)
