"""Long work on a page, with a bar and a button that stops it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

import streamlit as st

T = TypeVar("T")
BEAT = 0.1
"""Seconds between two looks at whether somebody clicked."""


def stoppable(work: Iterator[T], progress: Callable[[], tuple[float, str]], *, key: str) -> Iterator[T]:
    """The items of the work, each made in a thread, so that a slow one keeps no click waiting.

    `progress` returns the share that is done, and the bar's text. “Stop”, as any other click, reruns the page:
    Streamlit leaves at the next draw, nothing more is begun, and what is in flight ends unseen.
    """
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, "Asking …")
        st.button("Stop", icon=":material/stop:", key=key, help="What is done so far is kept.")
    thread = ThreadPoolExecutor(1, "stoppable")
    items = ((item,) for item in work)
    try:
        while True:
            made = thread.submit(next, items, None)
            while not wait([made], BEAT).done:
                bar.progress(*progress())
            if (item := made.result()) is None:
                return
            yield item[0]
            bar.progress(*progress())
    finally:
        if isinstance(work, Generator):
            thread.submit(work.close)  # after what is in flight
        thread.shutdown(wait=False)
        place.empty()
