"""The records of a run as a table, and the evidence of the one that is open beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.components.record.result import show_result
from pages.components.runs.filters import ORDERS, PARAMETERS, Selection, field_title, fields_of, widget
from pages.components.shared import services
from pages.components.shared.tables import FIRST, short
from pages.components.shared.text import number_text
from pages.components.shared.thresholds import own_thresholds
from trace_core.diagnosis.faults import look
from trace_core.evidence.reference import reference_of
from trace_core.facts.labels import Status
from trace_core.facts.records import Record
from trace_core.facts.strict import valid_text
from trace_core.metrics import METRICS
from trace_core.runs.analyse.select import WORST, sort_places
from trace_core.store.runs import Run

PAGE = 50
LONGEST = 400
"""Characters of a text in a cell, which shows three lines of it."""
SHORT = 60
MARKS = {"good": "✓", "warn": "◐", "bad": "✗", "neutral": "○", "unknown": "?"}
HERE = Path(__file__).parent
_table = st.components.v2.component(
    "trace_records", css=HERE.joinpath("table.css").read_text("utf-8"), js=HERE.joinpath("table.js").read_text("utf-8")
)


class Queue(NamedTuple):
    """The ids of the shown records in order. While a record is open it stays as it was: a correction moves no row."""

    filter: tuple[object, ...]
    ids: list[str]


def queue_of(run: Run, shown: Selection) -> list[str]:
    """The ids in the table's order, as they were when the open record was opened."""
    order = st.query_params.get("order", WORST)
    own = (run.id, shown.words, order, shown.scores.convention, repr(own_thresholds()))
    queue: Queue | None = st.session_state.get("queue")
    if queue is None or queue.filter != own or "record" not in st.query_params:
        chosen = order if order in ORDERS else WORST
        places = sort_places(shown.columns, shown.scores, np.flatnonzero(shown.mask), chosen, own_thresholds())
        queue = st.session_state["queue"] = Queue(own, shown.columns.id[places].tolist())
    return queue.ids


