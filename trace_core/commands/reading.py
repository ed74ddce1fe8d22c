"""How a command reads a file of rows: under which mapping, and what becomes of rows that it cannot use."""

import sys
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from trace_core.commands.documents import texts_in
from trace_core.commands.output import report_bad
from trace_core.datasets import FORMATS_READ, DataSet, read_dataset, read_whole
from trace_core.datasets.adapters import ADAPTERS
from trace_core.datasets.dataset import SAMPLE
from trace_core.datasets.mapping import GROUP, NO, SHEET, WORDS, YES
from trace_core.datasets.traces import OF_A_TRACE, TOOLS
from trace_core.errors import InputError
from trace_core.facts.strict import visible
from trace_core.llm import llm_from
from trace_core.runs.files.suggestion import suggest
from trace_core.settings import load
from trace_core.store.mappings import FILE, recall, remember

AUTO = "auto"
_MAP = "Where a row holds a field: response=model.reply, documents=found[].body; `auto` asks the judge."
_GROUP = "Rows that share a question (one per passage or per annotator): one record together, or one each."
_STRICT = "Stop before any work if a row is bad, instead of leaving it out."


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The options for reading a file."""

    map_options: Annotated[list[str] | None, typer.Option("--map", metavar="FIELD=PATH", help=_MAP)] = None
    strict: Annotated[bool, typer.Option("--strict/--skip-bad", help=_STRICT)] = False
    group: Annotated[bool | None, typer.Option("--group/--no-group", help=_GROUP)] = None

    def mapping(self, file: Path) -> dict[str, str | None]:
        """The changes to the mapping by names: those of `--map`, which are kept for the next file with the same
        columns; without any, those kept for these columns. `--map auto` asks the judge, and prints what it proposes."""
        folder, options = load().data_dir, self.map_options or []
        group: dict[str, str | None] = {} if self.group is None else {GROUP: YES if self.group else NO}
        changes = read_map([option for option in options if option != AUTO])
        if not options and not (folder / FILE).exists():
            return group
        sheet = {SHEET: changes[SHEET]} if changes.get(SHEET) else {}
        dataset = read_dataset(file, mapping=sheet, most=SAMPLE)
        if not options:
            return recall(folder, dataset.mapping.columns) | group
        if AUTO in options:
            proposal = suggest(llm_from(load()), dataset.mapping, dataset.sample)
            text = " ".join(f"--map '{field}={path}'" for field, path in proposal.items())
            print(visible(f"The judge proposes: {text}"), file=sys.stderr)
            changes = {**proposal, **changes}
        dataset.mapping.with_changes(changes)
        lasting = {name: path for name, path in changes.items() if name not in (SHEET, GROUP)}
        remember(folder, dataset.mapping.columns, lasting)
        return changes | group

    def whole_rows(self, file: Path, columns: Sequence[Collection[str]] = (), **options: bool) -> DataSet:
        """A file with its good rows. Raises `InputError` where there are none, and when strict for any bad one.
        `columns` are those that the caller reads itself, as in `describe`; `options` those of `read_whole`."""
        dataset = read_whole(file, mapping=self.mapping(file), texts=texts_in(load()), **options)
        check_long(dataset)
        report_left_out(dataset, self.strict, describe(dataset, *columns))
        return dataset


def check_long(dataset: DataSet) -> None:
    """Raises `InputError` where rows are one question together, and nobody said what they are to become."""
    if dataset.long and not dataset.mapping.group:
        hint = "--group makes each question one record, with all its passages; --no-group makes each row one."
        raise InputError(dataset.long, hint, file=dataset.name)


def read_map(texts: Sequence[str]) -> dict[str, str | None]:
    """`["response=output"]` → `{"response": "output"}`; `response=` is for a field that the file lacks."""
    mapping: dict[str, str | None] = {}
    for text in texts:
        field, equals, column = text.partition("=")
        if not equals:
            raise InputError(f"--map {text!r} is not understood.", "Use field=column, as in response=output, or auto.")
        mapping[field.strip()] = column.strip() or None
    return mapping


def report_left_out(dataset: DataSet, strict: bool, about: Sequence[str] | None = None) -> None:
    """List the rows that are left out of a file, and what was read of it: the sentences `about`, or the data set's own.
    With `strict`, or where no row remains, raises the error after that."""
    usable = not strict and bool(dataset.items)
    if usable:
        report_bad(dataset.errors, skip_bad=True)
    print(*map(visible, describe(dataset) if about is None else about), sep="\n", file=sys.stderr)
    if not usable:
        report_bad(dataset.errors, skip_bad=False)


def formats() -> None:
    """List the tools whose files and traces are read as they are; any other file is read with --map."""
    print("Read by its columns, with any headings (--map FIELD=COLUMN): CSV, TSV, JSON, JSONL, Parquet, Excel.")
    print(f"Known by the names of their columns: {', '.join(n for n in FORMATS_READ if n not in TOOLS)}.")
    for adapter in ADAPTERS:
        print(f"  {adapter.name}: {adapter.files}; known by {', '.join(adapter.keys)}")
    print(f"Traces, a row each: {', '.join(TOOLS)}.")


def describe(data: DataSet, peers: Collection[str] = (), own: Collection[str] = ()) -> list[str]:
    """What was read and what was not, in sentences for people; what is missing comes first. The columns `peers` (values
    of other judges) and `own` are read by the caller and not mentioned."""
    mapping, items = data.mapping, data.items
    counts = {
        "documents": sum(item.has_documents for item in items),
        "an answer": sum(not item.unanswered and item.metrics is None for item in items),
        "a reference answer": sum(bool(item.reference_answer) for item in items),
        "labels": sum(item.has_labels for item in items),
    }
    lines = []
    for name in mapping.missing if any(mapping.columns) else ():  # what a person has to say, the likely columns first
        unclear, options = " or ".join(mapping.unclear.get(name, ())), ", ".join(mapping.likely(name)[:8])
        several = f"It may be {unclear}, so none was taken. " if unclear else ""
        lines.append(f"Which column holds {WORDS[name]}? {several}Use --map {name}=COLUMN, one of {options}.")
    lines += [f"This is a file of {mapping.tool}."] if mapping.tool else []
    lines.append(f"Usable rows: {len(items)} ({', '.join(f'{n} with {what}' for what, n in counts.items())}).")
    sources = [f"{name} from {mapping.source(name)}" for name, path in mapping.fields.items() if name != path]
    lines += [f"Read: {', '.join(sources)}."] if sources else []
    for score, (column, values) in mapping.conditions.items():
        scores = [getattr(item, score) for item in items]
        if 0 in scores and not any(scores):
            lines.append(f"No row says {' or '.join(values)} in {column}, so none counts as true.")
    lines += data.without
    lines += [f"{data.long} Each question is one record."] if data.long and mapping.group == YES else []
    reasons = Counter(error.message for error in data.errors if error.field.startswith(OF_A_TRACE))
    lines += [f"Traces that gave no row: {n}. {reason}" for reason, n in reasons.most_common()]
    others = [column for column in mapping.unread if column in peers]
    lines += [f"Compared with: {', '.join(others)}."] if others else []
    unread = [column for column in mapping.unread if column not in {*peers, *own}]
    lines += [f"Columns that are not read: {', '.join(unread)}."] if unread else []
    return [*lines, *filter(None, [data.languages]), *mapping.notes]
