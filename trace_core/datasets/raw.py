"""Files as rows of plain values: JSON lines, JSON, CSV and Parquet; whatever is wrong is named by its row.

Rows are read one after another, so that a long file needs little memory; only a `.json` file is read whole.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, Any

from trace_core.errors import InputError

FORMATS = (".jsonl", ".ndjson", ".json", ".csv", ".parquet")
MAX_TEXT = 2_000_000
"""Characters of one text. A longer one is a mistake, and would cost minutes and gigabytes further on."""
MAX_LINE = 64_000_000
"""Bytes of one JSON line."""
MAX_JSON = 1_000_000_000
"""Bytes of a `.json` file, which is read whole."""
MAX_ROWS = 1_000_000
MAX_UNPACKED = 2_000_000_000
"""Bytes that a Parquet file may unpack to."""
MAX_RATIO, MIN_UNPACKED = 100, 100_000_000
"""No file of texts unpacks to so many times its size: from so many bytes on, one that does is refused."""
_BATCH = 128_000_000  # bytes that one batch of a Parquet file may unpack to at the very worst
_DELIMITERS = ",;\t"
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")

Numbered = tuple[int, Any]
"""A row's number, from 1, and its value; or the `InputError` that stands in its place."""


def raw_rows(path: Path, name: str = "", lists: Collection[str] = ()) -> Iterator[Numbered]:
    """The rows of a file as they stand there; a row that cannot be read is its `InputError`.

    `name` is what errors call the file. In a CSV file, cells of the columns `lists` hold JSON. Raises
    `InputError` when the file as a whole cannot be read.
    """
    name = name or str(path)
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise InputError(f"Files of this kind are not read; {', '.join(FORMATS)} are.", file=name)
    if not path.is_file():
        raise InputError("There is no such file.", file=name)
    try:
        if suffix == ".parquet":
            yield from _parquet(path, name)
        elif suffix == ".csv":
            yield from _csv(path, name, lists)
        elif suffix == ".json":
            yield from enumerate(_listed(load_json(path, name), name), start=1)
        else:
            yield from _lines(path, name)
    except OSError as error:
        raise InputError(f"It cannot be read ({error.strerror or type(error).__name__}).", file=name) from None


def load_json(path: Path, name: str = "") -> Any:
    """A whole JSON file. Raises `InputError`, also for one that is too big to be read whole."""
    name = name or str(path)
    if path.stat().st_size > MAX_JSON:
        raise InputError(
            f"A .json file of more than {MAX_JSON // 1_000_000} MB is not read.",
            "Write one row a line, as .jsonl.", file=name,
        )  # fmt: skip
    with path.open("rb") as file:
        _skip_mark(file, name)
        return parse(_utf8(file.read(), name), name)


def parse(text: str, name: str, row: int | None = None) -> Any:
    """JSON, NaN and infinities as null. Raises `InputError`."""
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise InputError(f"This is not JSON ({str(error)[:100]}).", file=name, row=row) from None


def too_long(value: Any, field: str = "") -> tuple[str, int] | None:
    """The first text in the value that is longer than `MAX_TEXT`: its field (`documents.0`) and its length."""
    if isinstance(value, str):
        return (field, len(value)) if len(value) > MAX_TEXT else None
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, item in items:
        if isinstance(item, str | dict | list | tuple):
            found = too_long(item, f"{field}.{key}" if field else str(key))
            if found:
                return found
    return None


def _listed(whole: Any, name: str) -> list[Any]:
    if not isinstance(whole, list):
        raise InputError("A list of rows was expected.", file=name)
    return whole


def _skip_mark(file: IO[bytes], name: str) -> None:
    """Go to where the text starts, past a mark of UTF-8."""
    start = file.read(3)
    if start[:2] in _BYTE_ORDER_MARKS:
        raise InputError("This is UTF-16 text; UTF-8 was expected.", "Save it as UTF-8.", file=name)
    file.seek(3 if start == b"\xef\xbb\xbf" else 0)


def _utf8(text: bytes, name: str, row: int | None = None) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name, row=row) from None


def _lines(path: Path, name: str) -> Iterator[Numbered]:
    """Only \\n ends a line: a text may hold other separators as they are."""
    number = 0
    with path.open("rb") as file:
        _skip_mark(file, name)
        while line := file.readline(MAX_LINE):
            if not line.strip():
                continue
            number += 1
            if len(line) >= MAX_LINE and not line.endswith(b"\n"):
                while len(rest := file.readline(MAX_LINE)) == MAX_LINE and not rest.endswith(b"\n"):
                    pass
                message = f"A line of more than {MAX_LINE // 1_000_000} MB is not read."
                yield number, InputError(message, file=name, row=number)
                continue
            try:
                yield number, parse(_utf8(line, name, number), name, number)
            except InputError as error:
                yield number, error


