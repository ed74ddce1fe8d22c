"""Data sets: a file's rows under our field names, with an error for each bad row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from trace_core.datasets.joins import event_key, joined_events, merge_of, names_of, one_a_question, turned_rows
from trace_core.datasets.mapping import ColumnMapping, guess_mapping
from trace_core.datasets.raw import MAX_TEXT, Numbered, raw_rows, too_long
from trace_core.datasets.rows import SCORE_FIELDS, Row, Score
from trace_core.datasets.text.translation import unaccented
from trace_core.datasets.traces import OF_A_TRACE, Texts, is_carrier, trace_rows
from trace_core.errors import InputError
from trace_core.facts.language import ADVICE, is_foreign
from trace_core.facts.strict import valid, valid_text
from trace_core.metrics import METRICS

SAMPLE = 50
"""Rows from which the columns are guessed."""
PREVIEW = 20
SHOWN = 3
_TOTALS = frozenset(
    "total totals sum average avg mean mittelwert summe gesamt durchschnitt schnitt totale media moyenne promedio suma "
    "totaal gemiddelde srednia razem prumer celkem priemer spolu atlag osszesen medel medelvarde snitt genomsnitt "
    "summa gennemsnit gjennomsnitt keskiarvo yhteensa ortalama toplam среднее итого середнє разом 合計 平均 合计 总计 "
    "평균 합계".split()
)
"""What a table's last line begins with, without accents."""
LANGUAGE = 200
"""Rows whose language is checked."""
AnyRow = TypeVar("AnyRow", bound=Row)
Mapped = ColumnMapping | Mapping[str, str | None] | None
"""A whole mapping, or changes to the guessed one: field → column."""


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
    """The usable rows, and an error for each unusable one; `sample` is the first rows unchanged."""

    name: str
    mapping: ColumnMapping
    sample: list[dict[str, Any]] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    errors: list[InputError] = field(default_factory=list)

    @property
    def kinds(self) -> dict[str, int]:
        """The number of rows of each `Item.kind`."""
        kinds = [item.kind for item in self.items]
        return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}

    @property
    def reasons(self) -> dict[str, int]:
        """Why traces gave no row, the most frequent reason first."""
        found = Counter(error.message for error in self.errors if error.field.startswith(OF_A_TRACE))
        return dict(found.most_common())

    @property
    def distinct(self) -> list[Item]:
        """The rows without verbatim repeats of an earlier one."""
        return list({item.model_dump_json(): item for item in self.items}.values())

    @property
    def causes(self) -> dict[str, list[int]]:
        """Cause → the rows with that error; if there is no question column, only that cause."""
        found: dict[str, list[int]] = {}
        for error in self.errors:
            field = f"{error.field}: " if error.field else ""
            cause = f"{field}{error.message} {error.hint}".strip()
            if error.field == "question" and "question" not in self.mapping.fields:
                cause = "Choose the question column."
            found.setdefault(cause, []).extend([error.row] if error.row else [])
        return found

    @property
    def foreign(self) -> int:
        """How many of the first rows are in a language that the packaged models do not read."""
        return sum(is_foreign([i.question, *(i.documents or [])], [i.response or ""]) for i in self.items[:LANGUAGE])

    def said(self, peers: Collection[str] = (), own: Collection[str] = ()) -> list[str]:
        """What was read and what was not, in sentences for people.

        The columns `peers` (values of other judges) and `own` are read by the caller and not mentioned.
        """
        held = {
            "documents": sum(item.documents is not None or item.documents_sentences is not None for item in self.items),
            "an answer": sum(item.response is not None or item.response_sentences is not None for item in self.items),
            "a reference answer": sum(bool(item.reference_answer) for item in self.items),
            "labels": sum(item.has_labels for item in self.items),
        }
        lines = [f"Usable rows: {len(self.items)} ({', '.join(f'{n} with {what}' for what, n in held.items())})."]
        if renamed := [f"{field} from {column}" for field, column in self.mapping.fields.items() if field != column]:
            lines.append(f"Read: {', '.join(renamed)}.")
        for score, (column, values) in self.mapping.conditions.items():
            given = [getattr(item, score) for item in self.items]
            if 0 in given and not any(given):
                lines.append(f"No row says {' or '.join(values)} in {column}, so none counts as true.")
        lines += [f"Traces that gave no row: {n}. {reason}" for reason, n in self.reasons.items()]
        if compared := [column for column in self.mapping.unread if column in peers]:
            lines.append(f"Compared with: {', '.join(compared)}.")
        if unread := [column for column in self.mapping.unread if column not in {*peers, *own}]:
            lines.append(f"Columns that are not read: {', '.join(unread)}.")
        if foreign := self.foreign:
            lines.append(f"{foreign} of the first {min(LANGUAGE, len(self.items))} rows are not in English. {ADVICE}")
        return [*lines, *self.mapping.notes]


