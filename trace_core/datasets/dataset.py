"""Data sets: a file's rows under our field names, with an error for each bad row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from trace_core.datasets.adapters import adapter_of, rows_within
from trace_core.datasets.files import MAX_TEXT, Numbered, Source, check_width, open_rows
from trace_core.datasets.mapping import SHEET, ColumnMapping, columns_of, mapping_of
from trace_core.datasets.rows import SCORE_FIELDS, Row, Score
from trace_core.datasets.traces import OF_A_TRACE, Texts, is_carrier, trace_rows
from trace_core.errors import InputError
from trace_core.facts.language import ADVICE, is_foreign
from trace_core.facts.strict import valid, valid_text
from trace_core.metrics import METRICS

SAMPLE = 50
"""Rows by which the columns are known."""
PREVIEW = 1_000
SHOWN = 3
LANGUAGE = 200
"""Rows whose language is checked."""
AnyRow = TypeVar("AnyRow", bound=Row)
Mapped = ColumnMapping | Mapping[str, str | None] | None
"""A whole mapping, or changes to the one by names: field → path."""


class Item(Row):
    """One row of a data set. Documents, response, labels or scores may be missing: a run adds them."""

    question: str = ""
    expected_documents: list[str] | None = None
    reference_answer: str | list[str] | None = None
    category: str | None = None
    metrics: dict[str, Score] | None = None
    ground_truth_scores: dict[str, Score] | None = None

    @property
    def kind(self) -> str:
        """The work left to a run: `scores` (none), `labeled` (score), `label`, `answer` or `ask`."""
        if self.metrics is not None:
            return "scores"
        if self.documents is None and self.documents_sentences is None:
            return "ask"
        if self.response is None and self.response_sentences is None:
            return "answer"
        return "labeled" if self.has_labels else "label"

    @property
    def unanswered(self) -> bool:
        """Whether there is nothing to judge: no answer, and no scores."""
        return self.metrics is None and self.response is None and self.response_sentences is None


@dataclass(frozen=True, slots=True)
class DataSet:
    """The usable rows, and an error for each unusable one; `sample` is the first rows unchanged.

    `coverage` is, for each field, how many of the `total` rows hold it.
    """

    name: str
    mapping: ColumnMapping
    sample: list[dict[str, Any]] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    errors: list[InputError] = field(default_factory=list)
    coverage: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """All rows, the unusable ones too."""
        return len(self.items) + len(self.errors)

    @property
    def kinds(self) -> dict[str, int]:
        """The number of rows of each `Item.kind`."""
        return dict(Counter(item.kind for item in self.items))

    @property
    def reasons(self) -> dict[str, int]:
        """Why traces gave no row, the most frequent reason first."""
        reasons = Counter(error.message for error in self.errors if error.field.startswith(OF_A_TRACE))
        return dict(reasons.most_common())

    @property
    def distinct(self) -> list[Item]:
        """The rows without verbatim repeats of an earlier one."""
        return list({item.model_dump_json(): item for item in self.items}.values())

    @property
    def causes(self) -> dict[str, list[int]]:
        """Cause → the rows with that error; rows without a question because no column is one have no cause here."""
        found: dict[str, list[int]] = {}
        for error in self.errors:
            if error.field == "question" and "question" in self.mapping.missing:
                continue
            field = f"{error.field}: " if error.field else ""
            cause = f"{field}{error.message} {error.hint}".strip()
            found.setdefault(cause, []).extend([error.row] if error.row else [])
        return found

    @property
    def foreign(self) -> int:
        """How many of the first rows are in a language that the packaged models do not read."""
        return sum(is_foreign([i.question, *(i.documents or [])], [i.response or ""]) for i in self.items[:LANGUAGE])

    def add(self, item: Item | InputError) -> None:
        """Add a row, or the error in its place."""
        if isinstance(item, InputError):
            self.errors.append(item)
        else:
            self.items.append(item)

    def describe(self, peers: Collection[str] = (), own: Collection[str] = ()) -> list[str]:
        """What was read and what was not, in sentences for people; what is missing comes first.

        The columns `peers` (values of other judges) and `own` are read by the caller and not mentioned.
        """
        mapping = self.mapping
        counts = {
            "documents": sum(item.documents is not None or item.documents_sentences is not None for item in self.items),
            "an answer": sum(item.response is not None or item.response_sentences is not None for item in self.items),
            "a reference answer": sum(bool(item.reference_answer) for item in self.items),
            "labels": sum(item.has_labels for item in self.items),
        }
        lines = mapping.questions() if any(mapping.columns) else []
        lines += [f"This is a file of {mapping.tool}."] if mapping.tool else []
        lines.append(f"Usable rows: {len(self.items)} ({', '.join(f'{n} with {what}' for what, n in counts.items())}).")
        if renamed := [f"{field} from {path}" for field, path in mapping.fields.items() if field != path]:
            lines.append(f"Read: {', '.join(renamed)}.")
        for score, (column, values) in mapping.conditions.items():
            given = [getattr(item, score) for item in self.items]
            if 0 in given and not any(given):
                lines.append(f"No row says {' or '.join(values)} in {column}, so none counts as true.")
        lines += [f"Traces that gave no row: {n}. {reason}" for reason, n in self.reasons.items()]
        if compared := [column for column in mapping.unread if column in peers]:
            lines.append(f"Compared with: {', '.join(compared)}.")
        if unread := [column for column in mapping.unread if column not in {*peers, *own}]:
            lines.append(f"Columns that are not read: {', '.join(unread)}.")
        if foreign := self.foreign:
            lines.append(f"{foreign} of the first {min(LANGUAGE, len(self.items))} rows are not in English. {ADVICE}")
        return [*lines, *mapping.notes]


def read_dataset(
    path: Path, *, name: str = "", mapping: Mapped = None, most: int | None = None, texts: Texts | None = None
) -> DataSet:
    """Read at most `most` rows of the file under `mapping`; names decide where none is given.

    Errors call the file `name`, its path by default; `texts` looks up the documents
    that a trace names only by id. Raises `InputError` when the file as a whole cannot be read.
    """
    name = name or str(path)
    return _dataset(open_rows(path, name, _sheet(mapping)), name, mapping, most, texts)


def preview(path: Path, *, name: str = "", mapping: Mapped = None, texts: Texts | None = None) -> DataSet:
    """The first rows, as `read_dataset` would read them."""
    return read_dataset(path, name=name, mapping=mapping, most=PREVIEW, texts=texts)


def dataset(
    rows: Iterable[Numbered],
    name: str,
    *,
    mapping: Mapped = None,
    most: int | None = None,
    texts: Texts | None = None,
) -> DataSet:
    """A data set from rows in memory or from elsewhere."""
    return _dataset(Source(iter(rows)), name, mapping, most, texts)


def _dataset(source: Source, name: str, mapping: Mapped, most: int | None, texts: Texts | None) -> DataSet:
    known, rows = _mapped(source, mapping, name, texts)
    first = list(islice(rows, SHOWN))
    found = DataSet(name, known, [row for _, row in first if isinstance(row, dict)])
    for item in islice(_items(chain(first, rows), known, name, found.coverage), most):
        found.add(item)
    if not found.total:
        raise InputError("The file holds no rows.", file=name)
    return found


def read_items(path: Path, *, name: str = "", mapping: Mapped = None) -> Iterator[Item | InputError]:
    """Yield the items one at a time, for files larger than memory."""
    yield from read_items_mapped(path, name=name, mapping=mapping)[1]


def read_items_mapped(
    path: Path, *, name: str = "", mapping: Mapped = None, texts: Texts | None = None
) -> tuple[ColumnMapping, Iterator[Item | InputError]]:
    """The items one at a time, and the mapping of their columns."""
    name = name or str(path)
    known, rows = _mapped(open_rows(path, name, _sheet(mapping)), mapping, name, texts)
    return known, _items(rows, known, name, Counter())


def read_whole(
    path: Path, *, labels: bool = False, raw: bool = False, mapping: Mapped = None, texts: Texts | None = None
) -> DataSet:
    """The whole rows (with documents and an answer), and an error for every other row, counted from 1.

    With `labels`, a row without any label list is bad; with `raw`, a row whose label fields are not lists
    that can be counted unchanged. Raises `InputError` when the file as a whole cannot be read.
    """
    known, rows = read_items_mapped(path, mapping=mapping, texts=texts)
    found = DataSet(str(path), known)
    for number, row in enumerate(rows, start=1):
        found.add(row if isinstance(row, InputError) else _incomplete(row, str(path), number, labels, raw) or row)
    if not found.total:
        raise InputError("The file holds no rows.", file=str(path))
    return found


def read_rows(path: Path, *, labels: bool = False, raw: bool = False) -> tuple[list[Item], list[InputError]]:
    """Read a file as its whole rows and its errors; arguments and errors as in `read_whole`."""
    found = read_whole(path, labels=labels, raw=raw)
    return found.items, found.errors


def _incomplete(row: Item, name: str, number: int, labels: bool, raw: bool) -> InputError | None:
    """Why the row is not whole."""
    if row.documents is None and row.documents_sentences is None:
        return InputError("Documents were expected.", file=name, row=number, field="documents")
    if row.response is None and row.response_sentences is None:
        return InputError("A response was expected.", file=name, row=number, field="response")
    if labels and not row.has_labels:
        hint = "Make them with `label`."
        return InputError("Labels were expected.", hint, file=name, row=number, field="all_relevant_sentence_keys")
    if raw and row.uncountable:
        return InputError("A plain list was expected.", file=name, row=number, field=row.uncountable)
    return None


def _sheet(mapping: Mapped) -> str | None:
    return (mapping or {}).get(SHEET) if not isinstance(mapping, ColumnMapping) else next(iter(mapping.sheets), None)


def _mapped(
    source: Source, mapping: Mapped, name: str, texts: Texts | None
) -> tuple[ColumnMapping, Iterator[Numbered]]:
    """The given mapping, or the one by names with the given changes; and the rows."""
    sample, rows = _sampled(source.rows)
    if source.whole and sample and not is_carrier(sample[0]) and not adapter_of(sample[0]):
        sample, rows = _sampled(rows_within(rows, name))
    adapter = adapter_of(sample[0]) if sample else None
    if any(map(is_carrier, sample)):
        sample, rows = _sampled(trace_rows(rows, name, texts))
    elif adapter:
        sample, rows = _sampled(adapter.read(rows, name))
    columns = columns_of(sample)
    check_width(len(columns), name)
    if isinstance(mapping, ColumnMapping):
        return mapping, rows
    known = mapping_of(columns, sample, adapter.fields if adapter else {})
    known = replace(known, notes=source.notes, tool=adapter.name if adapter else "", sheets=source.sheets)
    return known.changed(mapping or {}), rows


def _sampled(rows: Iterator[Numbered]) -> tuple[list[dict[str, Any]], Iterator[Numbered]]:
    """The first rows that are objects, and all rows."""
    first = list(islice(rows, SAMPLE))
    return [row for _, row in first if isinstance(row, dict)], chain(first, rows)


def _items(
    rows: Iterable[Numbered], mapping: ColumnMapping, name: str, coverage: Counter[str]
) -> Iterator[Item | InputError]:
    read = mapping.reader()
    for number, row in rows:
        try:
            fields = _applied(read, row, name, number)
            if isinstance(fields, dict):
                coverage.update(field for field in mapping.fields if fields.get(field) not in (None, "", []))
            item = checked(Item, fields, name, number)
            _check(item, name, number)
            yield item
        except InputError as error:
            yield _in_their_words(error, mapping)


def _applied(read: Callable[[Any], dict[str, Any]], row: Any, name: str, number: int) -> Any:
    if not isinstance(row, dict):
        return row
    try:
        return read(row)
    except InputError as error:
        raise InputError(error.message, error.hint, file=name, row=number, field=error.field) from None


def _in_their_words(error: InputError, mapping: ColumnMapping) -> InputError:
    """The error, with the field under the file's own column name."""
    head, dot, rest = error.field.partition(".")
    if mapping.fields.get(head, head) == head:
        return error
    column = f"{mapping.fields[head]}{dot}{rest}"
    return InputError(error.message, error.hint, file=error.file, row=error.row, field=column)


