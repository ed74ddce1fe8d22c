"""Ask: a question to a collection, or a person's own texts, and why the answer got its scores."""

from __future__ import annotations

import streamlit as st

from pages.components.ask.own_texts import load_into_editor, score_your_own
from pages.components.ask.question import answered, question_from
from pages.components.record.result import show_result
from pages.components.record.saving import why_unsaved
from pages.components.shared import services
from pages.components.shared.controls import Choice, convention, sidebar
from pages.components.shared.text import plain, show_error
from trace_core import demo
from trace_core.errors import TraceError
from trace_core.facts.records import Record

TABS = ("Ask a collection", "Score your own")


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
            score_your_own(choice, convention())
    else:
        with asking:
            _ask_tab(choice)


def _ask_tab(choice: Choice) -> None:
    if choice.collection is None and not choice.error:
        st.info("There is no collection yet. Add your own documents first.")
        st.page_link("pages/corpus.py", label="Add documents on the Collections page", icon=":material/database:")
    question, row = question_from(choice.collection)
    # Another question takes the earlier record off the page at once; nothing else does, as it would flicker.
    steps, shown = st.container(), st.empty() if question else st.container()
    if question:
        with steps:
            _hold(answered(choice, question))
        shown = shown.container()
    elif choice.error:  # an error shows when a question is asked
        with steps:
            show_error(choice.error)
    with row:
        record = _current()
    with shown:
        show_result(record, convention(), key="ask", on_edit=_edit)


def _hold(record: Record | None) -> None:
    """Show this record from now on, and put it into the address; with `None` the previous one stays."""
    if record is None:
        return
    st.session_state.record = record
    if why_unsaved(record):
        st.query_params.pop("record", None)
    else:
        st.query_params["record"] = record.id


def _current() -> Record:
    """The record in the address, the one just asked, or a scored example."""
    held: Record | None = st.session_state.get("record")
    wanted = st.query_params.get("record")
    if held and wanted in (None, held.id):
        st.button("Back to the scored examples", icon=":material/arrow_back:", type="tertiary", on_click=_let_go)
        return held
    examples = {record.id: record for record in demo.examples()}
    if wanted and wanted not in examples:
        found = _stored(wanted)
        if found:
            return found
    labels = {record.id: record.question for record in examples.values()}
    picked = st.pills(
        "Scored examples, labeled by hand", list(labels), key="example", format_func=lambda i: plain(labels[i]),
        default=wanted if wanted in examples else next(iter(examples)), required=True, label_visibility="collapsed",
    )  # fmt: skip
    return examples[picked or next(iter(examples))]


def _let_go() -> None:
    st.session_state.record = None
    st.query_params.pop("record", None)


def _stored(wanted: str) -> Record | None:
    """The record with that id; `None`, with the reason on the page, if there is none."""
    try:
        found = services.store().queries.load(wanted)
    except TraceError as error:
        show_error(error)
        return None
    if found is None:
        st.warning(f"There is no record {plain(wanted)}. An example is shown instead.")
    return found


def _edit(record: Record) -> None:
    load_into_editor(record)
    st.session_state["view"] = TABS[1]


main()
