"""Adding documents: choose files, preview their chunks, start; then progress, stop and resume, without the page too."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import streamlit as st

from pages.components.shared import services, visitors
from pages.components.shared.long_work import duration
from pages.components.shared.text import plain, show_error, show_errors
from pages.components.shared.visitors import check_read, may_make, most_megabytes
from trace_core.demo import DEMOS
from trace_core.errors import InputError, counted
from trace_core.facts.sentences import document_sentences
from trace_core.retrieval.chunks import CHUNKING, LEAST_WORDS, MOST_WORDS, Chunking
from trace_core.retrieval.collections import check_name
from trace_core.retrieval.ingest import IngestJob, points
from trace_core.retrieval.sources import SUFFIXES, File, Source, check_files, read_file

MOST_CHARACTERS, MOST_CHUNKS, PAGE, MOST_ERRORS = 2_000_000, 1000, 25, 100
"""Of a file's texts and of all chunks in the preview, chunks on one of its pages, and errors that are named."""


def add_documents(names: Sequence[str], demo: bool) -> None:
    """Draw name and button, the files, and every chunk that they will become."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        collection = st.selectbox(
            "Into the collection",
            [name for name in names if visitors.is_mine("collection", name)],
            index=None,
            accept_new_options=True,
            placeholder="Choose one, or type a new name",
            key="corpus_into",
            width=360,
        )
        button = st.container(width="content")
        with st.popover("Chunks", icon=":material/content_cut:", type="tertiary"):
            about = (
                "A chunk holds whole sentences, rows or items, up to this number of words. The packaged model reads "
                "about 190 of them."
            )
            span = LEAST_WORDS, MOST_WORDS, CHUNKING.words, 10
            words = st.number_input("Words a chunk", *span, key="corpus_words", help=about, persist_state="session")
            about = "A chunk begins with this many of the last sentences of the one before, where they fit."
            label, span = "Sentences of overlap", (0, 10, CHUNKING.overlap, 1)
            overlap = st.number_input(label, *span, key="corpus_overlap", help=about, persist_state="session")
            chunking = Chunking(words, overlap)
    reason = st.empty()
    show_job(demo)
    files = _uploads()
    lacking = [what for what, there in (("name a collection", collection), ("choose files", files)) if not there]
    if lacking:
        reason.caption(f"To add documents, {' and '.join(lacking)}. You see their chunks before anything is written.")
    add = button.button("Add these documents", icon=":material/playlist_add:", type="primary", disabled=bool(lacking))
    if files:
        _preview(files, chunking)
    if add and collection:
        _begin(collection, list(files.values()), chunking, new=collection not in names, demo=demo)


def _uploads() -> dict[str, File]:
    """The files by the ids of their uploads; none, with the reason on the page, where they cannot be used."""
    uploads = st.file_uploader(
        "Files",
        type=[suffix[1:] for suffix in SUFFIXES],
        accept_multiple_files=True,
        key="corpus_files",
        max_upload_size=most_megabytes(),
        help="A file of the same name replaces its older version in the collection. Each row of a table or "
        "list is a document, with its text in a column such as text or content.",
    )
    files = {
        upload.file_id: File(upload.name, upload.name, upload.getvalue(), visitors.unpack_limit()) for upload in uploads
    }
    try:
        check_files(files.values())
    except InputError as error:
        show_error(error)
        return {}
    return files


def _preview(files: Mapping[str, File], chunking: Chunking) -> None:
    chunks: list[Mapping[str, object]] = []
    for each in (each for key, file in files.items() if len(chunks) < MOST_CHUNKS for each in beginning(key, file)):
        if isinstance(each, InputError):
            st.warning(f"Skipped: {plain(str(each))}", icon=":material/block:")
        else:
            chunks += [chunk.point.payload for chunk in points("", each, chunking)]
    preview, size = chunks[:MOST_CHUNKS], sum(file.size for file in files.values())
    most = "" if len(chunks) < MOST_CHUNKS else f", the first {MOST_CHUNKS:,} shown"
    about = f"{counted(len(preview), 'chunk')} of {counted(len(files), 'file')}, {size / 1000:,.1f} kB"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"## {about}{most}", width="stretch")
        pages = -(-len(preview) // PAGE)
        page = st.pagination(pages, key="corpus_preview") if pages > 1 else 1
    for number, payload in list(enumerate(preview))[(page - 1) * PAGE : page * PAGE]:
        text = str(payload["text"])
        sentences = document_sentences(number, text)
        counts = f"{counted(len(text.split()), 'word')}, {counted(len(sentences), 'sentence')}"
        with st.container(border=True, gap="xxsmall"):
            st.caption(" · ".join(plain(str(part)) for part in (payload["id"], payload.get("title"), counts) if part))
            st.markdown("\n".join(f"- **{s.key}** {plain(s.text)}" for s in sentences))


def beginning(key: str, file: File) -> list[Source | InputError]:
    """The documents of the file that the key stands for, as far as they are shown, or the error."""
    try:
        return _read(key, file)
    except InputError as error:  # the demo's visitor reached the limit
        return [error]


@st.cache_data(max_entries=50, max_size="20MB", show_spinner="Reading …")
def _read(key: str, _file: File) -> list[Source | InputError]:
    """The documents of a file, up to the preview's characters; cached between reruns."""
    check_read()
    documents: list[Source | InputError] = []
    left = MOST_CHARACTERS
    for each in islice(read_file(_file), MOST_CHUNKS):
        documents.append(replace(each, text=each.text[:left]) if isinstance(each, Source) else each)
        left -= len(each.text) if isinstance(each, Source) else 0
        if left <= 0:
            break
    return documents


