"""Data sets: upload a file, say which column holds what, look at the rows, store them."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from pages.components.runs import new
from pages.components.runs.golden_editor import golden_questions
from pages.components.shared import services, visitors
from pages.components.shared.text import plain, show_errors, time_text
from trace_core.datasets import FORMATS_READ, ColumnMapping, DataSet, Item, read_dataset
from trace_core.datasets.dataset import PREVIEW, SAMPLE
from trace_core.datasets.files import FORMATS, open_rows
from trace_core.datasets.mapping import FIELDS, NO, SHEET, WORDS, YES, MappingSpec, sheet_of
from trace_core.datasets.rows import RECORDED
from trace_core.errors import counted, cut
from trace_core.facts.cleaning import read_truth
from trace_core.facts.strict import valid_text
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.reader import looks_like_a_run, open_run
from trace_core.runs.files.row_records import plain_row, save_rows
from trace_core.runs.files.suggestion import suggest
from trace_core.store.mappings import recall, remember

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

WORK = {
    "ask": "retrieve, answer on request, label",
    "answer": "answer on request, label",
    "label": "label",
    "labeled": "score (or label anew)",
    "scores": "show the scores",
}
MOST_CAUSES, MOST_ROWS, VIEW = 20, 5, 100
LONGEST = 160
"""The most characters of a text in a table."""
REPEATS = "repeats"
LACKING = {
    "ask": ("without documents", "Otherwise a run retrieves documents from a collection."),
    "answer": ("without an answer", "Otherwise a run answers them on request."),
    REPEATS: ("repeating another word for word", "Otherwise every row is a record."),
}
"""The rows that are left out unless a person keeps them: which they are, and what becomes of them then."""
GROUPING = {YES: "One record a question, with all its passages", NO: "One record a row"}
USUAL = "id question documents response reference_answer expected_documents category adherence_score".split()
LABELS = {"response": "answer"}
"""Fields that are called otherwise on the page."""
MOST_COLUMNS = 8
"""The most columns to choose from beside a question; the table has all."""
FieldColumns = dict[str, str | None]


class Upload(NamedTuple):
    """A file that a person chose: where it lies while it is read, its name, and what tells it from other uploads."""

    path: Path
    name: str
    id: str


def data_sets() -> None:
    """Draw the tab."""
    st.caption("CSV, JSON, JSONL, Excel or Parquet, with any columns. A run file (trace-run/1) is imported as a run.")
    file = st.file_uploader(
        "File",
        [ending.removeprefix(".") for ending in FORMATS],
        key="dataset-file",
        max_upload_size=visitors.most_megabytes(),
        help=f"Read without a mapping: our own exports, and the files of {', '.join(FORMATS_READ)}.",
    )
    if file is not None:
        with show_errors(), tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"upload{Path(file.name).suffix.lower()}"
            path.write_bytes(file.getbuffer())
            (_import if looks_like_a_run(path) else _read)(Upload(path, file.name, file.file_id))
    golden_questions()
    _list()


def _read(file: Upload) -> None:
    by_names = preview(file.id, file.path, file.name, None)
    sheets = by_names.mapping.sheets
    if len(sheets) > 1:
        sheet = st.selectbox("Sheet", sheets, key=f"sheet-{file.id}")
        by_names = preview(f"{file.id} {sheet}", file.path, file.name, {SHEET: sheet})
    mapping = _edit_mapping(by_names, f"{file.id}-{next(iter(by_names.mapping.sheets), '')}")
    rows = preview(f"{file.id} {mapping}", file.path, file.name, mapping)
    if long := rows.long or st.session_state.get(f"long-{file.id}"):
        menu: dict[str, Any] = {"options": list(GROUPING), "format_func": GROUPING.__getitem__, "index": None}
        group = st.radio(plain(f"{long} What is a record?"), key=f"group-{file.id}", **menu)
        mapping = replace(mapping, group=group or "")
        rows = preview(f"{file.id} {mapping}", file.path, file.name, mapping)
    _show(rows)
    left_out = _left_out(rows, file.id)
    ready = [] if rows.long and not rows.mapping.group else _without(rows.items, left_out)
    kinds = {item.kind for item in ready}
    scorable = "ask" not in kinds and any(not item.unanswered for item in ready)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        stem = Path(file.name).stem
        title = st.text_input("Name of the data set", stem, key=f"dataset-name-{file.id}").strip() or stem
        label = "Score these rows"
        score = scorable and st.button(label, icon=":material/play_arrow:", key="dataset-score", type="primary")
        save = st.button("Save this data set", icon=":material/save:", key="dataset-keep", disabled=not ready)
    labeler = RECORDED if kinds == {"labeled"} else new.labelers()[0]
    if scorable:
        seconds = new.show_estimate([plain_row(item) for item in ready], labeler)
    if (score or save) and (dataset_id := _save(file, rows.mapping, title, left_out)) and score:
        dataset = services.store().datasets.load_dataset(dataset_id)
        new.start_usual(dataset, title, labeler, seconds)


@st.cache_data(max_entries=10, max_size="30MB", show_spinner=False)
def preview(key: str, _path: Path, _name: str, _mapping: MappingSpec) -> DataSet:
    """The first rows; cached between reruns. Raises `InputError`."""
    visitors.check_read()
    return _rows(_path, _name, _mapping, PREVIEW)


def _rows(path: Path, name: str, mapping: MappingSpec, most: int | None) -> DataSet:
    """Up to `most` rows of an upload, with the texts of documents that a trace names by id. Raises `InputError`."""
    file = open_rows(path, name, sheet_of(mapping), visitors.unpack_limit())
    return read_dataset(
        file, name=name, mapping=mapping, most=most, texts=lambda *ids: services.collections().texts(*ids)
    )


def _import(file: Upload) -> None:
    if not st.button(f"Import the run in {plain(file.name)}", icon=":material/download:", key="run-import"):
        st.info("This is a run file. Import it to see its run in the list.")
        return
    if not visitors.may_make():
        return
    visitors.check_rows(open_run(file.path, file.name).head.counts.total)
    with st.spinner("Importing …"):
        run_id, is_new = import_run(services.store().runs, file.path, file.name)
    if is_new:
        visitors.claim("run", run_id)
    st.success("Imported." if is_new else "This run is already here. Nothing changed.")
    st.link_button("Open the run", f"?run={run_id}")


def _show(rows: DataSet) -> None:
    if rows.mapping.columns:
        _show_coverage(rows)
    if rows.languages:
        st.warning(plain(rows.languages), icon=":material/translate:")
    for note in (*rows.without, *rows.mapping.notes):
        st.caption(plain(note))
    lines = [
        {
            "id": plain(item.id or ""),
            "question": plain(cut(item.question, LONGEST)),
            "documents": plain(cut(" · ".join(item.documents or []), LONGEST)),
            "answer": plain(cut(item.response or "", LONGEST)),
            "a run will": WORK[item.kind],
        }
        for item in rows.items[:SAMPLE]
    ]
    if lines:
        st.caption("The first rows, as they will be read.")
        st.table(lines, hide_index=True, alt="The first rows")
    if causes := rows.causes:
        with st.container(border=True):
            rest = " The other rows can be saved without them." if rows.items else ""
            st.markdown(f"**{counted(len(rows.errors), 'row')} cannot be used.**{rest}")
            for cause, places in list(causes.items())[:MOST_CAUSES]:
                more = f" and {len(places) - MOST_ROWS:,} more" if len(places) > MOST_ROWS else ""
                numbers = ", ".join(map(str, places[:MOST_ROWS]))
                st.text(f"{cause} (row{'s' if len(places) > 1 else ''} {numbers}{more})")
            if len(causes) > MOST_CAUSES:
                st.caption(f"… and {len(causes) - MOST_CAUSES} more causes")


def _left_out(rows: DataSet, file_id: str) -> set[str]:
    """What a person leaves out: rows that repeat another, or lack what others have."""
    counts = {**rows.kinds, REPEATS: len(rows.items) - len(_without(rows.items, [REPEATS]))}
    left_out = set()
    for kind, (which, otherwise) in LACKING.items():
        if 0 < counts.get(kind, 0) < len(rows.items) and "question" in rows.mapping.fields:
            label = f"Leave out {counted(counts[kind], 'row')} {which}"
            if st.checkbox(label, value=True, key=f"lacking-{kind}-{file_id}", help=otherwise):
                left_out.add(kind)
    return left_out


def _without(items: Sequence[Item], left_out: Collection[str]) -> list[Item]:
    if REPEATS in left_out:
        items = list({item.model_dump_json(): item for item in items}.values())
    return [item for item in items if item.kind not in left_out]


def _save(file: Upload, mapping: ColumnMapping, title: str, left_out: Collection[str]) -> str | None:
    """Read all rows and save them; the data set's id, or nothing where there are none, or the visitor may not."""
    visitors.check_read()
    with st.spinner("Reading all rows …"):
        rows = _rows(file.path, file.name, mapping, visitors.most_rows())
        if rows.long and not mapping.group:  # in rows that the preview does not reach
            st.session_state[f"long-{file.id}"] = rows.long
            st.rerun()
        items = _without(rows.items, left_out)
        visitors.check_rows(len(items))
        if not items or not visitors.may_make():
            return None
        before = {one.id: one.name for one in visitors.datasets()}
        dataset_id = visitors.save_dataset(lambda: save_rows(services.store().datasets, title, items))
    if dataset_id in before:
        st.info(f"These rows are already saved as “{plain(before[dataset_id])}”. Nothing was added.")
    else:
        st.success(f"Saved {counted(len(items), 'row')}.")
    run: dict[str, Any] = {"key": "dataset-run", "on_click": new.set_up, "args": (dataset_id,)}
    st.button("Set up a run of these rows", icon=":material/play_arrow:", **run)
    return dataset_id


