"""Commands for files of runs: import a run file, export a stored run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from trace_core.commands.options import Convention, Out, RunId
from trace_core.commands.output import counting, print_json, report_bad, writing
from trace_core.commands.reading import Reading, report_left_out
from trace_core.errors import InputError, counted
from trace_core.facts.records import Record
from trace_core.metrics import check_convention
from trace_core.runs import FORMATS, export, from_store, import_run, looks_like_a_run
from trace_core.runs.files.export import format_of
from trace_core.runs.files.reader import record_lines
from trace_core.runs.files.scored_rows import import_records, import_rows, read_scored_rows
from trace_core.settings import load
from trace_core.store.store import open_store


def import_command(
    file: Annotated[Path, typer.Argument(help="A run file, or rows that have labels or scores.")],
    *,
    convention: Convention = None,
    reading: Reading,
) -> None:
    """Import a run file, an export of records (JSONL), or scored rows into the store; importing again does nothing."""
    settings = load()
    changes = reading.mapping(file)
    check_convention(convention or settings.convention)
    store = open_store(settings.database).runs
    if looks_like_a_run(file):
        run_id, new = import_run(store, file, watch=lambda records, total: counting(records, total, "records"))
    elif not changes and (lines := record_lines(file)):
        records = _usable(list(lines), reading.strict)
        run_id, new = import_records(store, file, records, convention or settings.convention, settings.public())
    else:
        found = read_scored_rows(file, mapping=changes)
        report_left_out(found, reading.strict)
        named = convention or settings.convention
        run_id, new = import_rows(store, file, found.items, named, settings.public(), changes)
    run = store.load_run(run_id)
    print_json({"run": run_id, "name": run.name, "imported": new, "counts": run.counts})


def _usable(rows: Sequence[Record | InputError], strict: bool) -> list[Record]:
    """The records; lists the rows left out. Raises `InputError` where there are any and `strict`, or no record."""
    records = [row for row in rows if isinstance(row, Record)]
    errors = [row for row in rows if isinstance(row, InputError)]
    report_bad(errors, bool(records) and not strict)
    if errors:
        print(f"Records read: {len(records)}. Left out: {counted(len(errors), 'row')}.", file=sys.stderr)
    return records


def export_command(
    run_id: RunId,
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")],
    out: Out = None,
) -> None:
    """Write a stored run to a file."""
    format_of(form)
    run = from_store(open_store(load().database).runs, run_id)
    with writing(out) as stream:
        export(run, form, stream)
