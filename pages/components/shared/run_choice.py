"""Choosing a run; the choice is in the address."""

from __future__ import annotations

import streamlit as st

from pages.components.shared import access
from pages.components.shared.text import time_text
from trace_core.store.runs import Run


def finished_runs() -> dict[str, Run]:
    """The runs with at least one finished record, newest first, by id."""
    return {run.id: run for run in access.runs() if run.counts["total"] > run.counts["pending"]}


def empty(said: str) -> None:
    """Show what is missing, and a link to it."""
    st.info(said)
    st.page_link("pages/runs.py", label="Go to Runs", icon=":material/dataset:")


def shown_name(run: Run) -> str:
    """Name and time, since names repeat."""
    return f"{run.name} ({time_text(run.created_at)})"


def run_line(run: Run) -> dict[str, object]:
    """The run's row in a table with check boxes."""
    return {
        "Name": run.name, "Created": time_text(run.created_at), "Records": run.counts["total"],
        "Labeler": str(run.config.get("labeler", "")), "Collection": str(run.config.get("collection") or ""),
    }  # fmt: skip


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