def _begin(collection: str, uploads: Sequence[File], chunking: Chunking, *, new: bool, demo: bool) -> None:
    """Start the job, which the page then shows. It keeps the uploads' bytes, which end with their page."""
    if not may_make():
        return
    with show_errors():
        if new:
            check_name(collection)
        if demo and collection in DEMOS:
            raise InputError("In demo mode the demo's own collections stay as they are.", "Type a new name.")
        visitors.claim_collection(collection, collection in services.collections().names())
        job = IngestJob(services.collections(), collection, uploads, chunking)
        services.jobs().begin(job)
        st.session_state.setdefault("corpus_jobs", set()).add(job.id)
        st.session_state["collection-next"] = collection  # which then is there
        st.rerun()


def show_job(demo: bool) -> None:
    """Show the ingest that is running or has ended, if there is one. Only the visitor who started it is told that it is
    done. Others see it while something is left to do: in demo mode only that they must wait, elsewhere all of it,
    because they may have started it before they reloaded the page."""
    job = services.jobs().current
    if job is None:
        return
    mine, running = job.id in st.session_state.get("corpus_jobs", set()), job.running
    if demo and not mine:
        if running:
            st.info("Another visitor is adding documents. You can add yours when they are done.")
    elif mine or job.phase != "done":
        st.fragment(_panel, run_every=1.0 if running else None)(job, running)


def _panel(job: IngestJob, was_running: bool) -> None:
    if was_running and not job.running:
        st.rerun()
    with st.container(border=True):
        (_at_work if job.running else _end)(job)
        if n := job.contents.failures:
            first = f", the first {MOST_ERRORS}" if n > MOST_ERRORS else ""
            with st.expander(f"{n:,} skipped{first}", expanded=not job.running, icon=":material/block:"):
                st.markdown("\n".join(f"- {plain(str(error))}" for error in job.contents.errors[:MOST_ERRORS]))


def _at_work(job: IngestJob) -> None:
    st.markdown(f"## Adding to {plain(job.collection)}")
    if job.phase == "checking":
        words = f"Reading the files: {counted(job.contents.sources, 'document')} so far"
    else:
        words = f"{job.progress.sources:,} of {counted(job.contents.sources, 'document')}, {_chunks(job)}"
        words += f", {duration(job.left)} left" if job.left is not None else ""
    st.progress(job.share, plain(words))
    st.caption("You can close this page; it continues.")
    # A callback runs before anything is redrawn, so the click is not lost to a redraw at the same moment.
    action: dict[str, Any] = {"on_click": job.stop, "disabled": job.stopping, "key": f"corpus_stop-{job.id}"}
    st.button("Stopping …" if job.stopping else "Stop adding", icon=":material/stop_circle:", **action)


def _chunks(job: IngestJob) -> str:
    return f"{counted(job.progress.chunks, 'chunk')} ({job.progress.new_chunks:,} new)"


def _end(job: IngestJob) -> None:
    name = f"**{plain(job.collection)}**"
    result = f"{counted(job.progress.sources, 'document')}, {_chunks(job)}, in {duration(job.seconds)}"
    if job.phase == "done":
        st.success(f"Added to {name}: {result}.", icon=":material/check_circle:")
    elif job.error:
        show_error(job.error)
    else:
        st.warning(f"Stopped. In {name} so far: {result}. Resume continues from here.", icon=":material/pause_circle:")
    with st.container(horizontal=True, vertical_alignment="center"):
        if job.phase == "done":
            if st.button("Ask it", icon=":material/search:"):
                st.session_state["collection-next"] = job.collection
                st.switch_page("pages/ask.py")
        elif st.button("Resume", icon=":material/play_circle:"):
            job.start()
            st.rerun()
        if st.button("Close", icon=":material/close:"):
            services.jobs().dismiss()
            st.rerun()
