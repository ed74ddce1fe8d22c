"""Files → sources, one after another: text, Markdown, HTML, PDF, CSV and JSON lines.

Rows are read one at a time, never a whole file. Anything unreadable is yielded as an `InputError`
that names its file (row, field), and reading continues.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from trace_core.errors import InputError
from trace_core.retrieval.collections import TEXT_FIELDS, TITLE_FIELDS
from trace_core.retrieval.pdf import pdf_pages
from trace_core.retrieval.sources import HTML_SUFFIXES, JSON_SUFFIXES, TABLE_SUFFIXES, File, Source, from_text, title_of

MOST_BYTES = 20_000_000
"""The longest document (file, row, or text of a PDF); a longer one is reported and skipped."""
_HEAD = 8192  # bytes that show whether a file is binary


class _BadLine(Exception):
    """An unreadable line; the lines after it can be read."""


def read_file(file: File) -> Iterator[Source | InputError]:
    """The sources of one file, read lazily."""
    try:
        with file.open() as stream:
            yield from _reader(file)(file, stream)
    except InputError as error:
        yield error
    except OSError as error:
        yield InputError(f"It cannot be read ({error.strerror}).", file=file.place)


def _reader(file: File) -> Any:
    if file.suffix == ".pdf":
        return _pdf
    if file.suffix in HTML_SUFFIXES:
        return _html
    if file.suffix in JSON_SUFFIXES:
        return _json_lines
    return _table if file.suffix in TABLE_SUFFIXES else _text


# ---- whole documents ----------------------------------------------------------------------------


def _text(file: File, stream: BinaryIO) -> Iterator[Source]:
    yield from_text(file.name, _whole(file, stream))


def _whole(file: File, stream: BinaryIO) -> str:
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _too_long(file)
    _check_text(file, data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=file.place) from None
    if not text.strip():
        raise InputError("The file is empty.", file=file.place)
    return text


def _too_long(file: File) -> InputError:
    return InputError(f"It holds more than {MOST_BYTES // 1_000_000} MB of text.", "Split it.", file=file.place)


def _check_text(file: File, data: bytes) -> None:
    if b"\0" in data:
        raise InputError("This is a binary file, not UTF-8 text.", file=file.place)


def _html(file: File, stream: BinaryIO) -> Iterator[Source]:
    """The visible text of the page: no scripts, no styles, and of the head only the title."""
    import html_text

    tree = html_text.parse_html(_whole(file, stream))
    title = " ".join((tree.findtext(".//title") or "").split()) or title_of(file.name)
    for unseen in tree.xpath("//head | //noscript | //template"):
        unseen.drop_tree()
    try:
        text = html_text.extract_text(tree)
    except RecursionError:
        raise InputError("Its elements are nested too deep.", file=file.place) from None
    if not text.strip():
        raise InputError("The page holds no text.", file=file.place)
    yield Source(file.name, text, title)


def _pdf(file: File, stream: BinaryIO) -> Iterator[Source | InputError]:
    if not file.size:
        raise InputError("The file is empty.", file=file.place)
    texts: list[str] = []
    pages: list[int] = []
    length = 0
    for text in pdf_pages(file.place, stream):
        if isinstance(text, InputError):
            yield text
            text = ""
        pages.append(length)
        texts.append(text)
        length += len(text) + 1
        if length > MOST_BYTES:
            raise _too_long(file)
    if not any(text.strip() for text in texts):
        raise InputError("The PDF holds no text: it may be a scan.", "Let a text recognition read it.", file=file.place)
    yield Source(file.name, "\n".join(texts), title_of(file.name), pages=tuple(pages))


# ---- rows ---------------------------------------------------------------------------------------


class _Lines:
    """The lines of a stream as text. A bad line raises `_BadLine`; the next call continues after it."""

    def __init__(self, file: File, stream: BinaryIO) -> None:
        self._stream = stream
        _check_text(file, stream.read(_HEAD))
        stream.seek(0)
        self._first = True

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._stream.readline(MOST_BYTES + 1)
        if not line:
            raise StopIteration
        if self._first:
            line, self._first = line.removeprefix(b"\xef\xbb\xbf"), False
        if len(line) > MOST_BYTES:
            while not line.endswith(b"\n") and line:
                line = self._stream.readline(_HEAD)
            raise _BadLine(f"The line is longer than {MOST_BYTES // 1_000_000} MB.")
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError:
            raise _BadLine("This is not UTF-8 text.") from None


def _numbered(rows: Iterator[Any]) -> Iterator[tuple[int, Any]]:
    """Each row with its number from 1; the error message takes the place of a bad row."""
    number = 0
    while True:
        number += 1
        try:
            yield number, next(rows)
        except StopIteration:
            return
        except (_BadLine, csv.Error) as error:
            yield number, error


def _json_lines(file: File, stream: BinaryIO) -> Iterator[Source | InputError]:
    empty = True
    for number, line in _numbered(_Lines(file, stream)):
        if isinstance(line, Exception):
            yield InputError(str(line), file=file.place, row=number)
        elif line.strip():
            yield _json_row(file, number, line)
        empty = empty and not isinstance(line, Exception) and not line.strip()
    if empty:
        raise InputError("The file is empty.", file=file.place)


def _json_row(file: File, number: int, line: str) -> Source | InputError:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return InputError(f"This is not JSON ({str(error)[:80]}).", file=file.place, row=number)
    if not isinstance(row, dict):
        return InputError("An object was expected.", file=file.place, row=number)
    return _row(file, number, row)


def _table(file: File, stream: BinaryIO) -> Iterator[Source | InputError]:
    csv.field_size_limit(max(csv.field_size_limit(), MOST_BYTES))
    lines = _Lines(file, stream)
    try:
        header = next(lines, "")
    except _BadLine as error:
        raise InputError(f"Its header cannot be read: {error}", file=file.place) from None
    if not header.strip():
        raise InputError("The file is empty.", file=file.place)
    delimiter = max("\t,;", key=header.count)
    names = [name.strip() for name in next(csv.reader([header], delimiter=delimiter))]
    if not set(TEXT_FIELDS) & set(names):
        said = f"It has no column for the text: its columns are {', '.join(names)[:200]}."
        raise InputError(said, f"Call one {', '.join(TEXT_FIELDS[:3])} …", file=file.place, field="text")
    for number, cells in _numbered(csv.reader(lines, delimiter=delimiter)):
        if isinstance(cells, Exception):
            yield InputError(f"It cannot be read ({cells})", file=file.place, row=number)
        elif len(cells) > len(names):
            said = f"It has {len(cells)} cells, the header {len(names)}."
            yield InputError(said, "Quote cells that hold the separator.", file=file.place, row=number)
        elif any(cell.strip() for cell in cells):
            yield _row(file, number, dict(zip(names, cells, strict=False)))


def _row(file: File, number: int, row: Mapping[str, Any]) -> Source | InputError:
    text_field = next((name for name in TEXT_FIELDS if name in row), None)
    if text_field is None:
        said = f"One of {', '.join(TEXT_FIELDS)} was expected."
        return InputError(said, file=file.place, row=number, field="text")
    text = row[text_field]
    if not isinstance(text, str) or not text.strip():
        said = "A text that is not empty was expected."
        return InputError(said, file=file.place, row=number, field=text_field)
    title = next((row[name] for name in TITLE_FIELDS if isinstance(row.get(name), str)), None)
    identity = f"{file.name}-{number}" if row.get("id") in (None, "") else str(row["id"])
    rest = {name: value for name, value in row.items() if name not in (text_field, "id", "title")}
    return Source(identity, text.strip(), title, rest, file=file.name)
