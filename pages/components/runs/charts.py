"""The charts of a run. Points and bars can be picked: the records below are then theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components.runs.filters import Filtered
from pages.components.shared.chart import draw, pickable
from trace_core import charts

LINES = ("Record by record", "Rolling mean", "Balance and consistency")


def show_charts(shown: Filtered) -> None:
    """The records in their order. One chart at a time: a browser takes a tenth of a second to draw each."""
    values, ids = shown.values(), shown.ids()
    if not ids:
        st.info("No record matches the filter.")
        return
    wanted = st.segmented_control("Chart", LINES, default=LINES[0], key="run-chart", label_visibility="collapsed")
    if wanted == LINES[1]:
        window = min(20, max(2, len(ids) // 5))
        st.caption(f"Each point is the mean of the last {window} records where the metric is defined.")
        draw("Rolling mean of the four metrics", charts.rolling(values, ids, window), key="rolling")
    elif wanted == LINES[2]:
        _pickable("Balance and consistency, record by record", charts.balance_over_run(values, ids), "balance", ids)
    else:
        _pickable("The four metrics, record by record", charts.metrics_by_record(values, ids), "by-record", ids)


def show_distribution(shown: Filtered) -> None:
    """How the scores are distributed, and the share of each band of balance."""
    values = shown.values()
    if not shown.mask.any():
        st.info("No record matches the filter.")
        return
    left, right = st.columns(2)
    with left:
        draw("Scores of the four metrics", charts.distributions(values), key="distributions")
    with right:
        draw("Bands of balance (RMSE)", charts.bands(values["rmse_aggregation"]), key="bands")


def show_together(shown: Filtered) -> None:
    """How the four metrics move together."""
    values = shown.values()
    left, right = st.columns(2)
    with left:
        draw("Correlation", charts.together(values), key="correlation")
    with right:
        draw("Covariance", charts.together(values, covariance=True), key="covariance")
    st.caption("Pearson's r over the records where both metrics are defined; empty where one of them is constant.")


def _pickable(title: str, figure: Any, name: str, ids: Sequence[str]) -> None:
    """Draw the figure; a picked point opens its record, or the first of those that it stands for."""
    # Another selection of records is another chart: a pick is a place among these records.
    key = f"{name}-{len(ids)}-{hash((ids[0], ids[-1]))}"
    points = pickable(title, figure, key=key)
    picked = points[0]["customdata"] if points else None
    if picked != st.session_state.get(f"picked-{key}"):
        st.session_state[f"picked-{key}"] = picked
        if picked is not None:  # plotly gives the place of an array by its name
            st.query_params["record"] = ids[int(picked["0"] if isinstance(picked, dict) else picked[0])]