def read_dataset(
    path: Path, *, name: str = "", mapping: Mapped = None, most: int | None = None, texts: Texts | None = None
) -> DataSet:
    """Read at most `most` rows of the file under `mapping`, which is guessed where none is given.

    Errors call the file `name`, its path by default; `texts` looks up the documents
    that a trace names only by id. Raises `InputError` when the file as a whole cannot be read.
    """
    name = name or str(path)
    return dataset(raw_rows(path, name), name, mapping=mapping, most=most, texts=texts)


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
    mapping, rows = _mapped(iter(rows), mapping, name, texts)
    first = list(islice(rows, SHOWN))
    found, rows = DataSet(name, mapping, [row for _, row in first if isinstance(row, dict)]), chain(first, rows)
    for item in islice(_items(rows, mapping, name), most):
        if isinstance(item, InputError):
            found.errors.append(item)
        else:
            found.items.append(item)
    if not found.items and not found.errors:
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
    known, rows = _mapped(raw_rows(path, name), mapping, name, texts)
    return known, _items(rows, known, name)


def _mapped(
    rows: Iterator[Numbered], mapping: Mapped, name: str, texts: Texts | None
) -> tuple[ColumnMapping, Iterator[Numbered]]:
    """The given mapping, or the guessed one with the given changes; and the rows."""
    columns, sample, rows = _sampled(rows)
    if any(map(is_carrier, sample)):
        columns, sample, rows = _sampled(trace_rows(rows, name, texts))
    elif merge := merge_of(columns, sample):
        columns, sample, rows = _sampled(one_a_question(rows, merge, name))
    elif names := names_of(columns, sample):
        columns, sample, rows = _sampled(turned_rows(rows, names))
    elif key := event_key(sample):
        columns, sample, rows = _sampled(joined_events(rows, key, name))
    if isinstance(mapping, ColumnMapping):
        return mapping, rows
    return guess_mapping(columns, sample).changed(mapping or {}), rows


def _sampled(rows: Iterator[Numbered]) -> tuple[list[str], list[dict[str, Any]], Iterator[Numbered]]:
    """The columns and values of the first rows, and all rows."""
    first = list(islice(rows, SAMPLE))
    sample = [row for _, row in first if isinstance(row, dict)]
    return list(dict.fromkeys(str(column) for row in sample for column in row)), sample, chain(first, rows)


def _items(rows: Iterable[Numbered], mapping: ColumnMapping, name: str) -> Iterator[Item | InputError]:
    read = mapping.reader()
    for number, row in rows:
        try:
            item = checked(Item, _applied(read, row, name, number), name, number)
            _check_total(item, row, name, number)
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


def _check_total(item: Item, row: Any, name: str, number: int) -> None:
    filled = (cell for cell in row.values() if cell not in (None, "")) if isinstance(row, dict) else iter(())
    first = next(filled, None)
    if (
        isinstance(first, str)
        and unaccented(first.strip().casefold().rstrip(": ")) in _TOTALS
        and item.documents is None
        and item.unanswered
    ):
        raise InputError("This is a line of totals.", file=name, row=number)


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
            "A question was expected.", "Say which column holds it.", file=name, row=number, field="question"
        )


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
