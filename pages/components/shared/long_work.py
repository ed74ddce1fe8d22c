"""Long work started from a page: a bar with rate and time left, a stop at any click, each result kept at once."""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

import streamlit as st

from pages.components.shared.text import show_error
from trace_core.errors import TraceError
from trace_core.runs.progress import Meter, Progress

T = TypeVar("T")
ENOUGH = 10
"""Records whose speed says more than the estimate."""


def progress_words(now: Progress, what: str = "records", *, estimate: float | None = None) -> str:
    """How many, how fast, how long still: by the `estimate`, in seconds, of the whole until the speed is known."""
    words = f"{now.done:,} of {now.total:,} {what}"
    if now.failed:
        words += f", {now.failed:,} failed"
    if now.rate and now.rate >= 0.1:
        words += f" · {now.rate:,.1f} a second"
    left = now.seconds_left
    if estimate is not None and (left is None or now.done < min(ENOUGH, now.total / 2)):
        left = max(1.0, estimate * (1 - now.done / max(1, now.total)))
    return words if left is None else f"{words} · about {duration(left)} left"


def duration(seconds: float) -> str:
    """Seconds as people say them, at least one."""
    minutes, rest = divmod(max(1, round(seconds)), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def work_through(items: Iterator[T], keep: Callable[[T], object], meter: Meter, what: str, *, key: str) -> bool:
    """`keep` each item as it is made, under a bar that follows the meter; whether all were, an error being shown.
    `keep` or the items count in the meter. Items are made in a thread, so that a slow one keeps no click waiting:
    “Stop”, as any other click, reruns the page, and Streamlit leaves at the next draw. Then nothing more is begun, and
    what is in flight ends unseen."""
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, "Asking …")
        st.button("Stop", icon=":material/stop:", key=key, help="What is done so far is kept.")

    def draw() -> None:
        now = meter.now()
        bar.progress(now.done / max(1, now.total), progress_words(now, what))

    thread = ThreadPoolExecutor(1, "long work")
    boxes = ((item,) for item in items)
    try:
        while True:
            future = thread.submit(next, boxes, None)
            while not wait([future], 0.1).done:
                draw()  # where a click is noticed
            if (box := future.result()) is None:
                return True
            keep(box[0])
            draw()
    except TraceError as error:
        show_error(error)
        return False
    finally:
        if isinstance(items, Generator):
            thread.submit(items.close)  # after what is in flight
        thread.shutdown(wait=False)
        place.empty()
