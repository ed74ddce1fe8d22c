"""One run: its status, its numbers under the chosen convention, its charts, and its records."""

from __future__ import annotations

import streamlit as st

from pages.components.runs.charts import show_charts, show_distribution, show_together
from pages.components.runs.documents import show_documents
from pages.components.runs.export import show_export
from pages.components.runs.filters import PARAMETERS, Filtered, filters
from pages.components.runs.findings import show_findings
from pages.components.runs.golden import show_golden
from pages.components.runs.left_open import show_left_open
from pages.components.runs.progress import show_progress
from pages.components.runs.records import show_records
from pages.components.runs.summary import show_metrics, show_truth, show_usage
from pages.components.shared import services
from pages.components.shared.run_choice import finished_runs, shown_name
from pages.components.shared.run_data import has_golden, scored
from pages.components.shared.run_diagnosis import show_diagnosis
from pages.components.shared.text import plain, show_error, time_text
from trace_core.errors import TraceError, UnknownRun
from trace_core.runs.analyse.earlier import run_before
from trace_core.store.runs import Run

TABS = (
    *("Over the run", "Distribution", "Together", "Findings", "Golden questions", "Documents", "Ground truth"),
    *("Usage", "Export"),
)


def show_run(run_id: str, convention: str) -> None:
    """Draw the run in the address."""
    st.button("All runs", icon=":material/arrow_back:", type="tertiary", on_click=_leave)
    try:
        run = services.store().runs.load_run(run_id)
    except UnknownRun as error:
        show_error(error)
        return
    st.subheader(plain(run.name), anchor=False)
    _made_how(run)
    show_progress(run)
    if run.importing:
        return
    if not run.counts["total"] - run.counts["pending"]:
        st.info("No record is finished yet. Numbers and charts appear here with the first one.")
        return
    _compared(run)
    _show_numbers(run.id, convention)


def _compared(run: Run) -> None:
    """The way to Compare, where an earlier run is like this one."""
    before = run_before(run, list(finished_runs().values()))
    if before is not None:
        label = f"Did it get better? Compare with {plain(shown_name(before))}"
        if st.button(label, icon=":material/compare_arrows:", type="tertiary", key="run-compare"):
            st.switch_page("pages/runs.py", query_params={"show": "Compare", "a": before.id, "b": run.id})


@st.fragment  # a filter, a search or another tab does not redraw the rest of the page
def _show_numbers(run_id: str, convention: str) -> None:
    """The part that depends on the filter: means, charts, records."""
    try:
        run = services.store().runs.load_run(run_id)
        columns, scores = scored(run, convention)
        show_diagnosis(run, columns, scores, here=True)
        shown = filters(run, columns, scores)
        show_metrics(shown)
        show_left_open(run, shown)
        _tabs(run, shown)
        show_records(run, shown, convention)
    except TraceError as error:
        show_error(error)


def _leave() -> None:
    for name in ("run", "record", *PARAMETERS):
        st.query_params.pop(name, None)


def _made_how(run: Run) -> None:
    """How the run was made, and by which labeler, so that nobody confuses two labelers."""
    config = run.config
    versions = config.get("model") or []
    parts = [f"Labels: **{plain(str(config.get('labeler', 'unknown')))}**"]
    if versions:
        parts.append(plain(", ".join(map(str, versions))))
    if config.get("collection"):
        parts.append(f"collection **{plain(str(config['collection']))}**, top_k {config.get('top_k')}")
    parts.append(f"convention **{plain(str(config.get('convention', '')))}**, {plain(time_text(run.created_at))}")
    if (config.get("settings") or {}).get("raw"):
        parts.append("imported with `--raw` scores; these are computed from cleaned labels")
    st.caption(" · ".join(parts))
    if run.note:
        st.text(run.note)


def _tabs(run: Run, shown: Filtered) -> None:
    """Draw only the open tab."""
    names = [name for name in TABS if name != "Golden questions" or has_golden(run)]
    tabs = dict(zip(names, st.tabs(names, key="run-tab", on_change="rerun"), strict=True))
    draw = {
        "Over the run": show_charts,
        "Distribution": show_distribution,
        "Together": show_together,
        "Findings": lambda shown: show_findings(run, shown),
        "Golden questions": lambda shown: show_golden(run, shown),
        "Documents": lambda shown: show_documents(run, shown),
        "Ground truth": lambda shown: show_truth(run, shown),
        "Usage": lambda shown: show_usage(run, shown),
        "Export": lambda shown: show_export(run),
    }
    for name, tab in tabs.items():
        if tab.open:
            with tab:
                draw[name](shown)
