"""Noise sensitivity over a run: which parts of the answers are wrong by the reference, and what misled them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components.shared import language_model, services
from pages.components.shared.long_work import work_through
from pages.components.shared.measurements import how_many, keep, noise_of
from pages.components.shared.picking import record_table
from pages.components.shared.text import mean_text, plain
from pages.components.shared.visitors import is_demo, may_begin
from trace_core.facts.records import Record
from trace_core.golden.noise import MEASURE, SHARES, Noise, judged, over_run, unmeasurable
from trace_core.golden.results import GoldenResult
from trace_core.labeling import LABELERS, uses_llm, without_llm
from trace_core.runs.progress import Meter
from trace_core.store.runs import Run


def show_noise(run: Run, results: Sequence[GoldenResult]) -> None:
    """The measurement with its cost before the start, and its results; nothing without reference answers."""
    told = [result for result in results if result.golden.reference_answer]
    if not told:
        return
    st.markdown("**Against the reference answer**")
    st.caption(
        "Noise sensitivity (RAGChecker): the labeler sees the reference answer as the only document. An answer "
        "sentence that it does not support is wrong; if retrieved documents support that sentence, they led it astray."
    )
    left, right = st.columns(2)
    n = how_many(left, f"Questions with a reference answer, the first of {len(told):,}", len(told), key="noise-n")
    last, own = noise_of(run), str(run.config.get("labeler"))
    usual = last.made_by if last else own if own in LABELERS else services.default_labeler()
    names = sorted(without_llm() if is_demo() else LABELERS, key=lambda name: name != usual)
    labeler = right.selectbox("Labeler", names, key="noise-labeler")
    kept = noise_of(run, labeler)
    found = dict(kept.found) if kept else {}
    asked = [r for r in told[:n] if not isinstance(found.get(r.record.id), Noise) and not unmeasurable(r.record)]
    if not asked:
        st.caption("All of these are measured already.")
    else:
        paid = "" if uses_llm(labeler) else ", no paid call"
        label = f"Measure: {len(asked):,} labelings by {labeler}{paid}"
        if st.button(label, icon=":material/play_arrow:", key="noise-start"):
            _measure(run, asked, labeler)
    if found:
        _show(run, told, found, labeler)


def _measure(run: Run, asked: Sequence[GoldenResult], labeler: str) -> None:
    """Measure, and store each result at once; a failed labeling with its reason."""
    if not may_begin([r.record.response.text for r in asked if r.record.response]):
        return
    meter = Meter(run.id, len(asked), 0, 0, len(asked))

    def store(one: tuple[Record, dict[str, Any]]) -> None:
        record, body = one
        keep(run, record, MEASURE, labeler, body)
        meter.saved(1, new=1, failed=int("failed" in body))

    made = judged(asked, language_model.labeler_of(labeler))
    if work_through(made, store, meter, "labelings", key="noise-stop"):
        st.rerun()  # updates the findings above, too


def _show(run: Run, told: Sequence[GoldenResult], found: dict[str, Noise | str], labeler: str) -> None:
    found |= {result.record.id: why for result in told if (why := unmeasurable(result.record))}
    shown = [(result, found[result.record.id]) for result in told if result.record.id in found]
    total = over_run([one for _, one in shown])
    st.markdown(f"By {labeler}, over **{total['measured']:,} of {total['records']:,} records**:")
    rows = [
        {"Sentences of an answer": SHARES[n], "Share": mean_text(of["mean"], of["interval"], of["scored"])}
        for n, of in total["shares"].items()
    ]
    with st.container(key="noise-shares"):
        st.table(rows, hide_index=True)
    for reason, records in total["undefined"].items():
        st.caption(f"Undefined for {records:,}: {plain(reason)}")
    ids = [result.record.id for result, _ in shown]
    score = {label: st.column_config.NumberColumn(label, format="%.2f") for label in SHARES.values()}
    record_table([_row(*both) for both in shown], ids, key=f"noise-{run.id}-{hash(tuple(ids))}", config=score)


def _row(result: GoldenResult, found: Noise | str) -> dict[str, Any]:
    shares = {label: getattr(found, name) if isinstance(found, Noise) else None for name, label in SHARES.items()}
    undefined = found if isinstance(found, str) else ""
    return {"Question": result.record.question, **shares, "Undefined": undefined, "Id": result.record.id}
