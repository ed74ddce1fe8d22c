"""The records of a run as a table, the worst first; and one of them on its own, between its neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from pages.components.record.result import show_result
from pages.components.runs.filters import PARAMETERS, TITLES, Selection, selection
from pages.components.shared import services
from pages.components.shared.controls import run_controls
from pages.components.shared.run_data import scored
from pages.components.shared.tables import FIRST, ROW_HEIGHT, SCORES, record_table, short
from pages.components.shared.text import plain
from pages.components.shared.thresholds import changed
from trace_core.metrics import METRICS
from trace_core.runs.analyse.select import WORST, ordered
from trace_core.store.runs import Run

PAGE = 100
ORDERS = {WORST: "worst first", **{n: f"lowest {of} first" for n, of in SCORES.items()}, "position": "as in the file"}


def show_records(run: Run, shown: Selection) -> None:
    """The table, one page at a time."""
    pages = -(-int(shown.mask.sum()) // PAGE)
    if not pages:
        st.info("No record matches the filter. “Show all” brings them back.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader("Records", anchor=False)
        st.selectbox(
            "Order", list(ORDERS), format_func=ORDERS.__getitem__, key="order", persist_state="page", width=280
        )
        page = st.number_input(f"Page (of {pages})", 1, pages, key=f"page-{pages}", width=120) if pages > 1 else 1
    part = _ordered(shown)[(int(page) - 1) * PAGE : int(page) * PAGE]
    _table(run, shown, part, f"{run.id}-{run.revision}-{page}-{hash(part.tobytes())}")


def _ordered(shown: Selection) -> np.ndarray:
    return ordered(shown.scores, np.flatnonzero(shown.mask), st.session_state.get("order", WORST))


def show_record(run: Run, record_id: str) -> None:
    """One record, below the way back to its run and to its neighbours in the table's order."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        place = st.container(horizontal=True, vertical_alignment="center", width="stretch")
        convention = run_controls()
    shown = selection(run, *scored(run, convention))
    ids = shown.columns.id[_ordered(shown)].tolist()
    at = ids.index(record_id) if record_id in ids else -1
    with place:
        st.button("All runs", icon=":material/arrow_back:", type="tertiary", on_click=leave)
        st.button(
            plain(run.name),
            icon=":material/chevron_right:",
            type="tertiary",
            on_click=go,
            args=(None,),
            key="record-run",
        )
        for label, key, to in (("Previous", "p", at - 1), ("Next", "n", at + 1)):
            there = at >= 0 and 0 <= to < len(ids)
            st.button(
                label,
                key=f"record-{key}",
                shortcut=key,
                disabled=not there,
                type="tertiary",
                on_click=go,
                args=(ids[to] if there else None,),
            )
        st.caption(f"Record {at + 1:,} of {len(ids):,}" if at >= 0 else "The filter excludes this record.")
    record = services.store().runs.load_record(run.id, record_id)
    show_result(record, convention, key=f"run-{run.id}", run=run)


def go(record_id: str | None) -> None:
    """Open the record, or leave the one that is open."""
    if record_id is None:
        st.query_params.pop("record", None)
    else:
        st.query_params["record"] = record_id


def leave() -> None:
    """Back to the list of runs."""
    st.session_state["show"] = "Runs"
    for name in ("run", "record", *PARAMETERS):
        st.query_params.pop(name, None)


def _table(run: Run, shown: Selection, part: np.ndarray, key: str) -> None:
    positions = [int(p) for p in shown.columns.position[part]]
    lines = {line.position: line for line in services.store().runs.lines(run.id, positions)}
    verdicts = shown.columns.diagnoses(shown.scores, changed())
    failed = any(lines[p].error for p in positions if p in lines)
    rows = [
        {
            SCORES["adherence"]: shown.scores.values["adherence"][i],
            "Question": lines[p].question,
            "Verdict": TITLES.get(verdicts[i], shown.scores.status[i]),
            **({"Error": lines[p].error or ""} if failed else {}),
            **{SCORES[name]: shown.scores.values[name][i] for name in FIRST[1:]},
            "Id": lines[p].id,
        }
        for i, p in zip(part, positions, strict=True)
        if p in lines
    ]
    text = st.column_config.TextColumn
    config = {
        **{SCORES[name]: score_column(name, shown.scores.values[name][part]) for name in METRICS},
        "Question": text(width=400),
        "Verdict": text(width=190),
        "Error": text(width=300),
        "Id": text(width=80),
    }
    record_table(rows, [str(row["Id"]) for row in rows], key=key, config=config, row_height=ROW_HEIGHT)


def score_column(name: str, values: np.ndarray) -> Any:
    """A column of bars; of numbers where one is missing, as an empty bar does not say that it is undefined."""
    config = st.column_config
    options: dict[str, Any] = {
        "format": "%.2f",
        "width": 110,
        "help": METRICS[name].question,
        "min_value": 0,
        "max_value": 1,
    }
    return (config.NumberColumn if np.isnan(values).any() else config.ProgressColumn)(short(name), **options)
