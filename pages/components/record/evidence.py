"""The evidence view on a page: which document sentences support which sentence of the answer."""

from __future__ import annotations

import streamlit as st

from trace_core.evidence import assets, view
from trace_core.facts.records import Record

_css, _js = assets()
_component = st.components.v2.component("trace_evidence", css=_css, js=_js)


def evidence_view(record: Record, *, key: str) -> str | None:
    """Draw the record's evidence; the sentence key that was pinned just now, else `None`."""
    # The callback only makes Streamlit know `picked` before the first click.
    result = _component(key=key, data=view(record), on_picked_change=lambda: None)
    picked: str | None = result.picked
    return picked
