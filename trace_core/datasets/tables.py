"""Tables as rows: CSV with any delimiter, tables drawn with bars as in Markdown, and Parquet."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

from trace_core.datasets.cells import ends_a_sentence
from trace_core.datasets.headings import check_once, in_two_lines, told_apart, with_corner
from trace_core.datasets.joins import is_on_its_side, joined_tables
from trace_core.datasets.labeled import (
    chat_rows,
    is_chat,
    is_labeled,
    is_transcript,
    labeled_rows,
    logged_rows,
    transcript_rows,
)
from trace_core.datasets.text.drawn import Drawn, drawn_tables, holds_a_table
from trace_core.datasets.text.dumps import copied
from trace_core.datasets.text.encodings import encoding_of, is_text
from trace_core.datasets.words import asks, holds_documents, role_of
from trace_core.errors import InputError

Numbered = tuple[int, Any]
"""A row's number, from 1, and its value; or the `InputError` in its place."""
Cells = list[str] | InputError

MAX_TEXT = 2_000_000
"""Characters of one text. A longer one is a mistake, and would later cost minutes and gigabytes."""
MAX_LINE = 64_000_000
"""The longest line, in characters."""
MAX_ROWS = 1_000_000
MAX_UNPACKED = 2_000_000_000
"""The most bytes that a packed file may unpack to."""
MAX_RATIO, MIN_UNPACKED = 100, 100_000_000
"""No file of texts unpacks to this many times its size; one that does is refused once it reaches the minimum bytes."""
_BATCH = 128_000_000  # bytes that one batch of a Parquet file may unpack to in the worst case
_DELIMITERS = ",;\t|"
_LACKING = re.compile(r"[,;\t]NA(?=[,;\t\r\n])")
"""R quotes every text, and writes this for none."""
MOST_ABOVE = 20
"""The most rows of titles and notes above a table's header."""
_TEXTS = "Write a row | for | each | question, or lines that begin with Question:, Context: and Answer:."
_SPAN = "context.span_id"
"""A column that Phoenix tables have twice: as their index, and as a column."""


def csv_rows(path: Path, name: str) -> Iterator[Numbered]:
    """Every cell as text, so that an id such as 007 and an answer such as None stay as they are.

    An empty cell is null, and so is R's NA, which has no quotation marks where every text has.
    """
    csv.field_size_limit(max(csv.field_size_limit(), 50 * MAX_TEXT))  # a list of documents may be one cell
    with path.open(encoding=encoding_of(path, name), errors="surrogateescape", newline="") as file:
        start, first = _past_title(file)
        said = first.strip()
        if len(said) == 5 and said[:4].lower() == "sep=" and said[4] in _DELIMITERS:  # tells Excel the delimiter
            delimiter = said[4]
            file.seek(start)
            file.readline(MAX_TEXT)
        else:
            delimiter = _delimiter(first, path)
            file.seek(start)
        missing = ("", "NA") if first.startswith('"') and _lacks(file) else ("",)
        rows = csv.reader(file, delimiter=delimiter, strict=True)
        found = _headed_once(_read(rows, name))
        header = _header(found, name)
        found = _past_labels(found)
        if start:
            found = (cells for cells in found if not _is_comment(cells, header))
        for number, cells in enumerate(found, start=1):
            yield number, _csv_row(header, cells, missing, name, number)


def is_drawn(path: Path, name: str) -> bool:
    """Whether the file holds a table that is drawn with bars and dashes."""
    return _passes(path, name, holds_a_table)


def _passes(path: Path, name: str, test: Callable[[Iterable[str]], bool]) -> bool:
    """Whether the lines of the file pass the test, which reads as many as it needs."""
    with path.open(encoding=encoding_of(path, name), errors="replace") as file:
        return test(iter(lambda: file.readline(MAX_TEXT), ""))


def is_prose(path: Path, name: str) -> bool:
    """Whether a text file has no columns: its first line has one cell that names none, or is a heading."""
    with path.open(encoding=encoding_of(path, name), errors="replace") as file:
        first = file.readline(MAX_TEXT).strip()
    one = max(map(len, _split(first))) < 2
    return one and bool(first) and (first.startswith("#") or not asks(first))


