"""Downloads of a run, created on click."""

from __future__ import annotations

from io import StringIO

import streamlit as st

from pages.components.shared import services
from trace_core.runs import FORMATS, export, from_store
from trace_core.store.runs import Run


def show_export(run: Run) -> None:
    """One button per format."""
    st.caption("Exports use the run's own convention. The report opens in any browser, also offline.")
    with st.container(horizontal=True):
        for kind, form in FORMATS.items():
            st.download_button(
                form.label,
                data=lambda kind=kind: _written(run.id, kind),
                file_name=f"trace-{run.id}.{form.suffix}",
                mime=form.media_type,
                icon=":material/download:",
                on_click="ignore",
                key=f"export-{kind}",
            )


def _written(run_id: str, kind: str) -> str:
    out = StringIO()
    export(from_store(services.store().runs, run_id), kind, out)
    return out.getvalue()
