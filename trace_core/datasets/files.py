"""A file → its rows as plain values: JSON lines, JSON, CSV, TSV, Parquet, Excel. A cell is its text. Lines and tables
are read one row at a time; a `.json` file is read whole."""

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from trace_core.datasets.cells import json_value
from trace_core.datasets.packed import excel_rows, parquet_rows
from trace_core.errors import InputError
from trace_core.process import MOST_BYTES, values_of

Rows = Iterator[Any]
"""Plain values; the `InputError` of an unreadable row is in its place."""
LINES, TABLES = (".jsonl", ".ndjson"), (".csv", ".tsv", ".tab")
FORMATS = (*LINES, ".json", *TABLES, ".xlsx", ".parquet")
MAX_TEXT, MAX_LINE = 2_000_000, 64_000_000
"""Characters of the longest text in a row, and of the longest line of JSON."""
MAX_WHOLE, MAX_ROWS = 1_000_000_000, 1_000_000
"""Bytes of the largest file that is read whole, and the most rows of a file."""
_MARKS = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"), (codecs.BOM_UTF8, "utf-8-sig"))
_ENCODINGS = ["cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr"]
_SAMPLE = 64_000
_DELIMITERS, _NO_DELIMITER = ",;\t|", "\x1f"
_STRAY = re.compile("[\udc80-\udcff]")
_NOT_UTF8 = "This is not UTF-8 text.", "Save it as UTF-8."


class OpenFile(NamedTuple):
    """An open file: its rows, sentences about how it is read, and the sheets of a workbook; `whole`: a JSON object."""

    rows: Rows
    notes: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    whole: bool = False


def open_rows(path: Path, name: str = "", sheet: str | None = None, most: int = MOST_BYTES) -> OpenFile:
    """The rows of a file, unchanged; a `.json` file that is an object has one row, the object. Errors call it `name`; a
    workbook or a Parquet file may unpack to `most` bytes of text. Raises `InputError` for an unreadable file."""
    name = name or str(path)
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        hint = "Save the rows as CSV (UTF-8)."
        if suffix in (".html", ".htm"):
            hint = "A run's report is for people to read: export the run as JSON or JSONL."
        raise InputError(f"Files of this kind are not read; {', '.join(FORMATS)} are.", hint, file=name)
    if not path.is_file():
        raise InputError("There is no such file.", file=name)
    if sheet is not None and suffix != ".xlsx":
        raise InputError("Only a workbook has sheets.", "Leave out --map sheet.", file=name)
    try:
        if suffix == ".parquet":
            return OpenFile(_parquet_rows(path, name, most))
        if suffix == ".xlsx":
            return _workbook(path, name, sheet, most)
        encoding, notes = encoding_of(path, name)
        if suffix in TABLES:
            return OpenFile(_table(_csv_rows(path, encoding), name, exact=True), notes)
        if _has_lines(path, encoding, suffix in LINES):
            return OpenFile(_lines(path, encoding), notes)
        whole = _load(path, name, encoding)
        return OpenFile(iter(whole if isinstance(whole, list) else [whole]), notes, whole=isinstance(whole, dict))
    except OSError as error:
        raise InputError(f"The file cannot be read ({error.strerror or type(error).__name__}).", file=name) from None


def encoding_of(path: Path, name: str) -> tuple[str, tuple[str, ...]]:
    """The encoding of a text file, and a sentence if it was guessed; of UTF-8 with bad bytes only the rows are bad."""
    right = wrong = 0
    sample = b""
    with path.open("rb") as file:
        start = file.read(4)
        for mark, encoding in _MARKS:
            if start.startswith(mark):
                return encoding, ()
        file.seek(0)
        for line in iter(partial(file.readline, MAX_LINE), b""):
            if line.isascii():
                continue
            text = line.decode("utf-8", "surrogateescape")
            strays = len(_STRAY.findall(text))
            wrong += strays
            right += len(text) - len(text.encode("ascii", "ignore")) - strays
            sample += line[: _SAMPLE - len(sample)] if strays else b""
    if right >= wrong:
        return "utf-8", ()
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=_ENCODINGS).best()
    if best is None:
        raise InputError(*_NOT_UTF8, file=name)
    return best.encoding, (f"This file is not UTF-8; it was read as {best.encoding}.",)


def _has_lines(path: Path, encoding: str, lines: bool) -> bool:
    """Whether each line is a value. A `.json` file has lines if the first one is an object and another follows."""
    texts = _texts(path, encoding)
    first, second = next(texts, "").strip(), next(texts, "")
    try:
        return (lines or bool(second)) and not isinstance(json_value(first), list)
    except (ValueError, RecursionError):
        return lines and first not in ("[", "{", "[{")


