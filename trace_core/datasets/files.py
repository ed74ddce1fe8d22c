"""A file → its rows as plain values: JSON lines, JSON, CSV, TSV, Parquet, Excel. Each error names its row.

A cell is its text. Lines and tables are read one row at a time; a `.json` file is read whole.
"""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from trace_core.datasets.cells import json_value
from trace_core.errors import InputError

Numbered = tuple[int, Any]
"""A row's number, counted from 1, and the row; an unreadable row is its `InputError`."""
LINES, TABLES = (".jsonl", ".ndjson"), (".csv", ".tsv", ".tab")
FORMATS = (*LINES, ".json", *TABLES, ".xlsx", ".parquet")
MAX_TEXT = 2_000_000
"""The longest text in a row, in characters."""
MAX_LINE = 64_000_000
"""The longest line of JSON, in bytes."""
MAX_WHOLE = 1_000_000_000
"""The largest file, in bytes, that is read whole; the largest workbook or Parquet file, unpacked, has twice that."""
MAX_ROWS, MAX_COLUMNS = 1_000_000, 2_000
_MAX_RATIO, _LEAST_BOMB = 100, 100_000_000
"""No file of texts unpacks to this many times its size and this many bytes."""
_BATCH = 128_000_000
"""Bytes that one batch of a Parquet file may unpack to in the worst case."""
_MARKS = ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
          (codecs.BOM_UTF16_BE, "utf-16"), (codecs.BOM_UTF8, "utf-8-sig"))  # fmt: skip
_ENCODINGS = ["cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr"]
_SAMPLE = 64_000
"""Bytes by which an encoding is told."""
_DELIMITERS = ",;\t|"
_UNDECODED = re.compile("[\udc80-\udcff]")
_NOT_UTF8 = "This is not UTF-8 text."


@dataclass(frozen=True, slots=True)
class Source:
    """An open file: its rows, sentences about how it is read, and the sheets of a workbook; `whole`: a JSON value."""

    rows: Iterator[Numbered]
    notes: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    whole: bool = False


def open_rows(path: Path, name: str = "", sheet: str | None = None) -> Source:
    """The rows of a file, unchanged; a `.json` file that is an object has one row, the object.

    `name` is what errors call the file. Raises `InputError` where the file as a whole cannot be read.
    """
    name = name or str(path)
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise InputError(
            f"Files of this kind are not read; {', '.join(FORMATS)} are.", "Save the rows as CSV (UTF-8).", file=name
        )
    if not path.is_file():
        raise InputError("There is no such file.", file=name)
    if sheet is not None and suffix != ".xlsx":
        raise InputError("Only a workbook has sheets.", "Leave out --map sheet.", file=name)
    try:
        if suffix == ".parquet":
            return Source(_parquet_rows(path, name))
        if suffix == ".xlsx":
            return _workbook(path, name, sheet)
        encoding, note = encoding_of(path, name)
        notes = (note,) if note else ()
        if suffix in TABLES:
            return Source(_csv_rows(path, name, encoding), notes)
        if _has_lines(path, suffix in LINES):
            return Source(_lines(path, name, encoding), notes)
        whole = load_json(path, name, encoding)
        rows = enumerate(whole, start=1) if isinstance(whole, list) else iter([(1, whole)])
        return Source(rows, notes, whole=isinstance(whole, dict))
    except OSError as error:
        raise InputError(f"It cannot be read ({error.strerror or type(error).__name__}).", file=name) from None


def encoding_of(path: Path, name: str) -> tuple[str, str]:
    """The encoding of a text file, as a name for `open`, and a sentence about it where it was guessed.

    A file that is UTF-8 but for some bytes is UTF-8: only their rows are bad. Raises `InputError` where the file is no
    text.
    """
    with path.open("rb") as file:
        start = file.read(4)
        for mark, encoding in _MARKS:
            if start.startswith(mark):
                return encoding, ""
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        right = wrong = 0
        sample = b""
        file.seek(0)
        while chunk := file.read(1 << 20):
            if chunk.isascii():
                continue
            text = decoder.decode(chunk)
            wrong += len(_UNDECODED.findall(text))
            right += sum(not c.isascii() for c in text) if wrong else 0
            if wrong and not sample:
                sample = b"\n".join(line for line in chunk.splitlines() if not line.isascii())[:_SAMPLE]
    if right - wrong >= wrong:  # `right` counts the undecoded ones, too
        return "utf-8", ""
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=_ENCODINGS).best()
    if best is None:
        raise InputError(_NOT_UTF8, "Save it as UTF-8.", file=name)
    return best.encoding, f"This file is not UTF-8; it was read as {best.encoding}."


# JSON


def _has_lines(path: Path, lines: bool) -> bool:
    """Whether each line is a value. A `.json` file has lines if the first one is an object and another follows."""
    with path.open("rb") as file:
        filled = (line for line in iter(lambda: file.readline(MAX_LINE), b"") if line.strip())
        first = next(filled, b"").removeprefix(codecs.BOM_UTF8).strip()
        more = next(filled, None) is not None
    try:
        return (lines or more) and not isinstance(json_value(first), list)
    except (ValueError, RecursionError):
        return lines and first not in (b"[", b"{", b"[{")


