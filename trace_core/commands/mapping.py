"""The mapping of a file's columns that the options name, the judge proposes, or a person chose before."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from trace_core.commands.output import plain
from trace_core.datasets import FORMATS_READ, read_dataset
from trace_core.datasets.adapters import ADAPTERS
from trace_core.datasets.dataset import SHOWN
from trace_core.datasets.mapping import SHEET
from trace_core.datasets.remembered import FILE, recall, remember
from trace_core.datasets.suggestion import suggest
from trace_core.datasets.traces import TOOLS
from trace_core.errors import InputError
from trace_core.llm import llm_from
from trace_core.settings import load

AUTO = "auto"


def mapping_for(file: Path, options: Sequence[str] | None) -> dict[str, str | None]:
    """The changes to the mapping by names: those of `--map`, which are kept for the next file with the same columns;
    without any, those kept for these columns. `--map auto` asks the judge, and prints what it proposes.
    """
    folder = load().data_dir
    changes = read_map([option for option in options or [] if option != AUTO])
    if not options and not (folder / FILE).exists():
        return changes
    sheet = {SHEET: changes[SHEET]} if changes.get(SHEET) else {}
    named = read_dataset(file, mapping=sheet, most=SHOWN)
    if AUTO in (options or []):
        proposed = suggest(llm_from(load()), named.mapping, named.sample)
        proposal = " ".join(f"--map '{field}={path}'" for field, path in proposed.items())
        print(plain(f"The judge proposes: {proposal}"), file=sys.stderr)
        changes = {**proposed, **changes}
    if not options:
        return recall(folder, named.mapping.columns)
    named.mapping.changed(changes)
    remember(folder, named.mapping.columns, {name: path for name, path in changes.items() if name != SHEET})
    return changes


def read_map(texts: Sequence[str]) -> dict[str, str | None]:
    """`["response=output"]` → `{"response": "output"}`; `response=` is for a field that the file lacks."""
    found: dict[str, str | None] = {}
    for text in texts:
        field, equals, column = text.partition("=")
        if not equals:
            raise InputError(f"--map {text!r} is not understood.", "Use field=column, as in response=output, or auto.")
        found[field.strip()] = column.strip() or None
    return found


def formats() -> None:
    """List the tools whose files and traces are read as they are; any other file is read with --map."""
    print("Read by its columns, with any headings (--map FIELD=COLUMN): CSV, TSV, JSON, JSONL, Parquet, Excel.")
    print(f"Known by the names of their columns: {', '.join(n for n in FORMATS_READ if n not in TOOLS)}.")
    for adapter in ADAPTERS:
        print(f"  {adapter.name}: {adapter.files}; known by {', '.join(adapter.keys)}")
    print(f"Traces, a row each: {', '.join(TOOLS)}.")
