"""Data sets: upload a file, map its columns, look at the rows, store them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.components.runs import new
from pages.components.runs.golden_editor import golden_questions
from pages.components.runs.mapping import edit_mapping, show_coverage
from pages.components.shared import access, services, visitors
from pages.components.shared.long_work import progress_words
from pages.components.shared.text import plain, show_error, time_text
from trace_core.datasets import FORMATS_READ, ColumnMapping, DataSet, read_dataset
from trace_core.datasets.dataset import PREVIEW, SHOWN, Mapped
from trace_core.datasets.files import FORMATS
from trace_core.datasets.mapping import SHEET
from trace_core.datasets.rows import RECORDED
from trace_core.errors import TraceError, counted
from trace_core.runs import import_run
from trace_core.runs.files.dataset import plain_row, save_rows
from trace_core.runs.files.reader import open_run
from trace_core.runs.progress import Progress

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


def data_sets() -> None:
    """Draw the tab."""
    st.caption(
        "CSV, JSON, JSONL, Excel or Parquet, with any columns. These are known: "
        f"{', '.join(FORMATS_READ)}; and our own exports. A run file (trace-run/1) is imported as a run."
    )
    uploaded = st.file_uploader(
        "File",
        type=[ending.removeprefix(".") for ending in FORMATS],
        key="dataset-file",
        max_upload_size=visitors.most_megabytes(),
    )
    if uploaded is not None:
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"upload{Path(uploaded.name).suffix.lower()}"
                path.write_bytes(uploaded.getbuffer())
                _uploaded(path, uploaded.name, uploaded.file_id)
        except TraceError as error:
            show_error(error)
    golden_questions()
    _kept()


def _uploaded(path: Path, name: str, file_id: str) -> None:
    if _is_run(path):
        _import(path, name)
        return
    named = _named(path, name, file_id)
    mapping = edit_mapping(named, f"{file_id}-{next(iter(named.mapping.sheets), '')}")
    try:
        seen = previewed(f"{file_id} {mapping}", path, name, mapping)
    except TraceError as error:
        show_error(error)
        return
    left_out = _show(seen, file_id)
    _offer(path, name, seen, file_id, left_out)


def _named(path: Path, name: str, file_id: str) -> DataSet:
    """The first rows, of the sheet that is picked where there are several, read by names."""
    named = previewed(file_id, path, name, None)
    sheets = named.mapping.sheets
    if len(sheets) < 2:
        return named
    sheet = st.selectbox("Sheet", sheets, key=f"sheet-{file_id}", format_func=plain)
    return named if sheet == sheets[0] else previewed(f"{file_id} {sheet}", path, name, {SHEET: sheet})


def _offer(path: Path, name: str, seen: DataSet, file_id: str, left_out: frozenset[str]) -> None:
    """Save the rows, or have them scored at once with the usual settings."""
    mapping = seen.mapping
    ready = {item.kind for item in seen.items} - left_out
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = _title(name, file_id)
        score = (
            "ask" not in ready
            and any(not item.unanswered for item in seen.items)
            and (st.button("Score these rows", icon=":material/play_arrow:", key="dataset-score", type="primary"))
        )
        save = st.button("Save this data set", icon=":material/save:", key="dataset-keep", disabled=not seen.items)
    repeats_out = _repeats(file_id)
    labeler = RECORDED if ready == {"labeled"} else new.usual_labeler()
    if "ask" not in ready and ready:
        new.show_estimate([plain_row(item) for item in seen.items if item.kind not in left_out], labeler)
    if score or save:
        made = _save(path, name, mapping, title, file_id, repeats_out, left_out)
        if made and score:
            dataset = next(one for one in access.datasets() if one.id == made)
            new.start_usual(dataset, title, labeler)


@st.cache_data(max_entries=10, show_spinner=False)
def previewed(key: str, _path: Path, _name: str, _mapping: Mapped) -> DataSet:
    """The first rows; cached between reruns. Raises `InputError`."""
    visitors.check_read()
    return read_dataset(_path, name=_name, mapping=_mapping, most=PREVIEW, texts=_texts)


def _texts(collection: str, ids: Sequence[str]) -> dict[str, str]:
    """Document id → text, for documents in Qdrant that a trace names by id."""
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


def _show(seen: DataSet, file_id: str) -> frozenset[str]:
    """The fields, the first rows as they will be read, and what is wrong; returns the kinds of rows to leave out."""
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
        with st.container(key="mapping-rows"):
            st.caption("The first rows, as they will be read.")
            st.table(rows, hide_index=True)
    _errors(seen)
    return _lacking(seen, file_id)


def _lacking(seen: DataSet, file_id: str) -> frozenset[str]:
    """The kinds of rows that a person leaves out, because they lack what other rows have."""
    kinds = seen.kinds
    left_out = set()
    for kind, lacks, alternative in (
        ("ask", "documents", "Keep them: a run retrieves documents from a collection"),
        ("answer", "an answer", "Keep them: a run answers them if told to"),
    ):
        n = kinds.get(kind, 0)
        if n and n < len(seen.items) and "question" in seen.mapping.fields:
            out = f"Leave out {counted(n, 'row')} without {lacks}"
            picked = st.radio(f"Rows without {lacks}", [out, alternative], key=f"lacking-{kind}-{file_id}",
                              label_visibility="collapsed", horizontal=True)  # fmt: skip
            left_out |= {kind} if picked == out else set()
    return frozenset(left_out)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _errors(found: DataSet) -> None:
    """One line per cause, however many rows it affects."""
    if not found.errors:
        return
    with st.container(border=True):
        rows = counted(len(found.errors), "row")
        st.markdown(f"**{rows} cannot be used.** The other rows can be saved without them.")
        for cause, places in list(found.causes.items())[:SHOWN_CAUSES]:
            st.text(f"{cause}{_places(places)}")
        if len(found.causes) > SHOWN_CAUSES:
            st.caption(f"… and {len(found.causes) - SHOWN_CAUSES} more causes")


def _places(rows: Sequence[int]) -> str:
    """The rows: “ (rows 1, 2, 3 and 12 more)”."""
    named, more = ", ".join(map(str, rows[:SHOWN_ROWS])), len(rows) - SHOWN_ROWS
    return f" (row{'s' if len(rows) > 1 else ''} {named}{f' and {more:,} more' if more > 0 else ''})" if rows else ""


def _title(name: str, file_id: str) -> str:
    """The name for the data set, which is the file's; a note says if the name is already used."""
    title = st.text_input("Name of the data set", Path(name).stem, key=f"dataset-name-{file_id}").strip()
    title = title or Path(name).stem
    if any(one.name == title for one in access.datasets()):
        st.caption(f"There is a data set called “{plain(title)}” already. Another name tells the two apart.")
    return title


