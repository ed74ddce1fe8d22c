"""Data sets: upload a file, say which column holds what, look at the rows, store them."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from pages.components.runs import new
from pages.components.runs.golden_editor import golden_questions
from pages.components.shared import services, visitors
from pages.components.shared.text import plain, show_error, time_text
from trace_core.datasets import FORMATS_READ, ColumnMapping, DataSet, Item, read_dataset
from trace_core.datasets.dataset import PREVIEW, SAMPLE, MappingSpec, sheet_of
from trace_core.datasets.files import FORMATS, open_rows
from trace_core.datasets.mapping import FIELDS, NO, SHEET, WORDS, YES
from trace_core.datasets.rows import RECORDED
from trace_core.errors import TraceError, counted
from trace_core.facts.cleaning import read_truth
from trace_core.runs.files.dataset import plain_row, save_rows
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.reader import open_run
from trace_core.runs.files.suggestion import suggest
from trace_core.store.mappings import recall, remember

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
GROUPING = {YES: "One record a question, with all its passages", NO: "One record a row"}


def data_sets() -> None:
    """Draw the tab."""
    st.caption("CSV, JSON, JSONL, Excel or Parquet, with any columns. A run file (trace-run/1) is imported as a run.")
    endings = [ending.removeprefix(".") for ending in FORMATS]
    uploaded = st.file_uploader(
        "File",
        endings,
        key="dataset-file",
        max_upload_size=visitors.most_megabytes(),
        help=f"Read without a mapping: our own exports, and the files of {', '.join(FORMATS_READ)}.",
    )
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
    mapping = _edit_mapping(named, f"{file.file_id}-{next(iter(named.mapping.sheets), '')}")
    seen = previewed(f"{file.file_id} {mapping}", path, file.name, mapping)
    if long := seen.long or st.session_state.get(f"long-{file.file_id}"):
        group = st.radio(
            plain(f"{long} What is a record?"),
            list(GROUPING),
            index=None,
            format_func=GROUPING.__getitem__,
            key=f"group-{file.file_id}",
        )
        mapping = replace(mapping, group=group or "")
        seen = previewed(f"{file.file_id} {mapping}", path, file.name, mapping)
    _show(seen)
    _offer(path, file, seen, _left_out(seen, file.file_id))


def _offer(path: Path, file: UploadedFile, seen: DataSet, left_out: Collection[str]) -> None:
    undecided = bool(seen.long) and not seen.mapping.group
    ready = [] if undecided else _without(seen.items, left_out)
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
        seconds = new.show_estimate([plain_row(item) for item in ready], labeler)
    if (score or save) and (made := _save(path, file, seen.mapping, title, left_out)) and score:
        new.start_usual(next(one for one in visitors.datasets() if one.id == made), title, labeler, seconds)


@st.cache_data(max_entries=10, max_size="30MB", show_spinner=False)
def previewed(key: str, _path: Path, _name: str, _mapping: MappingSpec) -> DataSet:
    """The first rows; cached between reruns. Raises `InputError`."""
    visitors.check_read()
    return _rows(_path, _name, _mapping, PREVIEW)


def _rows(path: Path, name: str, mapping: MappingSpec, most: int | None) -> DataSet:
    """At most so many rows of an upload. Raises `InputError`."""
    file = open_rows(path, name, sheet_of(mapping), visitors.unpack_limit())
    return read_dataset(file, name=name, mapping=mapping, most=most, texts=_texts)


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
        visitors.claim("run", run_id)
    st.success("Imported." if is_new else "This run is already here. Nothing changed.")
    st.link_button("Open the run", f"?run={run_id}")


def _show(seen: DataSet) -> None:
    if seen.mapping.columns:
        _show_coverage(seen)
    if seen.languages:
        st.warning(plain(seen.languages), icon=":material/translate:")
    for note in (*seen.without, *seen.mapping.notes):
        st.caption(plain(note))
    rows = [
        {
            "id": plain(item.id or ""),
            "question": plain(_short(item.question)),
            "documents": plain(_short(" · ".join(item.documents or []))),
            "answer": plain(_short(item.response or "")),
            "a run will": WORK[item.kind],
        }
        for item in seen.items[:SAMPLE]
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
            picked = st.radio(
                f"Rows {which}",
                [out, alternative],
                key=f"lacking-{kind}-{file_id}",
                label_visibility="collapsed",
                horizontal=True,
            )
            left_out |= {kind} if picked == out else set()
    return left_out


def _without(items: Sequence[Item], left_out: Collection[str]) -> list[Item]:
    if REPEATS in left_out:
        items = list({item.model_dump_json(): item for item in items}.values())
    return [item for item in items if item.kind not in left_out]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _errors(found: DataSet) -> None:
    if not found.errors:
        return
    with st.container(border=True):
        rows = counted(len(found.errors), "row")
        rest = " The other rows can be saved without them." if found.items else ""
        st.markdown(f"**{rows} cannot be used.**{rest}")
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
    if any(one.name == title for one in visitors.datasets()):
        st.caption(f"There is a data set called “{plain(title)}” already. Another name tells the two apart.")
    return title


def _save(path: Path, file: UploadedFile, mapping: ColumnMapping, title: str, left_out: Collection[str]) -> str | None:
    """Read all rows and save them; the data set's id, or nothing where there are none, or the visitor may not."""
    visitors.check_read()
    with st.spinner("Reading all rows …"):
        found = _rows(path, file.name, mapping, visitors.most_rows())
        if found.long and not mapping.group:  # in rows that the preview does not reach
            st.session_state[f"long-{file.file_id}"] = found.long
            st.rerun()
        items = _without(found.items, left_out)
        visitors.check_rows(len(items))
        if not items or not visitors.may_make():
            return None
        before = {one.id: one.name for one in visitors.datasets()}
        made = visitors.save_dataset(lambda: save_rows(services.store().datasets, title, items))
    if made in before:
        st.info(f"These rows are already saved as “{plain(before[made])}”. Nothing was added.")
    else:
        st.success(f"Saved {counted(len(items), 'row')}.")
    st.button(
        "Set up a run of these rows", icon=":material/play_arrow:", key="dataset-run", on_click=new.set_up, args=(made,)
    )
    return made


