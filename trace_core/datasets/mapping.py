"""Which column holds which field: by the names that tools use, or as a person says. A path says where a row holds a
value: `answer`, `outputs.answer`, `docs[].text`, `context_*`, `rating is yes|ok`. A column's whole name comes first, so
that a heading with a dot in it is still a column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from trace_core.datasets import documents as shapes
from trace_core.datasets.cells import open_cell, open_or_none
from trace_core.datasets.names import NAMES, UNSURE, number_series, plain_name, ranks
from trace_core.datasets.rows import LABEL_FIELDS, READ_ALONG, Item
from trace_core.errors import InputError
from trace_core.metrics import METRICS

ABSENT: Any = object()
"""What a row has at a path that is not there; null is a value."""
RowReader = Callable[[Mapping[str, Any]], Any]
_PART = re.compile(r"\[\d*\]|[^.\[\]]+")
Changes = Mapping[str, str | RowReader | None]
"""Our field → the path where a row holds it, a function of the row, or nothing: `{"response": "model.reply"}`."""
FIELDS: tuple[str, ...] = (*Item.model_fields, *LABEL_FIELDS)
"""Everything that a column can be mapped to."""
WORDS = {"question": "the question", "documents": "the documents", "response": "the answer"}
"""The fields that a row must have to be scored, in words."""
SHEET, GROUP, YES, NO = "sheet", "group", "yes", "no"
"""No fields: `--map sheet=NAME` names a workbook's sheet, `group=yes` makes rows of one question one row."""
_TEXTS = "id category generation_model_name conversation relevance_explanation overall_supported_explanation".split()
_SHAPES: Mapping[str, Callable[[Any], Any]] = {
    **{name: open_cell for name in FIELDS if name not in _TEXTS},
    "question": partial(shapes.text_of, role="user", field="question"),
    "response": partial(shapes.text_of, role="assistant", field="response"),
    "reference_answer": shapes.reference,
    "expected_documents": shapes.names,
    "document_ids": shapes.names,
}


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Our fields → the paths where the rows of a file hold them; the other columns are passed through. `paths` are
    parts of objects in its columns. `unclear` has the columns that may all be one field, of which none is taken.
    `notes` are sentences about how the file was read, and `tool` is whose format it has."""

    columns: tuple[str, ...]
    fields: Mapping[str, str | RowReader]
    paths: tuple[str, ...] = ()
    unclear: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    tool: str = ""
    sheets: tuple[str, ...] = ()
    group: str = ""

    @property
    def choices(self) -> tuple[str, ...]:
        """Every column and path that a field can be read from."""
        own = (path for path in self.fields.values() if isinstance(path, str))
        return tuple(dict.fromkeys((*self.columns, *number_series(self.columns), *self.paths, *own)))

    def likely(self, name: str) -> tuple[str, ...]:
        """The choices for a field: first those that may all be it; last what another field is read from."""
        unclear, others = self.unclear.get(name, ()), set(self.fields.values())
        return tuple(sorted(self.choices, key=lambda choice: (choice in others, choice not in unclear)))

    @property
    def missing(self) -> tuple[str, ...]:
        """The fields of `WORDS` that no column holds; none where the rows are scores."""
        return tuple(name for name in WORDS if self.fields.keys().isdisjoint((name, f"{name}_sentences", "metrics")))

    @property
    def unread(self) -> list[str]:
        """Columns that no field is read from; they stay with their rows."""
        return [column for column in self.columns if column not in {*READ_ALONG, *self._sources}]

    @property
    def _sources(self) -> set[str]:
        return {column for path in self._readers.values() for column in path.columns}

    @property
    def _readers(self) -> dict[str, Path]:
        return {name: path for name, text in self.fields.items() if (path := path_in(text, self.columns))}

    def source(self, name: str) -> str:
        """What a field is read from, in words: the path, or the name of the function; the field's own for none."""
        path = self.fields.get(name, name)
        return path if isinstance(path, str) else getattr(path, "__name__", "a function")

    @property
    def conditions(self) -> dict[str, tuple[str, list[str]]]:
        """Field → the column that it is true of, and the values that make it true."""
        return {n: (path.columns[0], sorted(path.true_values)) for n, path in self._readers.items() if path.true_values}

    def with_changes(self, changes: Changes) -> ColumnMapping:
        """The mapping with other paths for some fields; `None` unmaps a field. A column of ids is no column of texts.
        Raises `InputError` for a field or a column that does not exist."""
        paths = {name: path for name, path in changes.items() if name not in (SHEET, GROUP)}
        if (group := changes.get(GROUP) or self.group) not in ("", YES, NO):
            raise InputError(f"--map {GROUP}={group} is not understood.", f"Use {GROUP}={YES} or {GROUP}={NO}.")
        for name, path in paths.items():
            if name not in FIELDS:
                raise InputError(f"There is no field {name!r}.", f"Fields are {', '.join(FIELDS)}.")
            if path and path not in self.choices and not path_in(path, self.columns):
                raise InputError(f"There is no column {path!r}.", f"Columns are {', '.join(self.choices)}.")
        if (ids := paths.get("document_ids")) and ids == self.fields.get("documents"):
            paths.setdefault("documents", None)
        every = {**self.fields, **paths}
        fields = {name: path for name in FIELDS if (path := every.get(name))}
        unclear = {name: columns for name, columns in self.unclear.items() if name not in changes}
        return replace(self, fields=fields, unclear=unclear, group=str(group))

    def reader(self) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
        """A function: a row of the file → the same row under our field names, in the shapes that `Item` takes. It
        raises `InputError` for a cell that begins like a list and cannot be read as one."""
        reads = {name: path.read for name, path in self._readers.items()}
        not_others = self._sources | {name for name in FIELDS if name in self.columns or name in self.fields}

        def read_row(row: Mapping[str, Any]) -> dict[str, Any]:
            out = {name: value for name, value in row.items() if name not in not_others}
            late: dict[str, RowReader] = {name: itemgetter(name) for name in FIELDS if name in out}
            for name, read in (reads | late).items():  # late: the first rows lack it
                try:
                    value, shape = read(row), _SHAPES.get(name)
                    if value is ABSENT:
                        continue
                    if name == "documents":
                        parts = shapes.documents(value)
                        out |= {key: part for key, part in parts.items() if key == name or key not in self.fields}
                    else:
                        out[name] = shape(value) if shape else value
                except InputError as error:
                    hint = error.hint.replace("COLUMN", self.source(name))
                    raise InputError(error.message, hint, field=name) from None
            return out

        return read_row

    def cell(self, row: Mapping[str, Any], path: str) -> Any:
        """The value at the path; null where the row lacks it."""
        place = path_in(path, self.columns)
        value = place.read(row) if place else None
        return None if value is ABSENT else value


