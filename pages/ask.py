"""Ask: a question to a collection, or a person's own texts, and why the answer got its scores."""

from functools import partial
from uuid import uuid4

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.record.drawn import change_text, draw
from pages.components.record.result import show_result
from pages.components.record.saving import keep, save_problem
from pages.components.shared import language_model, services, visitors
from pages.components.shared.controls import AskChoice, choose, convention
from pages.components.shared.text import edit_texts, mark_differences, plain, show_error, show_errors
from trace_core import demo
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import TraceError
from trace_core.evidence.view import view
from trace_core.facts.differences import differing
from trace_core.facts.records import Document, Record, Response
from trace_core.metrics import Scoring
from trace_core.pipeline import Pipeline, ask_collection, evaluate

TABS = ("Ask a collection", "Score your own")
STEPS = {
    "retrieve": "Retrieving the nearest documents …",
    "answer": "Answering …",
    "label": "Labeling sentences …",
    "score": "Scoring …",
}
CHIPS, RECENT = 5, 10
"""Questions that are suggested, and those asked before that are offered again."""
NOTHING = Record(id="", question="")
PastedTexts = tuple[str, tuple[str, ...], str]
"""Question, documents, answer."""


def main() -> None:
    """Draw the page: the tab that was left, or the one in the address."""
    if "view" not in st.query_params:
        st.session_state.setdefault("view", st.session_state.get("ask-view", TABS[0]))
    with st.container(gap="xxsmall"), show_errors():  # the settings themselves may be invalid
        with st.container(horizontal=True, vertical_alignment="center"):
            st.title("Ask", anchor=False, width="content")
            st.caption("TRACE shows which document sentences an answer rests on, and scores it.", width="stretch")
            with st.container(key="ask-tabs", width="content"):
                _, own = st.tabs(TABS, key="view", on_change="rerun", bind="query-params", width=236)
            head = st.container(horizontal=True, vertical_alignment="center", width="content")
        with st.container(horizontal=True, vertical_alignment="center"):
            wide = st.container(width="stretch")
            bar = st.container(horizontal=True, vertical_alignment="center", width="content")
        st.session_state["ask-view"] = TABS[1] if own.open else TABS[0]
        choice = choose(bar, head, own=bool(own.open))
        if own.open:
            wide.caption("Paste a question, the retrieved documents and the answer. Edit any of them and score again.")
            _own_tab(choice, convention())
        else:
            _ask_tab(choice, wide, bar)


def _ask_tab(choice: AskChoice, wide: DeltaGenerator, bar: DeltaGenerator) -> None:
    collection = choice.search.collection if choice.search else None
    question = _question(collection, wide, bar)
    # Another question takes the earlier record off the page at once; nothing else does, as it would flicker.
    steps, place = st.container(), st.empty() if question else st.container(gap="xxsmall")
    with steps:
        if question and (record := _answer(choice, question)):
            st.session_state.record = record
            st.query_params["record"] = record.id
        elif failure := st.session_state.get("ask-failure"):  # until it is asked again
            previous, error = failure
            show_error(error)
            st.button("Retry", icon=":material/refresh:", key="ask-retry", on_click=_ask_again, args=(previous,))
        elif choice.error and not question:  # an error shows when a question is asked
            show_error(choice.error)
        elif collection is None:
            st.info("There is no collection yet. Add your own documents first.")
            st.page_link("pages/corpus.py", label="Add documents on the Collections page", icon=":material/database:")
    record = _current(collection)
    with place.container(gap="xxsmall") if question else place:
        if record:
            retry = partial(_ask_again, record.question) if record.error and collection else None
            show_result(record, convention(), key="ask", on_edit=_edit, on_retry=retry)
        elif collection:
            st.markdown(f"Ask **{plain(collection)}** a question, or start with one of these:")
            _suggest(collection, "start")


def _question(collection: str | None, wide: DeltaGenerator, bar: DeltaGenerator) -> str | None:
    """The question that is asked now: typed, suggested, or tried again; it stays in the field."""
    off = collection is None
    with (
        wide.form("ask", border=False, enter_to_submit=True),
        st.container(horizontal=True, vertical_alignment="center"),
    ):
        text = st.text_input(
            "Your question", key="question", label_visibility="collapsed", placeholder="Ask a question …", disabled=off
        )
        submit = st.form_submit_button("Ask", icon=":material/arrow_upward:", type="primary", disabled=off)
    with bar.popover("Questions", icon=":material/history:", type="tertiary"):
        if collection:
            st.caption("Suggested")
            _suggest(collection, "bar")
        if before := _history():
            st.caption("Asked before")
            for record_id, question in before:
                st.button(plain(question), type="tertiary", key=f"again-{record_id}", on_click=_open, args=(record_id,))
    again: str | None = st.session_state.pop("ask-again", None)
    return again or (text if submit and text and text.strip() else None)


def _suggest(collection: str, place: str) -> None:
    for text in suggestions(collection):
        st.button(plain(text), type="tertiary", key=f"chip-{place}-{text}", on_click=_ask_again, args=(text,))


@st.cache_data(ttl=60, max_entries=20, show_spinner=False)
def suggestions(collection: str) -> list[str]:
    """Questions to begin with; none of a collection that cannot be read, which asking says."""
    try:
        return demo.first_questions(services.collections(), collection, CHIPS)
    except TraceError:
        return []


def _ask_again(question: str) -> None:
    st.session_state.update({"question": question, "ask-again": question})


