"""Objects that stay in memory as long as the process."""

from __future__ import annotations

import gc


def set_aside() -> None:
    """Exempt existing objects from garbage collection, which Streamlit starts after every run of a page."""
    gc.collect()
    gc.freeze()
