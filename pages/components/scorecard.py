"""The scores on a page: verdict, four cards, balance and consistency."""

from __future__ import annotations

import streamlit as st

from trace_core.evidence import scorecard, scorecard_assets
from trace_core.records import Record, Scores

_css, _js = scorecard_assets()
_component = st.components.v2.component("trace_scorecard", css=_css, js=_js)


def show_scorecard(record: Record, scores: Scores, relevance_divisor: float, *, key: str) -> None:
    """Draw the record's scores."""
    _component(key=key, data=scorecard(record, scores, relevance_divisor))
