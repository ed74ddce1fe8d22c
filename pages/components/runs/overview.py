"""A run's numbers: charts whose bars and cells lead to their records; and what is measured beside the labels."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.components.record.contribution import cost_text
from pages.components.record.drawn import show_means
from pages.components.runs.filters import Selection, field_title, narrow
from pages.components.shared import language_model, services
from pages.components.shared.chart import chart
from pages.components.shared.long_work import work_through
from pages.components.shared.run_data import (
    contributions_of,
    how_many,
    keep_measurement,
    look_key,
    measurable_records,
    noise_of,
)
from pages.components.shared.tables import declining_table
from pages.components.shared.text import mean_text, number_text, plain
from pages.components.shared.visitors import is_demo, may_begin
from trace_core.answering import ANSWERERS
from trace_core.contribution import DOWNSTREAM, Contribution, by_rank, contribute_all, contribution_summary
from trace_core.diagnosis.faults import look
from trace_core.errors import counted
from trace_core.facts.labels import labeler_name
from trace_core.facts.records import Record
from trace_core.golden.noise import MEASURE, SHARES, Noise, judgments, noise_summary, unmeasurable
from trace_core.labeling import LABELERS, uses_llm, without_llm
from trace_core.metrics import LABELS, METRICS
from trace_core.pipeline import default_answerer
from trace_core.runs.analyse.select import WORST, group_means, sort_places, time_order
from trace_core.runs.progress import Meter, Progress
from trace_core.store.runs import Run
from trace_core.summary import charts
from trace_core.summary.aggregation import together
from trace_core.summary.declining import declining

RANKING = {"map": "MAP", "mrr": "MRR", "ndcg": "nDCG"}  # others are upper case


def show_strip(selection: Selection) -> None:
    """One chart above the table, whose marks filter it or open a record."""
    draw = {"Verdicts": _verdicts, "Scores over the run": _over_run, "Distribution": _distributions}
    left, right = st.columns([1, 6], vertical_alignment="center", gap="xsmall")
    name = left.radio("Chart", list(draw), key="run-chart", label_visibility="collapsed", persist_state="page")
    with right, st.container(gap=None):
        draw[name](selection)


def _verdicts(selection: Selection) -> None:
    scores, places = selection.scores, sort_places(selection.scores, np.flatnonzero(selection.mask), WORST)
    looks = Counter(zip(scores.verdicts[places].tolist(), scores.unsure[places].tolist(), strict=True))
    marks = [charts.Mark(look_key(*kind), *look(*kind), n) for kind, n in looks.items()]
    hovers = _hovers(selection, places) if len(places) <= charts.MOST_POINTS else []
    ids = selection.columns.id[places].tolist()

    def act(of: Sequence[Any]) -> None:
        narrow(verdict=of[0]) if isinstance(of[0], str) else _to_record(ids, of)

    _draw("", charts.record_marks(marks, hovers), selection, act, alt="Records by verdict, worst first")
    _key([(charts.TONES[mark.tone], f"{plain(mark.title)} **{mark.n:,}**") for mark in marks])


def _over_run(selection: Selection) -> None:
    places = np.flatnonzero(selection.mask)
    field, order = time_order(selection.fields, selection.columns.position[places].tolist()) or ("", slice(None))
    places, window = places[order], min(20, max(1, len(places) // 5))
    hovers = _hovers(selection, places[charts.line_places(len(places), window)])
    ids = selection.columns.id[places].tolist()
    values = {name: of[places] for name, of in selection.scores.values.items()}
    figure = charts.scores_over_run(values, hovers, window)
    _draw("", figure, selection, lambda at: _to_record(ids, at), alt="Scores over the run")
    by = f"by {plain(field_title(field))}" if field else "in the file's order"
    mean = f"Each point is the mean of the last {counted(window, 'record')} {by}."
    _key([(colour, LABELS[name]) for name, colour in charts.LINES.items()], mean)


def _hovers(selection: Selection, places: np.ndarray) -> list[str]:
    """Question and verdict of the records at these places."""
    positions, scores = selection.columns.position[places].tolist(), selection.scores
    questions = services.store().runs.questions(selection.run.id, positions)
    looks = map(look, scores.verdicts[places].tolist(), scores.unsure[places].tolist())
    return [charts.hover(questions[at], one.title) for at, one in zip(positions, looks, strict=True)]


def _key(colours: Sequence[tuple[str, str]], note: str = "") -> None:
    """The legend below a chart, in the chart's colours: as a caption they would be paler."""
    parts = [f':color[■]{{foreground="{colour}"}} {words}' for colour, words in colours]
    st.markdown(f":small[{'  '.join(parts)}] :gray[:small[{note}]]" if note else f":small[{'  '.join(parts)}]")


