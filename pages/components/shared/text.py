"""Text on pages: whatever a document, a file name or a server says is shown as it is."""

from __future__ import annotations

import re

import streamlit as st

from pages.components.shared import visitors
from trace_core.errors import TraceError
from trace_core.intervals import spread
from trace_core.strict import valid_text

_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """The text with every character that Markdown could act on escaped, on one line; what no page can hold is �."""
    return _MARKDOWN.sub(r"\\\1", " ".join(str(valid_text(text)).split()))


def show_error(error: TraceError) -> None:
    """What happened, and what to do: one message."""
    st.error(plain(visitors.told(str(error))), icon=":material/error:")


def share_text(value: float | None) -> str:
    """A share without an interval; “undefined” where there is none."""
    return "undefined" if value is None else f"{value:.2f}"


def mean_text(mean: float | None, interval: tuple[float, float] | None, scored: int) -> str:
    """The mean of `scored` values with its interval, or that they are too few for one; “undefined” without a mean."""
    return "undefined" if mean is None else f"{mean:.2f} ({spread(interval, scored, 2)})"