def _list() -> None:
    datasets = visitors.datasets()
    if not datasets:
        st.info("There is no data set yet. Upload a file above.")
        return
    delete = services.store().datasets.delete_dataset
    st.header("Saved data sets", anchor=False)
    for one in datasets:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            when = plain(time_text(one.created_at))
            st.markdown(f"**{plain(one.name)}**: {one.total:,} rows, {when}", width="stretch")
            st.button("Run", icon=":material/play_arrow:", key=f"run-{one.id}", on_click=new.set_up, args=(one.id,))
            view = st.popover("View", icon=":material/table_rows:", key=f"view-{one.id}", on_change="rerun")
            if view.open:
                rows = [row.row for row in services.store().datasets.rows(one.id, limit=VIEW)]
                view.caption(f"The first {VIEW} rows." if one.total > VIEW else "All rows.")
                view.dataframe(rows, hide_index=True, width=900, key=f"rows-{one.id}")
            if not services.settings().demo:
                with st.popover("Delete", icon=":material/delete:", key=f"drop-{one.id}"):
                    st.caption("Its runs stay, but can no longer be resumed.")
                    st.button("Delete this data set", key=f"dropped-{one.id}", on_click=delete, args=(one.id,))


def _edit_mapping(by_names: DataSet, file_id: str) -> ColumnMapping:
    """The mapping by names, with what a person changes; this is kept for the next file with the same columns."""
    mapping, folder = by_names.mapping, services.settings().data_dir
    before = {} if visitors.is_demo() else recall(folder, mapping.columns)
    if before:
        st.caption("The columns are read as in the last file with the same headings.")
    changes: FieldColumns = before | st.session_state.get(f"suggested-{file_id}", {})
    changes |= _missing(mapping.with_changes(changes), by_names, file_id)
    changes |= _table(mapping.with_changes(changes), by_names, file_id)
    own = {field: path for field, path in changes.items() if mapping.fields.get(field) != path}
    if own != before and not visitors.is_demo():
        remember(folder, mapping.columns, own)
    return mapping.with_changes(changes)


