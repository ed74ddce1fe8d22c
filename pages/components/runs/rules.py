"""Which rules fire on which records of a run, by thresholds that can be changed for the session."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.components.shared.measurements import contributions_of, noise_of
from pages.components.shared.run_data import golden_results
from pages.components.shared.thresholds import Changed, change, changed, reset
from trace_core.diagnosis.faults import FAULTS, Condition
from trace_core.golden.modes import MODES, ModeFinding, facts_of, find_modes
from trace_core.golden.noise import Noise
from trace_core.store.runs import Run
from trace_core.summary.columns import Mask, RunColumns, RunScores

YES_OR_NO = (
    "unanswerable", "refusal", "failed_generation", "global", "nothing_relevant", "lacking", "contradicted"
)  # fmt: skip
"""Quantities that are 0 or 1: their thresholds cannot be changed."""


def fired(run: Run, columns: RunColumns, scores: RunScores) -> dict[str, Mask]:
    """Which records have each fault: by their labels, by golden questions and by second measurements."""
    found = columns.findings(scores, changed())
    if more := modes(run, scores.convention):
        names = columns.id.astype(str)
        found |= {mode.name: np.isin(names, mode.record_ids) for mode in more}
    return found


def modes(run: Run, convention: str, only: Collection[str] | None = None) -> list[ModeFinding]:
    """The failure modes that need more than a record's labels, over the run or `only` over these records."""
    golden = {result.record.id: result for result in golden_results(run, convention)}
    parts, read = contributions_of(run), noise_of(run)
    found = parts.found if parts else {}
    noise = {i: one for i, one in read.found.items() if isinstance(one, Noise)} if read else {}
    ids = [i for i in dict.fromkeys([*golden, *found, *noise]) if only is None or i in only]
    return find_modes([(i, facts_of(golden.get(i), found.get(i), noise.get(i))) for i in ids], _of_modes())


def _of_modes() -> Changed:
    names = {mode.name for mode in MODES}
    return {name: given for name, given in changed().items() if name in names}


def _lines() -> list[tuple[str, str, Condition]]:
    """Every condition with an adjustable threshold, with its fault's name and title."""
    found = [(f.name, f.title, c) for f in FAULTS.values() for c in dict.fromkeys((*f.conditions, *f.otherwise))]
    found += [(mode.name, mode.title, c) for mode in MODES for c in mode.conditions]
    return [(name, title, c) for name, title, c in found if c.quantity not in YES_OR_NO]


def edit_thresholds() -> None:
    """A table of all thresholds next to their defaults."""
    with st.expander("Thresholds", icon=":material/tune:"):
        st.caption(
            "Changed thresholds hold on every page until your session ends; exports and reports keep the defaults. "
            "Relevance is the share of documents with anything relevant; “used” is |U| ÷ |R|; “covered” is the share "
            "of what is relevant that the answer tells, in expectation where the labeler doubts it."
        )
        lines = _lines()
        held = changed()
        rows = [
            {
                "Finding": title,
                "when": f"{c.quantity.replace('_', ' ')} {c.comparison}",
                "Threshold": float(held.get(name, {}).get(c.quantity, c.threshold)),
                "Default": float(c.threshold),
            }
            for name, title, c in lines
        ]
        key = f"thresholds-{st.session_state.get('thresholds-round', 0)}"
        st.data_editor(
            rows, key=key, hide_index=True, disabled=["Finding", "when", "Default"],
            on_change=_change, args=(key, [(name, c.quantity, c.threshold) for name, _, c in lines]),
            column_config={"Threshold": st.column_config.NumberColumn(step=0.01, required=True)},
        )  # fmt: skip
        st.button("Back to the defaults", disabled=not held, on_click=_reset, key="thresholds-reset")


def _change(key: str, lines: Sequence[tuple[str, str, float]]) -> None:
    edited: dict[int, dict[str, Any]] = st.session_state[key]["edited_rows"]
    for at, row in edited.items():
        name, quantity, default = lines[int(at)]
        if (value := row.get("Threshold")) is not None:
            change(name, quantity, None if value == default else float(value))


def _reset() -> None:
    reset()
    st.session_state["thresholds-round"] = st.session_state.get("thresholds-round", 0) + 1
