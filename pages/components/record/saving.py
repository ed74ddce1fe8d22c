"""Store records, and remember which of the visitor's records could not be stored."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.components.shared import services
from pages.components.shared.text import show_error
from trace_core.errors import StoreError
from trace_core.facts.records import Record


def keep(record: Record) -> None:
    """Write the record and its log line; if that fails, the record is still shown."""
    try:
        services.store().queries.save(record)
    except StoreError as error:
        st.session_state.setdefault("unsaved", {})[record.id] = str(error)
    log(record)


def log(record: Record, contributions: Mapping[str, float] | None = None) -> None:
    """Write a line to the query log for a question to a collection, outside the demo."""
    try:
        if record.retrieval and not services.settings().demo:
            services.query_log().append(record, contributions)
    except StoreError as error:
        show_error(error)


def why_unsaved(record: Record) -> str | None:
    """Why this visitor's record is not in the database; `None` if it is."""
    reasons: dict[str, str] = st.session_state.get("unsaved", {})
    return reasons.get(record.id)
