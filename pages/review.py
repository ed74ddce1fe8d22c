"""Review: correct the labels of a run, the most doubtful first; and how far the labels can be trusted."""

from __future__ import annotations

import streamlit as st

from pages.components.review.edit import edit
from pages.components.review.queue import Position, next_positions, pick_run, show_guidelines, show_waiting, who
from pages.components.review.trust import show_trust
from pages.components.shared import services
from pages.components.shared.controls import run_controls
from pages.components.shared.text import plain, show_error
from trace_core import review
from trace_core.errors import TraceError
from trace_core.store.runs import Run

PARTS = ("Correct labels", "Trust")


def main() -> None:
    """Draw the page."""
    st.title("Review", anchor=False)
    try:
        labels, trust = st.tabs(PARTS, key="part", bind="query-params")
        if labels.open:
            with labels:
                _correct_labels()
        if trust.open:
            with trust:
                show_trust()
    except TraceError as error:
        show_error(error)


def _correct_labels() -> None:
    """The queue of a run, most doubtful first; every correction is kept, and scores follow at once."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        run = pick_run()
        if run is None:
            return
        author = who()
        convention = run_controls()
    show_guidelines()
    if author:
        _work(run, author, convention)
    else:
        show_waiting(run)


def _work(run: Run, author: str, convention: str) -> None:
    """The queue's state, the current record, and the way to the next."""
    positions = next_positions(run, author)
    done = positions.reviewed
    total = positions.total
    st.progress(done / total if total else 0.0, f"{done:,} of {total:,} records reviewed by you")
    wanted = st.query_params.get("record") or (positions.queue[0].record_id if positions.queue else None)
    if wanted is None:
        st.success("You have reviewed every record of this run.")
        st.button("See how far labeler and people agree", icon=":material/balance:", on_click=_open_trust)
        return
    _said(wanted, positions.after(wanted))
    _navigate(positions.queue, wanted)
    record = services.store().runs.load_record(run.id, wanted)
    st.markdown(f"##### {plain(record.question) or 'No question'}")
    here = next((position for position in positions.queue if position.record_id == wanted), None)
    if here and here.why:
        st.caption("Most doubtful: " + plain("; ".join(here.why)))
    elif author in review.reviewers(record):
        st.caption("You have reviewed this record.")
    edit(run, record, author, convention)


def _open_trust() -> None:
    st.session_state["part"] = PARTS[1]


def _said(wanted: str, after: str | None) -> None:
    """The record's scores after the corrections just saved, and the way to the next."""
    record_id, scores = st.session_state.get("labels-saved", ("", ""))
    if record_id == wanted:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="review-said"):
            st.markdown(f"Saved. {scores}")
            st.button("Next record", icon=":material/arrow_forward:", type="primary", on_click=_go, args=(after,))


def _navigate(queue: list[Position], wanted: str) -> None:
    ids = [position.record_id for position in queue]
    at = ids.index(wanted) if wanted in ids else -1
    before = ids[at - 1] if at > 0 else None
    after = ids[at + 1] if at + 1 < len(ids) else None
    with st.container(horizontal=True):
        st.button(
            "Previous", icon=":material/arrow_back:", shortcut="Ctrl+Left", disabled=before is None,
            key="review-previous", on_click=_go, args=(before,),
        )  # fmt: skip
        st.button(
            "Skip for now", icon=":material/arrow_forward:", shortcut="Ctrl+Right", disabled=after is None,
            key="review-next", on_click=_go, args=(after,),
        )  # fmt: skip
        st.caption(f"{len(ids):,} in your queue")


def _go(record_id: str | None) -> None:
    if record_id:
        st.query_params["record"] = record_id
    else:  # nothing left to review
        st.query_params.pop("record", None)


main()
