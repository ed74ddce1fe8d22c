"""One record under review: its labels corrected where the evidence is read, then saved."""

from __future__ import annotations

import streamlit as st

from pages.components.record.correct import Correcting, discard_button, show_evidence, show_history, show_unsaved
from pages.components.record.scorecard import show_scorecard
from pages.components.shared.access import is_mine
from trace_core.diagnosis.rescoring import relevance_divisor
from trace_core.facts.records import Record
from trace_core.store.runs import Run


def edit(run: Run, record: Record, author: str, convention: str) -> None:
    """The record as this reviewer sees it, without what other people said."""
    blind = st.toggle(
        "Blind review: hide the labels until I have given mine", key="blind", persist_state="session",
        help="So the labeler cannot lead you. What you leave empty stays as the labeler said.",
    )  # fmt: skip
    if record.labels is None:
        st.warning("This record has no labels to correct: it failed, or is not labeled yet.")
        return
    at = Correcting(run, record, convention, author, alone=True)
    made = at.seen(at.said())
    if not blind:
        assert made.seen.scores is not None  # noqa: S101  # it is always scored
        show_scorecard(made.seen, made.seen.scores, relevance_divisor(run.config), key="review-scores", run=run)
    show_evidence(at, made, key=f"review-evidence-{blind}", blind=blind)
    if not is_mine("run", run.id):
        st.caption("In demo mode you can correct only runs that you made.")
        show_history(at)
        return
    show_unsaved(at, made, blind=blind)
    reason = st.text_input("Reason (optional)", key=f"reason-{at.version}")
    with st.container(horizontal=True):
        if st.button("Save", icon=":material/save:", shortcut="Ctrl+S", disabled=not made.changes, key="review-save"):
            at.save(made.changes, reason)
            st.rerun()
        if st.button("Save and mark as reviewed", icon=":material/done_all:", shortcut="Ctrl+Enter",
                     key="review-done"):  # fmt: skip
            at.save([*made.changes, ("reviewed", "", True)], reason)
            st.query_params["record"] = record.id  # its new scores are seen before the next one comes
            st.rerun()
        if made.changes:
            discard_button("review")
    show_history(at)