def _history() -> list[tuple[str, str]]:
    """Ids and questions of this visitor's latest records; elsewhere than in the demo, of all that are stored."""
    if visitors.is_demo():
        mine: list[tuple[str, str]] = st.session_state.get("asked", [])
        return mine[-RECENT:][::-1]
    try:
        return services.store().queries.recent(RECENT)
    except TraceError:  # what is asked says so
        return []


def _open(record_id: str) -> None:
    st.session_state.record = None
    st.query_params["record"] = record_id


def _answer(choice: AskChoice, question: str) -> Record | None:
    """The stored record of the question; `None`, with the reason on the page, if there is none."""
    st.session_state.pop("ask-failure", None)
    if choice.search is None or not visitors.may_begin([question]):
        return None
    place = st.empty()
    steps = place.container()
    status, answer, evidence = steps.status("Starting …"), steps.empty(), steps.empty()
    pieces: list[str] = []

    def write(piece: str) -> None:
        pieces.append(piece)
        answer.text("".join(pieces))

    def step(name: str, record: Record) -> None:
        """What there is of the record already: the documents, then the answer; the labels fill in."""
        status.update(label=STEPS[name])
        if name == "label":
            answer.empty()
        if name in ("answer", "label"):
            with evidence.container():
                draw(view(record), key=f"asking-{name}")

    try:
        answerer, labeler = language_model.answerer_of(choice.answerer), language_model.labeler_of(choice.labeler)
        pipeline = Pipeline(services.collections(), answerer, labeler)
        if not pipeline.collections.embedder.ready:
            status.update(label="Loading the embedding model (only once) …")
            pipeline.collections.embedder.embed(["ready"])
        record = ask_collection(
            pipeline,
            question,
            choice.search,
            convention=Scoring(convention(), services.settings().relevance_divisor),
            on_step=step,
            on_text=write,
        )
    except TraceError as error:
        place.empty()
        st.session_state["ask-failure"] = question, error
        return None
    place.empty()  # the record shows how long it took
    keep(record)
    st.session_state["asked"] = [*st.session_state.get("asked", []), (record.id, question)]
    return record


def _current(collection: str | None) -> Record | None:
    """The record in the address, the one just asked, or the scored example of the collection, if it has one."""
    latest: Record | None = st.session_state.get("record")
    record_id = st.query_params.get("record")
    if latest and record_id in (None, latest.id):
        if save_problem(latest):
            st.query_params.pop("record", None)
        return latest
    examples = {record.id: record for record in demo.examples()}
    if record_id in examples:
        return examples[record_id]
    if record_id and (record := _load(record_id)):
        return record
    if "ask-failure" in st.session_state:  # an example below an error would look like an answer
        return None
    return demo.example_of(collection) or (next(iter(examples.values())) if collection is None else None)


def _load(record_id: str) -> Record | None:
    record = None
    with show_errors():
        record = services.store().queries.load(record_id)
        if record is None:
            st.warning(f"There is no record {plain(record_id)}.")
    return record


def _edit(record: Record) -> None:
    _open_in_editor(record)
    st.session_state.view = TABS[1]


def _open_in_editor(record: Record) -> None:
    st.session_state.update(own_start=record, own_record=record, own_before=None)
    st.session_state.own_round = st.session_state.get("own_round", 0) + 1  # another key fills the fields anew
    st.query_params["own"] = record.id


def _own_tab(choice: AskChoice, convention: str) -> None:
    _reopen()
    start: Record = st.session_state.get("own_start", NOTHING)
    question, documents, answer = texts = edit_texts(
        f"own-{st.session_state.get('own_round', 0)}",
        start.question,
        [document.text for document in start.documents] or [""],
        start.response.text if start.response else "",
        wide=True,
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
        scoring = Scoring(convention, services.settings().relevance_divisor)
        _compare(rescore(before, scoring), rescore(record, scoring))
    show_result(record, convention, key="own")


def _compare(before: Record, now: Record) -> None:
    """Both answers side by side with the words that changed, and what became of the scores."""
    assert before.scores is not None and now.scores is not None  # noqa: PT018, S101  # both are scored
    st.caption("Compared with the version before: " + change_text(before.scores, now.scores))
    texts = [one.response.text if one.response else "" for one in (before, now)]
    columns, looks = st.columns(2), (":red-background[~~{}~~]", ":green-background[**{}**]")
    answers = differing(*texts)[0], differing(*reversed(texts))[0]
    for column, name, pieces, look in zip(
        columns, ("Before: removed text is struck out", "Now: new text is bold"), answers, looks, strict=True
    ):
        with column.container(border=True, gap="xxsmall", height="stretch"):
            st.caption(name)
            st.markdown(mark_differences(pieces, look) or "No answer")


@st.cache_data(max_entries=500, max_size="20MB", show_spinner=False)
def draft(name: str, _texts: PastedTexts | None = None) -> PastedTexts | None:
    """What was typed, by the secret name in its address, so that a reload of the page loses nothing; the oldest go."""
    return _texts


def _reopen() -> None:
    """After a reload: the record in the address, and what was typed over it."""
    record_id, record = st.query_params.get("own"), st.session_state.get("own_record")
    if record_id and not (record and record.id == record_id) and (own := _load(record_id)):
        _open_in_editor(own)
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


def _score(question: str, documents: list[str], answer: str, choice: AskChoice, convention: str) -> None:
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
            convention=Scoring(convention, services.settings().relevance_divisor),
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
