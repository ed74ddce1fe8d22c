"""Data sets: upload a file, say which column is what, look at the rows, keep them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.components.runs.golden_editor import golden_questions
from pages.components.runs.progress import progress_words
from pages.components.shared import access, services, visitors
from pages.components.shared.text import plain, show_error, time_text
from trace_core.datasets import ColumnMapping, DataSet, preview, read_dataset
from trace_core.datasets.mapping import FIELDS
from trace_core.datasets.raw import FORMATS
from trace_core.errors import TraceError
from trace_core.runs import import_run
from trace_core.runs.files.dataset import save_rows
from trace_core.runs.files.reader import open_run
from trace_core.runs.progress import Progress

KINDS = {
    "ask": "have no documents: a run retrieves them",
    "answer": "have documents but no answer: a run leaves them out unless told to answer them",
    "label": "have documents and an answer: a run labels them",
    "labeled": "have labels: they can be scored as they are",
    "scores": "have scores only",
}
WORK = {
    "ask": "retrieve, label",
    "answer": "answer if told to, label",
    "label": "label",
    "labeled": "score (or label anew)",
    "scores": "show the scores",
}
SHOWN_ERRORS = 20
USUAL = ("id", "question", "documents", "response", "reference_answer", "expected_documents", "category")


def data_sets() -> None:
    """Draw the tab."""
    st.caption(
        "CSV, JSON, JSONL, Excel or Parquet: RAGBench rows, golden questions, scores with ground truth, what Ragas, "
        "DeepEval, LangSmith and others write, or columns of your own. A run file (trace-run/1) is imported as a run."
    )
    uploaded = st.file_uploader(
        "File",
        type=[ending.removeprefix(".") for ending in FORMATS],
        key="dataset-file",
        max_upload_size=visitors.most_megabytes(),
    )
    if uploaded is not None:
        try:
            visitors.check_upload(uploaded.size)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"upload{Path(uploaded.name).suffix.lower()}"
                path.write_bytes(uploaded.getbuffer())
                _uploaded(path, uploaded.name)
        except TraceError as error:
            show_error(error)
    golden_questions()
    _kept()


def _uploaded(path: Path, name: str) -> None:
    if _is_run(path):
        _import(path, name)
        return
    guessed = preview(path, name=name, texts=_texts)
    mapping = _mapping(guessed.mapping)
    try:
        seen = preview(path, name=name, mapping=mapping, texts=_texts)
    except TraceError as error:
        show_error(error)
        return
    _show(seen)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.text_input("Name of the data set", Path(name).stem, key="dataset-name")
        if st.button("Save this data set", icon=":material/save:", key="dataset-keep"):
            _save(path, name, mapping, title)


def _texts(collection: str, ids: Sequence[str]) -> dict[str, str]:
    """What Qdrant holds of the documents that a trace names by id."""
    return services.collections().texts(collection, ids)


def _is_run(path: Path) -> bool:
    with path.open("rb") as file:
        return path.suffix == ".json" and b'"trace-run/' in file.read(2000)


def _import(path: Path, name: str) -> None:
    if not st.button(f"Import the run in {plain(name)}", icon=":material/download:", key="run-import"):
        st.info("This is a run file. Import it to see its run in the list.")
        return
    if not visitors.may_make():
        return
    visitors.check_rows(open_run(path, name).head.counts.total)
    bar = st.progress(0.0, "Importing …")

    def tell(now: Progress) -> None:
        bar.progress(min(1.0, now.done / max(1, now.total)), progress_words(now))

    run_id, new = import_run(services.store().runs, path, name, tell)
    bar.empty()
    if new:
        access.claim("run", run_id)
    said = "Imported." if new else "This run is already here. Nothing changed."
    st.success(said)
    st.link_button("Open the run", f"?run={run_id}")


def _mapping(guessed: ColumnMapping) -> ColumnMapping:
    """Which column is which field; what was guessed can be changed."""
    with st.expander(f"Column mapping: {guessed.layout}", expanded="question" not in guessed.fields):
        fields = dict.fromkeys([*USUAL, *guessed.fields])
        chosen: dict[str, str | None] = {}
        places = st.columns(3)
        for i, field in enumerate(field for field in FIELDS if field in fields):
            options = [None, *guessed.choices]
            named = guessed.fields.get(field)
            chosen[field] = places[i % 3].selectbox(
                field, options, index=options.index(named), format_func=lambda c: c or "no column",
                key=f"column-{field}",
            )  # fmt: skip
    return guessed.changed(chosen)


def _show(seen: DataSet) -> None:
    """The first rows as they will be read, and what is wrong with the others."""
    for kind, n in seen.kinds.items():
        st.markdown(f"Of the first {len(seen.items) + len(seen.errors)} rows **{n}** {KINDS[kind]}.")
    for note in seen.mapping.notes:
        st.warning(plain(note))
    if unused := seen.mapping.unused:
        st.caption(plain(f"Not mapped, kept with each row: {', '.join(unused)}."))
    _errors(seen)
    rows = [
        {
            "id": item.id or "",
            "question": item.question,
            "documents": len(item.documents or item.documents_sentences or []),
            "response": item.response or "",
            "a run will": "retrieve, answer if told to, label"
            if item.kind == "ask" and item.unanswered
            else WORK[item.kind],
        }
        for item in seen.items
    ]
    if rows:
        st.dataframe(rows, hide_index=True, key="dataset-preview")


def _errors(found: DataSet) -> None:
    if not found.errors:
        return
    with st.container(border=True):
        st.markdown(f"**{len(found.errors)} rows cannot be used.** The other rows can be saved without them.")
        for error in found.errors[:SHOWN_ERRORS]:
            st.text(str(error))
        if len(found.errors) > SHOWN_ERRORS:
            st.caption(f"… and {len(found.errors) - SHOWN_ERRORS} more")


def _save(path: Path, name: str, mapping: ColumnMapping, title: str) -> None:
    with st.spinner("Reading all rows …"):
        found = read_dataset(path, name=name, mapping=mapping, texts=_texts)
        if not found.items:
            _errors(found)
            return
        visitors.check_rows(len(found.items))
        if not visitors.may_make():
            return
        access.save_dataset(lambda: save_rows(services.store().datasets, title.strip() or name, found.items))
    st.success(f"{len(found.items)} rows are saved. Start a run in the tab “Runs”.")
    _errors(found)


def _kept() -> None:
    kept = access.datasets()
    if not kept:
        st.info("There is no data set yet. Upload a file above.")
        return
    st.subheader("Saved data sets", anchor=False)
    for one in kept:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(one.name)}**: {one.total:,} rows, {plain(time_text(one.created_at))}")
            if not services.settings().demo:
                with st.popover("Delete", icon=":material/delete:", key=f"drop-{one.id}"):
                    st.caption("Its runs stay, but can no longer be resumed.")
                    st.button("Delete this data set", key=f"dropped-{one.id}", on_click=_drop, args=(one.id,))


def _drop(dataset_id: str) -> None:
    services.store().datasets.delete_dataset(dataset_id)
