"""The records of a run as a table, and the evidence of the one that is open beside it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from pages.components.record.result import show_result
from pages.components.runs import filters
from pages.components.runs.filters import Selection
from pages.components.shared import services
from pages.components.shared.tables import FIRST, short
from pages.components.shared.text import number_text
from trace_core.diagnosis.faults import look
from trace_core.errors import cut
from trace_core.evidence import assets, tone_of
from trace_core.evidence.reference import reference_of
from trace_core.facts.labels import Status
from trace_core.facts.records import Record
from trace_core.facts.strict import valid_text
from trace_core.runs.analyse.select import sort_places

PAGE = 50
LONGEST = 400
"""Characters of a text in a cell, which shows three lines of it."""
LOOKS = {Status.UNSUPPORTED: "failing", Status.PARTIALLY: "partly"}
_css, _js = (Path(__file__).with_name(f"table.{kind}").read_text("utf-8") for kind in ("css", "js"))
_table = st.components.v2.component("trace_records", css=_css, js=assets("records")[1] + _js)


def show_records(selection: Selection) -> None:
    """The table, a page at a time; beside it the record in the address."""
    record_id, order = st.query_params.get("record"), filters.address_order()
    own = (selection.run.id, selection.words, order, selection.scores.convention)
    before, ids = st.session_state.get("queue", ((), []))
    if before != own or record_id is None:  # while a record is open the order stays: a correction moves no row
        places = np.flatnonzero(selection.mask)
        places = sort_places(selection.scores, places, order)
        ids = selection.columns.id[places].tolist()
        st.session_state["queue"] = own, ids
    pages = -(-len(ids) // PAGE)
    if record_id is None:
        page = _page(pages)
        _draw(selection, ids[(page - 1) * PAGE : page * PAGE], None, (None, None))
        if pages > 1:
            options = {"min_value": 1, "max_value": pages, "width": 130}
            filters.widget(st.number_input, f"Page (of {pages})", "page", page, **options)
        return
    place = ids.index(record_id) if record_id in ids else -1
    beside = [ids[to] if place >= 0 and 0 <= to < len(ids) else None for to in (place - 1, place + 1)]
    left, right = st.columns([4, 7], gap="medium")
    with right:
        with st.container(horizontal=True, vertical_alignment="center"):
            for label, key, to in zip(("Previous", "Next"), "kj", beside, strict=True):
                at: dict[str, Any] = {"on_click": go, "args": (to,), "disabled": to is None}
                st.button(label, key=f"record-{label.lower()}", shortcut=key, type="tertiary", **at)
            st.button("Close", key="record-close", shortcut="Esc", type="tertiary", on_click=go, args=(None,))
            if place >= 0:
                st.caption(f"Record {place + 1:,} of {len(ids):,}")
            elif record_id in selection.columns.id:
                st.caption("The filter excludes this record.")
        run = selection.run
        record = services.store().runs.load_record(run.id, record_id)
        show_result(record, selection.scores.convention, key=f"run-{run.id}", run=run)
    with left:
        first = (place // PAGE if place >= 0 else _page(pages) - 1) * PAGE
        _draw(selection, ids[first : first + PAGE], record_id, beside)


def _page(pages: int) -> int:
    name = st.query_params.get("page", "")
    return min(pages, max(1, int(name))) if name.isdecimal() and len(name) < 8 else 1


def _draw(selection: Selection, ids: Sequence[str], record_id: str | None, beside: Sequence[str | None]) -> None:
    """The records of a page; `beside` are those before and after the open one."""
    if not ids:
        st.info("No record matches the filter. “Show all” brings them back.")
        return
    names, of_page = filters.address_columns(selection.fields), set(ids)
    columns, scores, rows = selection.columns, selection.scores, []
    places = {name: place for place, name in enumerate(columns.id.tolist()) if name in of_page}
    for record in _records(selection.run.id, selection.run.revision, tuple(ids)):
        place = places[record.id]
        title, tone = look(scores.verdicts[place], bool(scores.unsure[place]))
        fields = {n: selection.fields[n].get(int(columns.position[place]), "") for n in names if n in selection.fields}
        texts = {n: ", ".join(value) if isinstance(value, list) else str(value) for n, value in fields.items()}
        row = {
            "id": record.id,
            "tone": tone,
            "verdict": title if scores.verdicts[place] else filters.STATUS[scores.status[place]],
            "question": _cut(record.question),
            "answer": _answer(record),
            "texts": {**texts, filters.REFERENCE: _cut(reference_of(record) or "")},
            "scores": [_score(selection, name, place, tone) for name in FIRST],
        }
        rows.append(row)
    data = {
        "caption": f"Records of {selection.run.name}, {filters.ORDERS[filters.address_order()]}",
        "open": record_id,
        "beside": beside,
        "at": st.query_params.get("at"),
        "columns": [{"name": name, "title": filters.field_title(name)} for name in names],
        "rows": rows,
    }
    key = "run-records"
    _table(data=data, key=key, on_picked_change=lambda: go(st.session_state[key].picked or record_id))


def _score(selection: Selection, name: str, place: int, tone: str) -> dict[str, Any]:
    """A metric of the record whose verdict has that tone."""
    number = float(selection.scores.values[name][place])
    value = None if np.isnan(number) else number
    look = tone_of(name, value, selection.scores.convention, selection.scores.verdicts[place], tone)
    return {"label": short(name), "value": value, "shown": number_text(value, ".2f"), "tone": look}


def _answer(record: Record) -> list[tuple[str, str]]:
    """The answer's sentences with their looks; without an answer, why there is none."""
    if record.response is None:
        return [(_cut(record.error.message), "cut")] if record.error else []
    sentences = record.sentences().response
    statuses = record.labels.statuses([s.key for s in sentences]) if record.labels else {}
    return [(_cut(s.text), LOOKS.get(statuses.get(s.key, Status.UNLABELED), "")) for s in sentences]


def _cut(text: str) -> str:
    return cut(str(valid_text(text)), LONGEST)


@st.cache_resource(max_entries=4, show_spinner=False)
def _records(run_id: str, revision: int, ids: tuple[str, ...]) -> list[Record]:
    return services.store().runs.load_records(run_id, ids)


def go(record_id: str | None) -> None:
    """Open the record, or close the one that is open: its page is shown then, and its row is in sight."""
    address, (_, ids) = st.query_params, st.session_state.get("queue", ((), []))
    last = address.get("record", "")
    filters.forget(("record", "at"))
    if record_id is not None:
        address["record"] = record_id
    elif last in ids:
        page = ids.index(last) // PAGE + 1
        address.update({"at": last, "page": str(page)} if page > 1 or "page" in address else {"at": last})


def leave() -> None:
    """Back to the list of runs."""
    st.session_state["show"] = "Runs"
    filters.forget(("run", "record", "order", "page", "at", *filters.PARAMETERS))
