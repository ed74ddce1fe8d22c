"""Who reviews what: the run, the reviewer's name, and the queue of records, most doubtful first."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.components.shared import services
from pages.components.shared.run_choice import empty, finished_runs, pick
from pages.components.shared.text import plain
from trace_core import review
from trace_core.errors import counted
from trace_core.facts.corrections import active
from trace_core.store.runs import Run

WHYS = 3
GUIDELINES = """
- **Relevant**: the sentence helps to answer the question, whether the answer used it or not.
- **Utilized**: the answer took something from the sentence.
- **Supported**: *fully* when every claim of the answer's sentence is in the documents, *partially* when some of it is,
  *unsupported* when nothing is. What everybody knows, and says nothing about the subject, is supported.
- **Supporting keys**: the fewest document sentences that carry the sentence.
- Judge by the documents alone, not by what you know. When in doubt, write the reason.
"""


@dataclass(frozen=True, slots=True)
class Position:
    """One record that waits."""

    record_id: str
    doubt: float | None
    why: list[str]


@dataclass(frozen=True, slots=True)
class Positions:
    """The queue of one reviewer: what waits, and how much is done."""

    queue: list[Position]
    order: list[str]

    @property
    def total(self) -> int:
        """All records that have labels."""
        return len(self.order)

    @property
    def reviewed(self) -> int:
        """Those that this reviewer is done with."""
        return len(self.order) - len(self.queue)

    def after(self, record_id: str) -> str | None:
        """The next that waits behind this one, else the first that does."""
        waiting = {place.record_id for place in self.queue}
        at = self.order.index(record_id) + 1 if record_id in self.order else 0
        return next((one for one in (*self.order[at:], *self.order[:at]) if one in waiting), None)


def pick_run() -> Run | None:
    """The run to review; the address names it."""
    runs = finished_runs()
    if not runs:
        empty("There is no run to review yet. Make or import one.")
        return None
    return runs[pick("Run", runs, "run")]


def who() -> str:
    """The reviewer's name."""
    return (st.text_input("Your name", key="reviewer", persist_state="session", max_chars=80) or "").strip()


def show_guidelines() -> None:
    """What the labels mean."""
    with st.expander("Guidelines", icon=":material/rule:"):
        st.markdown(GUIDELINES)


def show_waiting(run: Run) -> None:
    """Before anybody says who they are: how many records there are, and the texts of the first, without its labels."""
    order = _order(run.id, run.counts["total"] - run.counts["pending"])
    if not order:
        st.info("No record of this run has labels to review.")
        return
    st.info(f"{len(order):,} record{'s wait' if len(order) > 1 else ' waits'} for review. Enter your name to begin: "
            "your corrections are saved under it.")  # fmt: skip
    first = services.store().runs.load_record(run.id, order[0].record_id)
    with st.container(border=True, key="review-first"):
        st.caption("The most doubtful one comes first" if len(order) > 1 else "This one")
        st.markdown(f"**{plain(first.question) or 'No question'}**")
        st.text(first.response.text if first.response else "no answer")
        n = len(first.documents)
        st.caption(f"{counted(n, 'document')} retrieved")


def next_positions(run: Run, author: str) -> Positions:
    """The reviewer's queue. It is put in order once a session and run, so that it does not shuffle while working."""
    said = services.store().corrections.of_run(run.id)
    done = {
        record_id for record_id, events in said.items()
        if any(event.field == "reviewed" for event in active(events, author))
    }  # fmt: skip
    order = _order(run.id, run.counts["total"] - run.counts["pending"])
    queue = [place for place in order if place.record_id not in done]
    return Positions(queue, [place.record_id for place in order])


@st.cache_data(max_entries=8, show_spinner="Looking for the most doubtful labels …")
def _order(run_id: str, finished: int) -> list[Position]:
    """All records that have labels, most doubtful first."""
    found = review.queue(services.store().runs.records(run_id))
    return [Position(one.record.id, one.doubt, [f"{d.key}: {d.why}" for d in one.doubts[:WHYS]]) for one in found]
