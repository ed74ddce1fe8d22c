"""The table of runs: its name opens one; a selection is renamed, gets a note, is deleted or compared."""

from typing import Any

import streamlit as st

from pages.components.shared import services, visitors
from pages.components.shared.tables import FIRST, KEYS, ROW_HEIGHT, UNDEFINED, short
from pages.components.shared.text import plain, time_text
from trace_core.errors import counted
from trace_core.facts.labels import labeler_name
from trace_core.metrics import CONVENTIONS, LABELS, Scoring
from trace_core.store.runs import Run

_NUMBERS = (*FIRST, "rmse_aggregation")


def run_list() -> None:
    """All runs, newest first."""
    runs = visitors.runs()
    if not runs:
        st.info("There is no run yet. A run scores a whole data set. From a shell: `python -m trace_core run FILE`")
        to_upload: dict[str, Any] = {"on_click": st.session_state.update, "kwargs": {"show": "Data sets"}}
        st.button("Upload a data set", icon=":material/upload:", **to_upload)
        return
    st.header(counted(len(runs), "run"), anchor=False)
    actions = st.container(border=True, key="run-actions")
    version = hash(tuple((run.id, run.revision, run.name, run.status) for run in runs))
    key = f"open-{version}"
    look: dict[str, Any] = {"pinned": True, "width": 210, "alignment": "left", "key": key}
    names = st.column_config.ButtonColumn(
        on_click=lambda: st.query_params.update(run=runs[st.session_state[key].row].id), **look
    )
    score = st.column_config.NumberColumn
    rows = [
        {
            "Name": run.name,
            **{LABELS[name]: run.means.get(name) for name in _NUMBERS},
            "Labels": labeler_name(run.config.get("labeler")),
            "Convention": CONVENTIONS[Scoring.of_run(run.config).convention].label,
            "Created": time_text(run.created_at),
            "Records": run.counts["total"],
            "Not scored": run.counts["failed"],
            "Status": f"{run.status}: {run.reason}" if run.reason else run.status,
            "Note": run.note,
        }
        for run in runs
    ]
    columns = {"Name": names} | {LABELS[n]: score(short(n), format="%.3f", width=98) for n in _NUMBERS}
    look = {"hide_index": True, "column_config": columns, "row_height": ROW_HEIGHT, "placeholder": UNDEFINED}
    # Positions are selected: another list needs another table.
    table = st.dataframe(rows, key=f"runs-{version}", on_select="rerun", selection_mode="multi-row", **look)
    with actions:
        _actions([runs[row] for row in table.selection.rows if row < len(runs)])
    st.caption("Means use each run's own convention and leave undefined records out.")


def _actions(runs: list[Run]) -> None:
    if not runs:
        st.caption(f"Select a run to rename or delete it, two to compare them ({KEYS}).")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(" · ".join(f"**{plain(run.name)}**" for run in runs), width="stretch")
        if len(runs) == 2:
            st.button("Compare", icon=":material/compare_arrows:", type="primary", on_click=_compare, args=runs)
        if len(runs) > 1:
            return
        [run] = runs
        st.button(
            "Open",
            icon=":material/open_in_new:",
            type="primary",
            on_click=st.query_params.update,
            kwargs={"run": run.id},
        )
        if services.settings().demo:
            st.caption("In demo mode nothing can be renamed or deleted.")
            return
        with st.popover("Rename or note", icon=":material/edit:"), st.form(f"rename-{run.id}", border=False):
            name = st.text_input("Name", run.name)
            note = st.text_area("Note", run.note)
            if st.form_submit_button("Save"):
                services.store().runs.rename(run.id, name.strip() or run.name, note)
                st.rerun()
        with st.popover("Delete", icon=":material/delete:"):
            st.markdown(f"This permanently deletes the run and its {run.counts['total']:,} records.")
            if st.button("Delete this run", key=f"delete-{run.id}"):
                services.store().runs.delete_run(run.id)
                st.rerun()


def _compare(after: Run, before: Run) -> None:  # newest first
    st.query_params.update(a=before.id, b=after.id)
    st.session_state["show"] = "Compare"
