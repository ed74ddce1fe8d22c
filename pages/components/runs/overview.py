"""A run's numbers as charts: every bar and cell leads to its records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.components.runs.documents import show_documents
from pages.components.runs.filters import Filtered, field_title, fields_of, narrow
from pages.components.shared.chart import chart
from pages.components.shared.text import plain
from trace_core.diagnosis.rescoring import relevance_divisor
from trace_core.errors import InputError
from trace_core.metrics import METRICS
from trace_core.runs.analyse.select import group_means, time_fields
from trace_core.store.runs import Run
from trace_core.summary import charts
from trace_core.summary.aggregation import truth_values

CHARTS = ("Record by record", "Distribution", "Balance")
TWO = "two-metrics"
"""In the session: the two metrics whose cell was clicked."""


def show_overview(run: Run, shown: Filtered) -> None:
    """One chart at a time, since each takes a browser a tenth of a second; groups and what is rarely asked below."""
    values, ids = shown.values(), shown.ids()
    if not ids:
        st.info("No record matches the filter.")
        return
    fields, offered = fields_of(run.id, run.revision, shown.columns)
    times, groups = time_fields(fields), [name for name, of in offered.items() if of.values]
    names = [*CHARTS, *(["Over time"] if times else []), *(["Group by"] if groups else [])]
    wanted = st.segmented_control("Chart", names, default=names[0], key="run-chart", label_visibility="collapsed")
    if wanted == "Distribution":
        _clickable("Scores of the four metrics", charts.distributions(values), "distributions", ids, _to_range)
    elif wanted == "Balance":
        st.caption("Balance (RMSE) says how far apart the four metrics are, not how high. Consistency is 1 − RMSE.")
        left, right = st.columns(2)
        balance = charts.balance_over_run(values, ids)
        with left:
            _clickable("Balance, record by record", balance, "balance", ids, lambda at: _to_record(ids, at))
        with right:
            shares = charts.bands(values["rmse_aggregation"])
            _clickable("Share of records in each band", shares, "bands", ids, _to_range)
    elif wanted == "Over time":
        field = times[0] if len(times) == 1 else st.selectbox("Time", times, format_func=field_title, key="run-time")
        _over_time(fields[field], field, shown)
    elif wanted == "Group by":
        field = st.selectbox("Field of the rows", groups, format_func=field_title, key="run-group")
        found = group_means(fields[field], shown.columns.position[shown.mask], {n: values[n] for n in METRICS})
        title = f"Means by {plain(field_title(field))}, with 95 % intervals"
        _clickable(title, charts.groups(found), f"groups-{field}", ids, lambda of: narrow(field=field, value=of[0]))
    else:
        strips = charts.metrics_by_record(values, ids)
        _clickable("The four metrics, record by record", strips, "by-record", ids, lambda at: _to_record(ids, at))
    more = st.expander("More: documents, ground truth, correlation", key="run-more", on_change="rerun")
    if more.open:
        with more:
            _more(run, shown)


def _more(run: Run, shown: Filtered) -> None:
    st.markdown("##### What each document contributes")
    show_documents(run, shown)
    if shown.columns.truth is not None:
        st.markdown("##### Against ground truth")
        _truth(run, shown)
    values, ids = shown.values(), shown.ids()
    for place, title in zip(st.columns(2), ("Correlation of the metrics", "Covariance"), strict=True):
        with place:
            figure = charts.together(values, covariance=title == "Covariance")
            _clickable(title, figure, title, ids, lambda pair: st.session_state.update({TWO: pair}))
    st.caption("Pearson's r over the records where both metrics are defined; empty where one of them is constant. "
               "Click on a cell to see its records.")  # fmt: skip
    if two := st.session_state.get(TWO):
        title = " and ".join(METRICS[name].label for name in two)
        figure = charts.two_metrics(values, *two, ids)
        _clickable(title, figure, f"two-{'-'.join(two)}", ids, lambda at: _to_record(ids, at))


def _clickable(title: str, figure: Any, name: str, ids: Sequence[str], act: Callable[[Any], object]) -> None:
    chart(title, figure, key=f"{name}-{len(ids)}-{hash((ids[0], ids[-1]))}", act=act)


def _to_record(ids: Sequence[str], places: Sequence[int]) -> None:
    st.query_params["record"] = ids[int(places[0])]


def _to_range(of: Sequence[Any]) -> None:
    metric, low, high = of
    narrow(metric=metric, low=f"{low:.2g}", high=f"{high:.2g}")


def _over_time(times: Any, field: str, shown: Filtered) -> None:
    """The rolling mean in the order of the rows' own times."""
    positions = shown.columns.position[shown.mask]
    timed = [at for at, position in enumerate(positions.tolist()) if position in times]
    order = np.array(sorted(timed, key=lambda at: times[positions[at]]))
    ids = [shown.ids()[at] for at in order]
    values = {name: column[order] for name, column in shown.values().items()}
    window = min(20, max(2, len(ids) // 5))
    title = f"Rolling mean of the last {window} records, by {plain(field_title(field))}"
    _clickable(title, charts.rolling(values, ids, window), "rolling", ids, lambda at: _to_record(ids, [at[1]]))


def _truth(run: Run, shown: Filtered) -> None:
    try:
        truths = truth_values(shown.columns, shown.scores.convention, relevance_divisor(run.config))
    except InputError as error:
        st.info(plain(str(error)))
        return
    truth, predicted, ids = {n: of[shown.mask] for n, of in truths.items()}, shown.values(), shown.ids()
    errors = {name: predicted[name] - truth[name] for name in METRICS}
    known = {name: found[~np.isnan(found)] for name, found in errors.items()}
    parts = [f"{METRICS[n].label} **{np.sqrt((e**2).mean()):.3f}** ({len(e):,})" for n, e in known.items() if len(e)]
    if not parts:
        st.info("None of these records has both a score and its ground truth.")
        return
    st.markdown("Root mean squared error (records): " + " · ".join(parts))
    figure = charts.against_truth(predicted, truth, ids)
    _clickable("Each record's score beside its ground truth", figure, "truth", ids, lambda at: _to_record(ids, at))
