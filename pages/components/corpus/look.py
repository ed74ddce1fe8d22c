"""The inside of a collection: how it is read, a search with scores, its chunks; and its deletion."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.components.shared import services, visitors
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError, counted
from trace_core.facts.records import Document
from trace_core.retrieval import CollectionInfo, Point, advice

MOST_LISTED = 50
SHOWN = 5
"""Chunks per page, and hits per search."""
BEGINNING = 300
"""The characters of a text that are shown before a question."""


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
        for info in infos[:MOST_LISTED]
    ]
    st.table(rows, hide_index=True, hide_header=False, alt="Collections")
    for info in infos:
        if message := advice(info.points, embedded=services.collections().qdrant.embedded):
            st.warning(f"**{plain(info.name)}**: {plain(message)}", icon=":material/storage:")
    if len(infos) > MOST_LISTED:
        st.caption(f"{len(infos) - MOST_LISTED} more can be chosen below.")


def look_inside(info: CollectionInfo) -> None:
    """How the collection is read, a search in it, and its chunks."""
    if not info.points:
        st.info("This collection is empty. Add documents to it, or delete it.")
        return
    field = st.selectbox(
        "Text field", [None, *info.payload_fields],
        format_func=lambda path: path or f"detected ({info.text_field or 'none'})",
        key=f"field-of-{info.name}", persist_state="session",
        help="The path of the text in each point's payload. A question on the page Ask reads the same field.",
    )  # fmt: skip
    show_texts(info.name, field)
    question = st.text_input(
        "Search",
        key=f"corpus_search-{info.name}",
        persist_state="session",
        placeholder="What are you looking for?",
        help=f"Shows the {SHOWN} nearest chunks with their scores. Nothing is labeled or saved.",
    )
    if question and question.strip():
        _hits(info, question, field)
    with st.expander(f"All of it: {counted(info.points, 'chunk')}", icon=":material/view_list:"):
        _leaf(info, field or info.text_field)


def show_texts(collection: str, field: str | None) -> None:
    """The beginnings of the first texts of a collection, as a question will read them; `None` detects the field."""
    try:
        documents = services.collections().preview(collection, field)
    except TraceError as error:
        show_error(error)
        return
    st.caption("The first texts, as a question will read them:")
    for document in documents:
        text = document.text if len(document.text) <= BEGINNING else f"{document.text[:BEGINNING]} …"
        _chunk([document.id, document.title or ""], text)


def _hits(info: CollectionInfo, question: str, field: str | None) -> None:
    try:
        with st.spinner("Searching …"):
            hits = (found if visitors.is_demo() else _search)(info.name, question, field)
    except TraceError as error:
        show_error(error)
        return
    for document in hits:
        score = "no score" if document.retrieval_score is None else f"{document.retrieval_score:.3f}"
        _chunk([f"{document.rank}.", f"score {score}", document.id, document.title or ""], document.text)


def _search(collection: str, question: str, field: str | None) -> list[Document]:
    return services.collections().search(collection, question, SHOWN, text_field=field)


@st.cache_data(ttl=60, max_entries=50, show_spinner=False)
def found(collection: str, question: str, field: str | None) -> list[Document]:
    """The nearest chunks, for the demo; cached between reruns. Raises `TraceError`."""
    visitors.check_read([question])
    return _search(collection, question, field)


def _leaf(info: CollectionInfo, field: str | None) -> None:
    """Some chunks, in Qdrant's own order."""
    place = f"corpus_offset-{info.name}"
    try:
        points, following = services.collections().look(info.name, SHOWN, st.session_state.get(place))
    except TraceError as error:
        show_error(error)
        return
    for point in points:
        _point(point, field)
    with st.container(horizontal=True):
        if st.button("From the beginning", icon=":material/first_page:", disabled=place not in st.session_state):
            del st.session_state[place]
            st.rerun()
        if st.button("More chunks", icon=":material/navigate_next:", disabled=following is None):
            st.session_state[place] = following
            st.rerun()


def _point(point: Point, field: str | None) -> None:
    payload = dict(point.payload)
    text = str(payload.pop(field, "")) if field else ""
    names = [str(payload.pop("id", point.id)), str(payload.pop("title", ""))]
    # Where a chunk is a whole document, `document` and `chunk` repeat its id.
    rest = [
        f"{path} {value}"
        for path, value in payload.items()
        if isinstance(value, str | int | float) and path not in ("document", "chunk") and value != names[0]
    ]
    _chunk([*names, *rest], text or "This chunk has no text.")


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
    st.session_state.corpus_message = f"The collection **{plain(info.name)}** is deleted."
    st.rerun()
