"""Tables with scores. A phone shows their first columns: what names a row is narrow, and adherence comes first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

from trace_core.metrics import DERIVED, METRICS

SCORES = {**{name: m.label for name, m in METRICS.items()}, **{name: d.label for name, d in DERIVED.items()}}
"""Each score's label by its name."""
FIRST = tuple(reversed(METRICS))
"""The metrics in the order of their columns: that of the answer before that of retrieval."""
NAME_WIDTH, ROW_HEIGHT = 146, 66
"""Pixels of the column that names a row, and of a row: the name is wrapped, as Streamlit does from 65 on."""


def columns(named: str, scores: Iterable[str], digits: int) -> dict[str, Any]:
    """How the column `named` and those of the scores, under their labels, are drawn: narrow, with short titles."""
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
