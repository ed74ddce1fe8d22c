"""The queue of a run: its records, most doubtful first, corrected one after the other where the evidence is read."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.record.correct import Correcting, save_bar, show_evidence, show_history
from pages.components.record.drawn import show_scorecard
from pages.components.runs.records import go
from pages.components.shared import services
from pages.components.shared.controls import pick_convention
from pages.components.shared.run_data import empty, finished_runs, pick
from pages.components.shared.text import plain
from pages.components.shared.visitors import is_mine
from trace_core import review
from trace_core.facts.corrections import Correction, active
from trace_core.store.runs import Run

PARTS = ("Correct labels", "Trust")
GUIDELINES = """
- **Relevant**: the sentence helps to answer the question, whether the answer used it or not.
- **Utilized**: the answer took something from the sentence.
- **Supported**: *fully* when every claim of the answer's sentence is in the documents, *partially* when some of it is,
  *unsupported* when nothing is. What everybody knows, and says nothing about the subject, is supported.
- **Supporting keys**: the fewest document sentences that carry the sentence.
- Judge by the documents alone, not by what you know. When in doubt, write the reason.
- Keys, on the sentence that has the focus: **1** fully, **2** partially, **3** unsupported; **R** relevant, **U**
  utilized; arrows go on. **Ctrl+Enter** saves and opens the next record.
"""
ORDERS = {"doubt": "Most doubtful first", "random": "In random order"}


def correct_labels(place: DeltaGenerator) -> None:
    """The queue of the run in the address; every correction is kept under the reviewer's name."""
    runs = finished_runs()
    if not runs:
        empty("There is no run to review yet. Make or import one.")
        return
    with place:
        run = runs[pick("Run", runs, "run", compact=True)]
        with st.popover("Guidelines", icon=":material/rule:", type="tertiary"):
            label = "Blind review: hide the labels until I have given mine"
            about = "So that the labeler does not influence you. What you leave empty stays as the labeler set it."
            st.toggle(label, value=True, key="blind", persist_state="session", help=about)
            order = st.radio(
                "Order",
                list(ORDERS),
                format_func=ORDERS.__getitem__,
                key="review-order",
                persist_state="session",
                help="Most doubtful first finds the most errors. In random order, the records that you have read "
                "are a fair sample: the tab Trust can then correct the run's means.",
            )
            st.markdown(GUIDELINES)
        convention = pick_convention(compact=True)
    events = services.store().corrections.of_run(run.id)
    doubts = doubts_of(run, events)
    if not doubts:
        st.info("No record of this run has labels to review.")
        return
    ids = list(doubts)
    if order == "random":  # the same for everybody: what two people read first is then the same sample
        Random(run.id).shuffle(ids)  # noqa: S311
    _work(run, {i: doubts[i] for i in ids}, events, convention)


def doubts_of(run: Run, events: Mapping[str, Sequence[Correction]]) -> dict[str, str]:
    """Each record that has labels, most doubtful first → why. A correction, of the run's `events`, is one revision and
    shuffles nothing."""
    return _doubts(run.id, run.revision - sum(map(len, events.values())))


@st.cache_data(max_entries=8, show_spinner="Looking for the most doubtful labels …")
def _doubts(run_id: str, revision: int) -> dict[str, str]:
    queue = review.queue(services.store().runs.records(run_id))
    return {one.record.id: "; ".join(f"{d.key}: {d.why}" for d in one.doubts[:3]) for one in queue}


def _work(run: Run, doubts: Mapping[str, str], events: Mapping[str, Sequence[Correction]], convention: str) -> None:
    author = st.session_state.get("reviewer", "").strip()
    read = {i for i, of in events.items() if any(event.field == "reviewed" for event in active(of, author))}
    waiting = [i for i in doubts if i not in read]
    here = st.query_params.get("record") or next(iter(waiting), None)
    if here is None:
        st.success("You have reviewed every record of this run.")
        action: dict[str, Any] = {"on_click": st.session_state.update, "kwargs": {"part": PARTS[1]}}
        st.button("See how far labeler and people agree", icon=":material/balance:", **action)
        return
    order = list(doubts)
    at = order.index(here) if here in doubts else len(order)
    before, after = ([i for i in ids if i not in read] for ids in (order[:at], order[at + 1 :]))
    record = services.store().runs.load_record(run.id, here)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"## {plain(record.question) or 'No question'}", width="stretch")
        this = ", this one too" if here in read else ""
        st.caption(f"{len(doubts) - len(waiting):,} of {len(doubts):,} reviewed{this}")
        for label, key, icon, to in (
            ("Previous", "Left", ":material/arrow_back:", before[-1] if before else None),
            ("Skip", "Right", ":material/arrow_forward:", after[0] if after else None),
        ):
            st.button(
                label, icon=icon, shortcut=f"Ctrl+{key}", type="tertiary", disabled=to is None, on_click=go, args=(to,)
            )
    following = next(iter([*after, *before]), None)
    _edit(Correcting(run, record, convention, author, alone=True), doubts.get(here, ""), following)


def _edit(at: Correcting, doubt: str, following: str | None) -> None:
    """The record as this reviewer sees it, without other people's corrections; name and buttons always in sight."""
    blind = bool(st.session_state.get("blind"))
    if at.record.labels is None:
        st.warning("This record has no labels to correct: it failed, or is not labeled yet.")
        return
    draft = at.draft(at.changes())
    if not blind:
        show_scorecard(draft.record, at.scoring.divisor, key="review-scores", run=at.run)
    show_evidence(at, draft, key=f"review-evidence-{blind}", blind=blind)
    if doubt and not blind:
        st.caption("Most doubtful: " + plain(doubt))
    if not is_mine("run", at.run.id):
        st.caption("In demo mode you can correct only runs that you made.")
    elif save_bar(at, draft, key="review", finish="Save and next", blind=blind):
        go(following)
        st.rerun()
    show_history(at)
