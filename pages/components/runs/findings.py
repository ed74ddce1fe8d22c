"""How often each fault occurs, with its meaning, its next step, and its records."""

from __future__ import annotations

import streamlit as st

from pages.components.runs.filters import Filtered, narrow
from pages.components.runs.rules import edit_thresholds, modes
from pages.components.shared.measurements import contributions_of, noise_of
from pages.components.shared.run_data import has_golden
from pages.components.shared.text import plain
from trace_core.diagnosis.faults import FAULTS
from trace_core.errors import counted
from trace_core.store.runs import Run


def show_findings(run: Run, shown: Filtered) -> None:
    """The faults of the shown records, the commonest first, and those of golden questions and measurements."""
    edit_thresholds()  # first: where a fault goes with its threshold, the table stays where it is
    of = int(shown.mask.sum())
    found = [
        (int((shown.findings[name] & shown.mask).sum()), fault) for name, fault in FAULTS.items() if fault.severity
    ]
    found = sorted((one for one in found if one[0]), key=lambda one: -one[0])
    if not found:
        st.info("No finding for these records under this convention.")
    for n, fault in found:
        _fault(fault.name, fault.title, n, of, fault.meaning, fault.fix)
    st.markdown("##### From golden questions, reference answers and document contribution")
    further = modes(run, shown.scores.convention, set(shown.ids()))
    for mode in further:
        _fault(mode.name, mode.title, len(mode.record_ids), mode.of, mode.meaning, mode.fix)
    golden, measured, noise = has_golden(run), contributions_of(run), noise_of(run)
    if not further and (golden or measured or noise):
        st.markdown("None of these findings.")
    if not golden:
        st.caption("Not checked: missed documents and wrong refusals. The data set has no golden questions.")
    if not measured:
        st.caption("Not checked: what documents contribute. Measure it in “Overview”, under “More”.")
    if golden and not noise:
        st.caption("Not checked: what led an answer astray. Measure it in “Golden questions”.")


def _fault(name: str, title: str, n: int, of: int, meaning: str, fix: str) -> None:
    with st.container(border=True):
        left, right = st.columns([5, 1], vertical_alignment="center")
        left.markdown(f"**{plain(title)}**: {n:,} of {of:,}. {plain(meaning)} **What helps:** {plain(fix)}")
        right.button(f"Show {counted(n, 'record')}", key=f"rule-{name}", on_click=narrow, kwargs={"finding": name},
                     width="stretch")  # fmt: skip
