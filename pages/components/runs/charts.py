"""The charts of a run. Picking points or bars filters the records below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components.runs.filters import Filtered
from pages.components.shared.chart import draw, pickable
from trace_core.summary import charts

LINES = ("Record by record", "Rolling mean", "Balance and consistency")


def show_charts(shown: Filtered) -> None:
    """The records in their order. Only one chart is drawn at a time: each takes a browser a tenth of a second."""
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
    """The distribution of the scores, and the share of each band of balance."""
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
    """The relation between the four metrics."""
    values = shown.values()
    left, right = st.columns(2)
    with left:
        draw("Correlation", charts.together(values), key="correlation")
    with right:
        draw("Covariance", charts.together(values, covariance=True), key="covariance")
    st.caption("Pearson's r over the records where both metrics are defined; empty where one of them is constant.")


def _pickable(title: str, figure: Any, name: str, ids: Sequence[str]) -> None:
    """Draw the figure; a picked point opens its record, or the first of the records it stands for."""
    # Another selection of records needs another chart: a pick is a position among these records.
    key = f"{name}-{len(ids)}-{hash((ids[0], ids[-1]))}"
    points = pickable(title, figure, key=key)
    picked = points[0]["customdata"] if points else None
    if picked != st.session_state.get(f"picked-{key}"):
        st.session_state[f"picked-{key}"] = picked
        if picked is not None:  # plotly gives the position of an array by its name
            st.query_params["record"] = ids[int(picked["0"] if isinstance(picked, dict) else picked[0])]
