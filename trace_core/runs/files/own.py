"""Our own exports other than run files, read back as records: `jsonl`, `csv` and `log`.

Each score keeps its own convention. What a format leaves out stays unknown: a log line has no document texts. A table
has whole records in its last column, unless somebody took it out; where other cells were changed, these count.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from trace_core.datasets.dataset import SAMPLE
from trace_core.datasets.notations import value_of
from trace_core.datasets.raw import Numbered, raw_rows
from trace_core.datasets.rows import given_notes
from trace_core.errors import InputError
from trace_core.facts.records import EXPECTED, Document, Failure, Golden, Record, Response, Scores, Truth
from trace_core.metrics import METRICS
from trace_core.runs.files.export import TABLE, WHOLE, field_column, field_text, table_row, uncell
from trace_core.runs.files.exported import DOCUMENT_SCORES, beyond_golden, first_reference
from trace_core.runs.files.log_lines import LOG, known_convention, record_of_log, retrieval_of
from trace_core.runs.files.reader import check_scores, read_record

_RECORD = {"id", "question", "documents", "response", "labels", "scores", "ground_truth", "cleaning", "overrides"}
_LATER = {"diagnosis", "cleaning", *EXPECTED, *DOCUMENT_SCORES}
"""Columns that older tables lack; the first is derived from the rest."""
_REASON = re.compile(rf"(?:^|; )({'|'.join((*METRICS, 'average', 'rmse_aggregation', 'consistency_score'))}): ")
_MOST = 100_000
"""The most documents or sentences of a record that a table may count."""
_COUNTED = {
    "fully_supported_sentences",
    "partially_supported_sentences",
    "unsupported_sentences",
    "unlabeled_sentences",
}

Read = Callable[[Mapping[str, Any], int], Record]


def own_records(path: Path, name: str = "", *, convention: str = "trace") -> Iterator[Record] | None:
    """The records of one of our exports, `None` for any other file. `convention` applies to scores that name none.

    Raises `InputError` for a wrong row, at the call or while iterating.
    """
    rows = own_rows(path, name, convention=convention)
    return None if rows is None else map(_good, rows)


def own_rows(path: Path, name: str = "", *, convention: str = "trace") -> Iterator[Record | InputError] | None:
    """As `own_records`, with the error of each wrong row in its place. Raises `InputError` for an unreadable file."""
    name = name or str(path)
    if path.suffix.lower() not in (".jsonl", ".ndjson", ".csv") or not path.is_file():
        return None
    rows = raw_rows(path, name)
    first = list(islice(rows, SAMPLE))
    kinds = (_reader(set(row), name, convention) for _, row in first if isinstance(row, dict))
    read = next((kind for kind in kinds if kind), None)
    return None if read is None else _each(chain(first, rows), read, name)


def _good(row: Record | InputError) -> Record:
    if isinstance(row, InputError):
        raise row
    return row


def _reader(columns: set[str], name: str, convention: str) -> Read | None:
    """What reads the rows of our export with these columns; `None` where they are no export of ours."""
    if columns >= _RECORD:
        return lambda row, number: read_record(json.dumps(row).encode(), name, number)
    if columns >= set(TABLE) - _LATER:
        return lambda row, number: _within(_of_table(row, name, number))
    if columns >= LOG:
        return lambda row, number: _within(record_of_log(row, number, convention))
    return None


def _each(rows: Iterable[Numbered], read: Read, name: str) -> Iterator[Record | InputError]:
    """The records, each with an id of its own: `id#2` for the second with one id; and the errors of wrong rows."""
    taken: dict[str, int] = {}
    for number, row in rows:
        try:
            record = _read(read, row, number, name)
        except InputError as error:
            yield error
            continue
        own = record.id
        while own in taken:
            taken[record.id] += 1
            own = f"{record.id}#{taken[record.id]}"
        taken[own] = 1
        yield record if own == record.id else record.model_copy(update={"id": own})


def _read(read: Read, row: Any, number: int, name: str) -> Record:
    """The record. Raises `InputError` with the row and the field for any fault."""
    if isinstance(row, InputError):
        raise row
    if not isinstance(row, Mapping):
        raise InputError("An object was expected.", file=name, row=number)
    try:
        return read(row, number)
    except InputError as error:
        row_of = error.row if error.row is not None else number
        raise InputError(error.message, error.hint, file=name, row=row_of, field=error.field) from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        message = "It is missing." if first["type"] == "missing" else f"{first['msg']}."
        raise InputError(message, file=name, row=number, field=field) from None
    except KeyError as error:
        raise InputError("It is missing.", file=name, row=number, field=str(error.args[0])) from None


def _within(record: Record) -> Record:
    """The record. Raises `InputError` for a score outside 0 to 1, under the name of its column."""
    try:
        check_scores(record)
    except InputError as error:
        where, _, name = error.field.rpartition(".")
        column = f"true_{name}" if where.startswith("ground_truth") else name
        raise InputError(error.message, error.hint, field=column) from None
    return record


def _of_table(row: Mapping[str, Any], name: str, number: int) -> Record:
    """The record of a table row: its last cell, or what the other cells say where they say something else."""
    cells = {column: uncell(value) for column, value in row.items()}
    record, text = _of_cells(cells), cells.get(WHOLE)
    if not text:
        return record
    try:
        whole = read_record(str(text).encode(), name, number)
    except InputError:  # a spreadsheet cuts long cells
        return _noted(record, f"its cell “{WHOLE}” is cut or edited")
    if changed := _changed(cells, whole):
        return _noted(record, f"cells were changed ({', '.join(changed)})")
    return whole.model_copy(update={"id": record.id, "fields": _fields(cells, whole)})


def _fields(cells: Mapping[str, Any], whole: Record) -> dict[str, Any]:
    """The row's other fields; a cell that somebody changed counts, as text."""
    found = {}
    for name, value in whole.fields.items():
        column = field_column(name)
        kept = column not in cells or _same_cell(cells[column], field_text(value))
        found[name] = value if kept else cells[column]
    return found