def _texts(path: Path, encoding: str) -> Iterator[str]:
    """The lines that are not empty."""
    with path.open(encoding=encoding, errors="surrogateescape", newline="\n") as file:
        yield from (line for line in iter(partial(file.readline, MAX_LINE), "") if line.strip())


def _load(path: Path, name: str, encoding: str) -> Any:
    if path.stat().st_size > MAX_WHOLE:
        message = f"A JSON file of more than {MAX_WHOLE // 1_000_000} MB is not read."
        raise InputError(message, "Write one row a line, as .jsonl.", file=name)
    try:
        return json_value(path.read_text(encoding))
    except (ValueError, RecursionError) as error:
        raise InputError(f"This is not JSON ({str(error)[:100]}).", file=name) from None


def _lines(path: Path, encoding: str) -> Rows:
    for line in _texts(path, encoding):
        if len(line) == MAX_LINE:
            message = f"A line of more than {MAX_LINE // 1_000_000} MB is not read."
            yield InputError(message, "Nothing below this line was read.")
            return
        try:
            wrong = not line.isascii() and _STRAY.search(line)
            yield InputError(*_NOT_UTF8) if wrong else json_value(line)
        except (ValueError, RecursionError) as error:
            yield InputError(f"This is not JSON ({str(error)[:100]}).")


def _csv_rows(path: Path, encoding: str) -> Rows:
    """The cells of each row that is not empty. Text after a broken quotation mark is no rows: it is one error."""
    csv.field_size_limit(max(csv.field_size_limit(), 50 * MAX_TEXT))  # a list of documents may be one cell
    with path.open(encoding=encoding, errors="surrogateescape", newline="") as file:
        start = file.read(_SAMPLE).lstrip()
        file.seek(0)
        # The delimiter under which there are most headings; none where there is one heading under each.
        widths = {one: len(next(csv.reader(io.StringIO(start), delimiter=one), ())) for one in _DELIMITERS}
        best = max(widths, key=widths.__getitem__)
        delimiter = best if widths[best] > 1 else _NO_DELIMITER
        try:
            yield from filter(any, csv.reader(file, delimiter=delimiter, strict=True))
        except csv.Error as error:
            hint = "Write a quotation mark within a quoted cell twice. Nothing below this row was read."
            yield InputError(f"This is not CSV ({error}).", hint)


def _table(rows: Rows, name: str, *, exact: bool = False) -> Rows:
    """The rows below the first, by its headings; an empty cell is null. With `exact`, a row must have as many cells as
    the first; else cells without a value may be missing."""
    headings: Any = next(rows, [])
    if isinstance(headings, InputError):
        headings.file = name
        raise headings
    columns = _columns(headings)
    wide = len(columns)
    for row in rows:
        if isinstance(row, InputError):
            yield row
        elif len(row) != wide and (exact or any(cell is not None for cell in row[wide:])):
            hint = "The first row must hold the headings; quote a text with a delimiter or a line break in it."
            yield InputError(f"{len(row)} cells where the header has {wide} columns.", hint)
        elif exact and not (text := "".join(row)).isascii() and _STRAY.search(text):
            yield InputError(*_NOT_UTF8)
        else:
            yield {c: None if cell == "" else cell for c, cell in zip(columns, row, strict=False)}


def _columns(headings: Sequence[Any]) -> list[str]:
    """The names of the columns; one without a heading is `column 3`, the second `answer` is `answer (2)`."""
    columns: list[str] = []
    for place, heading in enumerate(headings, start=1):
        text = str("" if heading is None else heading).strip("\ufeff \t\r\n") or f"column {place}"
        names = (text if n == 1 else f"{text} ({n})" for n in range(1, place + 1))
        columns.append(next(name for name in names if name not in columns))
    return columns


def _workbook(path: Path, name: str, sheet: str | None, most: int) -> OpenFile:
    """The rows of the sheet, or else of the first one that has any."""
    if find_spec("openpyxl") is None:
        hint = "Install it with `pip install openpyxl` (the extra `excel`), or save the sheet as CSV (UTF-8)."
        raise InputError("Excel files are read with openpyxl, which is not installed.", hint, file=name)
    rows = values_of(excel_rows, path, name, most, *filter(None, [sheet]))
    title, *others = sheets = tuple(next(rows))
    if sheet not in (None, *sheets):
        raise InputError(f"There is no sheet {sheet!r}.", f"Sheets are {', '.join(sheets)}.", file=name)
    note = f"The sheet {title!r} was read. Other sheets: {', '.join(others)} (--map sheet=NAME)."
    return OpenFile(_table(rows, name), (note,) if others else (), sheets)


def _parquet_rows(path: Path, name: str, most: int) -> Rows:
    rows = values_of(parquet_rows, path, name, most)
    total = next(rows)
    if total > MAX_ROWS:
        raise InputError(f"The file has {total:,} rows; at most {MAX_ROWS:,} are read.", file=name)
    yield from rows
