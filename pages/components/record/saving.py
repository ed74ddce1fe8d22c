"""Keeping records, and remembering for the visitor which of theirs could not be kept."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.components.shared import services
from pages.components.shared.text import show_error
from trace_core.errors import StoreError
from trace_core.facts.records import Record


def keep(record: Record) -> None:
    """Write the record and its log line; where that fails, the record is shown all the same."""
    try:
        services.store().queries.save(record)
    except StoreError as error:
        st.session_state.setdefault("unsaved", {})[record.id] = str(error)
    log(record)


def log(record: Record, contributions: Mapping[str, float] | None = None) -> None:
    """A line in the query log: of what was asked of a collection, outside the demo."""
    try:
        if record.retrieval and not services.settings().demo:
            services.query_log().append(record, contributions)
    except StoreError as error:
        show_error(error)


def why_unsaved(record: Record) -> str | None:
    """Why this visitor's record is in no database; `None` when it is."""
    reasons: dict[str, str] = st.session_state.get("unsaved", {})
    return reasons.get(record.id)
