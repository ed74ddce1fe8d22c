"""Which column of an uploaded file holds which field: what is missing first, then the fields with their coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.components.shared import services, visitors
from pages.components.shared.text import plain, show_error
from trace_core.datasets import ColumnMapping, DataSet
from trace_core.datasets.mapping import FIELDS, WORDS
from trace_core.datasets.remembered import recall, remember
from trace_core.datasets.suggestion import suggest
from trace_core.errors import TraceError
from trace_core.facts.cleaning import read_truth

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

USUAL = "id question documents response reference_answer expected_documents category adherence_score".split()
LABELS = {"response": "answer"}
"""Fields that are called otherwise on the page."""
OFFERED = 8
"""The most columns that are offered beside a question; the table offers all."""
Changes = dict[str, str | None]


def edit_mapping(named: DataSet, file_id: str) -> ColumnMapping:
    """The mapping by names, with what a person changes; this is kept for the next file with the same columns."""
    mapping, folder = named.mapping, services.settings().data_dir
    before = {} if visitors.is_demo() else recall(folder, mapping.columns)
    if before:
        st.caption("The columns are read as in the last file with the same headings.")
    changes: Changes = before | st.session_state.get(f"suggested-{file_id}", {})
    changes |= _missing(mapping.changed(changes), named, file_id)
    changes |= _table(mapping.changed(changes), named, file_id)
    changed = {field: path for field, path in changes.items() if mapping.fields.get(field) != path}
    if changed != before and not visitors.is_demo():
        remember(folder, mapping.columns, changed)
    return mapping.changed(changes)


def _missing(mapping: ColumnMapping, named: DataSet, file_id: str) -> Changes:
    """The questions for the fields that no column is; each takes one click, or the judge proposes all of them."""
    if not mapping.missing:
        return {}
    chosen: Changes = {}
    with st.container(border=True, key="mapping-missing"):
        for field in mapping.missing:
            both = mapping.unclear.get(field)
            chosen[field] = st.radio(
                f"Which column holds {WORDS[field]}?", mapping.likely(field)[:OFFERED], index=None, horizontal=True,
                key=f"missing-{field}-{file_id}", format_func=plain,
                help=f"{' and '.join(map(plain, both))} may all be it." if both else None,
            )  # fmt: skip
        _suggest(mapping, named, file_id)
    return {field: picked for field, picked in chosen.items() if picked}


def _suggest(mapping: ColumnMapping, named: DataSet, file_id: str) -> None:
    """The judge's proposal, which is shown, and used once a person confirms it."""
    llm = None if visitors.is_demo() else services.shared_llm()
    if llm is None:
        return
    proposal = f"proposal-{file_id}"
    help_text = "The judge sees the headings and three rows."
    if st.button("Suggest", icon=":material/auto_awesome:", key=f"suggest-{file_id}", help=help_text):
        try:
            with st.spinner("Asking the judge …"):
                st.session_state[proposal] = suggest(llm, mapping, named.sample)
        except TraceError as error:
            show_error(error)
    if found := st.session_state.get(proposal):
        st.table([{"Field": LABELS.get(field, field), "Column": plain(path)} for field, path in found.items()])
        use = {f"suggested-{file_id}": found}
        st.button("Use this mapping", icon=":material/check:", key=f"use-{file_id}", on_click=st.session_state.update,
                  args=(use,))  # fmt: skip


def _table(mapping: ColumnMapping, named: DataSet, file_id: str) -> Changes:
    changes: Changes = {}
    tool = f": a file of {mapping.tool}" if mapping.tool else ""
    with st.expander(plain(f"Fields and their columns{tool}")):
        places = st.columns(2, gap="medium")
        shown = {*USUAL, *mapping.fields}
        for n, field in enumerate(field for field in FIELDS if field in shown):
            before = mapping.fields.get(field)
            options = [None, *mapping.choices]
            picked = places[n % 2].selectbox(
                LABELS.get(field, field), options, index=options.index(before),
                format_func=lambda c: plain(c) if c else "no column", key=f"column-{field}-{before}-{file_id}",
            )  # fmt: skip
            if field == "adherence_score" and picked and not before:
                picked = _rating(places[n % 2], named, picked, file_id)
            if picked != before:
                changes[field] = picked
    return changes


def _rating(place: DeltaGenerator, named: DataSet, column: str, file_id: str) -> str | None:
    """People's ratings as text: which of the values mean that the answer is grounded?"""
    cells = [named.mapping.cell(row, column) for row in named.sample]
    cells += [(item.model_extra or {}).get(column) for item in named.items]
    values = sorted({str(cell).strip() for cell in cells if cell not in (None, "")})
    accepted = place.multiselect(
        "Values that mean “grounded”", values, [value for value in values if read_truth(value)],
        accept_new_options=True, key=f"grounded-{column}-{file_id}",
        help="Every other value means “not grounded”; an empty cell says nothing.",
    )  # fmt: skip
    if not accepted:
        place.caption("The ratings are not read until you name at least one value.")
    return f"{column} is {'|'.join(accepted)}" if accepted else None


def show_coverage(seen: DataSet) -> None:
    """The fields with their columns and how many rows hold them, and the columns that are not read."""
    lines = [
        {"Field": LABELS.get(field, field), "Column": plain(path),
         "Coverage": f"{seen.coverage[field]:,} of {seen.total:,} rows"}
        for field, path in seen.mapping.fields.items()
    ]  # fmt: skip
    st.table(lines, hide_index=True, alt="Fields with their coverage")
    if unread := seen.mapping.unread:
        st.caption(plain(f"Not read, kept with each row: {', '.join(unread)}."))
