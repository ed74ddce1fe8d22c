"""Files → documents (`Source`), one after another: text, Markdown, HTML, PDF, CSV and JSON lines.

Rows are read one at a time, never a whole file. Anything unreadable is yielded as an `InputError` that names its file
(row, field), and reading continues.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Any, BinaryIO, TextIO

from trace_core.errors import InputError, counted
from trace_core.metrics.found_documents import BETWEEN
from trace_core.retrieval.payloads import TEXT_FIELDS, TITLE_FIELDS
from trace_core.retrieval.pdf import pdf_pages

LONGEST = 20_000_000
"""Characters of the longest document (file, row, or text of a PDF); a longer one is reported and skipped."""
MARKDOWN_SUFFIXES = (".md", ".markdown")
_HEAD = 8192  # bytes that show whether a file is binary
_MARKS = re.compile(r"#{1,6}\s+")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t](.*)$")
_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Source:
    """One document as it was found.

    `name` is its id in records and golden questions. `file` is the file of which the document is a row,
    "" for a whole file: rows of two files may share an id and stay separate. `pages` are the offsets in
    `text` where pages begin; `sections` the offsets where sections begin, with their headings, which are
    not part of the text. Both are empty where there are none.
    """

    name: str
    text: str
    title: str | None = None
    payload: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    pages: tuple[int, ...] = ()
    sections: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class File:
    """A file to read: `name` identifies it in a collection, `place` is where a person finds it.

    Each call of `open` reads the bytes from the beginning; `size` is their number.
    """

    name: str
    place: str
    size: int
    open: Callable[[], BinaryIO]

    @property
    def suffix(self) -> str:
        """`.pdf`, in lower case."""
        return PurePath(self.name).suffix.lower()


# ---- finding files ------------------------------------------------------------------------------


def find_files(paths: Iterable[Path], skipped: list[InputError] | None = None) -> list[File]:
    """The given files, and the readable files in the given folders, sorted.

    A file's name is its own, with suffix; in a folder it is the path that begins with the folder's name:
    `docs/setup/pump.md`. A folder's files of other types are left out and added to `skipped`, by type; hidden ones
    are not. A link that leads out of the folder is left out and added: otherwise the author of the folder would choose
    what is read on this machine. Raises `InputError` for a missing path, an unsupported file type, and two files with
    one name.
    """
    found: dict[Path, File] = {}
    left_out: list[InputError] = []
    for path in paths:
        if path.is_dir():
            files = [(p, (PurePath(path.resolve().name) / p.relative_to(path)).as_posix()) for p in _in(path, left_out)]
        elif path.is_file():
            files = [(path, path.name)]
        else:
            raise InputError("There is no such file or folder.", file=str(path))
        for each, name in files:
            real = each.resolve()
            found.setdefault(real, File(name, str(each), real.stat().st_size, partial(open_bytes, real)))
    if skipped is not None:
        skipped += left_out
    return checked(found.values())


def _in(folder: Path, left_out: list[InputError]) -> Iterator[Path]:
    """The readable files in a folder; what is left out is added, other kinds of files once a kind."""
    others: dict[str, list[Path]] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.suffix.lower() not in SUFFIXES:
            if not any(part.startswith(".") for part in path.relative_to(folder).parts):
                others.setdefault(path.suffix.lower() or "no suffix", []).append(path)
        elif path.resolve().is_relative_to(folder.resolve()):
            yield path
        else:
            left_out.append(InputError("It is a link that leads out of the folder.", file=str(path)))
    for kind, paths in others.items():
        message = f"Files of this kind ({kind}) are not read: {counted(len(paths), 'file')} in the folder."
        left_out.append(InputError(message, f"{', '.join(SUFFIXES)} are.", file=str(paths[0])))


def open_bytes(path: Path) -> BinaryIO:
    """The bytes of a file on this machine. Raises `OSError`."""
    return path.open("rb")


def checked(files: Iterable[File]) -> list[File]:
    """The same files. Raises `InputError` for an unsupported file type, and for two files of one name."""
    places: dict[str, str] = {}
    for file in files:
        if file.suffix not in SUFFIXES:
            raise InputError(f"Files of this kind are not read; {', '.join(SUFFIXES)} are.", file=file.place)
        if file.name in places:
            raise InputError(
                f"{places[file.name]} has the name {file.name!r} too: one would replace the other.",
                "Rename one, or ingest the folder above both.",
                file=file.place,
            )
        places[file.name] = file.place
    return list(files)


# ---- reading files ------------------------------------------------------------------------------


def read_file(file: File) -> Iterator[Source | InputError]:
    """The sources of one file, read lazily."""
    try:
        with file.open() as stream:
            if file.suffix == ".pdf":
                yield from _pdf(file, stream)
                return
            with _decoded(file, stream) as text:
                yield from _READERS[file.suffix](file, text)
    except InputError as error:
        yield error
    except OSError as error:
        yield InputError(f"It cannot be read ({error.strerror}).", file=file.place)
    except UnicodeDecodeError:
        yield InputError(_NOT_TEXT, "Save it as UTF-8.", file=file.place)


_NOT_TEXT = "This is neither UTF-8 nor UTF-16 text."


def _decoded(file: File, stream: BinaryIO) -> io.TextIOWrapper:
    """The stream as text, UTF-8 or UTF-16; bytes that are neither become lone surrogates."""
    head = stream.read(_HEAD)
    stream.seek(0)
    encoding = "utf-8-sig"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif (nulls := [byte == 0 for byte in head[:4]]) in ([False, True] * 2, [True, False] * 2):
        encoding = "utf-16-be" if nulls[0] else "utf-16-le"  # without a mark: the first two characters are ASCII
    elif b"\0" in head:
        raise InputError("This is a binary file, not text.", file=file.place)
    return io.TextIOWrapper(stream, encoding, errors="surrogateescape", newline="\n")


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # a byte that could not be decoded
        return False
    return "\0" not in text


def _whole(file: File, stream: TextIO) -> str:
    text = stream.read(LONGEST + 1)
    if len(text) > LONGEST:
        raise _too_long(file)
    if not _is_text(text):
        raise InputError(_NOT_TEXT, "Save it as UTF-8.", file=file.place)
    if not text.strip():
        raise InputError("The file is empty.", file=file.place)
    return text


def _too_long(file: File) -> InputError:
    return InputError(f"It has more than {LONGEST // 1_000_000} MB of text.", "Split it.", file=file.place)


def _text(file: File, stream: TextIO) -> Iterator[Source]:
    yield from_text(file.name, _whole(file, stream))


def _html(file: File, stream: TextIO) -> Iterator[Source]:
    """The visible text of the page: no scripts, no styles, and of the head only the title."""
    import html_text

    tree = html_text.parse_html(_whole(file, stream))
    title = " ".join((tree.findtext(".//title") or "").split()) or title_of(file.name)
    for unseen in tree.xpath("//head | //noscript | //template"):
        unseen.drop_tree()
    try:
        text = html_text.extract_text(tree)
    except RecursionError:
        raise InputError("Its elements are nested too deeply.", file=file.place) from None
    if not text.strip():
        raise InputError("The page has no text.", file=file.place)
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
        if length > LONGEST:
            raise _too_long(file)
    if not any(text.strip() for text in texts):
        raise InputError("The PDF has no text: it may be a scan.", "Run text recognition on it.", file=file.place)
    yield Source(file.name, "\n".join(texts), title_of(file.name), pages=tuple(pages))


class _BadLine(Exception):
    """An unreadable line; the lines after it can be read."""


class _Lines:
    """The lines of a stream. A bad line raises `_BadLine`; the next call continues after it."""

    def __init__(self, stream: TextIO) -> None:
        self._text = stream

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._text.readline(LONGEST + 1)
        if not line:
            raise StopIteration
        if len(line) > LONGEST:
            while line and not line.endswith("\n"):
                line = self._text.readline(_HEAD)
            raise _BadLine(f"The line is longer than {LONGEST // 1_000_000} MB.")
        if not _is_text(line):
            raise _BadLine(_NOT_TEXT)
        return line


def _numbered(file: File, rows: Iterator[Any]) -> Iterator[tuple[int, Any]]:
    """Each row with its number from 1; an `InputError` takes the place of a bad row."""
    number = 0
    while True:
        number += 1
        try:
            yield number, next(rows)
        except StopIteration:
            return
        except (_BadLine, csv.Error) as error:
            yield number, InputError(f"It cannot be read: {error}", file=file.place, row=number)


def _json_lines(file: File, stream: TextIO) -> Iterator[Source | InputError]:
    empty = True
    for number, line in _numbered(file, _Lines(stream)):
        if isinstance(line, InputError):
            yield line
        elif line.strip():
            yield _json_row(file, number, line)
        else:
            continue
        empty = False
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


def _table(file: File, stream: TextIO) -> Iterator[Source | InputError]:
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST))
    lines = _Lines(stream)
    try:
        header = next(lines, "")
    except _BadLine as error:
        raise InputError(f"Its header cannot be read: {error}", file=file.place) from None
    if not header.strip():
        raise InputError("The file is empty.", file=file.place)
    delimiter = max("\t,;", key=header.count)
    names = [name.strip() for name in next(csv.reader([header], delimiter=delimiter))]
    if not set(TEXT_FIELDS) & set(names):
        message = f"It has no column for the text: its columns are {', '.join(names)[:200]}."
        raise InputError(message, f"Call one {', '.join(TEXT_FIELDS[:3])} …", file=file.place, field="text")
    for number, cells in _numbered(file, csv.reader(lines, delimiter=delimiter)):
        if isinstance(cells, InputError):
            yield cells
        elif len(cells) > len(names):
            message = f"It has {len(cells)} cells, the header {len(names)}."
            yield InputError(message, "Quote cells that contain the separator.", file=file.place, row=number)
        elif any(cell.strip() for cell in cells):
            yield _row(file, number, dict(zip(names, cells, strict=False)))


def _row(file: File, number: int, row: Mapping[str, Any]) -> Source | InputError:
    text_field = next((name for name in TEXT_FIELDS if name in row), None)
    if text_field is None:
        message = f"One of {', '.join(TEXT_FIELDS)} was expected."
        return InputError(message, file=file.place, row=number, field="text")
    text = row[text_field]
    if not isinstance(text, str) or not text.strip():
        message = "A text that is not empty was expected."
        return InputError(message, file=file.place, row=number, field=text_field)
    title = next((row[name] for name in TITLE_FIELDS if isinstance(row.get(name), str)), None)
    identity = f"{file.name}-{number}" if row.get("id") in (None, "") else str(row["id"])
    rest = {name: value for name, value in row.items() if name not in (text_field, "id", "title")}
    return Source(identity, text.strip(), title, rest, file=file.name)


_READERS: Mapping[str, Callable[[File, TextIO], Iterator[Source | InputError]]] = {
    ".txt": _text, ".text": _text, ".md": _text, ".markdown": _text, ".html": _html, ".htm": _html,
    ".csv": _table, ".tsv": _table, ".jsonl": _json_lines, ".ndjson": _json_lines,
}  # fmt: skip
SUFFIXES = (".pdf", *_READERS)


# ---- titles and sections of a text --------------------------------------------------------------


def from_text(name: str, text: str) -> Source:
    """A source whose title is the text's first line if that is a heading, else the name without its suffix.

    The other headings of a Markdown file name its sections: they give the subject and claim nothing.
    """
    source = _titled(name, text)
    if PurePath(name).suffix.lower() not in MARKDOWN_SUFFIXES:
        return source
    text, sections = _without_headings(source.text)
    return replace(source, text=text, sections=sections) if text.strip() else source


def _without_headings(text: str) -> tuple[str, tuple[tuple[int, str], ...]]:
    """The text without its headings, and the offset of each section with its heading; code has no headings."""
    kept: list[str] = []
    above: dict[int, str] = {}
    sections: dict[int, str] = {}
    length, in_code = 0, False
    for line in text.splitlines(keepends=True):
        in_code ^= line.lstrip().startswith(_FENCES)
        heading = None if in_code else _HEADING.match(line.rstrip("\r\n"))
        title = heading[2].strip(" \t").rstrip("#").rstrip(" \t") if heading else ""
        if heading and title:
            level = len(heading[1])
            above = {n: named for n, named in above.items() if n < level} | {level: title}
            sections[length] = BETWEEN.join(above.values())  # a heading directly below replaces this one
        else:
            kept.append(line)
            length += len(line)
    return "".join(kept), tuple((at, title) for at, title in sections.items() if at < length)


def _titled(name: str, text: str) -> Source:
    text = text.strip()
    if marks := _MARKS.match(text):
        line, _, rest = text[marks.end() :].partition("\n")
        title = line.rstrip().rstrip("#").rstrip()
        if title and rest.strip():
            return Source(name, rest.strip(), title)
    return Source(name, text, title_of(name))


def title_of(name: str) -> str:
    """`docs/setup/pump.md` → `pump`."""
    path = PurePath(name)
    return path.stem if path.suffix.lower() in SUFFIXES else path.name