def has_labels(path: Path, name: str) -> bool:
    """Whether the file holds questions and answers as labeled lines."""
    return _passes(path, name, is_labeled)


def has_messages(path: Path, name: str) -> bool:
    """Whether the file is a chat."""
    return _passes(path, name, is_chat)


def message_rows(path: Path, name: str) -> Iterator[Numbered]:
    """The rows of a chat. Raises `InputError` where nobody in it is known as a bot."""
    with path.open(encoding=encoding_of(path, name), errors="replace") as file:
        yield from chat_rows(iter(lambda: file.readline(MAX_TEXT), ""), name)


def has_turns(path: Path, name: str) -> bool:
    """Whether the file is the transcript of a conversation."""
    return _passes(path, name, is_transcript)


def turn_rows(path: Path, name: str) -> Iterator[Numbered]:
    """The rows of a transcript. Raises `InputError` where it does not tell who says a text."""
    with path.open(encoding=encoding_of(path, name), errors="surrogateescape") as file:
        yield from transcript_rows(iter(lambda: file.readline(MAX_TEXT), ""), name)


def text_rows(path: Path, name: str) -> Iterator[Numbered]:
    """The rows of a text of labeled lines. Raises `InputError` where there are none."""
    with path.open(encoding=encoding_of(path, name), errors="surrogateescape") as file:
        rows = list(labeled_rows(iter(lambda: file.readline(MAX_TEXT), ""), name))
    if not rows:
        raise InputError("Its labels do not tell its questions apart.", _TEXTS, file=name)
    yield from rows


def log_rows(path: Path, name: str) -> Iterator[Numbered]:
    """The rows of a service's log. Raises `InputError` where it tells no questions."""
    with path.open(encoding=encoding_of(path, name), errors="surrogateescape") as file:
        yield from logged_rows(iter(lambda: file.readline(MAX_TEXT), ""), name)


def dumped_rows(path: Path, name: str) -> Iterator[Numbered]:
    """The rows of the only table of a database's dump that has questions beside documents or answers.

    Raises `InputError` where there is none, or more than one.
    """
    with path.open(encoding=encoding_of(path, name), errors="surrogateescape", newline="\n") as file:
        header: list[str] = []
        number = 0
        for columns, cells in copied(iter(lambda: file.readline(MAX_LINE), "")):
            if columns == header:
                number += 1
            elif any(map(asks, columns)) and any(holds_documents(c) or role_of(c) for c in columns if not asks(c)):
                if header:
                    raise InputError("More than one table of it has questions.", "Save each as CSV.", file=name)
                header, number = _header(iter([columns]), name), 1
            else:
                continue
            yield number, _dumped(header, cells, name, number)
    if not header:
        hint = "Write its tables with COPY, as pg_dump does, or save the one with the questions as CSV."
        raise InputError("No table of it has questions.", hint, file=name)


def _dumped(header: list[str], cells: Sequence[Any], name: str, number: int) -> dict[str, Any] | InputError:
    if len(cells) != len(header):
        return InputError(f"{len(cells)} cells where there are {len(header)} columns.", file=name, row=number)
    texts = chain.from_iterable(cell if isinstance(cell, list) else [cell] for cell in cells)
    if not all(is_text(text) for text in texts if text is not None):
        return InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name, row=number)
    return dict(zip(header, cells, strict=True))


def drawn_rows(path: Path, name: str) -> Iterator[Numbered]:
    """The rows of the first drawn table with questions, else of the first, and of those with the same columns; or of
    several tables that name each other's ids.

    An `InputError` stands in place of each other table with questions. Raises `InputError` where there is no table.
    """
    with path.open(encoding=encoding_of(path, name), errors="surrogateescape") as file:
        tables = list(drawn_tables(iter(lambda: file.readline(MAX_TEXT), "")))
    if not tables:
        raise InputError("There is no table in it.", _TEXTS, file=name)
    if joined := joined_tables(_by_title(tables, name), name):
        yield from enumerate(joined, start=1)
        return
    chosen = next((table for table in tables if any(map(asks, table.header))), tables[0])
    header, number = _header(iter([chosen.header]), name), 0
    for table in tables:
        if table.header == chosen.header:
            for cells in table.rows:
                number += 1
                yield number, _csv_row(header, cells, ("",), name, number)
        elif any(map(asks, table.header)):
            number += 1
            wrong = f"The table of {', '.join(table.header)[:80]} has rows, too, which are not read."
            yield number, InputError(wrong, "Save it as a file of its own.", file=name, row=number)


