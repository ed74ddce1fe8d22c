"""A run's numbers as charts: every bar and cell leads to its records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.components.record.contribution import cost_text
from pages.components.runs.filters import Selection, field_title, fields_of, narrow
from pages.components.shared import language_model, services
from pages.components.shared.chart import chart
from pages.components.shared.long_work import work_through
from pages.components.shared.measurements import contributions_of, how_many, keep
from pages.components.shared.run_data import measurable
from pages.components.shared.tables import record_table
from pages.components.shared.text import mean_text, number_text, plain
from pages.components.shared.visitors import is_demo, may_begin
from trace_core.answering import ANSWERERS, without_llm
from trace_core.contribution import DOWNSTREAM, Contribution, by_rank, contribute_all, contribution_summary
from trace_core.diagnosis.rescoring import relevance_divisor
from trace_core.errors import InputError, counted
from trace_core.facts.records import Record
from trace_core.metrics import METRICS
from trace_core.pipeline import default_answerer
from trace_core.runs.analyse.select import group_means, time_fields
from trace_core.runs.progress import Meter
from trace_core.store.runs import Run
from trace_core.summary import charts
from trace_core.summary.aggregation import truth_values

CHARTS = ("Record by record", "Distribution", "Balance")
TWO = "two-metrics"
"""In the session: the two metrics whose cell was clicked."""


def show_overview(run: Run, shown: Selection) -> None:
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


def _more(run: Run, shown: Selection) -> None:
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
    st.caption(
        "Pearson's r over the records where both metrics are defined; empty where one of them is constant. "
        "Click on a cell to see its records."
    )
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


def _over_time(times: Any, field: str, shown: Selection) -> None:
    positions = shown.columns.position[shown.mask]
    timed = [at for at, position in enumerate(positions.tolist()) if position in times]
    order = np.array(sorted(timed, key=lambda at: times[positions[at]]))
    ids = [shown.ids()[at] for at in order]
    values = {name: column[order] for name, column in shown.values().items()}
    window = min(20, max(2, len(ids) // 5))
    title = f"Rolling mean of the last {window} records, by {plain(field_title(field))}"
    _clickable(title, charts.rolling(values, ids, window), "rolling", ids, lambda at: _to_record(ids, [at[1]]))


def _truth(run: Run, shown: Selection) -> None:
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


MARKS = ("redundant", "harmful", "never_used")
RANKING = {"map": "MAP", "mrr": "MRR", "ndcg": "nDCG"}  # others are upper case


def show_documents(run: Run, shown: Selection) -> None:
    """The measurement, with its cost before the start, and its results."""
    st.caption(
        "The answerer sees each retrieved document on its own (eRAG). A document's contribution is how close that "
        "answer comes to the reference answer, or to the full answer where there is no reference."
    )
    ids, last = shown.ids(), contributions_of(run)
    first, second, third = st.columns(3)
    n = how_many(first, "Records", len(ids), key="documents-n")
    usual = last.made_by if last else str(run.config.get("answerer") or default_answerer(services.settings()))
    names = sorted(without_llm() if is_demo() else ANSWERERS, key=lambda name: name != usual)
    answerer = second.selectbox("Answerer", names, key="documents-answerer")
    measures = sorted(DOWNSTREAM, key=lambda name: last is not None and name != last.measure)
    measure = third.selectbox(
        "Measure", measures, format_func=lambda name: DOWNSTREAM[name].label, key="documents-measure"
    )
    results = contributions_of(run, measure, answerer)
    found = results.by_record if results else {}
    records, references = measurable(run.id, run.revision, tuple(ids[:n]))
    if not records:
        st.info("None of these records has both documents and an answer, so there is nothing to measure.")
    else:
        left = [record for record in records if record.id not in found or not found[record.id].complete]
        st.caption(
            f"{counted(len(records), 'record')}, {sum(record.id in references for record in records):,} with a "
            "reference answer; the others against their full answer. "
            f"{len(records) - len(left):,} of them are already measured."
        )
        label = f"Measure: {cost_text(left, answerer)}"
        if left and st.button(label, icon=":material/play_arrow:", key="documents-start"):
            _measure(run, left, references, answerer, measure)
    if of_shown := [found[i] for i in ids if i in found]:
        _show(run, of_shown, answerer)


def _measure(run: Run, records: list[Record], references: dict[str, str], answerer: str, measure: str) -> None:
    if not may_begin([document.text for record in records for document in record.documents]):
        return
    total, by_id = sum(len(record.documents) for record in records), {record.id: record for record in records}
    meter = Meter(run.id, total, 0, 0, total)
    made = contribute_all(
        records,
        language_model.answerer_of(answerer),
        references,
        measure=measure,
        on_document=lambda _: meter.saved(1, new=1, failed=0),
    )

    def store(found: Contribution) -> None:
        keep(run, by_id[found.record_id], measure, answerer, found.to_dict())

    if work_through(made, store, meter, "documents", key="documents-stop"):
        st.rerun()  # updates the findings above, too


def _show(run: Run, found: list[Contribution], answerer: str) -> None:
    total, label = contribution_summary(found), DOWNSTREAM[found[0].measure].label
    st.markdown(
        f"**{counted(total['records'], 'record')}, {counted(total['documents'], 'document')}**, {label} by {answerer}"
    )
    for note in dict.fromkeys(note for one in found for note in one.notes):
        st.caption(plain(note))
    levels = by_rank(found)
    lines = {
        label: [(level.label, level.interval) for level in levels],
        "Relevant": [(level.relevant, None) for level in levels],
        "Utilized": [(level.utilized, None) for level in levels],
    }
    ranks = charts.levels([str(level.rank) for level in levels], lines)
    chart("Contribution, relevance and utilization by rank", ranks, key="documents-ranks")
    rows = [
        {
            "Rank": level.rank,
            "Documents": level.documents,
            label: mean_text(level.label, level.interval, level.labeled),
            "Sentences relevant": number_text(level.relevant, ".2f"),
            "Sentences utilized": number_text(level.utilized, ".2f"),
        }
        for level in levels
    ]
    st.table(rows, hide_index=True, alt="Contribution by rank")
    named = [
        f"{RANKING.get(name, name.upper())} **{mean_text(of['mean'], of['interval'], of['scored'])}**"
        for name, of in total["measures"].items()
    ]
    if named:
        st.markdown(f"Ranking measured by these labels, over {total['scored']:,} records: {' · '.join(named)}")
    st.markdown(
        f"Of {total['documents']:,} documents **{total['redundant']:,}** are redundant, **{total['harmful']:,}** "
        f"harmful, and **{total['never_used']:,}** were never used; {total['failed']:,} could not be measured."
    )
    ids = [one.record_id for one in found]
    record_table([_row(one) for one in found], ids, key=f"documents-{run.id}-{hash(tuple(ids))}")


def _row(found: Contribution) -> dict[str, object]:
    best = next(iter(found.by_label()), None)
    return {
        "Id": found.record_id,
        "Against": found.against,
        "Contributes most": (best.title or best.id) if best else "",
        **{mark.replace("_", " ").capitalize(): sum(getattr(part, mark) for part in found.parts) for mark in MARKS},
        **{RANKING.get(name, name.upper()): value for name, value in (found.measures or {}).items()},
    }
