"""Adding documents: choose files, preview their chunks, and start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.components.corpus.job import show_job
from pages.components.shared import access, services
from pages.components.shared.text import plain, show_error
from pages.components.shared.visitors import check_read, check_upload, may_make, most_megabytes
from trace_core.demo import DEMOS
from trace_core.errors import InputError, TraceError, counted
from trace_core.facts.language import NOTE, is_english
from trace_core.facts.sentences import document_sentences
from trace_core.retrieval.chunks import CHUNK_WORDS, LEAST_WORDS, MOST_WORDS, OVERLAP_WORDS
from trace_core.retrieval.collections import check_name
from trace_core.retrieval.ingest import points
from trace_core.retrieval.job import Job
from trace_core.retrieval.sources import SUFFIXES, File, Source, checked, find_files, read_file

PREVIEWED, PREVIEW_CHARACTERS = 3, 20_000
"""The number of documents of a file, and of characters of each, that are read for the preview."""
PREVIEW_CHUNKS, PREVIEWED_FILES = 5, 10
MOST_NAMED = 500
"""The most files to choose the preview from."""


@dataclass(frozen=True, slots=True)
class Adding:
    """What is to be added, and the chunking."""

    collection: str
    files: list[File]
    words: int
    overlap: int


def add_documents(names: Sequence[str], demo: bool) -> None:
    """Draw the choice, the preview and the button."""
    collection = st.selectbox(
        "Into the collection",
        [name for name in names if access.is_mine("collection", name)],
        index=None,
        accept_new_options=True,
        placeholder="Choose one, or type a new name",
        key="corpus_into",
    )
    files = _chosen(demo)
    size, overlap = _chunking()
    if not files:
        st.info("Choose files to see their chunks and sentences before anything is written.")
    else:
        _preview(files, size, overlap)
    ready = bool(files) and collection is not None
    help_text = None if ready else "Name a collection and choose files first."
    if st.button("Add these documents", icon=":material/playlist_add:", disabled=not ready, help=help_text):
        assert collection is not None  # noqa: S101  # the button is disabled without one
        _begin(Adding(collection, files, size, overlap), names, demo)
    show_job(demo)


def _chunking() -> tuple[int, int]:
    left, right = st.columns(2)
    size = left.number_input(
        "Words a chunk", LEAST_WORDS, MOST_WORDS, CHUNK_WORDS, 10, key="corpus_words",
        help="A chunk holds whole sentences, up to this number of words. The packaged model reads about 190 of them.",
    )  # fmt: skip
    overlap = right.number_input(
        "Words of overlap", 0, LEAST_WORDS * 10, OVERLAP_WORDS, 5, key="corpus_overlap",
        help="A chunk begins with the last whole sentences of the one before, up to this number of words.",
    )  # fmt: skip
    if overlap >= size:
        st.caption(f"The overlap must be smaller than the chunk, so {size - 1} is used.")
    return size, min(overlap, size - 1)


def _chosen(demo: bool) -> list[File]:
    """Uploads, and files on this machine; none, with the reason on the page, where they cannot be used."""
    uploads = st.file_uploader(
        "Files", type=[suffix[1:] for suffix in SUFFIXES], accept_multiple_files=True, key="corpus_files",
        max_upload_size=most_megabytes(),
        help="A file of the same name replaces its older version in the collection. Tables and JSON lines are a "
        "document a row, with the text in a column called text or content.",
    )  # fmt: skip
    folder = "" if demo else _folder()
    try:
        found = [_upload(upload) for upload in uploads]
        links: list[InputError] = []
        local = find_files([Path(folder).expanduser()], links) if folder else []
        for link in links[:MOST_NAMED]:
            show_error(link)
        if folder and not local:
            raise InputError(f"No file here is of a kind that is read: {', '.join(SUFFIXES)}.", file=folder)
        check_upload(sum(file.size for file in found))
        return checked([*found, *local])
    except InputError as error:
        show_error(error)
    except OSError as error:
        show_error(InputError(f"It cannot be read ({error.strerror}).", file=folder))
    return []


def _folder() -> str:
    typed = st.text_input(
        "Or a file or folder on the machine that runs this",
        key="corpus_folder",
        placeholder="/home/me/documents",
        help="Everything of a kind that can be read, in the folders within too.",
    )
    return (typed or "").strip()


def _upload(upload: UploadedFile) -> File:
    return File(upload.name, upload.name, upload.getvalue())


def _preview(files: Sequence[File], size: int, overlap: int) -> None:
    st.markdown(f"##### Preview of {counted(len(files), 'file')}, {_bytes(files)}")
    chosen = files[:PREVIEWED_FILES]
    if len(files) > 1:
        number = st.selectbox(
            "Show",
            [None, *range(min(len(files), MOST_NAMED))],
            format_func=lambda i: "The beginning of all" if i is None else files[i].name,
            key="corpus_preview",
        )
        chosen = chosen if number is None else [files[number]]
    left, place, said = PREVIEW_CHUNKS, 0, False
    for each in (each for file in chosen for each in beginning(file)):
        if isinstance(each, InputError):
            st.warning(f"Skipped: {plain(str(each))}", icon=":material/block:")
        elif left > place:
            if not (said or is_english(each.text)):
                said = True
                st.warning(plain(NOTE), icon=":material/translate:")
            place += _sentences(each, place, size, overlap, left - place)
    if place:
        st.caption("Keys number the chunks shown here; in an answer they number the retrieved chunks.")


def _bytes(files: Sequence[File]) -> str:
    total = sum(file.size for file in files)
    return f"{total / 1000:,.1f} kB" if total < 1_000_000 else f"{total / 1_000_000:,.1f} MB"


def beginning(file: File) -> list[Source | InputError]:
    """The first documents of a file, or the error."""
    try:
        return _read(f"{file.place} {file.size} {_mark(file)}", file)
    except InputError as error:  # the demo's visitor reached the limit
        return [error]
    except OSError as error:
        return [InputError(f"It cannot be read ({error.strerror}).", file=file.place)]


@st.cache_data(max_entries=50, show_spinner="Reading …")
def _read(key: str, _file: File) -> list[Source | InputError]:
    """The first documents of a file, up to the preview's characters; cached between reruns."""
    check_read()
    found = list(islice(read_file(_file), PREVIEWED))
    return [replace(f, text=f.text[:PREVIEW_CHARACTERS]) if isinstance(f, Source) else f for f in found]