def _missing(mapping: ColumnMapping, rows: DataSet, file_id: str) -> FieldColumns:
    """The questions for the fields that no column is; each takes one click, or the judge proposes all of them."""
    if not mapping.missing:
        return {}
    choices: FieldColumns = {}
    with st.container(border=True, key="mapping-missing"):
        for field in mapping.missing:
            both, columns = mapping.unclear.get(field), mapping.likely(field)[:MOST_COLUMNS]
            menu: dict[str, Any] = {"captions": [plain(_example(rows, path)) for path in columns], "format_func": plain}
            about = f"{' and '.join(map(plain, both))} may each be it." if both else None
            menu |= {"index": None, "horizontal": True, "help": about, "key": f"missing-{field}-{file_id}"}
            choices[field] = st.radio(f"Which column holds {WORDS[field]}?", columns, **menu)
        llm = None if visitors.is_demo() else services.shared_llm()
        if llm:
            key, words = f"proposal-{file_id}", "The judge sees the headings and three rows."
            if st.button("Suggest", icon=":material/auto_awesome:", key=f"suggest-{file_id}", help=words):
                with show_errors(), st.spinner("Asking the judge …"):
                    st.session_state[key] = suggest(llm, mapping, rows.sample)
            if proposal := st.session_state.get(key):
                st.table([{"Field": LABELS.get(name, name), "Column": plain(path)} for name, path in proposal.items()])
                update = {f"suggested-{file_id}": proposal}
                use: dict[str, Any] = {"on_click": st.session_state.update, "args": (update,)}
                st.button("Use this mapping", icon=":material/check:", key=f"use-{file_id}", **use)
    return {field: choice for field, choice in choices.items() if choice}


