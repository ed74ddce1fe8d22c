"""A run's numbers as charts: every bar and cell leads to its records."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.components.record.drawn import show_means
from pages.components.runs.filters import Selection, field_title, look_key, narrow
from pages.components.runs.measure import show_documents, show_noise
from pages.components.shared import services
from pages.components.shared.chart import chart
from pages.components.shared.tables import SCORES, declining_table
from pages.components.shared.text import plain
from trace_core.diagnosis.faults import look
from trace_core.errors import counted
from trace_core.metrics import METRICS
from trace_core.runs.analyse.select import WORST, group_means, sort_places, time_order
from trace_core.summary import charts
from trace_core.summary.aggregation import together
from trace_core.summary.declining import declining

TONES = {"good": "green", "warn": "orange", "bad": "red", "neutral": "gray", "unknown": "gray"}
"""A verdict's tone → its colour in a text."""


def show_strip(selection: Selection) -> None:
    """One chart above the table, whose marks filter it or open a record."""
    draw = {"Verdicts": _verdicts, "Scores over the run": _over_run, "Distribution": _distributions}
    left, right = st.columns([1, 6], vertical_alignment="center")
    with left:
        name = st.radio("Chart", list(draw), key="run-chart", label_visibility="collapsed", persist_state="page")
    with right, st.container(gap=None):
        draw[name](selection)


def _verdicts(selection: Selection) -> None:
    columns, ids, places = selection.columns, selection.ids(), np.flatnonzero(selection.mask)
    looks = list(zip(selection.scores.verdicts[places].tolist(), selection.scores.unsure[places].tolist(), strict=True))
    order = np.searchsorted(places, sort_places(selection.scores, places, WORST))
    by_look: dict[tuple[str, bool], list[int]] = {}
    for at in order.tolist():
        by_look.setdefault(looks[at], []).append(at)
    marks = [charts.Mark(look_key(*kind), *look(*kind), np.array(of)) for kind, of in by_look.items()]
    hovers = [""] * len(ids)
    if len(ids) <= charts.MOST_POINTS:
        positions = columns.position[places].tolist()
        questions = services.store().runs.questions(selection.run.id, positions)
        hovers = [charts.hover(questions[at], look(*kind).title) for at, kind in zip(positions, looks, strict=True)]

    def act(of: Sequence[Any]) -> None:
        narrow(verdict=of[0]) if isinstance(of[0], str) else _to_record(ids, of)

    _draw("", charts.record_marks(marks, ids, hovers), selection, act, alt="Records by verdict, worst first")
    key = [f":{TONES[mark.tone]}[■] {plain(mark.title)} **{len(mark.places):,}**" for mark in marks]
    st.caption("  ".join(["One verdict a record, worst first:", *key]))


def _over_run(selection: Selection) -> None:
    positions = selection.columns.position[selection.mask].tolist()
    field, places = time_order(selection.fields, positions) or ("", list(range(len(positions))))
    ids = np.array(selection.ids(), dtype=object)[places].tolist()
    window = min(20, max(1, len(ids) // 5))
    figure = charts.scores_over_run({name: of[places] for name, of in selection.values().items()}, ids, window)
    _draw("", figure, selection, lambda at: _to_record(ids, at), alt="Scores over the run")
    key = [f":{word}[■] {SCORES[name]}" for name, (word, _) in charts.LINES.items()]
    order = f"by {plain(field_title(field))}" if field else "in the file's order"
    mean = f"Each point is the mean of the last {counted(window, 'record')} {order}."
    st.caption("  ".join([*key, mean]))


def _distributions(selection: Selection) -> None:
    _draw("", charts.distributions(selection.values()), selection, _to_range, alt="Scores of the four metrics")


def show_numbers(selection: Selection) -> None:
    """The means with their intervals, balance, groups, and what is rarely asked."""
    values, scores = selection.values(), selection.scores
    show_means(values, scores.status[selection.mask], scores.convention, key="run-means")
    st.caption("Balance (RMSE) says how far apart the four metrics are, not how high. Consistency is 1 − RMSE.")
    _draw("Share of records in each band of balance", charts.bands(values["rmse_aggregation"]), selection, _to_range)
    if table := declining(scores, selection.mask):
        st.markdown("##### Answered and declined")
        declining_table(table)
    if groups := [name for name, of in selection.choices.items() if of.values]:
        field = st.selectbox("Means by", groups, format_func=field_title, key="run-group")
        positions = selection.columns.position[selection.mask]
        estimates = group_means(selection.fields[field], positions, {name: values[name] for name in METRICS})
        title = f"Means by {plain(field_title(field))}, with 95 % intervals"
        _draw(title, charts.groups(estimates), selection, lambda of: narrow(field=field, value=of[0]))
    more = st.expander("More: documents, references, correlation", key="run-more", on_change="rerun")
    if more.open:
        with more:
            _more(selection)


def _more(selection: Selection) -> None:
    st.markdown("##### What each document contributes")
    show_documents(selection)
    st.markdown("##### Against the reference answers")
    show_noise(selection)
    st.markdown("##### How the metrics move together")
    values, ids = selection.values(), selection.ids()
    pairs = {" and ".join(METRICS[name].label for name in one["metrics"]): one for one in together(values)}
    rows = [
        {"Metrics": title, "Correlation": one["correlation"], "Covariance": one["covariance"]}
        for title, one in pairs.items()
    ]
    table = st.dataframe(rows, hide_index=True, key="together", on_select="rerun", selection_mode="single-row")
    st.caption("Where both metrics are defined; empty where one is constant. Select a row to see its records.")
    for row in table.selection.rows:
        title, one = list(pairs.items())[row]
        a, b = one["metrics"]
        _draw(title, charts.two_metrics(values, a, b, ids), selection, lambda at: _to_record(ids, at))


def _draw(title: str, figure: Any, selection: Selection, act: Callable[[Any], object], *, alt: str = "") -> None:
    """A chart of the records; without a title, the choice beside it names it, and `alt` describes it."""
    key = f"{alt or title}-{selection.run.id}-{hash(selection.mask.tobytes())}"
    chart(title, figure, key=key, act=act, alt=alt)


def _to_record(ids: Sequence[str], places: Sequence[int]) -> None:
    st.query_params["record"] = ids[int(places[0])]


def _to_range(of: Sequence[Any]) -> None:
    metric, low, high = of
    narrow(metric=metric, low=f"{low:.2g}", high=f"{high:.2g}")
