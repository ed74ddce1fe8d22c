"""Measured beside the labels, at a cost that is said before: what documents contribute, and what led answers astray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components.record.contribution import cost_text
from pages.components.runs.filters import Selection
from pages.components.shared import language_model, services
from pages.components.shared.long_work import work_through
from pages.components.shared.measurements import contributions_of, how_many, keep, noise_of
from pages.components.shared.run_data import measurable
from pages.components.shared.tables import record_table
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
from trace_core.runs.progress import Meter
from trace_core.store.runs import Run

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
    names = sorted(
        [n for n, kind in ANSWERERS.items() if not kind.uses_llm] if is_demo() else ANSWERERS,
        key=lambda name: name != usual,
    )
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
            _measure_documents(run, left, references, answerer, measure)
    if of_shown := [found[i] for i in ids if i in found]:
        _documents(run, of_shown, answerer)


def _measure_documents(
    run: Run, records: list[Record], references: dict[str, str], answerer: str, measure: str
) -> None:
    if not may_begin([document.text for record in records for document in record.documents]):
        return
    total, by_id = sum(len(record.documents) for record in records), {record.id: record for record in records}
    meter = Meter(run.id, total)
    made = contribute_all(
        records,
        language_model.answerer_of(answerer),
        references,
        measure=measure,
        on_document=lambda _: meter.add(1),
    )

    def store(found: Contribution) -> None:
        keep(run, by_id[found.record_id], measure, answerer, found.to_dict())

    if work_through(made, store, meter, "documents", key="documents-stop"):
        st.rerun()  # updates the findings above, too


def _documents(run: Run, found: list[Contribution], answerer: str) -> None:
    total, label = contribution_summary(found), DOWNSTREAM[found[0].measure].label
    st.markdown(
        f"**{counted(total['records'], 'record')}, {counted(total['documents'], 'document')}**, {label} by {answerer}"
    )
    for note in dict.fromkeys(note for one in found for note in one.notes):
        st.caption(plain(note))
    levels = by_rank(found)
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
    record_table([_document_row(one) for one in found], ids, key=f"documents-{run.id}-{hash(tuple(ids))}")


def _document_row(found: Contribution) -> dict[str, object]:
    best = next(iter(found.by_label()), None)
    return {
        "Id": found.record_id,
        "Against": found.against,
        "Contributes most": (best.title or best.id) if best else "",
        **{mark.replace("_", " ").capitalize(): sum(getattr(part, mark) for part in found.parts) for mark in MARKS},
        **{RANKING.get(name, name.upper()): value for name, value in (found.measures or {}).items()},
    }


def show_noise(run: Run, shown: Selection) -> None:
    """The measurement with its cost before the start, and its results."""
    st.caption(
        "Noise sensitivity (RAGChecker): the labeler sees the reference answer as the only document. An answer "
        "sentence that it does not support is wrong; if retrieved documents support that sentence, they led it astray."
    )
    ids = shown.ids()
    left, right = st.columns(2)
    n = how_many(left, "Answers", len(ids), key="noise-n")
    last, own = noise_of(run), str(run.config.get("labeler"))
    usual = last.made_by if last else own if own in LABELERS else services.default_labeler()
    names = sorted(without_llm() if is_demo() else LABELERS, key=lambda name: name != usual)
    labeler = right.selectbox("Labeler", names, format_func=labeler_name, key="noise-labeler")
    results = noise_of(run, labeler)
    found = dict(results.by_record) if results else {}
    records, references = measurable(run.id, run.revision, tuple(ids[:n]))
    questions = [record for record in records if record.id in references]
    asked = [one for one in questions if not isinstance(found.get(one.id), Noise) and not unmeasurable(one)]
    if not questions:
        st.info("None of these records has an answer and a reference answer.")
    elif not asked:
        st.caption("All of these are measured already.")
    else:
        paid = "" if uses_llm(labeler) else ", no paid call"
        label = f"Measure: {len(asked):,} labelings by {labeler_name(labeler)}{paid}"
        if st.button(label, icon=":material/play_arrow:", key="noise-start"):
            _measure(run, asked, labeler)
    if found:
        _noise_found(run, questions, found, labeler)


def _measure(run: Run, asked: Sequence[Record], labeler: str) -> None:
    if not may_begin([record.response.text for record in asked if record.response]):
        return
    meter = Meter(run.id, len(asked))

    def store(one: tuple[Record, dict[str, Any]]) -> None:
        record, body = one
        keep(run, record, MEASURE, labeler, body)
        meter.add(1, failed=int("failed" in body))

    made = judgments(asked, language_model.labeler_of(labeler))
    if work_through(made, store, meter, "labelings", key="noise-stop"):
        st.rerun()  # updates the findings above, too


def _noise_found(run: Run, questions: Sequence[Record], found: dict[str, Noise | str], labeler: str) -> None:
    found |= {record.id: why for record in questions if (why := unmeasurable(record))}
    shown = [(record, found[record.id]) for record in questions if record.id in found]
    total = noise_summary([one for _, one in shown])
    st.markdown(f"By {labeler_name(labeler)}, over **{total['measured']:,} of {total['records']:,} records**:")
    rows = [
        {"Sentences of an answer": SHARES[n], "Share": mean_text(of["mean"], of["interval"], of["scored"])}
        for n, of in total["shares"].items()
    ]
    st.table(rows, hide_index=True, alt="Shares of noise")
    for reason, records in total["undefined"].items():
        st.caption(f"Undefined for {records:,}: {plain(reason)}")
    ids = [record.id for record, _ in shown]
    score = {label: st.column_config.NumberColumn(label, format="%.2f") for label in SHARES.values()}
    table = [
        {"Question": record.question}
        | {label: getattr(one, name, None) for name, label in SHARES.items()}
        | {"Undefined": one if isinstance(one, str) else "", "Id": record.id}
        for record, one in shown
    ]
    record_table(table, ids, key=f"noise-{run.id}-{hash(tuple(ids))}", config=score)
