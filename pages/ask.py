"""Ask: a question to a collection, or a person's own texts, and why the answer got its scores."""

from __future__ import annotations

from uuid import uuid4

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.record.drawn import change_text
from pages.components.record.result import show_result
from pages.components.record.saving import keep, why_unsaved
from pages.components.shared import language_model, services, visitors
from pages.components.shared.controls import Choice, convention, sidebar
from pages.components.shared.text import edit_texts, plain, show_error
from trace_core import demo
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import TraceError
from trace_core.facts.records import Document, Record, Response
from trace_core.pipeline import Pipeline, ask, evaluate

TABS = ("Ask a collection", "Score your own")
STEPS = {
    "retrieve": "Retrieving the nearest documents …",
    "answer": "Answering …",
    "label": "Labeling sentences …",
    "score": "Scoring …",
}
CHIPS = 5
NOTHING = Record(id="", question="")
Texts = tuple[str, tuple[str, ...], str]
"""Question, documents, answer."""


def main() -> None:
    """Draw the page: the tab that was left, or the one in the address."""
    st.title("Ask", anchor=False)
    try:
        choice = sidebar()
    except TraceError as error:  # the settings themselves are invalid
        show_error(error)
        return
    if "view" not in st.query_params:
        st.session_state.setdefault("view", st.session_state.get("ask-view", TABS[0]))
    asking, own = st.tabs(TABS, key="view", on_change="rerun", bind="query-params")
    st.session_state["ask-view"] = TABS[1] if own.open else TABS[0]
    if own.open:
        with own:
            _own_tab(choice, convention())
    else:
        with asking:
            _ask_tab(choice)


def _ask_tab(choice: Choice) -> None:
    if choice.collection is None and not choice.error:
        st.info("There is no collection yet. Add your own documents first.")
        st.page_link("pages/corpus.py", label="Add documents on the Collections page", icon=":material/database:")
    question, row = _question(choice.collection)
    # Another question takes the earlier record off the page at once; nothing else does, as it would flicker.
    steps, shown = st.container(), st.empty() if question else st.container()
    with steps:
        if question and (record := _answered(choice, question)):
            st.session_state.record = record
            st.query_params["record"] = record.id
        elif choice.error and not question:  # an error shows when a question is asked
            show_error(choice.error)
    with row:
        record = _current()
    if question:
        shown = shown.container()
    with shown:
        show_result(record, convention(), key="ask", on_edit=_edit)


