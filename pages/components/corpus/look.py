"""The inside of a collection: a search with scores, its documents, how it is read, and what can be deleted."""

from typing import Any

import streamlit as st

from pages.components.shared import services, visitors
from pages.components.shared.text import plain, show_errors
from trace_core.errors import counted
from trace_core.facts.records import Document
from trace_core.retrieval import CollectionInfo, advice
from trace_core.retrieval.collections import DENSE, Survey

HITS = 5


def look_inside(info: CollectionInfo, demo: bool) -> None:
    """A search first; without one the documents, and the opened one beside them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        look: dict[str, Any] = {"placeholder": f"Search {info.name}", "label_visibility": "collapsed"}
        question = st.text_input("Search", key=f"corpus_search-{info.name}", persist_state="session", **look)
        with st.popover("How it is read", icon=":material/tune:"):
            field = st.selectbox(
                "Text field",
                [None, *info.payload_fields],
                key=f"field-of-{info.name}",
                persist_state="session",
                format_func=lambda path: path or f"detected ({info.text_field or 'none'})",
                help="The path of the text in each point's payload, for the search here and for questions on Ask.",
            )
            names, vector = [vector.name for vector in info.vectors if vector.name], None
            if names:
                vector = st.selectbox(
                    "Vector",
                    [None, *names],
                    key=f"vector-of-{info.name}",
                    persist_state="session",
                    format_func=lambda name: name or "the one that fits",
                    help="The vector that is searched here, for questions on Ask and by runs.",
                )
        with st.popover("Delete", icon=":material/delete:", type="tertiary", key="corpus_delete-all"):
            if _may_delete(info, demo):
                n = f"{info.points:,} chunks"
                st.caption(f"This deletes the collection with its {n} for everyone. Saved answers stay.")
                label = f"Type “{plain(info.name)}” to delete it"
                name = st.text_input(label, key=f"corpus_delete-{info.name}", live=True)
                if st.button("Delete this collection", icon=":material/delete:", disabled=name != info.name):
                    services.collections().delete(info.name)
                    if (job := services.jobs().current) and job.collection == info.name:  # its messages are out of date
                        services.jobs().dismiss()
                    _read_again(f"The collection **{plain(info.name)}** is deleted.")
    if not info.points:
        st.info("This collection is empty. Add documents to it, or delete it.")
        return
    with show_errors():
        survey = read_documents(info.name, field, _version(info))
        _about(info, survey, field)
        if question and question.strip():
            _hits(info, question, field, vector)
        else:
            _documents(info, survey, field, demo)


def _version(info: CollectionInfo) -> str:
    return f"{info.points} {services.jobs().version}"


@st.cache_data(ttl=60, max_entries=20, show_spinner="Reading the documents …")
def read_documents(collection: str, field: str | None, version: str) -> Survey:
    """The collection's documents; cached until its version changes. Raises `TraceError`."""
    return services.collections().survey(collection, field)


def _about(info: CollectionInfo, survey: Survey, field: str | None) -> None:
    """One line about the collection, and how much of it no question can find."""
    part = "" if survey.points == info.points else f" among the first {survey.points:,}"
    parts = [
        f"{counted(len(survey.documents), 'document')}{part}, {counted(info.points, 'chunk')}",
        f"text in **{plain(field or info.text_field or 'no field')}**",
        f"vector {plain('; '.join(map(str, info.vectors)) or 'none')}",
        f"embedded with {plain(info.embedding_model or 'a model that it does not name')}",
    ]
    st.caption(" · ".join(parts))
    if survey.without:
        others = ", ".join(f"{path} ({n:,})" for path, n in survey.elsewhere.items())
        where = f"They have text in {others}: choose it under “How it is read”." if others else "They have no text."
        lack = f"{survey.without:,} of {survey.points:,} points have no text in this field, so no question finds them."
        st.warning(plain(f"{lack} {where}"), icon=":material/visibility_off:")
    dense = [v for v in info.vectors if v.kind == DENSE]
    if st.session_state.get(f"vector-of-{info.name}") is None and len({v.size for v in dense}) < len(dense):
        names = ", ".join(v.name for v in dense)
        st.warning(plain(f"Several vectors have the same size ({names}). Choose one under “How it is read”."))
    if message := advice(info.points, on_server=not services.collections().qdrant.embedded):
        st.warning(plain(message), icon=":material/storage:")