def _check(item: Item, name: str, number: int) -> None:
    for score in SCORE_FIELDS.values():
        if (value := getattr(item, score)) is not None and not 0 <= value <= 1:
            hint = f'Where it is a grade, say which values count as true: --map "{score}=COLUMN is 4|5".'
            raise InputError(f"{value:g} lies outside 0 to 1.", hint, file=name, row=number, field=score)
    for given in ("metrics", "ground_truth_scores"):
        scores: dict[str, Any] = getattr(item, given) or {}
        for metric, value in scores.items():
            if metric in METRICS and value is not None and not 0 <= value <= 1:
                message = f"{value:g} lies outside 0 to 1."
                raise InputError(message, file=name, row=number, field=f"{given}.{metric}")
    if item.metrics is not None and not set(item.metrics) & set(METRICS):
        raise InputError(
            "None of the four metrics is there.", f"They are {', '.join(METRICS)}.",
            file=name, row=number, field="metrics",
        )  # fmt: skip
    if item.metrics is None and not item.question.strip():
        raise InputError(
            "A question was expected.", "Choose its column: --map question=COLUMN.",
            file=name, row=number, field="question",
        )  # fmt: skip


def checked(model: type[AnyRow], raw: Any, name: str, number: int) -> AnyRow:
    """A raw row → the model. Raises `InputError` naming file, row and field."""
    if isinstance(raw, InputError):
        raise raw
    if not isinstance(raw, dict):
        raise InputError("An object was expected.", file=name, row=number)
    long = too_long(raw)
    if long:
        field, length = long
        raise InputError(
            f"A text of {length:,} characters; at most {MAX_TEXT:,} are read.", "Split it.",
            file=name, row=number, field=field,
        )  # fmt: skip
    fields = model.model_fields  # pydantic resolves the attribute on every access
    try:
        # the model repairs its own fields
        return model.model_validate({valid_text(k): v if k in fields else valid(v) for k, v in raw.items()})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{first['msg']}.", file=name, row=number, field=field) from None


def too_long(value: Any, field: str = "") -> tuple[str, int] | None:
    """The first text in the value that is longer than `MAX_TEXT`: its field (`documents.0`) and length."""
    if isinstance(value, str):
        return (field, len(value)) if len(value) > MAX_TEXT else None
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, item in items:
        if isinstance(item, str) and len(item) <= MAX_TEXT:
            continue
        if isinstance(item, str | dict | list | tuple):
            found = too_long(item, f"{field}.{key}" if field else str(key))
            if found:
                return found
    return None
