"""Tables with scores. A phone shows only the first columns: a narrow one that names the row, then adherence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

from trace_core.metrics import DERIVED, METRICS

SCORES = {**{name: m.label for name, m in METRICS.items()}, **{name: d.label for name, d in DERIVED.items()}}
"""Score name → label."""
FIRST = tuple(reversed(METRICS))
"""The metrics in column order: the answer's before those of retrieval."""
NAME_WIDTH, ROW_HEIGHT = 146, 66
"""Width of the name column and height of a row in pixels: Streamlit wraps the name in rows of at least 65."""


def columns(named: str, scores: Iterable[str], digits: int) -> dict[str, Any]:
    """The configuration of the column `named` and of the score columns, by label: narrow, with short titles."""
    numbers = {
        SCORES[name]: st.column_config.NumberColumn(short(name), format=f"%.{digits}f", help=_help(name))
        for name in scores
    }
    return {named: st.column_config.TextColumn(named, width=NAME_WIDTH), **numbers}


def short(name: str) -> str:
    """The score's label, short enough for a column's title."""
    return "RMSE" if name == "rmse_aggregation" else SCORES[name].removeprefix("Context ").capitalize()


def _help(name: str) -> str:
    about = METRICS[name].question if name in METRICS else DERIVED[name].description
    return f"{SCORES[name]}. {about}"
