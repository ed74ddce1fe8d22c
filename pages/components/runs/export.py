"""Downloads of a run, created on click: the records that the filter shows, or all."""

from __future__ import annotations

from io import StringIO

import streamlit as st

from pages.components.runs.filters import Filtered
from pages.components.shared import services
from trace_core.runs.files.export import FORMATS, export
from trace_core.runs.files.exported import from_store, only
from trace_core.store.runs import Run

FIRST = {"json": "Run as JSON", "html": "Report", "csv": "CSV"}


def show_export(run: Run, shown: Filtered) -> None:
    """The three usual formats, the others in a popover."""
    n, of, ids = int(shown.mask.sum()), len(shown.mask), None
    if n < of:
        choices = [f"The {n:,} records that the filter shows", f"All {of:,} records"]
        if (
            st.segmented_control("Records", choices, default=choices[0], key="export-which", required=True)
            == choices[0]
        ):
            ids = shown.ids()
    with st.container(horizontal=True):
        for kind, label in FIRST.items():
            _button(run, kind, label, ids, shown.words)
        with st.popover("Other formats", icon=":material/download:"):
            for kind, form in FORMATS.items():
                if kind not in FIRST:
                    _button(run, kind, form.label, ids, shown.words)
    st.caption("Exports use the run's own convention. The report opens in any browser, also offline.")


def _button(run: Run, kind: str, label: str, ids: list[str] | None, words: str) -> None:
    part = "" if ids is None else f"-{len(ids)}-of-{run.counts['total']}"
    st.download_button(
        label, data=lambda: _written(run.id, kind, ids, words), icon=":material/download:", on_click="ignore",
        file_name=f"trace-{run.id}{part}.{FORMATS[kind].suffix}", mime=FORMATS[kind].media_type, key=f"export-{kind}",
    )  # fmt: skip


def _written(run_id: str, kind: str, ids: list[str] | None, words: str) -> str:
    out, whole = StringIO(), from_store(services.store().runs, run_id)
    export(whole if ids is None else only(whole, ids, words), kind, out)
    return out.getvalue()