def _mark(file: File) -> str:
    """A mark that changes with a file's content, so that no outdated preview is shown for it."""
    content = file.content
    return str(content.stat().st_mtime_ns if isinstance(content, Path) else hash(content[:100_000]))


def _sentences(source: Source, place: int, size: int, overlap: int, most: int) -> int:
    """Show the first chunks of a document with their keyed sentences; returns the number of chunks."""
    shown = 0
    for shown, chunk in enumerate(islice(points("", source, size, overlap), most), start=1):
        text = str(chunk.point.payload["text"])
        sentences = document_sentences(place + shown - 1, text)
        with st.container(border=True):
            words = f"{counted(len(text.split()), 'word')}, {counted(len(sentences), 'sentence')}"
            about = (str(chunk.point.payload["id"]), str(chunk.point.payload.get("title", "")), words)
            st.caption(" · ".join(plain(part) for part in about if part))
            st.markdown("\n".join(f"- **{s.key}** {plain(s.text)}" for s in sentences))
    return shown


def _begin(adding: Adding, names: Sequence[str], demo: bool) -> None:
    """Start the job, which the page then shows; it keeps the uploads' bytes, which end with their page."""
    if not may_make():
        return
    try:
        if adding.collection not in names:
            check_name(adding.collection)
        if demo and adding.collection in DEMOS:
            raise InputError("In demo mode the demo's own collections stay as they are.", "Type a new name.")
        access.claim_collection(adding.collection, adding.collection in services.collections().names())
        job = Job(services.collections(), adding.collection, adding.files, (adding.words, adding.overlap))
        services.jobs().begin(job)
    except TraceError as error:
        show_error(error)
        return
    st.session_state.setdefault("corpus_jobs", set()).add(job.id)
    st.rerun()