def _by_title(tables: Sequence[Drawn], name: str) -> dict[str, list[dict[str, Any]]]:
    """The rows of each table under its title; nothing where one of them is not whole."""
    found: dict[str, list[dict[str, Any]]] = {}
    for place, table in enumerate(tables, start=1):
        rows = [_csv_row(table.header, cells, ("",), name, number) for number, cells in enumerate(table.rows, start=1)]
        whole = [row for row in rows if isinstance(row, dict)]
        if len(whole) < len(rows) or len({*table.header}) < len(table.header):
            return {}
        found[f"{table.title} {place}" if table.title in found else table.title] = whole
    return found


def _lacks(file: TextIO) -> bool:
    """Whether the file's next texts have an NA without quotation marks."""
    at = file.tell()
    found = _LACKING.search(file.read(MAX_TEXT))
    file.seek(at)
    return found is not None


def _past_title(file: TextIO) -> tuple[int, str]:
    """Where the table begins, and its first line.

    Above it may stand comments (`# …`), titles and notes, all with fewer cells; the header then has a question.
    """
    top = file.readline(MAX_TEXT)
    line, most, asked = top, _filled(top), _asks(top)
    for _ in range(MOST_ABOVE):
        if not line or asked:
            break
        at, line = file.tell(), file.readline(MAX_TEXT)
        filled, asked = _filled(line), _asks(line)
        if filled > most and (asked or (top.startswith("#") and not line.startswith("#"))):
            return at, line
        most = max(most, filled)
    return 0, top


def _filled(line: str) -> int:
    """The number of cells that hold something, under the delimiter that finds the most; all cells of a comment."""
    cells = _split(line)
    return max(map(len, cells)) if line.startswith("#") else max(sum(map(bool, map(str.strip, row))) for row in cells)


def _split(line: str) -> list[list[str]]:
    """The cells of a line under each delimiter."""
    return [next(csv.reader([line], delimiter=delimiter), []) for delimiter in _DELIMITERS]


def _asks(line: str) -> bool:
    """Whether one of the line's cells may be the name of a column of questions."""
    asked = any(asks(cell) for one in _DELIMITERS for cell in line.split(one))
    return asked and not any(map(is_on_its_side, _split(line)))


def _delimiter(first: str, path: Path) -> str:
    """The delimiter that splits the first line into the most columns."""
    if path.suffix.lower() in (".tsv", ".tab"):
        return "\t"
    return max(zip(_DELIMITERS, _split(first), strict=True), key=lambda split: len(split[1]))[0]


def _header(rows: Iterator[Cells], name: str) -> list[str]:
    header = next(rows, None)
    if isinstance(header, InputError):
        raise header
    if not header:
        raise InputError("The file holds no rows.", file=name)
    if not all(map(is_text, header)):
        raise InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name)
    if header[0] == _SPAN and _SPAN in header[1:]:
        header = ["", *header[1:]]
    if _is_a_row(header):
        wrong = f"Its first line, {', '.join(header).strip()[:60]!r}, names no columns."
        raise InputError(wrong, "Begin the file with the names of its columns.", file=name)
    header = told_apart(header)
    check_once(header, name)
    return with_corner(header)


def _is_a_row(header: list[str]) -> bool:
    """Whether the first line is a question with its texts, or labels it, and no cell of it is a column's name."""
    if len(header) == 1:
        return ends_a_sentence(header[0]) or ": " in header[0].strip()
    if any(asks(cell) or holds_documents(cell) or role_of(cell) for cell in header):
        return False
    ends = {cell.strip()[-1:] for cell in header if len(cell.split()) > 2}
    return {"?", "."} <= ends  # forms have questions as headings, but no sentences beside them


def _read(rows: Iterator[list[str]], name: str) -> Iterator[Cells]:
    """The rows that hold something. Text after a broken quote cannot be split into rows: it is one bad row."""
    number = 0
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield InputError(f"This is not CSV ({error}).", "Check its quotation marks.", file=name, row=number)
            return
        if not is_blank(cells):
            number += 1
            yield cells


