"""The mapping of an uploaded file's columns to fields, next to the file's first rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.components.shared.text import plain
from trace_core.datasets import ColumnMapping, DataSet
from trace_core.datasets.mapping import FIELDS
from trace_core.facts.truth_words import read_truth

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

USUAL = (
    "id",
    "question",
    "documents",
    "response",
    "reference_answer",
    "expected_documents",
    "category",
    "adherence_score",
)
LONGEST = 80
"""The most characters of a cell that are shown."""


def edit_mapping(guessed: DataSet, file_id: str) -> ColumnMapping:
    """The guessed mapping, to be edited; another file has other widgets."""
    mapping = guessed.mapping
    with st.expander(f"Column mapping: {mapping.layout}", expanded="question" not in mapping.fields):
        left, right = st.columns([1, 2], gap="medium")
        chosen: dict[str, str | None] = {}
        fields = dict.fromkeys([*USUAL, *mapping.fields])
        for field in (field for field in FIELDS if field in fields):
            options = [None, *mapping.choices]
            chosen[field] = left.selectbox(
                field, options, index=options.index(mapping.fields.get(field)),
                format_func=lambda c: c or "no column", key=f"column-{field}-{file_id}",
            )  # fmt: skip
            if field == "adherence_score" and chosen[field] and not mapping.fields.get(field):
                chosen[field] = _rating(left, guessed, str(chosen[field]), file_id)
        changed = mapping.changed(chosen)
        with right, st.container(key="mapping-sample"):
            st.caption("The first rows of the file, and what each column is read as.")
            st.table(_sample(guessed, changed), hide_index=True)
    return changed


def _rating(place: DeltaGenerator, guessed: DataSet, column: str, file_id: str) -> str | None:
    """People's ratings as text: which of the values mean that the answer is grounded?"""
    cells = [guessed.mapping.cell(row, column) for row in guessed.sample]
    cells += [(item.model_extra or {}).get(column) for item in guessed.items]
    values = sorted({str(cell).strip() for cell in cells if cell not in (None, "")})
    named = place.multiselect(
        "Values that mean “grounded”", values, [value for value in values if read_truth(value)],
        accept_new_options=True, key=f"grounded-{column}-{file_id}",
        help="Every other value means “not grounded”; an empty cell says nothing.",
    )  # fmt: skip
    if not named:
        place.caption("The ratings are not read until you name at least one value.")
    return f"{column} is {'|'.join(named)}" if named else None


def _sample(guessed: DataSet, mapping: ColumnMapping) -> list[dict[str, str]]:
    """One row per column: its field, and its first values. Columns that are read come first."""
    read_as = {column: field for field, column in mapping.fields.items()}
    used = {part for column in read_as for part in mapping.groups.get(column, ())}
    columns = [*read_as, *(c for c in mapping.columns if c not in read_as and c not in used)]
    return [
        {
            "Column": plain(column),
            "Read as": f"**{read_as[column]}**" if column in read_as else "not read",
            **{f"Row {n}": _shown(mapping.cell(row, column)) for n, row in enumerate(guessed.sample, start=1)},
        }
        for column in columns
    ]


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    return plain(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")
