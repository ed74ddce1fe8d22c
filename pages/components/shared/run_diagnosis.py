"""A run's first line: its diagnosis in one sentence, and a link to the records concerned."""

from __future__ import annotations

import streamlit as st

from pages.components.shared.text import plain
from pages.components.shared.thresholds import changed
from trace_core.diagnosis.faults import FAULTS
from trace_core.diagnosis.over_run import over_run
from trace_core.errors import counted
from trace_core.store.runs import Run
from trace_core.summary.columns import RunColumns, RunScores


def show_diagnosis(run: Run, columns: RunColumns, scores: RunScores, *, here: bool = False, name: str = "") -> None:
    """The sentence, by the session's thresholds; `here` on the run's own page, elsewhere after the run's `name`."""
    found = over_run(columns.findings(scores, changed()), scores.values["adherence"], int(columns.failed.sum()))
    before = f"**{plain(name)}** · " if name else ""
    st.markdown(f"{before}{plain(found.text)}")
    if not found.commonest:
        return
    n, title = found.counts[found.commonest], FAULTS[found.commonest].title
    label, wanted = f"Show {counted(n, 'record')}: {title}", found.commonest
    if here:
        only = {"on_click": st.query_params.update, "kwargs": {"finding": wanted}}
        st.button(label, icon=":material/filter_alt:", type="tertiary", key="diagnosis", **only)
    else:
        address = {"run": run.id, "finding": wanted}
        st.page_link("pages/runs.py", label=label, icon=":material/filter_alt:", query_params=address)