def load_json(path: Path, name: str = "", encoding: str = "") -> Any:
    """A whole JSON file. Raises `InputError`, also for a file that is too big to read whole."""
    name = name or str(path)
    if path.stat().st_size > MAX_WHOLE:
        raise InputError(
            f"A JSON file of more than {MAX_WHOLE // 1_000_000} MB is not read.",
            "Write one row a line, as .jsonl.", file=name,
        )  # fmt: skip
    data = path.read_bytes()
    encoding = encoding or encoding_of(path, name)[0]
    try:
        return json_value(data if encoding == "utf-8" else data.decode(encoding))
    except (ValueError, RecursionError) as error:
        raise InputError(f"This is not JSON ({str(error)[:100]}).", file=name) from None


def _lines(path: Path, name: str, encoding: str) -> Iterator[Numbered]:
    number = 0
    with path.open("rb") as file:
        raw: Iterable[bytes] = iter(lambda: file.readline(MAX_LINE), b"")
        if not encoding.startswith("utf-8"):
            text = io.TextIOWrapper(file, encoding, newline="\n")
            raw = (line.encode("utf-8", "surrogatepass") for line in text)
        for line in raw:
            line = line.removeprefix(codecs.BOM_UTF8).strip() if number == 0 else line.strip()
            if not line:
                continue
            number += 1
            if len(line) >= MAX_LINE - 1:
                while len(rest := file.readline(MAX_LINE)) == MAX_LINE and not rest.endswith(b"\n"):
                    pass
                yield number, InputError(f"A line of more than {MAX_LINE // 1_000_000} MB is not read.", row=number)
                continue
            try:
                yield number, json_value(line)
            except (ValueError, RecursionError) as error:
                utf8 = isinstance(error, UnicodeDecodeError) or not _decodes(line)
                wrong = f"This is not JSON ({str(error)[:100]})." if not utf8 else _NOT_UTF8
                yield number, InputError(wrong, "Save it as UTF-8." if utf8 else "", file=name, row=number)


