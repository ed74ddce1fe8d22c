"""Data sets: upload a file, map its columns, look at the rows, store them."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from pages.components.runs import new
from pages.components.runs.golden_editor import golden_questions
from pages.components.runs.mapping import edit_mapping, show_coverage
from pages.components.shared import access, services, visitors
from pages.components.shared.text import plain, show_error, time_text
from trace_core.datasets import FORMATS_READ, ColumnMapping, DataSet, Item, read_dataset
from trace_core.datasets.dataset import PREVIEW, SHOWN, Mapped
from trace_core.datasets.files import FORMATS
from trace_core.datasets.mapping import SHEET
from trace_core.datasets.rows import RECORDED
from trace_core.errors import TraceError, counted
from trace_core.runs.files.dataset import plain_row, save_rows
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.reader import open_run

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

WORK = {
    "ask": "retrieve, answer if told to, label",
    "answer": "answer if told to, label",
    "label": "label",
    "labeled": "score (or label anew)",
    "scores": "show the scores",
}
SHOWN_CAUSES, SHOWN_ROWS, VIEWED = 20, 5, 100
LONGEST = 160
"""The most characters of a text that are shown."""
REPEATS = "repeats"
LACKING = {
    "ask": ("without documents", "Keep them: a run retrieves documents from a collection"),
    "answer": ("without an answer", "Keep them: a run answers them if told to"),
    REPEATS: ("repeating another word for word", "Keep every row"),
}
"""The rows that are left out by default: which they are, and the alternative."""


def data_sets() -> None:
    """Draw the tab."""
    st.caption("CSV, JSON, JSONL, Excel or Parquet, with any columns. A run file (trace-run/1) is imported as a run.")
    endings = [ending.removeprefix(".") for ending in FORMATS]
    uploaded = st.file_uploader(
        "File", endings, key="dataset-file", max_upload_size=visitors.most_megabytes(),
        help=f"Read without a mapping: our own exports, and the files of {', '.join(FORMATS_READ)}.",
    )  # fmt: skip
    if uploaded is not None:
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"upload{Path(uploaded.name).suffix.lower()}"
                path.write_bytes(uploaded.getbuffer())
                is_run = path.suffix == ".json" and b'"trace-run/' in bytes(uploaded.getbuffer()[:2000])
                _import(path, uploaded.name) if is_run else _read(path, uploaded)
        except TraceError as error:
            show_error(error)
    golden_questions()
    _saved()


def _read(path: Path, file: UploadedFile) -> None:
    named = previewed(file.file_id, path, file.name, None)
    sheets = named.mapping.sheets
    if len(sheets) > 1:
        sheet = st.selectbox("Sheet", sheets, key=f"sheet-{file.file_id}", format_func=plain)
        named = previewed(f"{file.file_id} {sheet}", path, file.name, {SHEET: sheet})
    mapping = edit_mapping(named, f"{file.file_id}-{next(iter(named.mapping.sheets), '')}")
    seen = previewed(f"{file.file_id} {mapping}", path, file.name, mapping)
    _show(seen)
    _offer(path, file, seen, _left_out(seen, file.file_id))


def _offer(path: Path, file: UploadedFile, seen: DataSet, left_out: Collection[str]) -> None:
    """Save the rows, or have them scored at once with the usual settings."""
    ready = _without(seen.items, left_out)
    kinds = {item.kind for item in ready}
    scorable = "ask" not in kinds and any(not item.unanswered for item in ready)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = _title(file)
        score = scorable and st.button(
            "Score these rows", icon=":material/play_arrow:", key="dataset-score", type="primary"
        )
        save = st.button("Save this data set", icon=":material/save:", key="dataset-keep", disabled=not ready)
    labeler = RECORDED if kinds == {"labeled"} else new.labelers()[0]
    if scorable:
        new.show_estimate([plain_row(item) for item in ready], labeler)
    if (score or save) and (made := _save(path, file, seen.mapping, title, left_out)) and score:
        new.start_usual(next(one for one in access.datasets() if one.id == made), title, labeler)


@st.cache_data(max_entries=10, show_spinner=False)
def previewed(key: str, _path: Path, _name: str, _mapping: Mapped) -> DataSet:
    """The first rows; cached between reruns. Raises `InputError`."""
    visitors.check_read()
    return read_dataset(_path, name=_name, mapping=_mapping, most=PREVIEW, texts=_texts)


def _texts(collection: str, ids: Sequence[str]) -> dict[str, str]:
    """Document id → text, for documents in Qdrant that a trace names by id."""
    return services.collections().texts(collection, ids)


def _import(path: Path, name: str) -> None:
    if not st.button(f"Import the run in {plain(name)}", icon=":material/download:", key="run-import"):
        st.info("This is a run file. Import it to see its run in the list.")
        return
    if not visitors.may_make():
        return
    visitors.check_rows(open_run(path, name).head.counts.total)
    with st.spinner("Importing …"):
        run_id, is_new = import_run(services.store().runs, path, name)
    if is_new:
        access.claim("run", run_id)
    st.success("Imported." if is_new else "This run is already here. Nothing changed.")
    st.link_button("Open the run", f"?run={run_id}")


def _show(seen: DataSet) -> None:
    if seen.mapping.columns:
        show_coverage(seen)
    if seen.languages:
        st.warning(plain(seen.languages), icon=":material/translate:")
    for note in seen.mapping.notes:
        st.caption(plain(note))
    rows = [
        {
            "id": plain(item.id or ""),
            "question": plain(_short(item.question)),
            "documents": plain(_short(" · ".join(item.documents or []))),
            "answer": plain(_short(item.response or "")),
            "a run will": WORK[item.kind],
        }
        for item in seen.items[:SHOWN]
    ]
    if rows:
        st.caption("The first rows, as they will be read.")
        st.table(rows, hide_index=True, alt="The first rows")
    _errors(seen)


def _left_out(seen: DataSet, file_id: str) -> set[str]:
    """What a person leaves out: rows that repeat another, or lack what others have."""
    counts = {**seen.kinds, REPEATS: len(seen.items) - len(_without(seen.items, [REPEATS]))}
    left_out = set()
    for kind, (which, alternative) in LACKING.items():
        if 0 < counts.get(kind, 0) < len(seen.items) and "question" in seen.mapping.fields:
            out = f"Leave out {counted(counts[kind], 'row')} {which}"
            picked = st.radio(f"Rows {which}", [out, alternative], key=f"lacking-{kind}-{file_id}",
                              label_visibility="collapsed", horizontal=True)  # fmt: skip
            left_out |= {kind} if picked == out else set()
    return left_out


def _without(items: Sequence[Item], left_out: Collection[str]) -> list[Item]:
    if REPEATS in left_out:
        items = list({item.model_dump_json(): item for item in items}.values())
    return [item for item in items if item.kind not in left_out]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _errors(found: DataSet) -> None:
    """One line per cause, however many rows it affects: “… (rows 1, 2, 3 and 12 more)”."""
    if not found.errors:
        return
    with st.container(border=True):
        rows = counted(len(found.errors), "row")
        st.markdown(f"**{rows} cannot be used.** The other rows can be saved without them.")
        for cause, places in list(found.causes.items())[:SHOWN_CAUSES]:
            more = f" and {len(places) - SHOWN_ROWS:,} more" if len(places) > SHOWN_ROWS else ""
            named = f"row{'s' if len(places) > 1 else ''} {', '.join(map(str, places[:SHOWN_ROWS]))}{more}"
            st.text(f"{cause} ({named})")
        if len(found.causes) > SHOWN_CAUSES:
            st.caption(f"… and {len(found.causes) - SHOWN_CAUSES} more causes")


def _title(file: UploadedFile) -> str:
    """The name for the data set, which is the file's; a note says if the name is already used."""
    stem = Path(file.name).stem
    title = st.text_input("Name of the data set", stem, key=f"dataset-name-{file.file_id}").strip() or stem
    if any(one.name == title for one in access.datasets()):
        st.caption(f"There is a data set called “{plain(title)}” already. Another name tells the two apart.")
    return title