def _distributions(selection: Selection) -> None:
    _draw("", charts.distributions(selection.values()), selection, _to_range, alt="Scores of the four metrics")


def show_numbers(selection: Selection) -> None:
    """The means with their intervals, balance, groups, and what is rarely asked."""
    values, scores = selection.values(), selection.scores
    st.markdown("## Means")
    show_means(values, scores.status[selection.mask], scores.convention, key="run-means")
    st.caption("Balance (RMSE) says how far apart the four metrics are, not how high. Consistency is 1 − RMSE.")
    _draw("Share of records in each band of balance", charts.bands(values["rmse_aggregation"]), selection, _to_range)
    if table := declining(scores, selection.mask):
        st.markdown("## Answered and declined")
        declining_table(table)
    if groups := [name for name, of in selection.facets.items() if of.values]:
        field = st.selectbox("Means by", groups, format_func=field_title, key="run-group")
        positions = selection.columns.position[selection.mask]
        estimates = group_means(selection.fields[field], positions, {name: values[name] for name in METRICS})
        many = any(one.interval for of in estimates.values() for one in of.values())
        title = f"Means by {plain(field_title(field))}{', with 95 % intervals' if many else ''}"
        _draw(title, charts.groups(estimates), selection, lambda of: narrow(field=field, value=of[0]))
    more = st.expander("More: documents, references, correlation", key="run-more", on_change="rerun")
    if more.open:
        with more:
            _documents(selection)
            _noise(selection)
            _together(selection)


def _together(selection: Selection) -> None:
    st.markdown("## How the metrics move together")
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


def _documents(selection: Selection) -> None:
    """The measurement, with its cost before the start, and its results."""
    st.markdown("## What each document contributes")
    st.caption(
        "The answerer sees each retrieved document on its own (eRAG). A document's contribution is how close that "
        "answer comes to the reference answer, or to the full answer where there is no reference."
    )
    run, ids, last = selection.run, selection.ids(), contributions_of(selection.run)
    n = how_many("Records", len(ids), key="documents-n")
    answerer = last.made_by or str(run.config.get("answerer") or default_answerer(services.settings()))
    if answerer not in ANSWERERS or (is_demo() and ANSWERERS[answerer].uses_llm):
        answerer = "extractive"
    measure, by_record = last.measure or next(iter(DOWNSTREAM)), last.by_record
    records, references = measurable_records(run.id, run.revision, tuple(ids[:n]))
    if not records:
        st.info("None of these records has both documents and an answer, so there is nothing to measure.")
    else:
        left = [record for record in records if record.id not in by_record or not by_record[record.id].complete]
        st.caption(
            f"{counted(len(records), 'record')}, {sum(record.id in references for record in records):,} with a "
            "reference answer; the others against their full answer. "
            f"{len(records) - len(left):,} of them are already measured."
        )
        label = f"Measure: {cost_text(left, answerer)}"
        if left and st.button(label, icon=":material/play_arrow:", key="documents-start"):
            _measure_documents(run, left, references, answerer, measure)
    if contributions := [by_record[i] for i in ids if i in by_record]:
        _contributions(contributions, answerer)


def _measure_documents(
    run: Run, records: list[Record], references: dict[str, str], answerer: str, measure: str
) -> None:
    if not may_begin([document.text for record in records for document in record.documents]):
        return
    meter, by_id = Meter(Progress(sum(len(one.documents) for one in records))), {one.id: one for one in records}
    alone = language_model.answerer_of(answerer)
    work = contribute_all(records, alone, references, measure=measure, on_document=lambda _: meter.add(1))

    def store(one: Contribution) -> None:
        keep_measurement(run, by_id[one.record_id], measure, answerer, one.to_dict())

    if work_through(work, store, meter, "documents", key="documents-stop"):
        st.rerun()  # updates the findings above, too


