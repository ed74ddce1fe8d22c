"""Breaking a good answer on purpose: does the labeler notice?"""

from __future__ import annotations

import streamlit as st

from pages.components.shared import language_model, visitors
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError
from trace_core.evidence.breaking import KINDS, Break, breaks
from trace_core.evidence.view import RESPONSE_LOOKS
from trace_core.facts.labels import Status
from trace_core.facts.records import Record
from trace_core.labeling import LABELERS, uses_llm
from trace_core.pipeline import evaluate

Tried = list[tuple[Break, str, str]]
"""Each fault with its sentence's new status, and the labeler's reason."""


def show_breaks(record: Record, *, key: str) -> None:
    """Offer to break the record's answer, and show the labeler's verdict on it. The record stays as it is."""
    held: dict[str, tuple[str, Tried]] = st.session_state.setdefault("broken", {})
    part = st.expander("Break this answer", icon=":material/bolt:", expanded=key in held, key=f"{key}-break",
                       on_change="rerun")  # fmt: skip
    if not part.open:
        return
    with part:
        st.caption(
            "Does the labeler notice a fault? A number, unit, name or “not” is changed in a supported sentence, or the "
            "sentences that it rests on are taken out; then the answer is labeled again. This record stays as it is."
        )
        faults = breaks(record)
        if not faults:
            st.markdown("Nothing to break: no sentence of the answer is fully supported.")
            return
        labeler = _labeler(key)
        calls = f": {len(faults)} calls of gpt" if uses_llm(labeler) else ""
        if st.button(f"Break it in {len(faults)} ways{calls}", icon=":material/bolt:", key=f"{key}-broken"):
            tried = _tried(record, faults, labeler)
            if tried is not None:
                held[key] = labeler, tried
                st.rerun()
        if key in held:
            _show(*held[key])


def _labeler(key: str) -> str:
    """The labeler to be tested; a choice is offered if a key for a language model exists."""
    try:
        asked = language_model.llm() is not None
    except TraceError as error:
        show_error(error)
        asked = False
    usable = [name for name, kind in LABELERS.items() if asked or not kind.uses_llm]
    if len(usable) < 2:
        return usable[0]
    return st.radio("Labeler", usable, horizontal=True, format_func=lambda n: LABELERS[n].label,
                    key=f"{key}-breaker")  # fmt: skip


def _tried(record: Record, faults: list[Break], labeler: str) -> Tried | None:
    """The labeler's verdict on each fault; `None`, with the reason on the page, where it cannot be asked."""
    if not visitors.may_begin([record.question, *(text for f in faults for text in (*f.documents, f.response))]):
        return None
    found: Tried = []
    try:
        asked = language_model.labeler_of(labeler)
        with st.spinner("Labeling …"):
            for fault in faults:
                made = evaluate(record.question, fault.documents, fault.response, labeler=asked)
                if made.error:
                    st.error(plain(f"{made.error.message} {made.error.hint}"))
                    return None
                found.append((fault, *_said(made, fault.key)))
    except TraceError as error:
        show_error(error)
        return None
    return found


def _said(made: Record, key: str) -> tuple[str, str]:
    labels = made.labels
    if labels is None:
        return str(Status.UNLABELED), ""
    support = next((s for s in labels.sentence_support_information or [] if s.response_sentence_key == key), None)
    status = "contradicted" if support and support.contradicted else str(labels.statuses([key])[key])
    return status, (support and support.explanation) or ""


def _show(labeler: str, tried: Tried) -> None:
    noticed = sum(status != Status.FULLY for _, status, _ in tried)
    st.markdown(f"**{LABELERS[labeler].label}** noticed **{noticed} of {len(tried)}**.")
    rows = [
        {
            "Fault": KINDS[fault.kind],
            "Sentence": plain(fault.after),
            "Noticed": "✗ no" if status == Status.FULLY else "✓ yes",
            "Now": RESPONSE_LOOKS[status].word,
            "Why": plain(why),
        }
        for fault, status, why in tried
    ]
    with st.container(key="breaks"):
        st.table(rows, hide_index=True)