def _noted(record: Record, why: str) -> Record:
    note = f"table: {why}, so its labels and document texts were left out"
    return record.model_copy(update={"cleaning": [*record.cleaning, note]})


def _changed(cells: Mapping[str, Any], whole: Record) -> list[str]:
    """The columns that say something else than the record; those that merely follow from it are not compared."""
    follow = {"id", "diagnosis", "findings"}
    if whole.ground_truth and whole.ground_truth.labels:
        follow |= {f"true_{metric}" for metric in METRICS}
    said = table_row(whole)
    compared = [column for column in TABLE if column in cells and column not in follow]
    return [column for column in compared if not _same_cell(cells[column], said[column])]


def _same_cell(cell: Any, value: Any) -> bool:
    """Whether a cell has that value, also as a spreadsheet writes it: TRUE, 0.333333333."""
    if cell in (None, "") or value in (None, ""):
        return cell in (None, "") and value in (None, "")
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return math.isclose(float(cell), value, abs_tol=1e-6)
        except ValueError:
            return False
    said, meant = str(cell), str(value)
    return said.casefold() == meant.casefold() if isinstance(value, bool) else said == meant


def _of_cells(cells: Mapping[str, Any]) -> Record:
    """The record of a table row alone, which counts the documents but has no text of them."""
    error, truth = cells["error"], {name: _number(cells, f"true_{name}") for name in METRICS}
    count, under = _whole(cells, "documents"), _convention(cells, "true_convention")
    return Record(
        id=cells["id"] or "",
        source_id=cells["source_id"],
        question=cells["question"] or "",
        documents=[Document(id=str(place), rank=place, text="") for place in range(1, count + 1)],
        response=Response(text=cells["response"]) if cells["response"] is not None else None,
        generation_model_name=cells["generation_model_name"],
        scores=_scores(cells) if _convention(cells, "convention") else None,
        ground_truth=Truth(scores=truth, convention=under)
        if (under := _convention(cells, "true_convention"))
        else None,
        retrieval=retrieval_of(_number(cells, "retrieval_confidence"), None, count),
        usage={} if (tokens := _number(cells, "tokens")) is None else {"total_tokens": tokens},
        seconds={} if (seconds := _number(cells, "seconds")) is None else {"run": seconds},
        cleaning=given_notes(cells),
        golden=_golden(cells),
        fields=beyond_golden(_expected(cells)),
        error=Failure(step="run", message=error) if error else None,
    )


def _golden(cells: Mapping[str, Any]) -> Golden | None:
    said = _expected(cells)
    if said["expected_documents"] is None:
        return None
    said["reference_answer"] = first_reference(said["reference_answer"])
    return Golden(**said, **{name: _number(cells, name) for name in DOCUMENT_SCORES})


def _expected(cells: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of `EXPECTED`, with lists as such."""
    documents, answers = (value_of(cells.get(name)) for name in ("expected_documents", "reference_answer"))
    several = isinstance(answers, list) and len(answers) > 1 and all(isinstance(answer, str) for answer in answers)
    return {
        "expected_documents": list(map(str, documents)) if isinstance(documents, list) else None,
        "reference_answer": answers if several else cells.get("reference_answer"),
        "category": cells.get("category"),
    }


def _scores(cells: Mapping[str, Any]) -> Scores:
    parts = _REASON.split(cells["undefined"] or "")
    undefined = dict(zip(parts[1::2], parts[2::2], strict=True))
    numbers = {name: _number(cells, name) for name in Scores.model_fields if name in cells and name not in _WORDS}
    whole = {name: _whole(cells, name) for name in _COUNTED}
    said = {"True": True, "False": False}.get(cells["overall_supported"] or "")
    return Scores(
        **{**numbers, **whole}, overall_supported=said, convention=cells["convention"], undefined=undefined
    )  # fmt: skip


_WORDS = {"overall_supported", "convention", "undefined", *_COUNTED}


def _number(cells: Mapping[str, Any], name: str) -> float | None:
    cell = cells.get(name)
    if cell in (None, ""):
        return None
    try:
        number = float(str(cell))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{str(cell)[:60]!r} is no number.", field=name)
    return number


def _whole(cells: Mapping[str, Any], name: str) -> int:
    number = _number(cells, name) or 0.0
    if number != int(number) or not 0 <= number <= _MOST:
        raise InputError(f"{number:g} is no count.", field=name)
    return int(number)


def _convention(cells: Mapping[str, Any], name: str) -> str | None:
    return known_convention(cells[name] or None, name)
