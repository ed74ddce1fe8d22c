"""Tables of scores and records. A phone shows only their first columns: what names the row, then adherence."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from trace_core.metrics import LABELS, METRICS
from trace_core.summary.declining import ROWS

FIRST = tuple(reversed(list(METRICS)))
"""The metrics in column order: the answer's before those of retrieval."""
ROW_HEIGHT, HEADER = 66, 38
"""The height of a row in pixels in which Streamlit wraps texts, at least 65; that of a table without rows."""
UNDEFINED = "undefined"
"""Shown in place of a missing number."""
KEYS = "with the keyboard: arrow keys, then Shift+Space"
PICK = f"Select a row to open its record ({KEYS})."


def short(name: str) -> str:
    """The score's label, short enough for a column's title."""
    return "RMSE" if name == "rmse_aggregation" else LABELS[name].removeprefix("Context ").capitalize()


def declining_table(table: Mapping[str, Mapping[str, int]] | None, name: str = "In the documents") -> None:
    """The 2 × 2 of what can be answered and what was declined, right ones marked; nothing where nobody can tell."""
    if table is None:
        return
    right = {"answerable": "answered", "unanswerable": "declined"}
    rows = [
        {name: ROWS[there]} | {did.capitalize(): f"{n:,}{' ✓' * (right.get(there) == did)}" for did, n in of.items()}
        for there, of in table.items()
        if there in right or any(of.values())
    ]
    st.table(rows, hide_index=True, alt="What can be answered, and what was declined")


def pick_table(rows: list[dict[str, Any]], ids: Sequence[str], name: str, *, key: str, **look: Any) -> None:
    """Draw the rows; picking one puts its id, of these `ids`, into the address under `name`, letting go takes it out.
    Another list of rows needs another key: positions are picked."""

    def pick() -> None:
        places = st.session_state[key].selection.rows
        if places and places[0] < len(ids):
            st.query_params[name] = ids[places[0]]
        else:
            st.query_params.pop(name, None)

    action: dict[str, Any] = {"on_select": pick, "selection_mode": "single-row"}
    st.dataframe(rows, key=key, hide_index=True, placeholder=UNDEFINED, **action, **look)
