"""Measured beside the labels, at a cost that is said before: what documents contribute, and what led answers astray."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components.record.contribution import cost_text
from pages.components.runs.filters import Selection
from pages.components.shared import language_model, services
from pages.components.shared.long_work import work_through
from pages.components.shared.run_data import contributions_of, how_many, keep_measurement, measurable, noise_of
from pages.components.shared.text import mean_text, number_text, plain
from pages.components.shared.visitors import is_demo, may_begin
from trace_core.answering import ANSWERERS
from trace_core.contribution import DOWNSTREAM, Contribution, by_rank, contribute_all, contribution_summary
from trace_core.errors import counted
from trace_core.facts.labels import labeler_name
from trace_core.facts.records import Record
from trace_core.golden.noise import MEASURE, SHARES, Noise, judgments, noise_summary, unmeasurable
from trace_core.labeling import LABELERS, uses_llm, without_llm
from trace_core.pipeline import default_answerer
from trace_core.runs.progress import Meter, Progress
from trace_core.store.runs import Run

RANKING = {"map": "MAP", "mrr": "MRR", "ndcg": "nDCG"}  # others are upper case


def show_documents(selection: Selection) -> None:
    """The measurement, with its cost before the start, and its results."""
    st.caption(
        "The answerer sees each retrieved document on its own (eRAG). A document's contribution is how close that "
        "answer comes to the reference answer, or to the full answer where there is no reference."
    )
    run, ids, last = selection.run, selection.ids(), contributions_of(selection.run)
    n = how_many("Records", len(ids), key="documents-n")
    answerer = last.made_by if last else str(run.config.get("answerer") or default_answerer(services.settings()))
    if answerer not in ANSWERERS or (is_demo() and ANSWERERS[answerer].uses_llm):
        answerer = "extractive"
    measure = last.measure if last else next(iter(DOWNSTREAM))
    by_record = last.by_record if last else {}
    records, references = measurable(run.id, run.revision, tuple(ids[:n]))
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
    total, by_id = sum(len(record.documents) for record in records), {record.id: record for record in records}
    meter = Meter(Progress(total))
    work = contribute_all(
        records,
        language_model.answerer_of(answerer),
        references,
        measure=measure,
        on_document=lambda _: meter.add(1),
    )

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
        "Each stands on its record, to which “Findings” leads."
    )


def show_noise(selection: Selection) -> None:
    """The measurement with its cost before the start, and its results."""
    st.caption(
        "Noise sensitivity (RAGChecker): the labeler sees the reference answer as the only document. An answer "
        "sentence that it does not support is wrong; if retrieved documents support that sentence, they led it astray."
    )
    run, ids, last = selection.run, selection.ids(), noise_of(selection.run)
    n = how_many("Answers", len(ids), key="noise-n")
    labeler = last.made_by if last else str(run.config.get("labeler"))
    labeler = labeler if labeler in (without_llm() if is_demo() else LABELERS) else services.default_labeler()
    by_record = last.by_record if last else {}
    records, references = measurable(run.id, run.revision, tuple(ids[:n]))
    questions = [record for record in records if record.id in references]
    open_questions = [
        one for one in questions if not isinstance(by_record.get(one.id), Noise) and not unmeasurable(one)
    ]
    if not questions:
        st.info("None of these records has an answer and a reference answer.")
    elif not open_questions:
        st.caption("All of these are measured already.")
    else:
        price = "" if uses_llm(labeler) else ", no paid call"
        label = f"Measure: {len(open_questions):,} labelings by {labeler_name(labeler)}{price}"
        if st.button(label, icon=":material/play_arrow:", key="noise-start"):
            _measure_noise(run, open_questions, labeler)
    if by_record:
        reasons = {record.id: why for record in questions if (why := unmeasurable(record))}
        _noise([one for record in questions if (one := (by_record | reasons).get(record.id))], labeler)


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


def _noise(results: Sequence[Noise | str], labeler: str) -> None:
    total = noise_summary(results)
    st.markdown(f"By {labeler_name(labeler)}, over **{total['measured']:,} of {total['records']:,} records**:")
    rows = [
        {"Sentences of an answer": SHARES[n], "Share": mean_text(of["mean"], of["interval"], of["scored"])}
        for n, of in total["shares"].items()
    ]
    st.table(rows, hide_index=True, alt="Shares of noise")
    for reason, records in total["undefined"].items():
        st.caption(f"Undefined for {records:,}: {plain(reason)}")
