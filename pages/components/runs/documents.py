"""The contribution of documents over a run: measured on request, by rank next to relevance and utilization."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.components.record.contribution import RANKING, answerer_named, cost_text
from pages.components.runs.filters import Filtered
from pages.components.shared import services
from pages.components.shared.chart import draw
from pages.components.shared.long_work import stoppable
from pages.components.shared.measurements import contributions_of, keep
from pages.components.shared.picking import record_table
from pages.components.shared.run_data import measurable
from pages.components.shared.text import mean_text, plain, share_text, show_error
from pages.components.shared.visitors import is_demo, may_begin
from trace_core.answering import ANSWERERS, without_llm
from trace_core.contribution import DOWNSTREAM, Contribution, by_rank, contribute_all, over_run
from trace_core.errors import TraceError, counted
from trace_core.facts.records import Record
from trace_core.pipeline import default_answerer
from trace_core.store.runs import Run
from trace_core.summary import charts

USUAL, MOST, MOST_IN_DEMO = 20, 500, 20


def show_documents(run: Run, shown: Filtered) -> None:
    """The tab: the measurement, with its cost before the start, and its results."""
    st.caption(
        "The answerer sees each retrieved document on its own (eRAG). A document's contribution is how close that "
        "answer comes to the reference answer, or to the full answer where there is no reference."
    )
    ids = shown.ids()
    if not ids:
        st.info("No record matches the filter. “Show all” brings them back.")
        return
    measure, answerer = _measure(run, ids)
    measured = contributions_of(run, measure, answerer)
    found = [measured.found[i] for i in ids if i in measured.found] if measured else []
    if found:
        _show(run, found, answerer)


def _measure(run: Run, ids: list[str]) -> tuple[str, str]:
    """Start or resume the measurement; returns the chosen measure and answerer."""
    last = contributions_of(run)
    first, second, third = st.columns(3)
    most = min(MOST_IN_DEMO if services.settings().demo else MOST, len(ids))
    n = first.number_input(f"Records, the first of {len(ids):,}", 1, most, min(USUAL, most), key=f"documents-n-{most}")
    usual = last.made_by if last else str(run.config.get("answerer") or default_answerer(services.settings()))
    # Runs in the demo use no key.
    names = sorted(without_llm() if is_demo() else ANSWERERS, key=lambda name: name != usual)
    answerer = second.selectbox("Answerer", names, key="documents-answerer")
    measures = sorted(DOWNSTREAM, key=lambda name: last is not None and name != last.measure)
    measure = third.selectbox(
        "Measure", measures, format_func=lambda name: DOWNSTREAM[name].label, key="documents-measure"
    )
    records, references = measurable(run.id, run.revision, tuple(ids[: int(n)]))
    if not records:
        st.info("None of these records has both documents and an answer, so there is nothing to measure.")
        return measure, answerer
    told = sum(record.id in references for record in records)
    kept = contributions_of(run, measure, answerer)
    done = {i for i, found in kept.found.items() if found.complete} if kept else set()
    left = [record for record in records if record.id not in done]
    st.caption(
        f"{counted(len(records), 'record')}, {told:,} with a reference answer; the others against their full answer. "
        f"{len(records) - len(left):,} of them are already measured."
    )
    pressed = left and st.button(
        f"Measure: {cost_text(left, answerer)}", icon=":material/play_arrow:", key="documents-start"
    )
    if pressed and may_begin([document.text for record in left for document in record.documents]):
        _start(run, left, references, answerer, measure)
    return measure, answerer


def _start(run: Run, records: list[Record], references: dict[str, str], answerer: str, measure: str) -> None:
    """Measure and store each result at once: “Stop”, or any other click, ends the measurement early."""
    total, done = sum(len(record.documents) for record in records), 0

    def step(_: int) -> None:
        nonlocal done
        done += 1

    def progress() -> tuple[float, str]:
        return done / total, f"{done:,} of {total:,} documents"

    try:
        asked, by_id = answerer_named(answerer), {record.id: record for record in records}
        made = contribute_all(records, asked, references, measure=measure, on_document=step)
        for found in stoppable(made, progress, key="documents-stop"):
            keep(run, by_id[found.record_id], measure, answerer, found.to_dict())
    except TraceError as error:
        show_error(error)
        return
    st.rerun()  # updates the findings above, too


def _show(run: Run, found: list[Contribution], answerer: str) -> None:
    total, label = over_run(found), DOWNSTREAM[found[0].measure].label
    st.markdown(
        f"**{counted(total['records'], 'record')}, {counted(total['documents'], 'document')}**, {label} by {answerer}"
    )
    for note in dict.fromkeys(note for one in found for note in one.notes):
        st.caption(plain(note))
    _by_rank(found, label)
    named = {RANKING.get(name, name.upper()): mean_text(**value) for name, value in total["measures"].items()}
    if named:
        shown = " · ".join(f"{name} **{value}**" for name, value in named.items())
        st.markdown(f"Ranking measured by these labels, over {total['scored']:,} records: {shown}")
    st.markdown(
        f"Of {total['documents']:,} documents **{total['redundant']:,}** are redundant, **{total['harmful']:,}** "
        f"harmful, and **{total['never_used']:,}** were never used; {total['failed']:,} could not be measured."
    )
    ids = [one.record_id for one in found]
    record_table([_row(one) for one in found], ids, key=f"documents-{run.id}-{hash(tuple(ids))}")


def _by_rank(found: list[Contribution], label: str) -> None:
    levels = by_rank(found)
    lines = {
        label: [(level.label, level.interval) for level in levels],
        "Relevant": [(level.relevant, None) for level in levels],
        "Utilized": [(level.utilized, None) for level in levels],
    }
    ranks = charts.levels([str(level.rank) for level in levels], lines)
    draw("Contribution, relevance and utilization by rank", ranks, key="documents-ranks")
    rows = [
        {
            "Rank": level.rank,
            "Documents": level.documents,
            label: mean_text(level.label, level.interval, level.labeled),
            "Sentences relevant": share_text(level.relevant),
            "Sentences utilized": share_text(level.utilized),
        }
        for level in levels
    ]
    with st.container(key="documents-by-rank"):
        st.table(rows, hide_index=True)


def _row(found: Contribution) -> dict[str, Any]:
    best = next(iter(found.by_label()), None)
    counts = {tag.replace("_", " "): sum(getattr(part, tag) for part in found.parts) for tag in
              ("redundant", "harmful", "never_used")}  # fmt: skip
    measures = {RANKING.get(name, name.upper()): value for name, value in (found.measures or {}).items()}
    return {
        "Id": found.record_id,
        "Against": found.against,
        "Contributes most": (best.title or best.id) if best else "",
        **{name.capitalize(): n for name, n in counts.items()},
        **measures,
    }
