"""Score a person's own question, documents and answer; edit, score again, compare."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from uuid import uuid4

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

MOST_DOCUMENTS, MOST_DRAFTS = 20, 500


@dataclass(slots=True)
class Draft:
    """What a person typed, and the records scored from it: the latest, and the one before."""

    question: str = ""
    answer: str = ""
    documents: list[str] = field(default_factory=lambda: [""])
    record: Record | None = None
    before: Record | None = None


@st.cache_resource(show_spinner=False)
def _drafts() -> OrderedDict[str, Draft]:
    """Drafts by the secret name in their address, so that a reload of the page loses nothing; the oldest go."""
    return OrderedDict()


def _draft() -> Draft:
    """The draft in the address, else this session's. Its widgets are filled once in a session."""
    name = st.query_params.get("draft", "")
    if name not in _drafts():
        name = st.session_state.get("draft", "")
    if name not in _drafts():
        name = uuid4().hex
        _drafts()[name] = Draft()
        if len(_drafts()) > MOST_DRAFTS:
            _drafts().popitem(last=False)
    st.query_params["draft"] = name
    draft = _drafts()[name]
    if st.session_state.get("draft") != name:
        st.session_state["draft"] = name
        _fill(draft)
    return draft


def _fill(draft: Draft) -> None:
    """Put the draft's texts into the fields."""
    state = st.session_state
    state.own_question, state.own_answer, state.own_count = draft.question, draft.answer, len(draft.documents)
    for i, text in enumerate(draft.documents):
        state[f"own_document_{i}"] = text


def load_into_editor(record: Record) -> None:
    """Fill the editor with a record's texts."""
    draft = _draft()
    draft.question, draft.answer = record.question, record.response.text if record.response else ""
    draft.documents = [document.text for document in record.documents[:MOST_DOCUMENTS]] or [""]
    draft.record, draft.before = record, None
    _fill(draft)


def score_your_own(choice: Choice, convention: str) -> None:
    """The editor, and the record scored from it."""
    draft = _draft()
    st.caption("Paste a question, the retrieved documents and the answer. Edit any of them and score again.")
    if _editor(draft):
        _score(draft, choice, convention)
    if draft.record is None:
        st.info("Fill in the fields and press Score. Verdict, metrics and evidence appear here.")
        return
    if draft.before is not None:
        _compare(draft.before, draft.record, convention)
    show_result(draft.record, convention, key="own")


def _editor(draft: Draft) -> bool:
    """The fields; whether the button was pressed. What is typed goes into the draft at once."""
    draft.question = st.text_input("Question", key="own_question", persist_state="session") or ""
    count = st.session_state.setdefault("own_count", 1)
    draft.documents = [
        st.text_area(f"Document {i}", key=f"own_document_{i}", height=110, persist_state="session") or ""
        for i in range(count)
    ]
    with st.container(horizontal=True):
        add = st.button("Add a document", icon=":material/add:", disabled=count >= MOST_DOCUMENTS)
        remove = st.button("Remove the last", icon=":material/remove:", disabled=count <= 1)
    draft.answer = st.text_area("Answer", key="own_answer", height=110, persist_state="session") or ""
    if add or remove:
        st.session_state.own_count = count + (1 if add else -1)
        st.rerun()
    return st.button("Score", icon=":material/fact_check:", key="own_score", type="primary")


def _score(draft: Draft, choice: Choice, convention: str) -> None:
    texts = [text for text in draft.documents if text.strip()]
    if not draft.answer.strip() and not texts:
        st.warning("Nothing to score yet. Paste an answer or a document.")
        return
    if not visitors.may_begin([draft.question, *texts, draft.answer]):
        return
    bar = st.progress(0.0, "Labeling …")
    start = time.monotonic()

    def progress(share: float) -> None:
        spent = time.monotonic() - start
        left = spent / share - spent if share else 0.0
        bar.progress(share, f"Labeling … {share:.0%}, {left:.0f} s left. Press Stop in the corner to stop.")

    try:
        record = evaluate(
            draft.question, texts, draft.answer,
            labeler=language_model.labeler_of(choice.labeler), convention=convention,
            relevance_divisor=services.settings().relevance_divisor, progress=progress,
        )  # fmt: skip
    except TraceError as error:
        show_error(error)
        return
    finally:
        bar.empty()
    draft.before, draft.record = draft.record, record
    keep(record)


def _compare(before: Record, now: Record, convention: str) -> None:
    """Signed differences from the record scored before."""
    old, new = rescore(before, convention).scores, rescore(now, convention).scores
    assert old is not None and new is not None  # noqa: PT018, S101  # rescore always sets them
    st.caption("Compared with the version before: " + change_text(old, new))
