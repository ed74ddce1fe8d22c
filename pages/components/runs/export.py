"""Downloads of a run, made when they are clicked."""

from __future__ import annotations

from io import StringIO

import streamlit as st

from pages.components.shared import services
from trace_core.runs import export, from_store
from trace_core.store.runs import Run

FORMATS = {
    "json": ("Run file (trace-run/1)", "json", "application/json"),
    "html": ("Report (one HTML file)", "html", "text/html"),
    "csv": ("Table (CSV)", "csv", "text/csv"),
    "jsonl": ("Records (JSONL)", "jsonl", "application/x-ndjson"),
    "ragbench": ("RAGBench rows (JSONL)", "ragbench.jsonl", "application/x-ndjson"),
    "log": ("Query log (JSONL)", "log.jsonl", "application/x-ndjson"),
}


def show_export(run: Run) -> None:
    """One button a format."""
    st.caption("Everything stands under the run's own convention. The report opens in any browser, without a network.")
    with st.container(horizontal=True):
        for kind, (label, suffix, mime) in FORMATS.items():
            st.download_button(
                label,
                data=lambda kind=kind: _written(run.id, kind),
                file_name=f"trace-{run.id}.{suffix}",
                mime=mime,
                icon=":material/download:",
                on_click="ignore",
                key=f"export-{kind}",
            )


def _written(run_id: str, kind: str) -> str:
    out = StringIO()
    export(from_store(services.run_store(), run_id), kind, out)
    return out.getvalue()
