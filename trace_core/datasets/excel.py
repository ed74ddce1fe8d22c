"""Excel workbooks as rows: one table, the first one with questions, or sheets that name each other's ids."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from trace_core.datasets.headings import check_once, in_two_lines, told_apart, with_corner
from trace_core.datasets.joins import is_on_its_side, joined_tables
from trace_core.datasets.tables import MAX_ROWS, MOST_ABOVE, Numbered, check_size, is_blank, plain
from trace_core.datasets.words import asks
from trace_core.errors import InputError


class _Table(NamedTuple):
    """A sheet's table: its header, the rows below, whether the header has a question, and the sheet's title."""

    header: Sequence[Any]
    rows: Iterable[Sequence[Any]]
    asks: bool
    title: str


def excel_rows(path: Path, name: str) -> Iterator[Numbered]:
    """The rows of the first table with questions, or else of the first sheet that has any rows, or of several sheets
    that name each other's ids; an `InputError` in place of each other table with questions.

    Raises `InputError` where it is no workbook, and where openpyxl is not installed.
    """
    try:
        import openpyxl
    except ImportError:
        raise InputError(
            "Excel files are read with openpyxl, which is not installed.",
            "Install it with `pip install openpyxl` (the extra `excel`), or save the sheet as CSV (UTF-8).", file=name,
        ) from None  # fmt: skip
    _check_packed(path, name)
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # noqa: BLE001  # openpyxl raises many kinds; all mean that it is no workbook
        raise InputError(f"It cannot be read as Excel ({type(error).__name__}).", file=name) from None
    try:
        tables = [table for sheet in book.worksheets if (table := _table(sheet))]
        tables, joined = _joined(tables, name)
        if joined:
            yield from enumerate(joined, start=1)
            return
        chosen = next((table for table in tables if table.asks), tables[0] if tables else None)
        number = 0
        for number, row in _rows(chosen, name) if chosen else ():
            yield number, row
        for table in tables:
            if table is not chosen and table.asks and next(iter(table.rows), None):
                message = f"The sheet {table.title!r} has rows, too, which are not read."
                yield (number := number + 1), InputError(message, "Save it as a file of its own.", file=name)
    finally:
        book.close()


def _joined(tables: list[_Table], name: str) -> tuple[list[_Table], list[Any] | None]:
    """The tables, to be read still, and the rows of those that name each other's ids.

    Only tables that share a column's name are read at once, as many rows need much memory.
    """
    asking = [_names(table) for table in tables if table.asks]
    kin = [table.title for table in tables if len(asking) == 1 and not asking[0].isdisjoint(_names(table))]
    if len(kin) < 2:
        return tables, None
    tables = [table._replace(rows=list(table.rows)) if table.title in kin else table for table in tables]
    lists = {table.title: [row for _, row in _rows(table, name)] for table in tables if table.title in kin}
    return tables, joined_tables(lists, name)


def _names(table: _Table) -> set[str]:
    """The names of the table's columns; none where two are the same, as its rows cannot be read then."""
    names = [str(cell) for cell in table.header if cell is not None]
    return {*names} if len({*names}) == len(names) else set()


def _table(sheet: Any) -> _Table | None:
    """The sheet's table: from the row with a question on, which may have titles and notes above it."""
    filled = (row for row in sheet.iter_rows(values_only=True) if not is_blank(row))
    top = list(islice(filled, MOST_ABOVE))
    if not top:
        return None
    place = next((place for place, row in enumerate(top) if _is_header(row)), None)
    if place is not None and place + 1 < len(top) and (header := in_two_lines(top[place], top[place + 1])):
        return _Table(header, chain(top[place + 2 :], filled), True, sheet.title)
    return _Table(top[place or 0], chain(top[(place or 0) + 1 :], filled), place is not None, sheet.title)


def _is_header(row: Sequence[Any]) -> bool:
    """Whether these are names of columns, one of them of questions."""
    cells = [cell for cell in row if cell is not None]
    named = len(cells) > 1 and all(isinstance(cell, str) for cell in cells) and any(map(asks, cells))
    return named and not is_on_its_side(cells)


def _rows(table: _Table, name: str) -> Iterator[Numbered]:
    columns = told_apart(["" if cell is None else str(cell) for cell in table.header])
    check_once(columns, name)
    columns = with_corner(columns)
    for number, row in enumerate(table.rows, start=1):
        if number > MAX_ROWS:
            raise InputError(f"It holds more than {MAX_ROWS:,} rows.", "Split it.", file=name)
        yield number, {column: plain(cell) for column, cell in zip(columns, row, strict=False) if column.strip()}


def _check_packed(path: Path, name: str) -> None:
    try:
        with zipfile.ZipFile(path) as packed:
            check_size(sum(part.file_size for part in packed.infolist()), path.stat().st_size, name)
    except (zipfile.BadZipFile, OSError, ValueError):
        raise InputError("It cannot be read as Excel.", "Save it as .xlsx or CSV (UTF-8).", file=name) from None
