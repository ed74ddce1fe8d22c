"""A run among others: its choice, which is in the address, and its diagnosis in one sentence."""

from __future__ import annotations

import streamlit as st

from pages.components.shared import access
from pages.components.shared.text import plain, time_text
from pages.components.shared.thresholds import changed
from trace_core.diagnosis.faults import FAULTS
from trace_core.diagnosis.over_run import run_diagnosis
from trace_core.errors import counted
from trace_core.store.runs import Run
from trace_core.summary.columns import RunColumns, RunScores


def finished_runs() -> dict[str, Run]:
    """The runs with at least one finished record, newest first, by id."""
    return {run.id: run for run in access.runs() if run.counts["total"] > run.counts["pending"]}


def empty(text: str) -> None:
    """Show what is missing, and a link to it."""
    st.info(text)
    st.page_link("pages/runs.py", label="Go to Runs", icon=":material/dataset:")


def shown_name(run: Run) -> str:
    """Name and time, since names repeat."""
    return f"{run.name} ({time_text(run.created_at)})"


def pick(label: str, runs: dict[str, Run], name: str, default: str | None = None) -> str:
    """A menu of runs; the choice is in the address under `name`. Returns its id."""
    ids = list(runs)
    named = st.query_params.get(name)
    start = named if named in runs else default or ids[0]
    picked: str = st.selectbox(
        label, ids, index=ids.index(start), key=f"run-of-{name}", format_func=lambda i: shown_name(runs[i]),
        on_change=_name, args=(name,),
    )  # fmt: skip
    return picked


def _name(name: str) -> None:
    st.query_params[name] = st.session_state[f"run-of-{name}"]
    st.query_params.pop("record", None)


def show_diagnosis(run: Run, columns: RunColumns, scores: RunScores, *, here: bool = False, name: str = "") -> None:
    """The sentence, by the session's thresholds; `here` on the run's own page, elsewhere after the run's `name`."""
    found = run_diagnosis(columns.findings(scores, changed()), scores.values["adherence"], int(columns.failed.sum()))
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