def _save(path: Path, file: UploadedFile, mapping: ColumnMapping, title: str, left_out: Collection[str]) -> str | None:
    """Read all rows and save them; the data set's id, or nothing where there are none, or the visitor may not."""
    visitors.check_read()
    with st.spinner("Reading all rows …"):
        found = read_dataset(path, name=file.name, mapping=mapping, texts=_texts)
        items = _without(found.items, left_out)
        visitors.check_rows(len(items))
        if not items or not visitors.may_make():
            return None
        before = {one.id: one.name for one in access.datasets()}
        made = access.save_dataset(lambda: save_rows(services.store().datasets, title, items))
    if made in before:
        st.info(f"These rows are already saved as “{plain(before[made])}”. Nothing was added.")
    else:
        st.success(f"Saved {counted(len(items), 'row')}.")
    st.button("Set up a run of these rows", icon=":material/play_arrow:", key="dataset-run", on_click=new.set_up,
              args=(made,))  # fmt: skip
    return made


def _saved() -> None:
    saved = access.datasets()
    if not saved:
        st.info("There is no data set yet. Upload a file above.")
        return
    delete = services.store().datasets.delete_dataset
    st.subheader("Saved data sets", anchor=False)
    for one in saved:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            when = plain(time_text(one.created_at))
            st.markdown(f"**{plain(one.name)}**: {one.total:,} rows, {when}", width="stretch")
            st.button("Run", icon=":material/play_arrow:", key=f"run-{one.id}", on_click=new.set_up, args=(one.id,))
            view = st.popover("View", icon=":material/table_rows:", key=f"view-{one.id}", on_change="rerun")
            if view.open:
                rows = [row.row for row in services.store().datasets.rows(one.id, limit=VIEWED)]
                view.caption(f"The first {VIEWED} rows." if one.total > VIEWED else "All rows.")
                view.dataframe(rows, hide_index=True, width=900, key=f"rows-{one.id}")
            if not services.settings().demo:
                with st.popover("Delete", icon=":material/delete:", key=f"drop-{one.id}"):
                    st.caption("Its runs stay, but can no longer be resumed.")
                    st.button("Delete this data set", key=f"dropped-{one.id}", on_click=delete, args=(one.id,))