def show_records(run: Run, shown: Selection) -> None:
    """The table, a page at a time; beside it the record in the address."""
    ids = queue_of(run, shown)
    record_id = st.query_params.get("record")
    if record_id is None:
        _draw(run, shown, ids, None)
        pages = -(-len(ids) // PAGE)
        if pages > 1:
            options = {"min_value": 1, "max_value": pages, "width": 130}
            widget(st.number_input, f"Page (of {pages})", "page", _page(pages), **options)
        return
    left, right = st.columns([4, 7], gap="medium")
    with right:
        _show_open(run, shown, ids, record_id)
    with left:
        _draw(run, shown, ids, record_id)


def _page(pages: int) -> int:
    name = st.query_params.get("page", "")
    return min(pages, max(1, int(name))) if name.isdecimal() and len(name) < 8 else 1


def _fields(run: Run, shown: Selection) -> dict[str, Any]:
    return dict(fields_of(run.id, run.revision, shown.columns)[0])


def _draw(run: Run, shown: Selection, ids: Sequence[str], record_id: str | None) -> None:
    if not ids:
        st.info("No record matches the filter. “Show all” brings them back.")
        return
    pages = -(-len(ids) // PAGE)
    page = ids.index(record_id) // PAGE + 1 if record_id in ids else _page(pages)
    part = ids[(page - 1) * PAGE : page * PAGE]
    rows = _rows(run, shown, part)
    fields = [name for name in st.session_state.get("record-fields") or () if name in _fields(run, shown)]
    data = {
        "caption": f"Records of {run.name}, {ORDERS.get(st.query_params.get('order', WORST), '')}",
        "open": record_id,
        "fields": [field_title(name) for name in fields],
        "reference": any(row["reference"] for row in rows),
        "rows": rows,
    }
    key = "run-records"
    _table(data=data, key=key, on_picked_change=lambda: _open(st.session_state[key].picked))


def _open(record_id: str | None) -> None:
    if record_id:
        st.query_params["record"] = record_id


def _rows(run: Run, shown: Selection, part: Sequence[str]) -> list[dict[str, Any]]:
    places = {record_id: place for place, record_id in enumerate(shown.columns.id.tolist())}
    fields = _fields(run, shown)
    names = [name for name in st.session_state.get("record-fields") or () if name in fields]
    verdicts = shown.columns.verdicts(shown.scores, own_thresholds())
    unsure = shown.columns.unsure(shown.scores, verdicts)
    rows = []
    for record in _records(run.id, run.revision, tuple(part)):
        place = places[record.id]
        title, tone = look(verdicts[place], bool(unsure[place]))
        values = [fields[name].get(int(shown.columns.position[place]), "") for name in names]
        rows.append(
            {
                "id": record.id,
                "tone": tone,
                "mark": MARKS[tone],
                "verdict": title if verdicts[place] else str(shown.scores.status[place]).replace("_", " "),
                "question": _cut(record.question),
                "answer": _answer(record),
                "reference": _cut(reference_of(record) or ""),
                "fields": [", ".join(value) if isinstance(value, list) else str(value) for value in values],
                "scores": [_score(shown, name, place) for name in FIRST],
            }
        )
    return rows


def _score(shown: Selection, name: str, place: int) -> dict[str, Any]:
    value = float(shown.scores.values[name][place])
    goal = METRICS[name].goal(shown.scores.convention)
    known = not np.isnan(value)
    tone = "" if not known or goal is None else "good" if value >= goal else "bad" if name == "adherence" else "warn"
    shown_value = number_text(value if known else None, ".2f")
    return {"label": short(name), "value": value if known else None, "shown": shown_value, "tone": tone}


def _answer(record: Record) -> list[tuple[str, str]]:
    """The answer's sentences with their looks, from the first that fails, or a short one before it."""
    if record.error and record.labels is None:
        return [(_cut(record.error.message), "cut")]
    if record.response is None:
        return []
    sentences = record.sentences().response
    statuses = record.labels.statuses([s.key for s in sentences]) if record.labels else {}
    looks = {Status.UNSUPPORTED: "failing", Status.PARTIALLY: "partly"}
    pieces = [(_cut(s.text), looks.get(statuses.get(s.key, Status.UNLABELED), "")) for s in sentences]
    first = next((place for place, (_, look) in enumerate(pieces) if look), 0)
    start = first - 1 if first and len(pieces[first - 1][0]) <= SHORT else first
    return [("…", "cut"), *pieces[start:]] if start else pieces


def _cut(text: str) -> str:
    whole = str(valid_text(text))
    return whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}…"


@st.cache_resource(max_entries=4, show_spinner=False)
def _records(run_id: str, revision: int, ids: tuple[str, ...]) -> list[Record]:
    return services.store().runs.load_records(run_id, ids)


def _show_open(run: Run, shown: Selection, ids: Sequence[str], record_id: str) -> None:
    """The record, below the way to its neighbours in the table's order."""
    place = ids.index(record_id) if record_id in ids else -1
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, key, to in (("Previous", "k", place - 1), ("Next", "j", place + 1)):
            there = place >= 0 and 0 <= to < len(ids)
            st.button(
                label,
                key=f"record-{label.lower()}",
                shortcut=key,
                disabled=not there,
                type="tertiary",
                on_click=go,
                args=(ids[to] if there else record_id,),
            )
        st.button("Close", key="record-close", shortcut="Esc", type="tertiary", on_click=go, args=(None,))
        st.caption(f"Record {place + 1:,} of {len(ids):,}" if place >= 0 else "The filter excludes this record.")
    record = services.store().runs.load_record(run.id, record_id)
    show_result(record, shown.scores.convention, key=f"run-{run.id}", run=run)


def go(record_id: str | None) -> None:
    """Open the record, or close the one that is open."""
    if record_id is None:
        st.query_params.pop("record", None)
    else:
        st.query_params["record"] = record_id


def leave() -> None:
    """Back to the list of runs."""
    st.session_state["show"] = "Runs"
    for name in ("run", "record", "order", "page", *PARAMETERS):
        st.query_params.pop(name, None)