def _example(rows: DataSet, path: str) -> str:
    """The first value of the column, so that a person sees what it holds."""
    cells = (rows.mapping.cell(row, path) for row in rows.sample)
    text = next((str(cell)[:60] for cell in cells if cell not in (None, "")), "empty")
    return " ".join(str(valid_text(text)).split())


def _table(mapping: ColumnMapping, rows: DataSet, file_id: str) -> FieldColumns:
    changes: FieldColumns = {}
    tool = f": a file of {mapping.tool}" if mapping.tool else ""
    with st.expander(plain(f"Fields and their columns{tool}")):
        places, options = st.columns(2, gap="medium"), [None, *mapping.choices]
        for n, field in enumerate(field for field in FIELDS if field in USUAL or field in mapping.fields):
            path = mapping.fields.get(field)
            before = path if isinstance(path, str) else None
            column = places[n % 2].selectbox(
                LABELS.get(field, field),
                options,
                index=options.index(before),
                format_func=lambda c: f"{c}  ·  {_example(rows, c)}" if c else "no column",
                key=f"column-{field}-{before}-{file_id}",
            )
            if field == "adherence_score" and column and not before:
                column = _rating(places[n % 2], rows, column, file_id)
            if column != before:
                changes[field] = column
    return changes


def _rating(place: DeltaGenerator, rows: DataSet, column: str, file_id: str) -> str | None:
    """People's ratings as text: which of the values mean that the answer is grounded?"""
    cells = [rows.mapping.cell(row, column) for row in rows.sample]
    cells += [(item.model_extra or {}).get(column) for item in rows.items]
    values = sorted({str(cell).strip() for cell in cells if cell not in (None, "")})
    about = "Every other value means “not grounded”; an empty cell says nothing."
    menu: dict[str, Any] = {"accept_new_options": True, "key": f"grounded-{column}-{file_id}", "help": about}
    usual = [value for value in values if read_truth(value)]
    good: list[str] = place.multiselect("Values that mean “grounded”", values, usual, **menu)
    if not good:
        place.caption("The ratings are not read until you name at least one value.")
    return f"{column} is {'|'.join(good)}" if good else None


def _show_coverage(rows: DataSet) -> None:
    """The fields with their columns and how many rows hold them, and the columns that are not read."""
    lines = [
        {
            "Field": LABELS.get(field, field),
            "Column": plain(str(path)),
            "Coverage": f"{rows.coverage[field]:,} of {rows.total:,} rows",
        }
        for field, path in rows.mapping.fields.items()
    ]
    st.table(lines, hide_index=True, alt="Fields with their coverage")
    if unread := rows.mapping.unread:
        st.caption(plain(f"Not read, kept with each row: {', '.join(unread)}."))
