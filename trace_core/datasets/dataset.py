"""Data sets: a file's rows under our field names, with an error for each bad row."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from trace_core.datasets.adapters import FIRST, unwrap
from trace_core.datasets.documents import is_name
from trace_core.datasets.files import MAX_ROWS, OpenFile, open_rows
from trace_core.datasets.mapping import NO, YES, ColumnMapping, MappingSpec, mapping_of, rows_by, sheet_of
from trace_core.datasets.names import repeats_headings
from trace_core.datasets.rows import SCORE_FIELDS, Item, describe_long, join_rows, long_rows
from trace_core.datasets.traces import OF_A_TRACE, TextLookup
from trace_core.errors import InputError, counted
from trace_core.facts.language import ADVICE, is_foreign
from trace_core.facts.strict import misfit, valid, valid_text

PREVIEW, SAMPLE, LANGUAGE = 1_000, 3, 200
"""Rows that a page reads of a file before a run, that are shown, and whose language is checked."""
_ESSENTIAL = ("question", "documents", "response", "documents_sentences", "response_sentences", "metrics")
"""Fields without which a row says nothing; any other that has another shape is left out of it."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """The usable rows, and an error for each unusable one; `sample` is the first rows unchanged. `coverage` is, for
    each field, how many of the `total` rows hold it, and `unfit` how many rows are read without an optional field,
    which has another shape there. `long` is a sentence about rows that are one question together."""

    name: str
    mapping: ColumnMapping
    sample: list[dict[str, Any]] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    errors: list[InputError] = field(default_factory=list)
    coverage: Counter[str] = field(default_factory=Counter)
    unfit: Counter[str] = field(default_factory=Counter)
    long: str = ""

    def leave_out(self, error: InputError, row: int) -> None:
        """Add an unusable row's error, which names the field as the file does."""
        head = re.split(r"[.\[]", error.field)[0]
        error.file, error.row, error.field = self.name, row, self.mapping.source(head) + error.field[len(head) :]
        self.errors.append(error.with_traceback(None))  # which would hold the file open

    @property
    def total(self) -> int:
        """All rows, the unusable ones too."""
        return len(self.items) + len(self.errors)

    @property
    def kinds(self) -> dict[str, int]:
        """The number of rows of each `Item.kind`."""
        return dict(Counter(item.kind for item in self.items))

    @property
    def causes(self) -> dict[str, list[int]]:
        """Cause → the rows with that error; rows without a question because no column is one have no cause here."""
        causes: dict[str, list[int]] = {}
        for error in self.errors:
            if error.field == "question" and "question" in self.mapping.missing:
                continue
            where = f"{error.field}: " if error.field and not error.field.startswith(OF_A_TRACE) else ""
            causes.setdefault(f"{where}{error.message} {error.hint}".strip(), []).append(error.row or 0)
        return causes

    @property
    def languages(self) -> str:
        """A sentence about rows in languages that the packaged models do not read; empty where there are none."""
        first = self.items[:LANGUAGE]
        n = sum(is_foreign([item.question, *(item.documents or [])], [item.response or ""]) for item in first)
        return f"Not in English: {n} of the first {counted(len(first), 'row')}. {ADVICE}" if n else ""

    @property
    def without(self) -> list[str]:
        """Sentences about fields that some rows are read without."""
        return [f"Read without {what}: {counted(n, 'row')}." for what, n in self.unfit.items()]


def read_dataset(
    file: Path | OpenFile,
    *,
    name: str = "",
    mapping: MappingSpec = None,
    most: int | None = None,
    texts: TextLookup | None = None,
    unfit: Callable[[Item], InputError | None] | None = None,
) -> DataSet:
    """Read at most `most` rows of a file, or of open rows, under `mapping`; names decide where none is given. Errors
    call the file `name`, its path by default; `texts` looks up the documents that a trace names only by id; `unfit`
    says why a row cannot be used. Raises `InputError` when the file as a whole cannot be read."""
    name = name or str(file)
    if isinstance(file, Path):
        file = open_rows(file, name, sheet_of(mapping))
    tool, rows = unwrap(file.rows, file.whole, name, texts)
    if callable(mapping):
        rows, mapping = rows_by(mapping, rows), None
    first = list(islice(rows, FIRST))
    sample = [row for row in first if isinstance(row, dict)]
    if not isinstance(mapping, ColumnMapping):
        columns = list(dict.fromkeys(str(column) for row in sample for column in row))
        by_names = replace(mapping_of(columns, sample), notes=file.notes, tool=tool, sheets=file.sheets)
        mapping = by_names.with_changes(mapping or {})
    data, read = DataSet(name, mapping, sample[:SAMPLE]), mapping.reader()
    numbers: list[int] = []
    for number, row in enumerate(islice(chain(first, rows), most), start=1):
        if number > MAX_ROWS:
            raise InputError(f"The file has more than {MAX_ROWS:,} rows.", "Split it.", file=name)
        try:
            if not isinstance(row, dict):
                raise row if isinstance(row, InputError) else InputError("An object was expected.")
            if repeats_headings(row):
                raise InputError("This row holds headings, not values.")
            fields = read(row)
            data.coverage.update(field for field in mapping.fields if fields.get(field) not in (None, "", []))
            data.items.append(_item(fields, row, data))
            numbers.append(number)
        except InputError as error:
            data.leave_out(error, number)
    if not data.total:
        raise InputError("The file has no rows.", file=name)
    return _finish(data, numbers, unfit)