def is_blank(cells: Iterable[Any]) -> bool:
    """Whether no cell of a line holds anything: spreadsheets save an empty line as its delimiters."""
    return all(cell is None or (isinstance(cell, str) and not cell.strip()) for cell in cells)


def _is_comment(cells: Cells, header: list[str]) -> bool:
    """Whether a row is a comment between the rows, in a file that begins with comments."""
    return isinstance(cells, list) and cells[0].startswith("#") and len(cells) < len(header)


def _headed_once(rows: Iterator[Cells]) -> Iterator[Cells]:
    """The rows, with a header in two lines as one."""
    first = list(islice(rows, 2))
    lines = [[cell.strip() or None for cell in cells] for cells in first if isinstance(cells, list)]
    asked = len(lines) == 2 and any(asks(cell) for cell in lines[0] if cell)
    header = in_two_lines(*lines) if asked else []
    return chain([header] if header else first, rows)


def _past_labels(rows: Iterator[Cells]) -> Iterator[Cells]:
    """The rows without the two that Qualtrics puts below the header: the questions' texts, and their ids."""
    first = list(islice(rows, 2))
    ids = first[1] if len(first) == 2 and isinstance(first[1], list) else []
    return rows if ids and all(cell.startswith('{"ImportId"') for cell in ids) else chain(first, rows)


def _csv_row(
    header: list[str], cells: Cells, missing: Collection[str], name: str, number: int
) -> dict[str, Any] | InputError:
    if isinstance(cells, InputError):
        return InputError(cells.message, cells.hint, file=name, row=number)
    if not all(map(is_text, cells)):
        return InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name, row=number)
    if len(cells) != len(header):
        message = f"{len(cells)} cells where the header has {len(header)} columns."
        return InputError(message, "Check its commas and quotation marks.", file=name, row=number)
    given = zip(header, cells, strict=True)
    return {column: None if cell in missing else cell for column, cell in given if column.strip()}


def parquet_rows(path: Path, name: str) -> Iterator[Numbered]:
    """The rows of a Parquet file."""
    import pyarrow
    from pyarrow import parquet

    number = unpacked = 0
    try:
        with parquet.ParquetFile(path) as file:
            if file.metadata.num_rows > MAX_ROWS:
                raise InputError(f"It holds {file.metadata.num_rows:,} rows; at most {MAX_ROWS:,} are read.", file=name)
            for batch in file.iter_batches(batch_size=_batch_rows(file.metadata)):
                unpacked += batch.nbytes
                check_size(unpacked, path.stat().st_size, name)
                for row in batch.to_pylist():
                    made = {str(column): plain(value) for column, value in row.items()}
                    if not is_blank(made.values()):
                        yield (number := number + 1), made
    except (pyarrow.ArrowException, ValueError, OSError, MemoryError) as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise InputError(f"It cannot be read as Parquet ({reason}).", file=name) from None


def check_size(unpacked: int, size: int, name: str) -> None:
    """Raises `InputError` for a decompression bomb: a kilobyte of a packed file can unpack to terabytes."""
    if unpacked > MAX_UNPACKED:
        raise InputError(f"It unpacks to more than {MAX_UNPACKED // 1_000_000} MB.", "Split it.", file=name)
    if unpacked > max(MIN_UNPACKED, MAX_RATIO * size):
        message = f"It unpacks to more than {MAX_RATIO} times its size, as no file of texts does."
        raise InputError(message, "Look at what is in it.", file=name)


def _batch_rows(metadata: Any) -> int:
    """A batch size so small that even a maliciously compressed file cannot fill the memory.

    Repeated values are stored once, but none is longer than its whole column.
    """
    groups = (metadata.row_group(i) for i in range(metadata.num_row_groups))
    widest = max((g.column(c).total_uncompressed_size for g in groups for c in range(g.num_columns)), default=1)
    return max(1, min(1024, _BATCH // max(1, widest)))


def plain(value: Any) -> Any:
    """A cell as a JSON value: NaN becomes null; dates, bytes and decimals become text."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value)
