"""Text on pages: whatever a document, a file name or a server says is shown as it is."""

from __future__ import annotations

import re

import streamlit as st

from pages.components.shared import visitors
from trace_core.errors import TraceError
from trace_core.strict import valid_text

_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """The text with every character that Markdown could act on escaped, on one line; what no page can hold is �."""
    return _MARKDOWN.sub(r"\\\1", " ".join(str(valid_text(text)).split()))


def show_error(error: TraceError) -> None:
    """What happened, and what to do: one message."""
    st.error(plain(visitors.told(str(error))), icon=":material/error:")


def mean_text(mean: float | None, interval: tuple[float, float] | None) -> str:
    """A mean with its interval behind it, where there is one; “undefined” without a mean."""
    if mean is None:
        return "undefined"
    return f"{mean:.2f}" + (f" ({interval[0]:.2f} … {interval[1]:.2f})" if interval else "")