def _saved() -> None:
    saved = visitors.datasets()
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


if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

USUAL = "id question documents response reference_answer expected_documents category adherence_score".split()
LABELS = {"response": "answer"}
"""Fields that are called otherwise on the page."""
OFFERED = 8
"""The most columns that are offered beside a question; the table offers all."""
Changes = dict[str, str | None]


def _edit_mapping(named: DataSet, file_id: str) -> ColumnMapping:
    """The mapping by names, with what a person changes; this is kept for the next file with the same columns."""
    mapping, folder = named.mapping, services.settings().data_dir
    before = {} if visitors.is_demo() else recall(folder, mapping.columns)
    if before:
        st.caption("The columns are read as in the last file with the same headings.")
    changes: Changes = before | st.session_state.get(f"suggested-{file_id}", {})
    changes |= _missing(mapping.with_changes(changes), named, file_id)
    changes |= _table(mapping.with_changes(changes), named, file_id)
    changed = {field: path for field, path in changes.items() if mapping.fields.get(field) != path}
    if changed != before and not visitors.is_demo():
        remember(folder, mapping.columns, changed)
    return mapping.with_changes(changes)


def _missing(mapping: ColumnMapping, named: DataSet, file_id: str) -> Changes:
    """The questions for the fields that no column is; each takes one click, or the judge proposes all of them."""
    if not mapping.missing:
        return {}
    chosen: Changes = {}
    with st.container(border=True, key="mapping-missing"):
        for field in mapping.missing:
            both = mapping.unclear.get(field)
            offered = mapping.likely(field)[:OFFERED]
            chosen[field] = st.radio(
                f"Which column holds {WORDS[field]}?",
                offered,
                index=None,
                captions=[_example(named, path) for path in offered],
                horizontal=True,
                key=f"missing-{field}-{file_id}",
                format_func=plain,
                help=f"{' and '.join(map(plain, both))} may all be it." if both else None,
            )
        _suggest(mapping, named, file_id)
    return {field: picked for field, picked in chosen.items() if picked}