def _repeats(file_id: str) -> bool | None:
    """Whether repeated rows are left out; `None` until it is known that there are some, and the person has answered."""
    asked, n = st.session_state.get("dataset-repeats", ("", 0))
    if asked != file_id:
        return None
    left_out, kept = "Leave the repeats out", "Keep every row"
    says = f"{n:,} row{'s repeat' if n > 1 else ' repeats'} another row word for word."
    answer = st.radio(says, [left_out, kept], index=None, key=f"repeats-{file_id}", horizontal=True)
    return None if answer is None else answer == left_out


def _save(
    path: Path, name: str, mapping: ColumnMapping, title: str, file_id: str, repeats_out: bool | None,
    left_out: frozenset[str],
) -> str | None:  # fmt: skip
    """Read all rows and save them; the data set's id, or nothing where a person has to answer first."""
    visitors.check_read()
    with st.spinner("Reading all rows …"):
        found = read_dataset(path, name=name, mapping=mapping, texts=_texts)
        items = [item for item in found.items if item.kind not in left_out]
        if not items:
            _errors(found)
            return None
        once = list({item.model_dump_json(): item for item in items}.values())
        if len(once) < len(items) and repeats_out is None:
            st.session_state["dataset-repeats"] = file_id, len(items) - len(once)
            st.rerun()
        items = once if repeats_out else items
        visitors.check_rows(len(items))
        if not visitors.may_make():
            return None
        before = {one.id: one.name for one in access.datasets()}
        made = access.save_dataset(lambda: save_rows(services.store().datasets, title, items))
    if made in before:
        st.info(f"These rows are already saved as “{plain(before[made])}”. Nothing was added.")
    else:
        st.success(f"Saved {counted(len(items), 'row')}.")
        _errors(found)
    _next(made)
    return made


def _next(dataset_id: str) -> None:
    label = "Set up a run of these rows"
    st.button(label, icon=":material/play_arrow:", key="dataset-run", on_click=new.set_up, args=(dataset_id,))


def _kept() -> None:
    kept = access.datasets()
    if not kept:
        st.info("There is no data set yet. Upload a file above.")
        return
    st.subheader("Saved data sets", anchor=False)
    for one in kept:
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
                    st.button("Delete this data set", key=f"dropped-{one.id}", on_click=_drop, args=(one.id,))


def _drop(dataset_id: str) -> None:
    services.store().datasets.delete_dataset(dataset_id)
