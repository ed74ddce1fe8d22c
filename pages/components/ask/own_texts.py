"""Score a person's own question, documents and answer; edit, score again, compare."""

from __future__ import annotations

import time

import streamlit as st

from pages.components.record.result import show_result
from pages.components.record.saving import keep
from pages.components.record.scorecard import change_text
from pages.components.shared import language_model, services, visitors
from pages.components.shared.controls import Choice
from pages.components.shared.text import show_error
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import TraceError
from trace_core.facts.records import Record
from trace_core.pipeline import evaluate

MOST_DOCUMENTS = 20


def load_into_editor(record: Record) -> None:
    """Fill the editor with a record's texts."""
    state = st.session_state
    state.own_question = record.question
    state.own_answer = record.response.text if record.response else ""
    state.own_count = max(1, min(len(record.documents), MOST_DOCUMENTS))
    for i, document in enumerate(record.documents[:MOST_DOCUMENTS]):
        state[f"own_document_{i}"] = document.text
    state.own_record, state.own_before = record, None


def score_your_own(choice: Choice) -> None:
    """The editor, and the record scored from it."""
    st.caption("Paste a question, the retrieved documents and the answer. Edit any of them and score again.")
    scored = _editor()
    if scored is not None:
        _score(choice, *scored)
    record: Record | None = st.session_state.get("own_record")
    if record is None:
        st.info("Fill in the fields and press Score. Verdict, metrics and evidence appear here.")
        return
    before: Record | None = st.session_state.get("own_before")
    if before is not None:
        _compare(before, record, choice.convention)
    show_result(record, choice.convention, key="own")


def _editor() -> tuple[str, list[str], str] | None:
    """The texts to score, when the button was pressed."""
    question = st.text_input("Question", key="own_question", persist_state="session")
    count = st.session_state.setdefault("own_count", 1)
    documents = [
        st.text_area(f"Document {i}", key=f"own_document_{i}", height=110, persist_state="session")
        for i in range(count)
    ]
    with st.container(horizontal=True):
        add = st.button("Add a document", icon=":material/add:", disabled=count >= MOST_DOCUMENTS)
        remove = st.button("Remove the last", icon=":material/remove:", disabled=count <= 1)
    if add or remove:
        st.session_state.own_count = count + (1 if add else -1)
        st.rerun()
    answer = st.text_area("Answer", key="own_answer", height=110, persist_state="session")
    pressed = st.button("Score", icon=":material/fact_check:", key="own_score")
    return (question or "", [text or "" for text in documents], answer or "") if pressed else None


def _score(choice: Choice, question: str, documents: list[str], answer: str) -> None:
    texts = [text for text in documents if text.strip()]
    if not answer.strip() and not texts:
        st.warning("Nothing to score yet. Paste an answer or a document.")
        return
    if not visitors.may_begin([question, *texts, answer]):
        return
    bar = st.progress(0.0, "Labeling …")
    start = time.monotonic()

    def progress(share: float) -> None:
        spent = time.monotonic() - start
        left = spent / share - spent if share else 0.0
        bar.progress(share, f"Labeling … {share:.0%}, {left:.0f} s left. Press Stop in the corner to stop.")

    try:
        labeler = language_model.labeler_of(choice.labeler)
        record = evaluate(
            question, texts, answer,
            labeler=labeler, convention=choice.convention,
            relevance_divisor=services.settings().relevance_divisor, progress=progress,
        )  # fmt: skip
    except TraceError as error:
        show_error(error)
        return
    finally:
        bar.empty()
    st.session_state.own_before = st.session_state.get("own_record")
    st.session_state.own_record = record
    keep(record)


def _compare(before: Record, now: Record, convention: str) -> None:
    """Signed differences from the record scored before."""
    old, new = rescore(before, convention).scores, rescore(now, convention).scores
    assert old is not None and new is not None  # noqa: PT018, S101  # rescore always sets them
    st.caption("Compared with the version before: " + change_text(old, new))
