"""How often each fault occurs, with its meaning, its next step, its records, and the thresholds that decide."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages.components.runs.filters import Selection, measured, narrow
from pages.components.shared.measurements import contributions_of, noise_of
from pages.components.shared.run_data import has_golden
from pages.components.shared.text import plain
from pages.components.shared.thresholds import change, own_thresholds
from trace_core.diagnosis.faults import FAULTS, Fault, FaultCondition
from trace_core.errors import counted
from trace_core.store.runs import Run

YES_OR_NO = frozenset(
    "answerable certified contradicted denial failed_generation grounded lacking nothing_relevant refusal several"
    " unanswerable".split()
)
"""Quantities that are 0 or 1: their thresholds cannot be changed."""


def show_findings(run: Run, shown: Selection) -> None:
    """The faults of the shown records, the commonest first, and those of golden questions and measurements."""
    _edit_thresholds()  # first: where a fault goes with its threshold, the table stays where it is
    of = int(shown.mask.sum())
    counts = {name: int((shown.findings[name] & shown.mask).sum()) for name, fault in FAULTS.items() if fault.severity}
    further = measured(run, shown.columns)
    for name in sorted(filter(counts.__getitem__, counts), key=lambda name: -counts[name]):
        known = (further[c.quantity][shown.mask] for c in FAULTS[name].conditions if FAULTS[name].measured)
        _fault(FAULTS[name], counts[name], min((int((~np.isnan(values)).sum()) for values in known), default=of))
    if not any(counts.values()):
        st.info("No finding for these records under this convention.")
    open_questions = {
        "missed documents and unanswerable questions. The data set has no golden questions.": has_golden(run),
        "what documents contribute. Measure it in “Numbers”, under “More”.": contributions_of(run),
        "what led an answer astray. Measure it there, where rows have a reference answer.": noise_of(run),
    }
    st.caption("  \n".join(f"Not checked: {what}" for what, there in open_questions.items() if not there))


def _fault(fault: Fault, n: int, of: int) -> None:
    with st.container(border=True):
        left, right = st.columns([5, 1], vertical_alignment="center")
        title = plain(fault.title[:1].upper() + fault.title[1:])
        left.markdown(f"**{title}**: {n:,} of {of:,}. {plain(fault.meaning)} **What helps:** {plain(fault.fix)}")
        right.button(
            f"Show {counted(n, 'record')}",
            key=f"rule-{fault.name}",
            on_click=narrow,
            kwargs={"finding": fault.name},
            width="stretch",
        )


def _edit_thresholds() -> None:
    with st.expander("Thresholds", icon=":material/tune:"):
        st.caption(
            "Changed thresholds hold on every page until your session ends; exports and reports keep the defaults. "
            "Relevance is the share of documents with anything relevant; “used” is |U| ÷ |R|."
        )
        lines: list[tuple[Fault, FaultCondition]] = [
            (rule, c)
            for rule in FAULTS.values()
            if rule.severity
            for c in rule.conditions
            if c.quantity not in YES_OR_NO
        ]
        rows = [
            {
                "Finding": rule.title,
                "when": f"{c.quantity.replace('_', ' ')} {c.comparison}",
                "Threshold": float(own_thresholds().get(rule.name, {}).get(c.quantity, c.threshold)),
                "Default": float(c.threshold),
            }
            for rule, c in lines
        ]
        key = f"thresholds-{st.session_state.get('thresholds-round', 0)}"
        st.data_editor(
            rows,
            key=key,
            hide_index=True,
            disabled=["Finding", "when", "Default"],
            on_change=_change,
            args=(key, lines),
            column_config={"Threshold": st.column_config.NumberColumn(step=0.01, required=True)},
        )
        st.button("Back to the defaults", disabled=not own_thresholds(), on_click=_reset, key="thresholds-reset")


def _change(key: str, lines: Sequence[tuple[Fault, FaultCondition]]) -> None:
    for at, row in st.session_state[key]["edited_rows"].items():
        rule, condition = lines[int(at)]
        if (value := row.get("Threshold")) is not None:
            change(rule.name, condition.quantity, None if value == condition.threshold else float(value))


def _reset() -> None:
    st.session_state.update({"thresholds": {}, "thresholds-round": st.session_state.get("thresholds-round", 0) + 1})
