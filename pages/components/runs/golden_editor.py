"""Golden questions, written and edited in a table, and stored as a data set."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.components.runs.golden_making import Batch, made_from_collection
from pages.components.shared import access, services, visitors
from pages.components.shared.text import plain, show_error
from trace_core.demo import DEMOS, questions
from trace_core.errors import InputError
from trace_core.golden import golden_of, read_questions, save_questions
from trace_core.store.datasets import Dataset

EMPTY, MOST = "An empty table", 2_000
COLUMNS = ("question", "expected_documents", "reference_answer", "category")
Start = Dataset | Batch | str


def golden_questions() -> None:
    """Draw the editor, collapsed."""
    with st.expander("Golden questions", icon=":material/verified:"):
        st.caption(
            "Questions, and which documents should be found for each (by title or id). A run over them says whether "
            "they were found. Leave the documents empty where no document has the answer: then refusing is right."
        )
        made = made_from_collection()
        if made and st.session_state.get("golden-shown") != made.id:  # new questions appear in the table at once
            st.session_state["golden-shown"], st.session_state["golden-start"] = made.id, made
        elif made is None and isinstance(st.session_state.get("golden-start"), Batch):
            del st.session_state["golden-start"]  # started again, without a result
        start = st.selectbox("Start from", _starts(made), format_func=_label, key="golden-start")
        base = _rows(start)
        edited = _table(base, f"golden-rows-{start if isinstance(start, str) else start.id}")
        name = st.text_input("Name of the golden questions", _name(start), key=f"golden-name-{_name(start)}")
        st.caption("They are saved as a new data set; earlier runs stay as they are.")
        if st.button("Save these questions", icon=":material/save:", key="golden-keep"):
            _save(name.strip() or _name(start), edited)


def _starts(made: Batch | None) -> list[Start]:
    """An empty table, newly made questions, the demo's, and stored sets; sets with documents would lose them here."""
    kept = [one for one in access.datasets() if one.counts.get("golden") and one.counts.get("ask") == one.total <= MOST]
    return [EMPTY, *([made] if made else []), *DEMOS, *kept]


def _label(start: Start) -> str:
    if isinstance(start, Dataset):
        return f"{start.name} ({start.total:,} questions)"
    if isinstance(start, Batch):
        return f"Made from {start.collection} ({len(start.questions):,} questions)"
    return f"Demo collection {start}" if start in DEMOS else start


def _name(start: Start) -> str:
    if isinstance(start, Dataset):
        return start.name
    if isinstance(start, Batch):
        return f"Golden questions made from {start.collection}"
    return f"Golden questions on {start}" if start in DEMOS else "Golden questions"


def _rows(start: Start) -> list[dict[str, Any]]:
    if isinstance(start, Dataset):
        found = golden_of(services.store().datasets, start.id)
        rows = [{"id": record_id} | golden.to_dict() for record_id, golden in found.items()]
    elif isinstance(start, Batch):
        rows = [golden.to_dict() for golden in start.questions]
    else:
        rows = questions(DEMOS[start]) if start in DEMOS else [{"question": "", "expected_documents": []}]
    return [{name: row.get(name) for name in ("id", *COLUMNS)} for row in rows]


def _table(base: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    text = st.column_config.TextColumn
    found: list[dict[str, Any]] = st.data_editor(
        base,
        key=key,
        num_rows="dynamic",
        hide_index=True,
        column_order=COLUMNS,
        column_config={
            "id": text("id"),
            "question": text("Question", required=True, width="large"),
            "expected_documents": st.column_config.ListColumn("Expected documents", width="medium"),
            "reference_answer": text("Reference answer", width="medium"),
            "category": text("Category"),
        },
    )
    return found


def _save(name: str, edited: list[dict[str, Any]]) -> None:
    try:
        visitors.check_rows(len(edited))
    except InputError as error:
        show_error(error)
        return
    rows = [{field: value for field, value in row.items() if value is not None} for row in edited]
    good, bad = read_questions(rows, "the table")
    if bad or not good:
        with st.container(border=True):
            st.markdown("**Nothing is saved yet.** " + ("Correct these rows:" if bad else "Write a question first."))
            for error in bad:
                st.text(str(error))
        return
    if not visitors.may_make():
        return
    store, ids = services.store().datasets, [row.get("id") for row in rows]
    made = store.load_dataset(access.save_dataset(lambda: save_questions(store, name, good, ids)))
    again = "" if made.name == name else f" They were already there, as “{made.name}”."
    st.success(f"{made.total} questions are saved.{plain(again)} Start a run in the tab “Runs”.")