def _example(named: DataSet, path: str) -> str:
    """The first value of the column, so that a person sees what it holds."""
    cells = (named.mapping.cell(row, path) for row in named.sample)
    return plain(next((str(cell)[:60] for cell in cells if cell not in (None, "")), "empty"))


def _suggest(mapping: ColumnMapping, named: DataSet, file_id: str) -> None:
    llm = None if visitors.is_demo() else services.shared_llm()
    if llm is None:
        return
    proposal = f"proposal-{file_id}"
    help_text = "The judge sees the headings and three rows."
    if st.button("Suggest", icon=":material/auto_awesome:", key=f"suggest-{file_id}", help=help_text):
        try:
            with st.spinner("Asking the judge …"):
                st.session_state[proposal] = suggest(llm, mapping, named.sample)
        except TraceError as error:
            show_error(error)
    if found := st.session_state.get(proposal):
        st.table([{"Field": LABELS.get(field, field), "Column": plain(path)} for field, path in found.items()])
        use = {f"suggested-{file_id}": found}
        st.button(
            "Use this mapping",
            icon=":material/check:",
            key=f"use-{file_id}",
            on_click=st.session_state.update,
            args=(use,),
        )


def _table(mapping: ColumnMapping, named: DataSet, file_id: str) -> Changes:
    changes: Changes = {}
    tool = f": a file of {mapping.tool}" if mapping.tool else ""
    with st.expander(plain(f"Fields and their columns{tool}")):
        places = st.columns(2, gap="medium")
        shown = {*USUAL, *mapping.fields}
        for n, field in enumerate(field for field in FIELDS if field in shown):
            column = mapping.fields.get(field)
            before = column if isinstance(column, str) else None
            options: list[str | None] = [None, *mapping.choices]
            picked = places[n % 2].selectbox(
                LABELS.get(field, field),
                options,
                index=options.index(before),
                format_func=lambda c: f"{plain(c)}  ·  {_example(named, c)}" if c else "no column",
                key=f"column-{field}-{before}-{file_id}",
            )
            if field == "adherence_score" and picked and not before:
                picked = _rating(places[n % 2], named, picked, file_id)
            if picked != before:
                changes[field] = picked
    return changes


def _rating(place: DeltaGenerator, named: DataSet, column: str, file_id: str) -> str | None:
    """People's ratings as text: which of the values mean that the answer is grounded?"""
    cells = [named.mapping.cell(row, column) for row in named.sample]
    cells += [(item.model_extra or {}).get(column) for item in named.items]
    values = sorted({str(cell).strip() for cell in cells if cell not in (None, "")})
    accepted = place.multiselect(
        "Values that mean “grounded”",
        values,
        [value for value in values if read_truth(value)],
        accept_new_options=True,
        key=f"grounded-{column}-{file_id}",
        help="Every other value means “not grounded”; an empty cell says nothing.",
    )
    if not accepted:
        place.caption("The ratings are not read until you name at least one value.")
    return f"{column} is {'|'.join(accepted)}" if accepted else None


def _show_coverage(seen: DataSet) -> None:
    """The fields with their columns and how many rows hold them, and the columns that are not read."""
    lines = [
        {
            "Field": LABELS.get(field, field),
            "Column": plain(str(path)),
            "Coverage": f"{seen.coverage[field]:,} of {seen.total:,} rows",
        }
        for field, path in seen.mapping.fields.items()
    ]
    st.table(lines, hide_index=True, alt="Fields with their coverage")
    if unread := seen.mapping.unread:
        st.caption(plain(f"Not read, kept with each row: {', '.join(unread)}."))
