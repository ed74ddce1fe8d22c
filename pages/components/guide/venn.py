"""The Venn diagram on a page: relevant and utilized sentences among all retrieved ones."""

from __future__ import annotations

import streamlit as st

from trace_core.evidence.venn import venn, venn_assets
from trace_core.facts.records import Record

_css, _js = venn_assets()
_component = st.components.v2.component("trace_venn", css=_css, js=_js)


def show_venn(record: Record, *, key: str) -> None:
    """Draw the record's sets."""
    _component(key=key, data=venn(record))
