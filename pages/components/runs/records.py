"""The records of a run as a table, one page at a time, and the picked one with its evidence."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages.components.record.result import show_result
from pages.components.runs.filters import Filtered
from pages.components.shared import services
from pages.components.shared.picking import record_table
from pages.components.shared.tables import FIRST, ROW_HEIGHT, SCORES, columns
from pages.components.shared.text import show_error
from trace_core.errors import TraceError
from trace_core.metrics import DERIVED
from trace_core.runs.analyse.select import ordered
from trace_core.store.runs import Run

PAGE = 100
ORDERS = {"position": "order of the file", **{name: f"lowest {label} first" for name, label in SCORES.items()}}


@st.fragment  # another row, page or order does not redraw the charts above
def show_records(run: Run, shown: Filtered, convention: str) -> None:
    """The table, and below it the picked record."""
    st.subheader("Records", anchor=False)
    places = _ordered(shown)
    if not len(places):
        st.info("No record matches the filter. “Show all” brings them back.")
        return
    start = _page(len(places))
    part = places[start : start + PAGE]
    _table(run, shown, part, f"{run.id}-{run.revision}-{start}-{hash(part.tobytes())}")
    wanted = st.query_params.get("record")
    if wanted is None:
        return
    try:
        record = services.store().runs.load_record(run.id, wanted)
    except TraceError as error:
        show_error(error)
        return
    st.divider()
    _neighbours(shown.columns.id[places], wanted)
    show_result(record, convention, key=f"run-{run.id}", run=run)


def _neighbours(ids: np.ndarray, wanted: str) -> None:
    """Previous and next record in the table's order, by button or by key."""
    found = np.flatnonzero(ids == wanted)
    if not len(found):  # the filter excludes it
        return
    at = int(found[0])
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, key, to in (("Previous", "p", at - 1), ("Next", "n", at + 1)):
            there = 0 <= to < len(ids)
            st.button(
                label, key=f"record-{key}", shortcut=key, disabled=not there, type="tertiary",
                on_click=_go, args=(str(ids[to]),) if there else (),
            )  # fmt: skip
        st.caption(f"Record {at + 1:,} of {len(ids):,}")


def _go(record_id: str) -> None:
    st.query_params["record"] = record_id


def _ordered(shown: Filtered) -> np.ndarray:
    """Positions of the shown records, in the chosen order; undefined scores come last."""
    places = np.flatnonzero(shown.mask)
    order = st.selectbox("Order", list(ORDERS), format_func=lambda key: ORDERS[key], key="records-order")
    return ordered(shown.scores, places, order)


def _page(n: int) -> int:
    """The position where the shown page of the table starts."""
    pages = -(-n // PAGE)
    if pages == 1:
        return 0
    page = st.number_input(f"Page (of {pages})", 1, pages, 1, key=f"records-page-{pages}")
    return (int(page) - 1) * PAGE


def _table(run: Run, shown: Filtered, part: np.ndarray, key: str) -> None:
    positions = [int(p) for p in shown.columns.position[part]]
    lines = {line.position: line for line in services.store().runs.lines(run.id, positions)}
    all_scored = {shown.scores.status[i] for i in part} == {"scored"}
    rows = [
        {
            "Question": lines[p].question,
            **{SCORES[name]: _number(shown.scores.values[name][i]) for name in (*FIRST, *DERIVED)},
            "Id": lines[p].id,
            **({} if all_scored else {"Status": shown.scores.status[i], "Error": lines[p].error or ""}),
        }
        for i, p in zip(part, positions, strict=True)
        if p in lines
    ]
    record_table(
        rows, [str(row["Id"]) for row in rows], key=key, config=columns("Question", SCORES, 2), row_height=ROW_HEIGHT,
    )  # fmt: skip


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
