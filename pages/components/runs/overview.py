"""A run's numbers as charts: every bar and cell leads to its records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.components.record.contribution import cost_text
from pages.components.record.drawn import show_means
from pages.components.runs.filters import Selection, field_title, fields_of, narrow
from pages.components.shared import language_model, services
from pages.components.shared.chart import chart
from pages.components.shared.long_work import work_through
from pages.components.shared.measurements import contributions_of, how_many, keep
from pages.components.shared.run_data import measurable
from pages.components.shared.tables import SCORES, declining_table, record_table
from pages.components.shared.text import mean_text, number_text, plain
from pages.components.shared.thresholds import changed
from pages.components.shared.visitors import is_demo, may_begin
from trace_core.answering import ANSWERERS, without_llm
from trace_core.contribution import DOWNSTREAM, Contribution, by_rank, contribute_all, contribution_summary
from trace_core.diagnosis.faults import FAULTS, look
from trace_core.diagnosis.rescoring import relevance_divisor
from trace_core.errors import InputError, counted
from trace_core.facts.records import Record
from trace_core.metrics import METRICS
from trace_core.pipeline import default_answerer
from trace_core.runs.analyse.select import group_means, ordered, time_fields
from trace_core.runs.progress import Meter
from trace_core.store.runs import Run
from trace_core.summary import charts
from trace_core.summary.aggregation import truth_values
from trace_core.summary.declining import declining

VERDICTS, OVER_RUN, SPREAD = "Verdicts", "Scores over the run", "Distribution"
TONES = {"good": "green", "warn": "orange", "bad": "red", "neutral": "gray", "unknown": "gray"}
"""A verdict's tone → its colour in a text."""
TWO = "two-metrics"
"""In the session: the two metrics whose cell was clicked."""


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
            _over_run(run, shown)


def _marks(run: Run, shown: Selection) -> None:
    ids, places = shown.ids(), np.flatnonzero(shown.mask)
    names = shown.columns.verdicts(shown.scores, changed())
    looks = list(zip(names[places].tolist(), shown.columns.unsure(shown.scores, names)[places].tolist(), strict=True))
    order = np.searchsorted(places, ordered(shown.scores, places))
    worst = {name: -fault.severity for name, fault in FAULTS.items()}
    kinds = sorted(set(looks), key=lambda kind: (worst.get(kind[0], 1), kind))
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


def _over_run(run: Run, shown: Selection) -> None:
    """By the time that the rows have, else in the order of the file."""
    fields = fields_of(run.id, run.revision, shown.columns)[0]
    positions = shown.columns.position[shown.mask]
    order = np.arange(len(positions))
    if times := time_fields(fields):
        of = fields[times[0]]
        order = np.array(sorted((at for at in order if positions[at] in of), key=lambda at: of[positions[at]]), int)
    ids = [shown.ids()[at] for at in order]
    values = {name: column[order] for name, column in shown.values().items()}
    window = min(20, max(1, len(ids) // 5))
    figure = charts.scores_over_run(values, ids, window)
    _strip("Scores over the run", figure, "over-run", shown, lambda at: _to_record(ids, [at[1]]))
    key = [f":{word}[■] {SCORES[name]}" for name, (word, _) in charts.LINES.items()]
    order = f"by {plain(field_title(times[0]))}" if times else "in the file's order"
    st.caption("  ".join([*key, f"Each point is the mean of the last {counted(window, 'record')}, {order}."]))


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
        label: [charts.Estimate(level.label, level.interval, level.labeled) for level in levels],
        "Relevant": [charts.Estimate(level.relevant) for level in levels],
        "Utilized": [charts.Estimate(level.utilized) for level in levels],
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
