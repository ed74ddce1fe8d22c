"""A run's numbers as charts: every bar and cell leads to its records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.components.record.drawn import show_means
from pages.components.runs.filters import Selection, field_title, fields_of, narrow
from pages.components.runs.measure import show_documents, show_noise
from pages.components.shared import services
from pages.components.shared.chart import chart
from pages.components.shared.tables import SCORES, declining_table
from pages.components.shared.text import plain
from pages.components.shared.thresholds import own_thresholds
from trace_core.diagnosis.faults import look
from trace_core.errors import InputError, counted
from trace_core.metrics import METRICS
from trace_core.runs.analyse.select import WORST, group_means, sort_places
from trace_core.store.runs import Run
from trace_core.summary import charts
from trace_core.summary.aggregation import together, truth_values
from trace_core.summary.declining import declining

VERDICTS, OVER_RUN, SPREAD = "Verdicts", "Scores over the run", "Distribution"
TONES = {"good": "green", "warn": "orange", "bad": "red", "neutral": "gray", "unknown": "gray"}
"""A verdict's tone → its colour in a text."""


def show_strip(run: Run, shown: Selection) -> None:
    """One chart above the table, whose marks filter it or open a record."""
    names = (VERDICTS, OVER_RUN, SPREAD)
    left, right = st.columns([1, 6], vertical_alignment="center")
    with left:
        chosen = st.radio("Chart", names, key="run-chart", label_visibility="collapsed", persist_state="page")
    with right, st.container(gap=None):
        if chosen == VERDICTS:
            _marks(run, shown)
        elif chosen == SPREAD:
            _strip(
                "Scores of the four metrics", charts.distributions(shown.values()), "distributions", shown, _to_range
            )
        else:
            _over_run(shown)


def _marks(run: Run, shown: Selection) -> None:
    ids, places = shown.ids(), np.flatnonzero(shown.mask)
    names = shown.columns.verdicts(shown.scores, own_thresholds())
    looks = list(zip(names[places].tolist(), shown.columns.unsure(shown.scores, names)[places].tolist(), strict=True))
    order = np.searchsorted(places, sort_places(shown.columns, shown.scores, places, WORST, own_thresholds()))
    kinds = list(dict.fromkeys(looks[at] for at in order))
    of_kind = {kind: order[[looks[at] == kind for at in order]] for kind in kinds}
    marks = [charts.Mark(kind[0], *look(*kind), of_kind[kind]) for kind in kinds]
    hovers = [""] * len(ids)
    if len(ids) <= charts.MOST_POINTS:
        lines = services.store().runs.lines(run.id, shown.columns.position[places].tolist())
        hovers = [charts.hover(line.question, look(*kind).title) for line, kind in zip(lines, looks, strict=True)]
    figure = charts.record_marks(marks, ids, hovers)

    def act(of: Sequence[Any]) -> None:
        narrow(finding=of[0]) if isinstance(of[0], str) else _to_record(ids, of)

    _strip("Records by verdict, worst first", figure, "marks", shown, act)
    key = [f":{TONES[mark.tone]}[■] {plain(mark.title)} **{len(mark.places):,}**" for mark in marks]
    st.caption("  ".join(["Worst first:", *key]))


def _over_run(shown: Selection) -> None:
    ids = shown.ids()
    window = min(20, max(1, len(ids) // 5))
    figure = charts.scores_over_run(shown.values(), ids, window)
    _strip("Scores over the run", figure, "over-run", shown, lambda at: _to_record(ids, at))
    key = [f":{word}[■] {SCORES[name]}" for name, (word, _) in charts.LINES.items()]
    st.caption(
        "  ".join([*key, f"Each point is the mean of the last {counted(window, 'record')} in the file's order."])
    )


def show_numbers(run: Run, shown: Selection) -> None:
    """The means with their intervals, balance, groups, and what is rarely asked."""
    show_means(shown.values(), shown.scores.status[shown.mask], shown.scores.convention, key="run-means")
    values, ids = shown.values(), shown.ids()
    st.caption("Balance (RMSE) says how far apart the four metrics are, not how high. Consistency is 1 − RMSE.")
    shares = charts.bands(values["rmse_aggregation"])
    _clickable("Share of records in each band of balance", shares, "bands", ids, _to_range)
    if table := declining(shown.columns, shown.scores, shown.mask):
        st.markdown("##### Answered and declined")
        declining_table(table)
    fields, offered = fields_of(run.id, run.revision, shown.columns)
    if groups := [name for name, of in offered.items() if of.values]:
        field = st.selectbox("Means by", groups, format_func=field_title, key="run-group")
        estimates = group_means(fields[field], shown.columns.position[shown.mask], {n: values[n] for n in METRICS})
        title = f"Means by {plain(field_title(field))}, with 95 % intervals"
        _clickable(title, charts.groups(estimates), f"groups-{field}", ids, lambda of: narrow(field=field, value=of[0]))
    more = st.expander("More: documents, references, ground truth, correlation", key="run-more", on_change="rerun")
    if more.open:
        with more:
            _more(run, shown)


def _more(run: Run, shown: Selection) -> None:
    st.markdown("##### What each document contributes")
    show_documents(run, shown)
    st.markdown("##### Against the reference answers")
    show_noise(run, shown)
    if shown.columns.truth is not None:
        st.markdown("##### Against ground truth")
        _truth(run, shown)
    values, ids = shown.values(), shown.ids()
    st.markdown("##### How the metrics move together")
    pairs = together(values)
    rows = [
        {"Metrics": two_labels(*one["metrics"]), "Correlation": one["correlation"], "Covariance": one["covariance"]}
        for one in pairs
    ]
    table = st.dataframe(rows, hide_index=True, key="together", on_select="rerun", selection_mode="single-row")
    st.caption("Where both metrics are defined; empty where one is constant. Select a row to see its records.")
    if table.selection.rows:
        a, b = pairs[table.selection.rows[0]]["metrics"]
        figure = charts.two_metrics(values, a, b, ids)
        _clickable(two_labels(a, b), figure, f"two-{a}-{b}", ids, lambda at: _to_record(ids, at))


def two_labels(a: str, b: str) -> str:
    """The two metrics by their labels."""
    return f"{METRICS[a].label} and {METRICS[b].label}"


def _clickable(title: str, figure: Any, name: str, ids: Sequence[str], act: Callable[[Any], object]) -> None:
    chart(title, figure, key=f"{name}-{len(ids)}-{hash((ids[0], ids[-1]))}", act=act)


def _strip(alt: str, figure: Any, name: str, shown: Selection, act: Callable[[Any], object]) -> None:
    """A chart without a title of its own: the choice beside it names it."""
    chart("", figure, key=f"{name}-{shown.words}-{int(shown.mask.sum())}", act=act, alt=alt)


def _to_record(ids: Sequence[str], places: Sequence[int]) -> None:
    st.query_params["record"] = ids[int(places[0])]


def _to_range(of: Sequence[Any]) -> None:
    metric, low, high = of
    narrow(metric=metric, low=f"{low:.2g}", high=f"{high:.2g}")


def _truth(run: Run, shown: Selection) -> None:
    try:
        truths = truth_values(shown.columns, shown.scores.scoring)
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
