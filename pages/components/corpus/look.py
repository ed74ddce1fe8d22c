"""The inside of a collection: its properties, a search with scores, its chunks; and its deletion."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.components.shared import services, visitors
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError
from trace_core.facts.records import Document
from trace_core.retrieval import CollectionInfo, Point
from trace_core.retrieval.sizes import advice

MOST_LISTED = 50
SHOWN = 5
"""Chunks per page, and hits per search."""


def show_list(infos: Sequence[CollectionInfo]) -> None:
    """The collections, one per row."""
    rows = [
        {
            "Collection": f"**{plain(info.name)}**",
            "Points": f"{info.points:,}",
            "Vector": plain(_vectors(info)),
            "Text field": plain(info.text_field or "no field found"),
            "Embedded with": plain(info.embedding_model or "not stored"),
        }
        for info in infos[:MOST_LISTED]
    ]
    st.table(rows, hide_index=True, hide_header=False, alt="Collections")
    for info in infos:
        if told := advice(info.points, embedded=services.collections().qdrant.embedded):
            st.warning(f"**{plain(info.name)}**: {plain(told)}", icon=":material/storage:")
    if len(infos) > MOST_LISTED:
        st.caption(f"{len(infos) - MOST_LISTED} more can be chosen below.")


def _vectors(info: CollectionInfo) -> str:
    return ", ".join(f"{v.name + ': ' if v.name else ''}{v.size}, {v.distance}" for v in info.vectors) or "none"


def look_inside(info: CollectionInfo) -> None:
    """Search the collection, or browse its chunks."""
    st.caption(f"Payload fields: {plain(', '.join(info.payload_fields)) or 'none'}")
    if not info.points:
        st.info("This collection is empty. Add documents to it, or delete it.")
        return
    question = st.text_input(
        "Search",
        key=f"corpus_search-{info.name}",
        persist_state="session",
        placeholder="What are you looking for?",
        help=f"Shows the {SHOWN} nearest chunks with their scores. Nothing is labeled or saved.",
    )
    if question and question.strip():
        _hits(info, question)
    else:
        _leaf(info)


def _hits(info: CollectionInfo, question: str) -> None:
    try:
        with st.spinner("Searching …"):
            search = found if visitors.is_demo() else services.collections().search
            hits = search(info.name, question, SHOWN)
    except TraceError as error:
        show_error(error)
        return
    for document in hits:
        score = "no score" if document.retrieval_score is None else f"{document.retrieval_score:.3f}"
        _chunk([f"{document.rank}.", f"score {score}", document.id, document.title or ""], document.text)


@st.cache_data(ttl=60, max_entries=50, show_spinner=False)
def found(collection: str, question: str, most: int) -> list[Document]:
    """The nearest chunks, for the demo; cached between reruns. Raises `TraceError`."""
    visitors.check_read([question])
    return services.collections().search(collection, question, most)


def _leaf(info: CollectionInfo) -> None:
    """Some chunks, in Qdrant's own order."""
    place = f"corpus_offset-{info.name}"
    try:
        points, following = services.collections().look(info.name, SHOWN, st.session_state.get(place))
    except TraceError as error:
        show_error(error)
        return
    for point in points:
        _point(point, info.text_field)
    with st.container(horizontal=True):
        if st.button("From the beginning", icon=":material/first_page:", disabled=place not in st.session_state):
            del st.session_state[place]
            st.rerun()
        if st.button("More chunks", icon=":material/navigate_next:", disabled=following is None):
            st.session_state[place] = following
            st.rerun()


def _point(point: Point, text_field: str | None) -> None:
    payload = dict(point.payload)
    text = str(payload.pop(text_field, "")) if text_field else ""
    named = [str(payload.pop("id", point.id)), str(payload.pop("title", ""))]
    shown = {name: value for name, value in payload.items() if isinstance(value, str | int | float)}
    # where a chunk is a whole document, these repeat its id
    hidden = ("document", "chunk")
    rest = [f"{name} {value}" for name, value in shown.items() if name not in hidden and value != named[0]]
    _chunk([*named, *rest], text or "This chunk has no text.")


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
        if job and job.collection == info.name and job.state.running:
            st.caption("Documents are being added to it. Stop that first.")
            return
        st.caption(f"This deletes its {info.points:,} chunks for everyone. Saved answers stay.")
        typed = st.text_input(f"Type “{plain(info.name)}” to delete it", key=f"corpus_delete-{info.name}", live=True)
        if st.button("Delete", icon=":material/delete:", disabled=typed != info.name):
            _delete(info)


def _delete(info: CollectionInfo) -> None:
    try:
        services.collections().delete(info.name)
    except TraceError as error:
        show_error(error)
        return
    services.forget_collections()
    job = services.jobs().current
    if job and job.collection == info.name:  # messages about the collection are out of date
        services.jobs().dismiss()
    st.session_state.corpus_said = f"The collection **{plain(info.name)}** is deleted."
    st.rerun()
