"""Noise sensitivity over a run: which parts of the answers are wrong by the reference, and what misled them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import streamlit as st

from pages.components.shared import language_model, services
from pages.components.shared.long_work import stoppable
from pages.components.shared.measurements import Measured, keep, noise_of
from pages.components.shared.picking import record_table
from pages.components.shared.text import mean_text, plain, show_error
from pages.components.shared.visitors import is_demo, may_begin
from trace_core.errors import BudgetSpent, TraceError
from trace_core.golden import GoldenResult
from trace_core.golden.noise import MEASURE, SHARES, Noise, against_reference, over_run, unmeasurable
from trace_core.labeling import LABELERS, Labeler, uses_llm, without_llm
from trace_core.store.runs import Run

USUAL, MOST, MOST_IN_DEMO = 20, 500, 20


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
    labeler = _measure(run, told)
    _show(run, told, noise_of(run, labeler), labeler)


def _measure(run: Run, told: Sequence[GoldenResult]) -> str:
    """Start or resume the measurement; returns the chosen labeler."""
    left, right = st.columns(2)
    most = min(MOST_IN_DEMO if services.settings().demo else MOST, len(told))
    n = left.number_input(
        f"Questions with a reference answer, the first of {len(told):,}", 1, most, min(USUAL, most),
        key=f"noise-n-{most}",
    )  # fmt: skip
    last = noise_of(run)
    own = str(run.config.get("labeler"))
    usual = last.made_by if last else own if own in LABELERS else services.default_labeler()
    # Runs in the demo use no key.
    names = sorted(without_llm() if is_demo() else LABELERS, key=lambda name: name != usual)
    labeler = right.selectbox("Labeler", names, key="noise-labeler")
    kept = noise_of(run, labeler)
    done = {i for i, found in kept.found.items() if isinstance(found, Noise)} if kept else set()
    asked = [r for r in told[: int(n)] if r.record.id not in done and not unmeasurable(r.record)]
    if not asked:
        st.caption("All of these are measured already.")
        return labeler
    paid = "" if uses_llm(labeler) else ", no paid call"
    pressed = st.button(
        f"Measure: {len(asked):,} labelings by {labeler}{paid}", icon=":material/play_arrow:", key="noise-start"
    )
    if pressed and may_begin([r.record.response.text for r in asked if r.record.response]):
        _start(run, asked, labeler)
    return labeler


def _start(run: Run, asked: Sequence[GoldenResult], labeler: str) -> None:
    """Measure and store each result, also if it ends early; a failed labeling is stored with its reason."""
    done = 0

    def progress() -> tuple[float, str]:
        return done / len(asked), f"{done:,} of {len(asked):,} labelings"

    try:
        made = _asked(asked, language_model.labeler_of(labeler))
        for result, body in stoppable(made, progress, key="noise-stop"):
            keep(run, result.record, MEASURE, labeler, body)
            done += 1
    except TraceError as error:
        show_error(error)
        return
    st.rerun()  # updates the findings above, too


def _asked(asked: Sequence[GoldenResult], labeler: Labeler) -> Iterator[tuple[GoldenResult, dict[str, Any]]]:
    for result in asked:
        try:
            yield result, {"correct": against_reference(result.record, result.golden.reference_answer or "", labeler)}
        except BudgetSpent:
            raise
        except TraceError as error:
            yield result, {"failed": str(error)}


def _show(run: Run, told: Sequence[GoldenResult], measured: Measured[Noise | str] | None, labeler: str) -> None:
    found = dict(measured.found) if measured else {}
    if not found:
        return
    for result in told:
        if why := unmeasurable(result.record):
            found[result.record.id] = why
    shown = [(result, found[result.record.id]) for result in told if result.record.id in found]
    total = over_run([one for _, one in shown])
    st.markdown(f"By {labeler}, over **{total['measured']:,} of {total['records']:,} records**:")
    rows = [{"Sentences of an answer": SHARES[n], "Share": mean_text(**level)} for n, level in total["shares"].items()]
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
    return {"Question": result.golden.question, **shares, "Undefined": undefined, "Id": result.record.id}
