"""Store records, and remember which of the visitor's records could not be stored."""

from collections.abc import Mapping

import streamlit as st

from pages.components.shared import services, visitors
from pages.components.shared.text import plain, show_errors
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import StoreError
from trace_core.facts.labels import Labels
from trace_core.facts.records import Record
from trace_core.metrics import Scoring
from trace_core.runs.files.exported import new_run


def keep(record: Record) -> None:
    """Write the record and its log line; if that fails, the record is still shown."""
    try:
        services.store().queries.save(record)
    except StoreError as error:
        st.session_state.setdefault("unsaved", {})[record.id] = str(error)
    log(record)


def add_to_run(record: Record) -> None:
    """The choice of a whole run of this visitor's or a new name, and a button that puts a copy of the record there."""
    try:
        every = [run for run in reversed(visitors.runs()) if not run.counts["pending"]]
        runs = {run.name: run for run in every if visitors.is_mine("run", run.id)}
    except StoreError:  # said where the record is not saved
        return
    name = st.selectbox("Run", list(runs), accept_new_options=True, index=None, placeholder="Choose, or type a name")
    if not st.button("Add", icon=":material/add:", disabled=not name) or not name or not visitors.may_make():
        return
    with show_errors():
        if name in runs:
            run_id, config = runs[name].id, runs[name].config
        else:
            convention = record.scores.convention if record.scores else "trace"
            labeler, settings = (record.labels or Labels()).labeler, services.settings().public()
            config = new_run([record], name, convention=convention, labeler=labeler, settings=settings).run["config"]
            if record.retrieval:
                config["collection"] = record.retrieval.collection
            run_id = services.store().runs.create_run(name, config, status="done")
            visitors.claim("run", run_id)
        services.store().runs.save_records(run_id, [rescore(record, Scoring.of_run(config))])
        st.page_link("pages/runs.py", label=f"Added. Open {plain(name)}", query_params={"run": run_id})


def log(record: Record, contributions: Mapping[str, float] | None = None) -> None:
    """Write a line to the query log for a question to a collection, outside the demo."""
    with show_errors():
        if record.retrieval and not services.settings().demo:
            services.query_log().append(record, contributions)


def save_problem(record: Record) -> str | None:
    """Why this visitor's record is not in the database; `None` if it is."""
    reasons: dict[str, str] = st.session_state.get("unsaved", {})
    return reasons.get(record.id)