def _contributions(contributions: list[Contribution], answerer: str) -> None:
    total, label = contribution_summary(contributions), DOWNSTREAM[contributions[0].measure].label
    st.markdown(
        f"**{counted(total['records'], 'record')}, {counted(total['documents'], 'document')}**, {label} by {answerer}"
    )
    for note in dict.fromkeys(note for one in contributions for note in one.notes):
        st.caption(plain(note))
    rows = [
        {
            "Rank": level.rank,
            "Documents": level.documents,
            label: mean_text(level.label, level.interval, level.labeled),
            "Sentences relevant": number_text(level.relevant, ".2f"),
            "Sentences utilized": number_text(level.utilized, ".2f"),
        }
        for level in by_rank(contributions)
    ]
    st.table(rows, hide_index=True, alt="Contribution by rank")
    parts = [
        f"{RANKING.get(name, name.upper())} **{mean_text(of['mean'], of['interval'], of['scored'])}**"
        for name, of in total["measures"].items()
    ]
    if parts:
        st.markdown(f"Ranking measured by these labels, over {total['scored']:,} records: {' · '.join(parts)}")
    st.markdown(
        f"Of {total['documents']:,} documents **{total['redundant']:,}** are redundant, **{total['harmful']:,}** "
        f"harmful, and **{total['never_used']:,}** were never used; {total['failed']:,} could not be measured. "
        "Each is shown on its record, to which “Findings” leads."
    )


def _noise(selection: Selection) -> None:
    """The measurement with its cost before the start, and its results."""
    st.markdown("## Against the reference answers")
    st.caption(
        "Noise sensitivity (RAGChecker): the labeler sees the reference answer as the only document. An answer "
        "sentence that it does not support is wrong; if retrieved documents support that sentence, they led it astray."
    )
    run, ids, last = selection.run, selection.ids(), noise_of(selection.run)
    n = how_many("Answers", len(ids), key="noise-n")
    labeler, by_record = last.made_by or str(run.config.get("labeler")), last.by_record
    labeler = labeler if labeler in (without_llm() if is_demo() else LABELERS) else services.default_labeler()
    records, references = measurable_records(run.id, run.revision, tuple(ids[:n]))
    questions = [record for record in records if record.id in references]
    left = [one for one in questions if not isinstance(by_record.get(one.id), Noise) and not unmeasurable(one)]
    if not questions:
        st.info("None of these records has an answer and a reference answer.")
    elif not left:
        st.caption("All of these are measured already.")
    else:
        price = "" if uses_llm(labeler) else ", no paid call"
        label = f"Measure: {len(left):,} labelings by {labeler_name(labeler)}{price}"
        if st.button(label, icon=":material/play_arrow:", key="noise-start"):
            _measure_noise(run, left, labeler)
    if by_record:
        reasons = {record.id: why for record in questions if (why := unmeasurable(record))}
        _shares([one for record in questions if (one := (by_record | reasons).get(record.id))], labeler)


def _measure_noise(run: Run, records: Sequence[Record], labeler: str) -> None:
    if not may_begin([record.response.text for record in records if record.response]):
        return
    meter = Meter(Progress(len(records)))

    def store(one: tuple[Record, dict[str, Any]]) -> None:
        record, body = one
        keep_measurement(run, record, MEASURE, labeler, body)
        meter.add(1, failed=int("failed" in body))

    work = judgments(records, language_model.labeler_of(labeler))
    if work_through(work, store, meter, "labelings", key="noise-stop"):
        st.rerun()  # updates the findings above, too


def _shares(results: Sequence[Noise | str], labeler: str) -> None:
    total = noise_summary(results)
    st.markdown(f"By {labeler_name(labeler)}, over **{total['measured']:,} of {total['records']:,} records**:")
    rows = [
        {"Sentences of an answer": SHARES[n], "Share": mean_text(of["mean"], of["interval"], of["scored"])}
        for n, of in total["shares"].items()
    ]
    st.table(rows, hide_index=True, alt="Shares of noise")
    for reason, records in total["undefined"].items():
        st.caption(f"Undefined for {records:,}: {plain(reason)}")
