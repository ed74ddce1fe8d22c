"""Which column of a file is which field: guessed from names and a sample, and editable by a person."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from trace_core.datasets import shapes
from trace_core.datasets.cells import are_listed
from trace_core.datasets.guessing import guessed
from trace_core.datasets.headings import numbered
from trace_core.datasets.joins import RATED
from trace_core.datasets.names import HOLDERS, plain_name
from trace_core.datasets.notations import value_of
from trace_core.datasets.rows import LABEL_FIELDS, READ_ALONG, SCORE_FIELDS
from trace_core.datasets.words import names_expected, names_several, role_of
from trace_core.errors import InputError
from trace_core.metrics import METRICS

FIELDS: tuple[str, ...] = (
    "id", "question", "documents", "response", "reference_answer", "expected_documents", "document_ids",
    "document_titles", "document_scores", "conversation", "turns", "spans", "category", "generation_model_name",
    "metrics", "ground_truth_scores", "documents_sentences", "response_sentences", *LABEL_FIELDS, "overall_supported",
    *SCORE_FIELDS.values(),
)  # fmt: skip
"""Everything that a column can be mapped to."""
STRUCTURED = frozenset({
    "document_ids", "document_titles", "document_scores", "turns", "spans", "documents_sentences", "response_sentences",
    "metrics", "ground_truth_scores", *(name for name in LABEL_FIELDS if name.endswith(("s", "information"))),
})  # fmt: skip
"""Fields that contain lists or objects, which tables write as text."""
_NO_QUESTION = frozenset(("n/a", "-", "–", "tbd"))


def _question(value: Any) -> Any:
    """The question; an empty one where the cell says that there is none."""
    said = shapes.question(value)
    return "" if said is None or (isinstance(said, str) and said.strip().lower() in _NO_QUESTION) else said


def _typed_question(value: Any) -> Any:
    """The question without the blanks that people leave around it."""
    said = _question(value)
    return said.strip() if isinstance(said, str) else said


_SHAPES: Mapping[str, Callable[[Any], Any]] = {
    "question": _typed_question,
    "response": shapes.response,
    "reference_answer": shapes.reference,
    "expected_documents": shapes.names,
}


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Our fields → the file's columns; unmapped columns are passed through under their own names.

    A column may be a path into an object (`outputs.answer`), stand for several (`groups`: `context_*`), or be a
    condition on one: `rating is yes|mostly` is true for these values and false for all others.
    `notes` are sentences about what was unclear; the cells of the columns `listed` are all lists.
    """

    columns: tuple[str, ...]
    fields: Mapping[str, str]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    quoted: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()

    @property
    def layout(self) -> str:
        """The layout of the rows, in words."""
        if "metrics" in self.fields:
            return "scores with ground truth"
        if {"documents_sentences", *LABEL_FIELDS} & set(self.fields):
            return "RAGBench rows"
        if {"user_input", "retrieved_contexts"} & set(self.fields.values()):
            return "Ragas rows"
        if "expected_documents" in self.fields or ("reference_answer" in self.fields and "response" not in self.fields):
            return "golden questions"
        return "rows"

    @property
    def choices(self) -> tuple[str, ...]:
        """Every column, path or group that a field can be read from."""
        return (*self.columns, *self.paths, *self.groups)

    @property
    def unused(self) -> list[str]:
        """Columns that are mapped to no field."""
        used = {part for column in self.fields.values() for part in self.groups.get(column, (column,))}
        used |= {_asked(column)[0] for column in used if column not in self.columns}
        used |= {column.partition(".")[0] for column in used if column not in self.columns}
        return [column for column in self.columns if column not in used]

    @property
    def conditions(self) -> dict[str, tuple[str, list[str]]]:
        """Field → the column that it is true of, and the values that make it true."""
        asked = {name: _asked(column) for name, column in self.fields.items() if column not in self.columns}
        return {name: (column, sorted(values)) for name, (column, values) in asked.items() if values}

    @property
    def unread(self) -> list[str]:
        """Columns that nothing is read from; they are passed through."""
        return [column for column in self.unused if column not in READ_ALONG]

    def changed(self, changes: Mapping[str, str | None]) -> ColumnMapping:
        """The mapping with other columns for some fields; `None` unmaps a field.

        Raises `InputError` for a field or a column that does not exist.
        """
        found: dict[str, str | None] = {}
        for name, column in changes.items():
            if name not in FIELDS:
                raise InputError(f"There is no field {name!r}.", f"Fields are {', '.join(FIELDS)}.")
            found[name] = None if column is None else self._column(column)
        merged = {**self.fields, **found}
        notes = () if {"response", "documents"} & set(found) else self.notes
        kept = {name: column for name, column in merged.items() if column is not None}
        groups = {column: self._starred(column) for column in kept.values() if self._starred(column)}
        return replace(self, fields=kept, notes=notes, groups={**self.groups, **groups})

    def _column(self, wanted: str) -> str:
        if wanted in self.choices or self._starred(wanted):
            return wanted
        near = [column for column in self.choices if plain_name(column) == plain_name(wanted)]
        if len(near) == 1:
            return near[0]
        if wanted.partition(".")[0] in self.columns:
            return wanted
        column, values = _asked(wanted)
        if values:
            return f"{self._column(column)}{_IS}{'|'.join(sorted(values))}"
        raise InputError(f"There is no column {wanted!r}.", f"Columns are {', '.join(self.choices)}.")

    def _starred(self, wanted: str) -> tuple[str, ...]:
        """The columns behind a starred name: `our_*` stands for our_adherence and the like."""
        start, star, end = wanted.partition("*")
        if not star or wanted in self.groups:
            return self.groups.get(wanted, ())
        return tuple(c for c in self.columns if c.startswith(start) and c.endswith(end) and len(c) > len(wanted) - 1)

    def apply(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """One row of the file under our field names, with texts and lists in the shapes that `Row` takes.

        Raises `InputError` for a cell that begins like a list and cannot be read as one.
        """
        return self.reader()(row)

    def reader(self) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
        """A function that does `apply` for many rows; it raises the same errors."""
        kept = [name for name in self.unused if name not in FIELDS]
        plain = {plain_name(column) for column in self.columns}
        barred = {"retrieval_context", "expected_output"} <= plain  # DeepEval writes its lists into tables this way
        shaped = {name: _shape(name, self.fields, barred, self.fields[name] in self.listed) for name in self.fields}

        def read(row: Mapping[str, Any]) -> dict[str, Any]:
            out = {name: row[name] for name in kept if name in row}
            for name, column in self.fields.items():
                found = self._found(row, column)
                if found is _ABSENT:
                    continue
                try:
                    out |= shaped[name](found)
                except InputError as error:
                    raise InputError(error.message, error.hint, field=name) from None
            return out

        return read

    def cell(self, row: Mapping[str, Any], column: str) -> Any:
        """The value of the column, path or group of columns; `None` where the row lacks it."""
        found = self._found(row, column)
        return None if found is _ABSENT else found

    def _found(self, row: Mapping[str, Any], column: str) -> Any:
        if column in row:
            value = row[column]
            if column in self.quoted and isinstance(value, str):
                return json.loads(value) if shapes.decoded(column, [value]) else value
            return value
        asked, values = _asked(column)
        if values:
            return _is_one_of(self._found(row, asked), values)
        if column in self.groups:
            return _gathered(self.groups[column], column, row)
        head, dot, rest = column.partition(".")
        if dot and head in row:
            return _at(self._found(row, head), rest)
        return _ABSENT


def _at(held: Any, path: str) -> Any:
    """The part at the path in an object."""
    inner = value_of(held) if isinstance(held, str) else held
    if not isinstance(inner, dict):
        return _ABSENT
    head, dot, rest = path.partition(".")
    return inner[path] if path in inner else _at(inner[head], rest) if dot and head in inner else _ABSENT


def _shape(name: str, fields: Mapping[str, str], barred: bool, listed: bool) -> Callable[[Any], dict[str, Any]]:
    """A function that turns a cell of the field into the row fields it fills."""
    if name == "documents":
        lined = names_several(fields[name])

        def documents(value: Any) -> dict[str, Any]:
            made = shapes.documents(value, barred=barred, lined=lined, lists=listed)
            return {field: found for field, found in made.items() if field == "documents" or field not in fields}

        return documents
    if name in _SHAPES:
        shape = _SHAPES[name]
        if name == "question" and "documents_sentences" in fields:  # RAGBench's rows are written as they were read
            shape = _question
        return lambda value: {name: shape(value)}
    if name in STRUCTURED:
        return lambda value: {name: value_of(value)}
    return lambda value: {name: value}


_ABSENT = object()
_IS = " is "


@lru_cache(maxsize=100)
def _asked(column: str) -> tuple[str, frozenset[str]]:
    """`rating is yes|mostly` → the column, and the accepted values; an empty set where there is no condition."""
    name, _, values = column.partition(_IS)
    named = frozenset(plain for value in values.split("|") if (plain := _plain(value)))
    return (name, named) if named else (column, named)


def _plain(value: Any) -> str:
    """A value as it is compared: without case, and 4, 4.0 and 4,0 as one number."""
    said = str(value).strip().casefold()
    try:
        return f"{float(said.replace(',', '.')):g}"
    except ValueError:
        return said


def _is_one_of(value: Any, values: frozenset[str]) -> Any:
    """Whether the cell has one of the values; an empty cell is null, and an absent one stays absent."""
    if value is _ABSENT or value is None:
        return value
    said = _plain(value)
    return said in values if said else None


def _gathered(columns: Sequence[str], star: str, row: Mapping[str, Any]) -> Any:
    """The cells of several columns: a list of texts, or an object of metrics."""
    start, _, end = star.partition("*")
    metrics = {c.removeprefix(start).removesuffix(end): row.get(c) for c in columns}
    known = {plain_name(name): value for name, value in metrics.items() if plain_name(name) in METRICS}
    if known:
        return known
    return [row[column] for column in columns if row.get(column) not in (None, "")] or None


def guess_mapping(columns: Iterable[str], sample: Sequence[Mapping[str, Any]] = ()) -> ColumnMapping:
    """The likeliest mapping: a field's own name first, then its other usual names.

    A column whose values in the `sample` rows do not fit its name is skipped; where two columns may be the answer
    neither is taken, and `notes` says so.
    """
    columns = list(columns)
    quoted = frozenset(c for c in columns if shapes.decoded(c, [row.get(c) for row in sample]))
    read = [_read(row, quoted) for row in sample]
    groups, paths = numbered(columns), _paths(columns, read)
    fields, notes, scores = guessed(columns, paths, groups, read, FIELDS)
    listed = frozenset(column for column in columns if are_listed(row.get(column) for row in sample))
    return ColumnMapping(tuple(columns), fields, {**groups, **scores}, tuple(paths), notes, quoted, listed)


def _read(row: Mapping[str, Any], quoted: frozenset[str]) -> dict[str, Any]:
    found = dict(row)
    for column in quoted:
        if isinstance(found.get(column), str):
            found[column] = json.loads(found[column])
    for column, value in row.items():
        if plain_name(column) in _HOLDERS and column not in quoted and isinstance(value, str) and value[:1] in "{[":
            try:
                found[column] = value_of(value)
            except InputError:
                continue
    return found | dict(_inner(found, ""))


def _inner(held: Mapping[str, Any], start: str, depth: int = 3) -> Iterator[tuple[str, Any]]:
    """Path and value of every part in a holder such as `inputs`, and of those parts in other objects whose words
    speak of a field: `review.correct_answer`.
    """
    for key, value in held.items():
        path = f"{start}{key}"
        if start and (role_of(path) or names_expected(path) or plain_name(start[:-1]) in _HOLDERS):
            yield path, value
        if isinstance(value, dict) and depth:
            yield from _inner(value, f"{path}.", depth - 1)


_HOLDERS = HOLDERS | {RATED}


def _paths(columns: Sequence[str], sample: Sequence[Mapping[str, Any]]) -> list[str]:
    """The paths into objects in columns such as `inputs`: `inputs.question`."""
    return list(dict.fromkeys(name for row in sample for name in row if name not in columns))
