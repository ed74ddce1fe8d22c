"""The queue of a run: its records, most doubtful first, corrected one after the other where the evidence is read."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.components.record.correct import Correcting, discard_button, show_evidence, show_history, show_unsaved
from pages.components.record.drawn import show_scorecard
from pages.components.runs.records import go
from pages.components.shared import services
from pages.components.shared.controls import run_controls
from pages.components.shared.run_data import empty, finished_runs, pick
from pages.components.shared.text import plain
from pages.components.shared.visitors import is_mine
from trace_core import review
from trace_core.diagnosis.rescoring import relevance_divisor
from trace_core.errors import counted
from trace_core.facts.corrections import active
from trace_core.facts.records import Record
from trace_core.store.runs import Run

PARTS = ("Correct labels", "Trust")
GUIDELINES = """
- **Relevant**: the sentence helps to answer the question, whether the answer used it or not.
- **Utilized**: the answer took something from the sentence.
- **Supported**: *fully* when every claim of the answer's sentence is in the documents, *partially* when some of it is,
  *unsupported* when nothing is. What everybody knows, and says nothing about the subject, is supported.
- **Supporting keys**: the fewest document sentences that carry the sentence.
- Judge by the documents alone, not by what you know. When in doubt, write the reason.
"""


def correct_labels() -> None:
    """The queue of the run in the address; every correction is kept under the reviewer's name."""
    runs = finished_runs()
    if not runs:
        empty("There is no run to review yet. Make or import one.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        run = runs[pick("Run", runs, "run")]
        author = (st.text_input("Your name", key="reviewer", persist_state="session", max_chars=80) or "").strip()
        convention = run_controls()
    with st.expander("Guidelines", icon=":material/rule:"):
        st.markdown(GUIDELINES)
    doubts = _doubts(run.id, run.counts["total"] - run.counts["pending"])
    if not doubts:
        st.info("No record of this run has labels to review.")
    elif author:
        _work(run, doubts, author, convention)
    else:
        _waiting(run, list(doubts))


@st.cache_data(max_entries=8, show_spinner="Looking for the most doubtful labels …")
def _doubts(run_id: str, finished: int) -> dict[str, str]:
    """Each record that has labels, most doubtful first → why. Cached, so that it does not shuffle while working."""
    found = review.queue(services.store().runs.records(run_id))
    return {one.record.id: "; ".join(f"{d.key}: {d.why}" for d in one.doubts[:3]) for one in found}


def _waiting(run: Run, ids: list[str]) -> None:
    """Before anybody gives a name: the number of records, and the first one's texts without its labels."""
    many = len(ids) > 1
    st.info(
        f"{len(ids):,} record{'s wait' if many else ' waits'} for review. Enter your name to begin: "
        "your corrections are saved under it."
    )
    first = services.store().runs.load_record(run.id, ids[0])
    with st.container(border=True, key="review-first"):
        st.caption("The most doubtful one comes first" if many else "This one")
        st.markdown(f"**{plain(first.question) or 'No question'}**")
        st.text(first.response.text if first.response else "no answer")
        st.caption(f"{counted(len(first.documents), 'document')} retrieved")


def _work(run: Run, doubts: Mapping[str, str], author: str, convention: str) -> None:
    events = services.store().corrections.of_run(run.id)
    done = {i for i, of in events.items() if any(event.field == "reviewed" for event in active(of, author))}
    waiting = [i for i in doubts if i not in done]
    reviewed = len(doubts) - len(waiting)
    st.progress(reviewed / len(doubts), f"{reviewed:,} of {len(doubts):,} records reviewed by you")
    here = st.query_params.get("record") or next(iter(waiting), None)
    if here is None:
        st.success("You have reviewed every record of this run.")
        st.button(
            "See how far labeler and people agree",
            icon=":material/balance:",
            on_click=st.session_state.update,
            kwargs={"part": PARTS[1]},
        )
        return
    order = list(doubts)
    at = order.index(here) if here in doubts else len(order)
    before, after = ([i for i in ids if i not in done] for ids in (order[:at], order[at + 1 :]))
    saved, scores = st.session_state.get("labels-saved", ("", ""))
    if saved == here:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="review-saved"):
            st.markdown(f"Saved. {scores}")
            st.button(
                "Next record",
                icon=":material/arrow_forward:",
                type="primary",
                on_click=go,
                args=(next(iter([*after, *before]), None),),
            )
    with st.container(horizontal=True):
        for label, key, icon, to in (
            ("Previous", "Left", ":material/arrow_back:", before[-1] if before else None),
            ("Skip for now", "Right", ":material/arrow_forward:", after[0] if after else None),
        ):
            st.button(label, icon=icon, shortcut=f"Ctrl+{key}", disabled=to is None, on_click=go, args=(to,))
        st.caption(f"{len(waiting):,} in your queue")
    record = services.store().runs.load_record(run.id, here)
    st.markdown(f"##### {plain(record.question) or 'No question'}")
    if author in review.reviewers(record):
        st.caption("You have reviewed this record.")
    elif doubts.get(here):
        st.caption("Most doubtful: " + plain(doubts[here]))
    _edit(run, record, author, convention)


def _edit(run: Run, record: Record, author: str, convention: str) -> None:
    """The record as this reviewer sees it, without other people's corrections."""
    blind = st.toggle(
        "Blind review: hide the labels until I have given mine",
        key="blind",
        persist_state="session",
        help="So the labeler cannot lead you. What you leave empty stays as the labeler said.",
    )
    if record.labels is None:
        st.warning("This record has no labels to correct: it failed, or is not labeled yet.")
        return
    at = Correcting(run, record, convention, author, alone=True)
    made = at.seen(at.unsaved())
    if not blind:
        assert made.seen.scores is not None  # noqa: S101  # it is always scored
        show_scorecard(made.seen, relevance_divisor(run.config), key="review-scores", run=run)
    show_evidence(at, made, key=f"review-evidence-{blind}", blind=blind)
    if not is_mine("run", run.id):
        st.caption("In demo mode you can correct only runs that you made.")
        show_history(at)
        return
    show_unsaved(at, made, blind=blind)
    reason = st.text_input("Reason (optional)", key=f"reason-{at.version}")
    with st.container(horizontal=True):
        save = st.button("Save", icon=":material/save:", shortcut="Ctrl+S", disabled=not made.changes)
        done = st.button("Save and mark as reviewed", icon=":material/done_all:", shortcut="Ctrl+Enter")
        if made.changes:
            discard_button("review")
    if save or done:
        at.save([*made.changes, *([("reviewed", "", True)] if done else [])], reason)
        st.query_params["record"] = record.id  # its new scores are seen before the next one comes
        st.rerun()
    show_history(at)