def _hits(info: CollectionInfo, question: str, field: str | None, vector: str | None) -> None:
    with st.spinner("Searching …"):
        hits = nearest_chunks(info.name, question, (field, vector), _version(info))
    st.caption(
        f"The {len(hits)} nearest chunks, with the sentence nearest to your words marked. Nothing is labeled or saved."
    )
    for document, (begin, end) in hits:
        score = "no score" if document.retrieval_score is None else f"score {document.retrieval_score:.3f}"
        about = [f"{document.rank}.", score, document.id, document.title or ""]
        with st.container(border=True, gap="xxsmall"):
            st.caption(" · ".join(plain(part) for part in about if part))
            before, near, after = (document.text[a:b] for a, b in ((0, begin), (begin, end), (end, None)))
            st.markdown(f"{plain(before)} :green-background[**{plain(near)}**] {plain(after)}")


@st.cache_data(ttl=60, max_entries=50, show_spinner=False)
def nearest_chunks(
    collection: str, question: str, read: tuple[str | None, str | None], version: str
) -> list[tuple[Document, tuple[int, int]]]:
    """The chunks nearest to the question, each with the place of its nearest sentence; `read` is field and vector.
    Cached until the version changes. Raises `TraceError`."""
    visitors.check_read([question])
    field, vector = read
    hits = services.collections().search(collection, question, HITS, text_field=field, vector=vector)
    near = services.collections().closest(question, [document.text for document in hits])
    return list(zip(hits, near, strict=True))


def _documents(info: CollectionInfo, survey: Survey, field: str | None, demo: bool) -> None:
    left, right = st.columns([5, 6], gap="medium")
    rows = [{"Document": one.name, "Title": one.title or "", "Chunks": len(one.chunks)} for one in survey.documents]
    # Pixels for the names and for the chunks.
    widths = {"Document": st.column_config.TextColumn(width=150), "Chunks": st.column_config.Column(width=70)}
    event = left.dataframe(
        rows,
        hide_index=True,
        key=f"corpus_documents-{info.name}-{info.points}-{field}",
        on_select="rerun",
        selection_mode="single-row-required",
        column_config=widths,
        height=min(38 + 35 * len(rows), 560),
    )
    document = survey.documents[event.selection.rows[0] if event.selection.rows else 0]
    with right:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"## {plain(document.title or document.name)}", width="stretch")
            with st.popover("Delete", icon=":material/delete:", type="tertiary", key="corpus_delete-document"):
                if _may_delete(info, demo):
                    n = counted(len(document.chunks), "chunk")
                    st.caption(f"This deletes {plain(document.name)}, {n}, for everyone. Saved answers stay.")
                    if st.button("Delete this document", icon=":material/delete:"):
                        services.collections().delete_document(info.name, document.name, field)
                        _read_again(f"**{plain(document.name)}** is deleted: {n}.")
        with st.container(height=500, border=False):
            for chunk in document.chunks:
                with st.container(border=True, gap="xxsmall"):
                    st.caption(plain(f"{chunk.id} · {counted(len(chunk.text.split()), 'word')}"))
                    st.markdown(plain(chunk.text))


def _may_delete(info: CollectionInfo, demo: bool) -> bool:
    """Whether anything of the collection can be deleted now; shows the reason if not."""
    job = services.jobs().current
    if demo:
        st.caption("In demo mode nothing can be deleted.")
    elif job and job.running and job.collection == info.name:
        st.caption("Documents are being added to it. Stop that first.")
    else:
        return True
    return False


def _read_again(message: str) -> None:
    read_documents.clear()
    nearest_chunks.clear()
    st.session_state.corpus_message = message
    st.rerun()
