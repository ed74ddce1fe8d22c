"""A table on its side: a column for each question, and the names of the fields in the first column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from trace_core.datasets.words import asks, holds_documents, role_of

Cells = Mapping[str, Any]


def names_of(columns: Sequence[str], sample: Sequence[Cells]) -> str:
    """The column with the names of the fields, where no column's own name is that of a field; else empty."""
    if len(columns) < 2 or any(map(_is_part, columns)):
        return ""
    rows = {name: row for row in sample if isinstance(name := row.get(columns[0]), str) and name}
    asked = [row for name, row in rows.items() if asks(name)]
    parts = sum(map(_is_part, rows))
    if len(rows) < len(sample) or len(asked) != 1 or parts < 2:
        return ""
    return columns[0] if all(_is_question(asked[0].get(column)) for column in columns[1:]) else ""


def is_on_its_side(cells: Sequence[str]) -> bool:
    """Whether the cells are the name of the questions, and questions: a row of such a table, not its header."""
    name, *asked = [cell for cell in cells if cell.strip()] or [""]
    questions = all(_is_asked(cell) or (_is_question(cell) and not _is_part(cell)) for cell in asked)
    return asks(name) and not _is_asked(name) and questions and any(map(_is_asked, asked))


def _is_asked(text: str) -> bool:
    return text.rstrip().endswith(("?", "？", "؟"))


def _is_question(value: Any) -> bool:
    """Whether the cell may be a question, and not the time of a step in a log."""
    return isinstance(value, str) and (len(value.split()) > 2 or _is_asked(value))


def _is_part(name: str) -> bool:
    return asks(name) or holds_documents(name) or role_of(name) is not None


def turned_rows(rows: Iterable[tuple[int, Any]], names: str) -> Iterator[tuple[int, Any]]:
    """A row for each other column; what is no row comes first, as it is."""
    fields: list[Cells] = []
    for number, row in rows:
        if isinstance(row, dict):
            fields.append(row)
        else:
            yield number, row
    columns = dict.fromkeys(column for row in fields for column in row if column != names)
    for number, column in enumerate(columns, start=1):
        yield number, {str(row.get(names)): row.get(column) for row in fields}
