"""The table of runs: open one, rename it, add a note, delete it."""

from __future__ import annotations

import streamlit as st

from pages.components.shared import access, services
from pages.components.shared.picking import KEYS, UNDEFINED
from pages.components.shared.tables import FIRST, ROW_HEIGHT, SCORES, columns
from pages.components.shared.text import plain, time_text
from trace_core.errors import counted
from trace_core.store.runs import Run

_NUMBERS = (*FIRST, "rmse_aggregation")


def run_list() -> None:
    """All runs, newest first."""
    runs = access.runs()
    if not runs:
        st.info("There is no run yet. A run scores a whole data set. From a shell: `python -m trace_core run FILE`")
        st.button("Upload a data set", icon=":material/upload:", on_click=_open_sets)
        return
    st.subheader(counted(len(runs), "run"), anchor=False)
    version = hash(tuple((run.id, run.revision, run.name, run.status) for run in runs))
    picked = st.dataframe(
        [_line(run) for run in runs],
        key=f"runs-{version}",  # positions are picked: another list needs another table
        on_select="rerun",
        selection_mode="single-row",
        hide_index=True,
        column_config=columns("Name", _NUMBERS, 3),
        row_height=ROW_HEIGHT,
        placeholder=UNDEFINED,
    )
    st.caption(
        f"Select a run to open, rename or delete it ({KEYS}). Means use each run's own "
        "convention and leave undefined records out."
    )
    rows = picked.selection.rows
    if rows:
        _chosen(runs[rows[0]])


def _line(run: Run) -> dict[str, object]:
    counts = run.counts
    return {
        "Name": run.name,
        **{SCORES[name]: run.means.get(name) for name in _NUMBERS},
        "Records": counts["total"],
        "Scored": counts["scored"],
        "Undefined": counts["undefined"],
        "Failed": counts["failed"],
        "Status": run.status,
        "Stopped because": run.reason,
        "Labeler": str(run.config.get("labeler", "")),
        "Convention": str(run.config.get("convention", "")),
        "Created": time_text(run.created_at),
        "Note": run.note,
    }


def _chosen(run: Run) -> None:
    """The actions for the picked run."""
    with st.container(border=True):
        st.markdown(f"**{plain(run.name)}**")
        with st.container(horizontal=True):
            st.button("Open", icon=":material/open_in_new:", on_click=open_run, args=(run.id,), key=f"open-{run.id}")
            if services.settings().demo:
                st.caption("In demo mode nothing can be renamed or deleted.")
                return
            with st.popover("Rename or note", icon=":material/edit:"):
                _rename(run)
            with st.popover("Delete", icon=":material/delete:"):
                _delete(run)


def _open_sets() -> None:
    st.session_state["show"] = "Data sets"


def open_run(run_id: str) -> None:
    """Put the run into the address."""
    st.query_params["run"] = run_id


def _rename(run: Run) -> None:
    with st.form(f"rename-{run.id}", border=False):
        name = st.text_input("Name", run.name)
        note = st.text_area("Note", run.note)
        if st.form_submit_button("Save"):
            services.store().runs.rename(run.id, name.strip() or run.name)
            services.store().runs.annotate(run.id, note)
            st.rerun()


def _delete(run: Run) -> None:
    st.markdown(f"This permanently deletes the run and its {run.counts['total']:,} records.")
    typed = st.text_input("Type the run's name to confirm", key=f"confirm-{run.id}")
    if st.button("Delete this run", disabled=typed.strip() != run.name.strip(), key=f"delete-{run.id}"):
        services.store().runs.delete_run(run.id)
        st.rerun()
