"""How often each rule fired, with a link from each to its records."""

from __future__ import annotations

import streamlit as st

from pages.components.runs.filters import TITLES, Filtered
from pages.components.runs.rules import edit_thresholds, modes
from pages.components.shared.chart import draw
from pages.components.shared.measurements import contributions_of, noise_of
from pages.components.shared.run_data import has_golden
from pages.components.shared.text import plain
from trace_core.diagnosis.faults import FAULTS
from trace_core.golden.modes import ModeFinding
from trace_core.store.runs import Run
from trace_core.summary import charts


def show_findings(run: Run, shown: Filtered) -> None:
    """The breakdown, with the meaning and the remedy of each rule."""
    counted = {name: int((mask & shown.mask).sum()) for name, mask in shown.findings.items()
               if name not in FAULTS or FAULTS[name].severity}  # fmt: skip
    edit_thresholds()
    if not any(counted.values()):
        st.info("No finding for these records under this convention.")
    else:
        draw("Records by finding", charts.findings(counted, TITLES), key="findings")
    for rule in sorted(FAULTS.values(), key=lambda rule: -counted.get(rule.name, 0)):
        if counted.get(rule.name):
            _fired(rule.name, rule.title, counted[rule.name], int(shown.mask.sum()), rule.meaning, rule.fix)
    st.markdown("**From golden questions, reference answers and document contribution**")
    found = modes(run, shown.scores.convention, set(shown.ids()))
    for mode in found:
        _fired(mode.name, mode.title, len(mode.record_ids), mode.of, mode.meaning, mode.fix)
    _not_asked(run, found)


def _fired(name: str, title: str, n: int, of: int, meaning: str, fix: str) -> None:
    with st.container(border=True):
        st.markdown(f"**{plain(title)}**: {n:,} of {of:,}. {plain(meaning)} **What helps:** {plain(fix)}")
        st.button("Show these records", key=f"rule-{name}", on_click=_only, args=(name,))


def _not_asked(run: Run, found: list[ModeFinding]) -> None:
    """Name the rules that could not be evaluated, so that nobody takes them for silent."""
    golden, measured, noise = has_golden(run), contributions_of(run), noise_of(run)
    if not found and (golden or measured or noise):
        st.markdown("None of these findings.")
    if not golden:
        st.caption("Not checked: missed documents and wrong refusals. The data set has no golden questions.")
    if not measured:
        st.caption("Not checked: what documents contribute. Measure it in the tab “Documents”.")
    if golden and not noise:
        st.caption("Not checked: what led an answer astray. Measure it in the tab “Golden questions”.")


def _only(name: str) -> None:
    st.query_params["finding"] = name
    st.session_state["filter-finding"] = name
