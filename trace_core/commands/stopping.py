"""Ctrl-C and SIGTERM: a command finishes what it has started and says so; a second signal ends it at once."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM)
AT_FIRST_SIGNAL: list[Callable[[], None]] = []
"""What is done before anything else: whoever waits for a server is to wait no longer."""


class Stop(BaseException):
    """The command was asked to stop. Not a `KeyboardInterrupt`, which libraries catch and report in their own words."""

    def __init__(self, number: int, message: str = "stopped") -> None:
        super().__init__(number)
        self.message = message
        self.code = 128 + number
        """The exit code that shells give a process ended by a signal."""


@contextmanager
def stopping() -> Iterator[None]:
    """Within the block the first signal raises `Stop`, also where a library's callback makes another error of it."""
    signals: list[int] = []

    def stop(number: int) -> NoReturn:
        signals.append(number)
        raise Stop(number)

    with on_first_signal(stop):
        try:
            yield
        except Exception as error:
            if signals:
                raise Stop(signals[0]) from error
            raise


@contextmanager
def stopped_with(message: str) -> Iterator[None]:
    """Show `message` to a person who stops the work within the block."""
    try:
        yield
    except Stop as stop:
        stop.message = message
        raise


@contextmanager
def on_first_signal(act: Callable[[int], None]) -> Iterator[None]:
    """Within the block the first signal calls `act` with its number; a second one ends the process."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread receives signals
        yield
        return

    def once(number: int, _: FrameType | None) -> None:
        for each in SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        for first in AT_FIRST_SIGNAL:
            first()
        act(number)

    before = [signal.signal(each, once) for each in SIGNALS]
    try:
        yield
    finally:
        for each, handler in zip(SIGNALS, before, strict=True):
            if signal.getsignal(each) is once:  # after the first signal the next one still ends the process
                signal.signal(each, handler)