def _csv(path: Path, name: str, lists: Collection[str]) -> Iterator[Numbered]:
    """Everything as text, so that an id such as 007 and an answer such as None stay what they are; an empty
    cell is null."""
    csv.field_size_limit(max(csv.field_size_limit(), 50 * MAX_TEXT))  # a list of documents is one cell
    with path.open("rb") as file:
        _skip_mark(file, name)
    # A byte that is no UTF-8 becomes a lone surrogate, which no UTF-8 gives: its row is bad, not the file.
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        first = file.readline(MAX_TEXT)
        delimiter = max(_DELIMITERS, key=first.count)
        file.seek(0)
        rows = csv.reader(file, delimiter=delimiter, strict=True)
        header = _header(rows, name)
        for number, cells in enumerate(_read(rows, name), start=1):
            yield number, _csv_row(header, cells, name, number, lists)


def _header(rows: Iterator[list[str]], name: str) -> list[str]:
    header = next(_read(rows, name), None)
    if isinstance(header, InputError):
        raise header
    if not header:
        raise InputError("The file holds no rows.", file=name)
    if not _is_utf8(header):
        raise InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name)
    twice = {column for column in header if header.count(column) > 1}
    if twice:
        raise InputError(f"The column {min(twice)!r} is there twice.", "Rename one of them.", file=name)
    return header


def _read(rows: Iterator[list[str]], name: str) -> Iterator[list[str] | InputError]:
    """The rows that hold anything. What follows a broken quote cannot be told apart: it is one bad row."""
    number = 0
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield InputError(f"This is not CSV ({error}).", "Check its quotation marks.", file=name, row=number)
            return
        if cells:
            number += 1
            yield cells


def _csv_row(
    header: list[str], cells: list[str] | InputError, name: str, number: int, lists: Collection[str]
) -> dict[str, Any] | InputError:
    if isinstance(cells, InputError):
        return InputError(cells.message, cells.hint, file=name, row=number)
    if not _is_utf8(cells):
        return InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name, row=number)
    if len(cells) != len(header):
        message = f"{len(cells)} cells where the header has {len(header)} columns."
        return InputError(message, "Check its commas and quotation marks.", file=name, row=number)
    return {
        column: (json_cell(cell) if column in lists else cell) if cell else None
        for column, cell in zip(header, cells, strict=True)
    }


def json_cell(cell: Any) -> Any:
    """CSV writes lists as JSON text; what is no JSON stays the text it is."""
    if isinstance(cell, str) and cell.lstrip()[:1] in ("[", "{"):
        try:
            return parse(cell, "")
        except InputError:
            return cell
    return cell


def _is_utf8(cells: list[str]) -> bool:
    return all(cell.isascii() or not any("\udc80" <= c <= "\udcff" for c in cell) for cell in cells)


def _parquet(path: Path, name: str) -> Iterator[Numbered]:
    import pyarrow
    from pyarrow import parquet

    number = unpacked = 0
    try:
        with parquet.ParquetFile(path) as file:
            if file.metadata.num_rows > MAX_ROWS:
                raise InputError(f"It holds {file.metadata.num_rows:,} rows; at most {MAX_ROWS:,} are read.", file=name)
            for batch in file.iter_batches(batch_size=_batch_rows(file.metadata)):
                unpacked += batch.nbytes
                _check_size(unpacked, path.stat().st_size, name)
                for row in batch.to_pylist():
                    number += 1
                    yield number, {str(column): _cell(value) for column, value in row.items()}
    except (pyarrow.ArrowException, ValueError, OSError, MemoryError) as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise InputError(f"It cannot be read as Parquet ({reason}).", file=name) from None


def _check_size(unpacked: int, size: int, name: str) -> None:
    """A kilobyte of Parquet can stand for terabytes."""
    if unpacked > MAX_UNPACKED:
        raise InputError(f"It unpacks to more than {MAX_UNPACKED // 1_000_000} MB.", "Split it.", file=name)
    if unpacked > max(MIN_UNPACKED, MAX_RATIO * size):
        message = f"It unpacks to more than {MAX_RATIO} times its size, as no file of texts does."
        raise InputError(message, "Look at what is in it.", file=name)


def _batch_rows(metadata: Any) -> int:
    """So few rows that not even a file made to unpack without end fills the memory.

    Repeated values are stored once, but none is longer than all that its column holds.
    """
    groups = (metadata.row_group(i) for i in range(metadata.num_row_groups))
    widest = max((g.column(c).total_uncompressed_size for g in groups for c in range(g.num_columns)), default=1)
    return max(1, min(1024, _BATCH // max(1, widest)))


def _cell(value: Any) -> Any:
    """A Parquet value as JSON has it: NaN as null, dates, bytes and decimals as text."""
    if isinstance(value, list):
        return [_cell(item) for item in value]
    if isinstance(value, dict):
        return {str(name): _cell(item) for name, item in value.items()}
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value)
