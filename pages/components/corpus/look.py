"""The inside of a collection: how it is read, and a search with scores; and its deletion."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

import streamlit as st

from pages.components.shared import services, visitors
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError
from trace_core.facts.records import Document
from trace_core.retrieval import CollectionInfo, advice

HITS = 5


def show_list(infos: Sequence[CollectionInfo]) -> None:
    """The collections, one per row."""
    rows = [
        {
            "Collection": f"**{plain(info.name)}**",
            "Points": f"{info.points:,}",
            "Vector": plain("; ".join(map(str, info.vectors)) or "none"),
            "Text field": plain(info.text_field or "no field found"),
            "Embedded with": plain(info.embedding_model or "not stored"),
        }
        for info in infos
    ]
    st.table(rows, hide_index=True, hide_header=False, alt="Collections")
    for info in infos:
        if message := advice(info.points, embedded=services.collections().qdrant.embedded):
            st.warning(f"**{plain(info.name)}**: {plain(message)}", icon=":material/storage:")


def look_inside(info: CollectionInfo) -> None:
    """How the collection is read, and a search in it."""
    if not info.points:
        st.info("This collection is empty. Add documents to it, or delete it.")
        return
    left, right = st.columns(2)
    field = left.selectbox(
        "Text field",
        [None, *info.payload_fields],
        key=f"field-of-{info.name}",
        persist_state="session",
        format_func=lambda path: path or f"detected ({info.text_field or 'none'})",
        help="The path of the text in each point's payload, for the search here and for questions on Ask.",
    )
    if names := [vector.name for vector in info.vectors if vector.name]:
        right.selectbox(
            "Vector",
            [None, *names],
            key=f"vector-of-{info.name}",
            persist_state="session",
            format_func=lambda name: name or "the one that fits",
            help="The vector that is searched here, for questions on Ask and by runs.",
        )
    show_texts(info.name, field)
    question = st.text_input(
        "Search",
        key=f"corpus_search-{info.name}",
        persist_state="session",
        placeholder="What are you looking for?",
        help=f"Shows the {HITS} nearest chunks with their scores. Nothing is labeled or saved.",
    )
    if question and question.strip():
        _hits(info, question, field)


def show_texts(collection: str, field: str | None) -> None:
    """The beginnings of the first texts of a collection, as a question will read them; `None` detects the field."""
    try:
        documents = services.collections().preview(collection, field)
    except TraceError as error:
        show_error(error)
        return
    st.caption("The first texts, as a question will read them:")
    for document in documents:
        _chunk([document.id, document.title or ""], shorten(document.text, 300, placeholder=" …"))


def _hits(info: CollectionInfo, question: str, field: str | None) -> None:
    try:
        with st.spinner("Searching …"):
            vector = st.session_state.get(f"vector-of-{info.name}")
            hits = nearest_chunks(info.name, question, field, vector, info.points)
    except TraceError as error:
        show_error(error)
        return
    for document in hits:
        score = "no score" if document.retrieval_score is None else f"{document.retrieval_score:.3f}"
        _chunk([f"{document.rank}.", f"score {score}", document.id, document.title or ""], document.text)


@st.cache_data(ttl=60, max_entries=50, show_spinner=False)
def nearest_chunks(
    collection: str, question: str, field: str | None, vector: str | None, points: int
) -> list[Document]:
    """The chunks nearest to the question; cached until the number of points changes. Raises `TraceError`."""
    visitors.check_read([question])
    return services.collections().search(collection, question, HITS, text_field=field, vector=vector)


def _chunk(about: Sequence[str], text: str) -> None:
    with st.container(border=True):
        st.caption(" · ".join(plain(part) for part in about if part))
        st.markdown(plain(text))


def delete_collection(info: CollectionInfo, demo: bool) -> None:
    """Delete the collection once its name is typed; not in demo mode."""
    with st.expander("Delete this collection", icon=":material/delete:"):
        if demo:
            st.caption("In demo mode nothing can be deleted.")
            return
        job = services.jobs().current
        if job and job.collection == info.name and job.running:
            st.caption("Documents are being added to it. Stop that first.")
            return
        st.caption(f"This deletes its {info.points:,} chunks for everyone. Saved answers stay.")
        typed = st.text_input(f"Type “{plain(info.name)}” to delete it", key=f"corpus_delete-{info.name}", live=True)
        if not st.button("Delete", icon=":material/delete:", disabled=typed != info.name):
            return
        try:
            services.collections().delete(info.name)
        except TraceError as error:
            show_error(error)
            return
        services.forget_collections()
        if job and job.collection == info.name:  # messages about the collection are out of date
            services.jobs().dismiss()
        st.session_state.corpus_message = f"The collection **{plain(info.name)}** is deleted."
        st.rerun()
