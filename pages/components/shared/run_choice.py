"""Choosing a run, with the choice in the address."""

from __future__ import annotations

import streamlit as st

from pages.components.shared import access
from pages.components.shared.text import time_text
from trace_core.store.runs import Run


def finished_runs() -> dict[str, Run]:
    """The runs that have at least one finished record, newest first, by id."""
    return {run.id: run for run in access.runs() if run.counts["total"] > run.counts["pending"]}


def empty(said: str) -> None:
    """What is missing, and the way to it."""
    st.info(said)
    st.page_link("pages/runs.py", label="Go to Runs", icon=":material/dataset:")


def shown_name(run: Run) -> str:
    """Name and time: names repeat."""
    return f"{run.name} ({time_text(run.created_at)})"


def run_line(run: Run) -> dict[str, object]:
    """The run in a table where runs are ticked."""
    return {
        "Name": run.name, "Created": time_text(run.created_at), "Records": run.counts["total"],
        "Labeler": str(run.config.get("labeler", "")), "Collection": str(run.config.get("collection") or ""),
    }  # fmt: skip


def pick(label: str, runs: dict[str, Run], name: str, default: str | None = None) -> str:
    """A menu of runs; the address names the chosen one under `name`. Returns its id."""
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