def _finish(data: DataSet, numbers: Sequence[int], unfit: Callable[[Item], InputError | None] | None) -> DataSet:
    """The data set with its long rows described or joined, without the rows that are `unfit`."""
    groups = long_rows(data.items) if data.mapping.group != NO else []
    items = join_rows(data.items, groups) if data.mapping.group == YES else dict(enumerate(data.items))
    long = describe_long(data.items, groups, numbers)
    data.items.clear()
    for place, item in items.items():
        if unfit and (reason := unfit(item)):
            data.leave_out(reason, numbers[place])
        else:
            data.items.append(item)
    data.errors.sort(key=lambda error: error.row or 0)
    return replace(data, long=long)


def read_whole(
    path: Path, *, labels: bool = False, raw: bool = False, mapping: MappingSpec = None, texts: TextLookup | None = None
) -> DataSet:
    """The whole rows (with documents and an answer), and an error for every other row; else as `read_dataset`. With
    `labels`, a row without any label list is bad; with `raw`, one whose label fields cannot be counted unchanged."""

    def incomplete(row: Item) -> InputError | None:
        if not row.has_documents:
            return InputError("Documents were expected.", field="documents")
        if row.response is None and row.response_sentences is None:
            return InputError("A response was expected.", field="response")
        if labels and not row.has_labels:
            return InputError("Labels were expected.", "Make them with `label`.", field="all_relevant_sentence_keys")
        return InputError("A plain list was expected.", field=row.uncountable) if raw and row.uncountable else None

    return read_dataset(path, mapping=mapping, texts=texts, unfit=incomplete)


def _item(fields: Mapping[str, Any], row: Mapping[str, Any], data: DataSet) -> Item:
    """The row as an item; `data` counts the optional fields that are left out of it."""
    mapping = data.mapping
    plain = {valid_text(k): v if k in Item.model_fields else valid(v) for k, v in fields.items()}
    while True:
        try:
            item = Item.model_validate(plain)
            break
        except ValidationError as error:
            wrong = {str(one["loc"][0]): one for one in reversed(error.errors(include_url=False, include_input=False))}
        if essential := [name for name in _ESSENTIAL if name in wrong]:
            reason = _shape_error(wrong[essential[0]])
            reason.hint = reason.hint or f"Name another column, or a part of it: --map {essential[0]}=PATH."
            raise reason
        for name, one in wrong.items():
            reason, column = _shape_error(one), mapping.source(name)
            data.unfit[f"{column} ({reason.message} {reason.hint}".strip() + ")"] += 1
            plain.pop(name, None)
            plain |= {column: valid(row[column])} if column in row and column not in Item.model_fields else {}
    _ = item.own  # raises where somebody changed what we wrote
    if item.metrics is None and not item.question.strip():
        raise InputError("A question was expected.", "Choose its column: --map question=COLUMN.", field="question")
    if item.documents and item.documents_sentences is None and all(map(is_name, item.documents)):
        ids = f"--map document_ids={mapping.source('documents')} --collection NAME"
        hint = f"Map the texts (--map documents=COLUMN), or have them looked up in a collection by their ids ({ids})."
        message = f"These are names, addresses or ids, not the texts of documents: {item.documents[0][:60]!r}."
        raise InputError(message, hint, field="documents")
    return item


def _shape_error(error: Any) -> InputError:
    """What was expected of a field, in our words."""
    name, words = misfit(error)
    if beyond := error["type"].endswith("than_equal"):  # all our numbers with bounds are scores
        words = "a number from 0 to 1 was expected"
    grade = beyond and name in SCORE_FIELDS.values()
    hint = f'Where it is a grade, say which values count as true: --map "{name}=COLUMN is 4|5".' if grade else ""
    return InputError(f"{words[0].upper()}{words[1:]}.", hint, field=name)
