"""Long work started from a page: a bar with rate and time left, a stop at any click, each result kept at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import TypeVar

import streamlit as st

from pages.components.shared.text import show_error
from trace_core.errors import TraceError
from trace_core.runs.progress import Meter, Progress

T = TypeVar("T")
BEAT = 0.1
"""Seconds between two looks at whether somebody clicked."""


def progress_words(now: Progress, what: str = "records", *, expected: float | None = None) -> str:
    """How many, how fast, how long still: the `expected` seconds until something is done."""
    words = f"{now.done:,} of {now.total:,} {what}"
    if now.failed:
        words += f", {now.failed:,} failed"
    if now.rate:
        words += f" · {now.rate:,.1f} a second"
    left = expected if now.seconds_left is None else now.seconds_left
    return words if left is None else f"{words} · about {duration(left)} left"


def duration(seconds: float) -> str:
    """Seconds as people say them."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def work_through(items: Iterable[T], keep: Callable[[T], object], meter: Meter, what: str, *, key: str) -> bool:
    """`keep` each item as it is made, under a bar that follows the meter; whether all were, an error being shown.

    `keep` or the items count in the meter. “Stop”, or any other click, reruns the page and so ends the work; what is
    kept stays. What is in flight then ends unseen.
    """
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, "Asking …")
        st.button("Stop", icon=":material/stop:", key=key, help="What is done so far is kept.")

    def beat() -> None:
        now = meter.now()
        bar.progress(now.done / max(1, now.total), progress_words(now, what))

    try:
        for item in _made_apart(items, beat):
            keep(item)
            beat()
    except TraceError as error:
        show_error(error)
        return False
    finally:
        place.empty()
    return True


def _made_apart(items: Iterable[T], beat: Callable[[], object]) -> Iterator[T]:
    """The same items, made in a thread, so that a slow one keeps no click waiting: Streamlit leaves at a `beat`."""
    ready: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()
    left = threading.Event()
    threading.Thread(target=_make, args=(items, ready, left), name="long work", daemon=True).start()
    try:
        while True:
            try:
                item, end = ready.get(timeout=BEAT)
            except Empty:
                beat()
                continue
            if isinstance(end, StopIteration):
                return
            if end is not None:
                raise end
            yield item  # type: ignore[misc]  # an item that is no end
    finally:
        left.set()


def _make(items: Iterable[T], ready: SimpleQueue[tuple[T | None, BaseException | None]], left: threading.Event) -> None:
    end: BaseException = StopIteration()
    try:
        for item in items:
            ready.put((item, None))
            if left.is_set():
                break
        if isinstance(items, Generator):
            items.close()
    except Exception as error:  # noqa: BLE001  # whoever waits for the items raises it
        end = error
    ready.put((None, end))