def _decodes(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


# Tables


def _csv_rows(path: Path, name: str, encoding: str) -> Iterator[Numbered]:
    csv.field_size_limit(max(csv.field_size_limit(), 50 * MAX_TEXT))  # a list of documents may be one cell
    with path.open(encoding=encoding, errors="surrogateescape", newline="") as file:
        delimiter = _delimiter(file.read(_SAMPLE))
        file.seek(0)
        cells = csv.reader(file, delimiter=delimiter, strict=True)
        yield from _table(_filled(cells, name), name, exact=True)


def _filled(cells: Iterator[list[str]], name: str) -> Iterator[Any]:
    """The cells of each row that is not empty. Text after a broken quotation mark is no rows: it is one error."""
    number = -1
    while True:
        try:
            row = next(cells)
        except StopIteration:
            return
        except csv.Error as error:
            hint = "Write a quotation mark within a quoted cell twice. Nothing below this row was read."
            yield InputError(f"This is not CSV ({error}).", hint, file=name, row=max(number + 1, 1))
            return
        if not any(row):
            continue
        number += 1
        text = "".join(row)
        wrong = not text.isascii() and _UNDECODED.search(text)
        yield InputError(_NOT_UTF8, "Save it as UTF-8.", file=name, row=max(number, 1)) if wrong else row


def _delimiter(start: str) -> str:
    """The delimiter under which most of the first rows have as many cells as there are headings."""

    def fitness(delimiter: str) -> float:
        widths = [len(row) for row in islice((row for row in _parsed(start, delimiter) if any(row)), 10)]
        alike = sum(width == widths[0] for width in widths)
        return alike * widths[0] if widths and widths[0] > 1 else 0.5 * (alike == len(widths))

    return max(_DELIMITERS, key=fitness)


def _parsed(start: str, delimiter: str) -> Iterator[list[str]]:
    lines = start.splitlines(keepends=True)
    try:
        yield from csv.reader(lines[:-1] or lines, delimiter=delimiter)
    except csv.Error:
        return


def _table(rows: Iterator[Any], name: str, *, exact: bool = False) -> Iterator[Numbered]:
    """The rows below the first, by its headings; an empty cell is null.

    With `exact`, a row must have as many cells as the first; else cells without a value may be missing.
    """
    headings = next(rows, None)
    if headings is None:
        return
    if isinstance(headings, InputError):
        raise headings
    columns = _columns(headings, name)
    wide = len(columns)
    for number, row in enumerate(rows, start=1):
        if number > MAX_ROWS:
            raise InputError(f"It holds more than {MAX_ROWS:,} rows.", "Split it.", file=name)
        if isinstance(row, InputError):
            yield number, row
        elif len(row) != wide and (exact or any(cell is not None for cell in row[wide:])):
            yield number, InputError(
                f"{len(row)} cells where the header has {wide} columns.",
                "The first row must be the headings, and a text with a delimiter or a line break in it quoted.",
                file=name, row=number,
            )  # fmt: skip
        else:
            yield number, {c: None if cell == "" else cell for c, cell in zip(columns, row, strict=False)}


def _columns(headings: Sequence[Any], name: str) -> list[str]:
    """The names of the columns; one without a heading is `column 3`, the second `answer` is `answer (2)`."""
    check_width(len(headings), name)
    found: dict[str, None] = {}
    for place, heading in enumerate(headings, start=1):
        text = "" if heading is None else str(heading).strip("\ufeff \t\r\n")
        column, n = text or f"column {place}", 1
        while column in found:
            n += 1
            column = f"{text or 'column'} ({n})"
        found[column] = None
    return list(found)


def check_width(columns: int, name: str) -> None:
    """Raises `InputError` for more than `MAX_COLUMNS`."""
    if columns > MAX_COLUMNS:
        raise InputError(f"{columns:,} columns; at most {MAX_COLUMNS:,} are read.", "Leave some out.", file=name)


# Excel and Parquet


def _workbook(path: Path, name: str, wanted: str | None) -> Source:
    """The rows of a sheet: of the wanted one, else the first that has any."""
    try:
        import openpyxl
    except ImportError:
        raise InputError(
            "Excel files are read with openpyxl, which is not installed.",
            "Install it with `pip install openpyxl` (the extra `excel`), or save the sheet as CSV (UTF-8).", file=name,
        ) from None  # fmt: skip
    try:
        with zipfile.ZipFile(path) as packed:
            _check_size(sum(part.file_size for part in packed.infolist()), path.stat().st_size, name)
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001  # openpyxl raises many kinds; all mean that it is no workbook
        why = f"It cannot be read as Excel ({type(error).__name__})."
        raise InputError(why, "Save it as .xlsx or CSV (UTF-8).", file=name) from None
    sheets = tuple(sheet.title for sheet in book.worksheets)
    if wanted is not None and wanted not in sheets:
        raise InputError(f"There is no sheet {wanted!r}.", f"Sheets are {', '.join(sheets)}.", file=name)
    for title in [wanted] if wanted is not None else sheets:
        rows = _sheet_rows(book[title])
        first = list(islice(rows, 2))
        if len(first) == 2 or title == wanted:
            others = [other for other in sheets if other != title]
            more = f" Other sheets: {', '.join(others)} (--map sheet=NAME)." if others else ""
            notes = (f"The sheet {title!r} was read.{more}",) if others else ()
            return Source(_table(chain(first, rows), name), notes, (title, *others))
    return Source(iter(()), (), sheets)


def _sheet_rows(sheet: Any) -> Iterator[list[Any]]:
    """The rows that are not empty. What a sheet says of its size may be wrong, and is not believed."""
    sheet.reset_dimensions()
    for row in sheet.iter_rows(values_only=True):
        if any(cell not in (None, "") for cell in row):
            yield [_plain(cell) for cell in row]


def _parquet_rows(path: Path, name: str) -> Iterator[Numbered]:
    import pyarrow
    import pyarrow.parquet

    number = unpacked = 0
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            check_width(file.metadata.num_columns, name)
            if file.metadata.num_rows > MAX_ROWS:
                raise InputError(f"It holds {file.metadata.num_rows:,} rows; at most {MAX_ROWS:,} are read.", file=name)
            for batch in file.iter_batches(batch_size=_batch_rows(file.metadata)):
                _check_size(unpacked := unpacked + batch.nbytes, path.stat().st_size, name)
                for row in batch.to_pylist():
                    number += 1
                    yield number, _plain(row)
    except (pyarrow.ArrowException, ValueError, OSError, MemoryError) as error:
        raise InputError(f"It cannot be read as Parquet ({type(error).__name__}).", file=name) from None


def _batch_rows(about: Any) -> int:
    """A batch so small that even a maliciously compressed file cannot fill the memory.

    Repeated values are stored once, but none is longer than its whole column.
    """
    groups = (about.row_group(i) for i in range(about.num_row_groups))
    widest = max((g.column(c).total_uncompressed_size for g in groups for c in range(g.num_columns)), default=1)
    return max(1, min(1024, _BATCH // max(1, widest)))


def _check_size(unpacked: int, size: int, name: str) -> None:
    """Raises `InputError` for a decompression bomb: a kilobyte of a packed file can unpack to terabytes."""
    if unpacked > 2 * MAX_WHOLE:
        raise InputError(f"It unpacks to more than {2 * MAX_WHOLE // 1_000_000:,} MB.", "Split it.", file=name)
    if unpacked > max(_LEAST_BOMB, _MAX_RATIO * size):
        message = f"It unpacks to more than {_MAX_RATIO} times its size, as no file of texts does."
        raise InputError(message, "Look at what is in it.", file=name)


def _plain(cell: Any) -> Any:
    """A cell as a JSON value: NaN is null; dates and decimals are texts."""
    if isinstance(cell, list):
        return [_plain(item) for item in cell]
    if isinstance(cell, dict):
        return {str(key): _plain(item) for key, item in cell.items()}
    if cell is None or isinstance(cell, bool | int | str):
        return cell
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
    return str(cell)