MappingSpec = ColumnMapping | Changes | RowReader | None
"""A whole mapping; changes to the one by names; or a function: row → fields."""


def sheet_of(mapping: MappingSpec) -> str | None:
    """The sheet of a workbook that a mapping names."""
    sheets = mapping.sheets if isinstance(mapping, ColumnMapping) else ()
    sheet = mapping.get(SHEET) if isinstance(mapping, Mapping) else next(iter(sheets), None)
    return sheet if isinstance(sheet, str) else None


def rows_by(function: RowReader, rows: Iterable[Any]) -> Iterator[Any]:
    """What a person's own function makes of the rows, or the error that it raises."""
    for row in rows:
        try:
            yield result_of(function, row) if isinstance(row, dict) else row
        except InputError as error:
            yield error


def mapping_of(columns: Sequence[str], sample: Sequence[Mapping[str, Any]]) -> ColumnMapping:
    """The mapping by names; a field for which two columns may stand is unclear."""
    rows = [{column: open_or_none(cell) or cell for column, cell in row.items()} for row in sample]
    paths = tuple(dict.fromkeys(path for row in rows for path in _paths(row)))
    groups = number_series(columns)
    parts = [path for path in paths if any(ranks(path, name) is not None for name in NAMES)]
    places_of_parts = (path_in(path, columns) for path in (*parts, *groups))
    wholes = {column for place in places_of_parts if place for column in place.columns}
    choices = [choice for choice in (*columns, *paths) if choice not in wholes]
    fields: dict[str, str] = {}
    unclear: dict[str, tuple[str, ...]] = {}
    for name in FIELDS:
        places = {choice: place for choice in choices if (place := ranks(choice, name)) is not None}
        if name == "reference_answer":
            places = {choice: place for choice, place in places.items() if not _is_truth(choice, rows)}
        if name == "documents":
            places |= dict.fromkeys(groups, len(NAMES[name]))
            places = {c: n for c, n in places.items() if "retriev" in plain_name(c)} or places  # others: the expected
        likely = sorted(places, key=places.__getitem__)
        if len(likely) > 1 and (name in ("response", "documents") or places[likely[0]] == places[likely[1]]):
            unclear[name] = tuple(likely)
        elif likely:
            fields[name] = likely[0]
    mapping = ColumnMapping(tuple(columns), fields, paths, unclear)
    if rows and plain_name(fields.get("response", "")) in UNSURE and {"question", "documents"} <= fields.keys():
        rest = ("reference_answer", "documents_sentences", "response_sentences")
        texts = mapping.unread if fields.keys().isdisjoint(rest) else []
        if rivals := [column for column in texts if all(_is_sentence(row.get(column)) for row in rows)]:
            unclear["response"] = (fields.pop("response"), *rivals)
    return mapping


