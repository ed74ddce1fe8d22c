"""What stays in memory for as long as the process lasts."""

from __future__ import annotations

import gc


def set_aside() -> None:
    """Take what is there now out of the garbage collector's way: Streamlit runs it after every run of a page."""
    gc.collect()
    gc.freeze()
