"""Asking a collection: the steps as they happen, and the resulting record."""

from __future__ import annotations

import time

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.record.saving import keep
from pages.components.shared import language_model, services, visitors
from pages.components.shared.controls import Choice, convention
from pages.components.shared.text import plain, show_error
from trace_core import demo
from trace_core.answering import OnText
from trace_core.errors import TraceError
from trace_core.facts.records import Record
from trace_core.pipeline import ask

STEPS = {
    "retrieve": "Retrieving the nearest documents …",
    "answer": "Answering …",
    "label": "Labeling sentences …",
    "score": "Scoring …",
}
CHIPS = 5
REDRAW_SECONDS = 0.05


def question_from(collection: str | None) -> tuple[str | None, DeltaGenerator]:
    """The question that the person just typed or picked, and the row below the field."""
    typed = st.chat_input("Ask a question …", key="question", disabled=collection is None)
    row = st.container(horizontal=True, vertical_alignment="center")
    with row:
        picked = _chips(collection)
    return typed or picked, row


def _chips(collection: str | None) -> str | None:
    """Golden questions to click; each click asks its question once."""
    if collection not in demo.DEMOS:
        return None
    golden = demo.questions(demo.DEMOS[collection])
    shown = [golden[i]["question"] for i in range(0, len(golden), max(1, len(golden) // CHIPS))][:CHIPS]
    with st.popover("Example questions", type="tertiary", icon=":material/lightbulb:"):
        picked = st.pills("Ask one of these", shown, key="chip", format_func=plain)
    if picked == st.session_state.get("chip_asked"):
        return None
    st.session_state.chip_asked = picked
    return picked


def answered(choice: Choice, question: str) -> Record | None:
    """The stored record of the question; `None`, with the reason on the page, if there is none."""
    if not visitors.may_begin([question]):
        return None
    assert choice.collection is not None  # noqa: S101  # the input is disabled without one
    # Not `st.status`: it sleeps 50 ms when it opens and 50 more when it closes, a quarter of a question's time.
    now, written = st.empty(), st.empty()
    try:
        pipeline = language_model.pipeline(choice.labeler, choice.answerer)
        if not pipeline.collections.embedder.ready:
            _tell(now, "Loading the embedding model (only once) …")
            pipeline.collections.embedder.embed(["ready"])
        record = ask(
            pipeline, question, choice.collection,
            top_k=choice.top_k, convention=convention(),
            text_field=choice.text_field, vector=choice.vector,
            relevance_divisor=services.settings().relevance_divisor,
            on_step=lambda step: _tell(now, STEPS[step]), on_text=_writer(written),
        )  # fmt: skip
    except TraceError as error:
        written.empty()
        now.markdown(":red[:material/cancel: **Not answered.**]")
        show_error(error)
        return None
    written.empty()
    now.empty()  # the record shows how long it took
    keep(record)
    return record


def _tell(place: DeltaGenerator, step: str) -> None:
    """Show what is being done at present."""
    place.caption(f":material/hourglass_top: {step}")


def _writer(place: DeltaGenerator) -> OnText:
    """Shows an answer while it is written, always as plain text."""
    pieces: list[str] = []
    shown = 0.0

    def write(piece: str) -> None:
        nonlocal shown
        pieces.append(piece)
        if time.monotonic() - shown >= REDRAW_SECONDS:
            place.text("".join(pieces))
            shown = time.monotonic()

    return write