def _question(collection: str | None) -> tuple[str | None, DeltaGenerator]:
    typed = st.chat_input("Ask a question …", key="question", disabled=collection is None)
    row = st.container(horizontal=True, vertical_alignment="center")
    if collection in demo.DEMOS:
        golden = [one["question"] for one in demo.questions(demo.DEMOS[collection])]
        with row.popover("Example questions", type="tertiary", icon=":material/lightbulb:"):
            for text in golden[:: max(1, len(golden) // CHIPS)][:CHIPS]:
                if st.button(plain(text), type="tertiary", key=f"chip-{text}"):
                    typed = text
    return typed, row


def _answered(choice: Choice, question: str) -> Record | None:
    """The stored record of the question; `None`, with the reason on the page, if there is none."""
    if not visitors.may_begin([question]):
        return None
    assert choice.collection is not None  # noqa: S101  # the input is disabled without one
    place, written, text = st.empty(), st.empty(), ""
    status = place.status("Starting …")

    def write(piece: str) -> None:
        nonlocal text
        text += piece
        written.text(text)

    try:
        answerer, labeler = language_model.answerer_of(choice.answerer), language_model.labeler_of(choice.labeler)
        pipeline = Pipeline(services.collections(), answerer, labeler)
        if not pipeline.collections.embedder.ready:
            status.update(label="Loading the embedding model (only once) …")
            pipeline.collections.embedder.embed(["ready"])
        record = ask(
            pipeline,
            question,
            choice.collection,
            top_k=choice.top_k,
            convention=convention(),
            text_field=choice.text_field,
            vector=choice.vector,
            relevance_divisor=services.settings().relevance_divisor,
            on_step=lambda step: status.update(label=STEPS[step]),
            on_text=write,
        )
    except TraceError as error:
        status.update(label="Not answered.", state="error")
        show_error(error)
        return None
    finally:
        written.empty()
    place.empty()  # the record shows how long it took
    keep(record)
    return record


def _current() -> Record:
    """The record in the address, the one just asked, or a scored example."""
    asked: Record | None = st.session_state.get("record")
    wanted = st.query_params.get("record")
    if asked and wanted in (None, asked.id):
        if why_unsaved(asked):
            st.query_params.pop("record", None)
        st.button("Back to the scored examples", icon=":material/arrow_back:", type="tertiary", on_click=_let_go)
        return asked
    examples = {record.id: record for record in demo.examples()}
    if wanted and wanted not in examples and (stored := _stored(wanted)):
        return stored
    labels = {record.id: record.question for record in examples.values()}
    first = next(iter(examples))
    picked = st.pills(
        "Scored examples, labeled by hand",
        list(labels),
        key="example",
        format_func=lambda i: plain(labels[i]),
        default=wanted if wanted in examples else first,
        required=True,
        label_visibility="collapsed",
    )
    return examples[picked or first]


def _let_go() -> None:
    st.session_state.record = None
    st.query_params.pop("record", None)


def _stored(wanted: str) -> Record | None:
    try:
        stored = services.store().queries.load(wanted)
    except TraceError as error:
        show_error(error)
        return None
    if stored is None:
        st.warning(f"There is no record {plain(wanted)}. An example is shown instead.")
    return stored


def _edit(record: Record) -> None:
    _open_in_editor(record)
    st.session_state.view = TABS[1]


def _open_in_editor(record: Record) -> None:
    st.session_state.update(own_start=record, own_record=record, own_before=None)
    st.session_state.own_round = st.session_state.get("own_round", 0) + 1  # another key fills the fields anew
    st.query_params["own"] = record.id


def _own_tab(choice: Choice, convention: str) -> None:
    st.caption("Paste a question, the retrieved documents and the answer. Edit any of them and score again.")
    _reopen()
    start: Record = st.session_state.get("own_start", NOTHING)
    question, documents, answer = texts = edit_texts(
        f"own-{st.session_state.get('own_round', 0)}",
        start.question,
        [document.text for document in start.documents] or [""],
        start.response.text if start.response else "",
    )
    name = st.query_params["draft"] = st.session_state.setdefault("own_draft", uuid4().hex)
    if visitors.is_short((question, *documents, answer)):
        draft.clear(name)
        draft(name, texts)
    if st.button("Score", icon=":material/fact_check:", key="own_score", type="primary"):
        _score(question, [text for text in documents if text.strip()], answer, choice, convention)
    record: Record | None = st.session_state.get("own_record")
    if record is None:
        st.info("Fill in the fields and press Score. Verdict, metrics and evidence appear here.")
        return
    st.query_params["own"] = record.id
    if before := st.session_state.own_before:
        old, new = rescore(before, convention).scores, rescore(record, convention).scores
        assert old is not None and new is not None  # noqa: PT018, S101  # rescore always sets them
        st.caption("Compared with the version before: " + change_text(old, new))
    show_result(record, convention, key="own")


@st.cache_data(max_entries=500, max_size="20MB", show_spinner=False)
def draft(name: str, _texts: Texts | None = None) -> Texts | None:
    """What was typed, by the secret name in its address, so that a reload of the page loses nothing; the oldest go."""
    return _texts


def _reopen() -> None:
    """After a reload: the record in the address, and what was typed over it."""
    wanted, record = st.query_params.get("own"), st.session_state.get("own_record")
    if wanted and not (record and record.id == wanted):
        try:
            if stored := services.store().queries.load(wanted):
                _open_in_editor(stored)
        except TraceError as error:
            show_error(error)
    name = st.query_params.get("draft", "")
    if "own_draft" not in st.session_state and name and (texts := draft(name)):
        question, documents, answer = texts
        st.session_state.own_draft, st.session_state.own_round = name, st.session_state.get("own_round", 0) + 1
        st.session_state.own_start = Record(
            id="",
            question=question,
            response=Response(text=answer),
            documents=[Document(id=str(i), rank=i + 1, text=text) for i, text in enumerate(documents)],
        )


def _score(question: str, documents: list[str], answer: str, choice: Choice, convention: str) -> None:
    if not answer.strip() and not documents:
        st.warning("Nothing to score yet. Paste an answer or a document.")
        return
    if not visitors.may_begin([question, *documents, answer]):
        return
    bar = st.progress(0.0, "Labeling …")
    try:
        record = evaluate(
            question,
            documents,
            answer,
            labeler=language_model.labeler_of(choice.labeler),
            convention=convention,
            relevance_divisor=services.settings().relevance_divisor,
            progress=lambda share: bar.progress(share, f"Labeling … {share:.0%}. Press Stop in the corner to stop."),
        )
    except TraceError as error:
        show_error(error)
        return
    finally:
        bar.empty()
    st.session_state.own_before = st.session_state.get("own_record")
    st.session_state.own_record = record
    keep(record)


main()