def _is_truth(column: str, sample: Sequence[Mapping[str, Any]]) -> bool:
    cells = [cell for row in sample if isinstance(cell := row.get(column), dict)]
    return any("scores" in cell or not METRICS.keys().isdisjoint(cell) for cell in cells)


def _is_sentence(cell: Any) -> bool:
    return isinstance(cell, str) and cell[:1] not in ("[", "{") and len(cell.split()) > 3


def _paths(item: Mapping[str, Any], start: str = "", depth: int = 2) -> Iterator[str]:
    """The paths into objects in columns such as `inputs`: `inputs.question`."""
    for key, value in item.items():
        path = f"{start}{key}"
        if start:
            yield path
        if isinstance(value, dict) and depth:
            yield from _paths(value, f"{path}.", depth - 1)


class Path(NamedTuple):
    """The columns that it begins with, a function that reads it from a row, and the values that count as true."""

    columns: tuple[str, ...]
    read: RowReader
    true_values: frozenset[str] = frozenset()


def result_of(function: RowReader, row: Mapping[str, Any]) -> Any:
    """What a person's own function makes of a row. Raises `InputError` for whatever it raises."""
    try:
        return function(row)
    except Exception as error:  # noqa: BLE001  # it may raise anything, and it is the row that cannot be used
        raise InputError(f"The function of the mapping raised {type(error).__name__}: {error}.") from None


def path_in(text: str | RowReader, columns: Sequence[str]) -> Path | None:
    """The path among the columns, or a function of the row; null where no column is what it begins with."""
    if not isinstance(text, str):
        return Path((), partial(result_of, text))
    if text in columns:
        return Path((text,), lambda row: row.get(text, ABSENT))
    name, _, values = text.rpartition(" is ")
    true_values = frozenset(map(_plain, values.split("|"))) - {""}
    if inner := path_in(name, columns) if true_values and name else None:
        return Path(inner.columns, lambda row: _is_one_of(inner.read(row), true_values), true_values)
    start, star, end = text.partition("*")
    if matches := [c for c in columns if star and c.startswith(start) and c.endswith(end) and len(c) >= len(text)]:
        places = {column: column[len(start) : len(column) - len(end)] for column in matches}
        numbers = sorted(matches, key=lambda column: int(places[column]) if places[column].isdecimal() else 0)
        return Path(tuple(numbers), lambda row: [row[c] for c in numbers if row.get(c) not in (None, "")] or None)
    head = max((c for c in columns if text.startswith((f"{c}.", f"{c}["))), key=len, default=None)
    if head is None:
        return None
    parts = _PART.findall(text[len(head) :])
    return Path((head,), lambda row: _at(row.get(head, ABSENT), parts))


def _at(item: Any, parts: Sequence[str]) -> Any:
    for place, part in enumerate(parts):
        item = open_cell(item)
        if part == "[]":
            if not isinstance(item, list):
                return ABSENT if item is ABSENT else None
            inner = [_at(one, parts[place + 1 :]) for one in item]
            return [None if one is ABSENT else one for one in inner]
        if part[0] == "[":
            item = dict(enumerate(item)).get(int(part[1:-1]), ABSENT) if isinstance(item, list) else ABSENT
        else:
            item = item.get(part, ABSENT) if isinstance(item, dict) else ABSENT
    return item


def _plain(value: Any) -> str:
    """A value as it is compared: without case, and 4, 4.0 and 4,0 as one number."""
    text = str(value).strip().casefold()
    try:
        return f"{float(text.replace(',', '.')):g}"
    except ValueError:
        return text


def _is_one_of(value: Any, true_values: frozenset[str]) -> Any:
    return value if value is ABSENT or value is None else (_plain(value) in true_values if _plain(value) else None)
