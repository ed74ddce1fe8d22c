"""Files → documents (`Source`), one after another: text, Markdown, HTML, PDF, and tables, a document a row. Anything
unreadable is yielded as an `InputError` that names its file (row, field), and reading continues."""

import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from tempfile import NamedTemporaryFile
from typing import Any

from trace_core.datasets.files import LINES, TABLES, encoding_of, open_rows
from trace_core.datasets.packed import html_page, pdf_pages
from trace_core.errors import InputError, counted
from trace_core.facts.records import TEXT_KEYS, TITLE_KEYS
from trace_core.metrics.found_documents import BETWEEN
from trace_core.process import MOST_BYTES, values_of

LONGEST = 20_000_000
"""Characters of the longest document (file, row, or text of a PDF); a longer one is reported and skipped."""
MARKDOWN, HTML = (".md", ".markdown"), (".html", ".htm")
ROWS = (*LINES, *TABLES, ".json", ".parquet")
SUFFIXES = (".pdf", ".txt", ".text", *MARKDOWN, *HTML, *ROWS)
_TOO_LONG = f"It has more than {LONGEST // 1_000_000} MB of text.", "Split it."
_NOT_TEXT = "This is neither UTF-8 nor UTF-16 text.", "Save it as UTF-8."
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t](.*)$")


@dataclass(frozen=True, slots=True)
class Source:
    """One document. `name` is its id in records and golden questions; `file` the one whose row it is, else "": rows of
    two files may share an id. `sections` are offsets in `text` with their headings, which are no part of it."""

    name: str
    text: str
    title: str | None = None
    payload: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    sections: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class File:
    """A file on this machine's disk or in memory; `name` identifies it in a collection, `place` is its full path.
    `most` is the bytes that its content may have once it is unpacked."""

    name: str
    place: str
    content: Path | bytes
    most: int = MOST_BYTES

    @property
    def suffix(self) -> str:
        """`.pdf`, in lower case."""
        return PurePath(self.name).suffix.lower()

    @property
    def size(self) -> int:
        """Bytes. Raises `OSError`."""
        return self.content.stat().st_size if isinstance(self.content, Path) else len(self.content)

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """Its path, or that of a copy for the duration of the block. Raises `OSError`."""
        if isinstance(self.content, Path):
            yield self.content
        else:
            with NamedTemporaryFile(suffix=self.suffix) as copy:
                copy.write(self.content)
                copy.flush()
                yield Path(copy.name)


def find_files(paths: Iterable[Path], left_out: list[InputError] | None = None) -> list[File]:
    """The given files, and the readable ones in the given folders, sorted; there a name begins with the folder's. A
    folder's files of other types are added to `left_out`, by type, unless they are hidden, and so are links out of it:
    otherwise its author would choose what is read here. Raises `InputError` for an unreadable path."""
    files: dict[Path, File] = {}
    for path in paths:
        if not path.exists():
            raise InputError("There is no such file or folder.", file=str(path))
        for each in _in(path, [] if left_out is None else left_out) if path.is_dir() else [path]:
            name = PurePath(path.resolve().name) / each.relative_to(path)
            files.setdefault(each.resolve(), File(name.as_posix(), str(each), each.resolve()))
    return check_files(files.values())


def _in(folder: Path, left_out: list[InputError]) -> Iterator[Path]:
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


def check_files(files: Iterable[File]) -> list[File]:
    """The same files. Raises `InputError` for an unsupported file type, and for two files of one name."""
    places: dict[str, str] = {}
    for file in files:
        if file.suffix not in SUFFIXES:
            raise InputError(f"Files of this kind are not read; {', '.join(SUFFIXES)} are.", file=file.place)
        if file.name in places:
            message = f"{places[file.name]} has the name {file.name!r} too: one would replace the other."
            raise InputError(message, "Rename one, or ingest the folder above both.", file=file.place)
        places[file.name] = file.place
    return list(files)


def read_file(file: File) -> Iterator[Source | InputError]:
    """The sources of one file, read lazily."""
    try:
        if not file.size:
            raise InputError("The file is empty.", file=file.place)
        with file.on_disk() as path:
            if file.suffix in ROWS:
                yield from _rows(file, path)
                return
            if file.suffix == ".pdf":
                source = yield from _pdf(file, path)
            else:
                text = _text(file, path)
                source = _html(file, path) if file.suffix in HTML else from_text(file.name, text)
        if not source.text.strip():
            raise InputError("It has no text. A PDF may be a scan: run text recognition on it.", file=file.place)
        yield source
    except InputError as error:
        yield error
    except OSError as error:
        yield InputError(f"It cannot be read ({error.strerror}).", file=file.place)


def _text(file: File, path: Path) -> str:
    encoding, guess = encoding_of(path, file.place)
    try:
        with path.open(encoding=encoding, newline="") as stream:
            text = stream.read(LONGEST + 1)
    except UnicodeError:
        guess = (encoding,)
    if guess:  # a text in another encoding might be misread without anyone seeing it
        raise InputError(*_NOT_TEXT, file=file.place)
    if "\0" in text:
        raise InputError("This is a binary file, not text.", file=file.place)
    if len(text) > LONGEST:
        raise InputError(*_TOO_LONG, file=file.place)
    return text


def _html(file: File, path: Path) -> Source:
    (page,) = values_of(html_page, path, file.place, file.most)
    if page is None:
        raise InputError("Its elements are nested too deeply.", file=file.place)
    return Source(file.name, page["text"], " ".join(page["title"].split()) or title_of(file.name))


def _pdf(file: File, path: Path) -> Generator[InputError, None, Source]:
    texts: list[str] = []
    for n, page in enumerate(values_of(pdf_pages, path, file.place, file.most), start=1):
        if page is None:
            raise InputError("The PDF is encrypted.", "Save it without a password.", file=file.place)
        if "error" in page:
            yield InputError(f"Page {n} cannot be read ({page['error']}).", file=file.place)
        texts.append(page.get("text", ""))
    if sum(map(len, texts)) > LONGEST:
        raise InputError(*_TOO_LONG, file=file.place)
    return Source(file.name, "\n".join(texts), title_of(file.name))


def _rows(file: File, path: Path) -> Iterator[Source | InputError]:
    table = open_rows(path, file.place, most=file.most)
    if table.notes:  # the encoding would be a guess
        raise InputError(*_NOT_TEXT, file=file.place)
    for number, row in enumerate(table.rows, start=1):
        if isinstance(row, InputError):
            row.file, row.row = file.place, number
        yield row if isinstance(row, InputError) else _row(file, number, row)


def _row(file: File, number: int, row: Any) -> Source | InputError:
    if not isinstance(row, dict):
        return InputError("An object was expected.", file=file.place, row=number)
    text_field = next((name for name in TEXT_KEYS if name in row), None)
    if text_field is None:
        message = f"One of {', '.join(TEXT_KEYS)} was expected; its fields are {', '.join(row)[:200]}."
        return InputError(message, file=file.place, row=number, field="text")
    text = row[text_field]
    if not isinstance(text, str) or not text.strip():
        return InputError("A text that is not empty was expected.", file=file.place, row=number, field=text_field)
    if len(text) > LONGEST:
        return InputError(*_TOO_LONG, file=file.place, row=number)
    title = next((row[name] for name in TITLE_KEYS if isinstance(row.get(name), str)), None)
    identity = f"{file.name}-{number}" if row.get("id") in (None, "") else str(row["id"])
    rest = {name: value for name, value in row.items() if name not in (text_field, "id", "title")}
    return Source(identity, text.strip(), title, rest, file=file.name)


def from_text(name: str, text: str) -> Source:
    """A source whose title is the text's first line if that is a heading, else the name without its suffix. The other
    headings of a Markdown file name its sections: they give the subject and claim nothing."""
    text, title = text.strip(), title_of(name)
    first, _, rest = text.partition("\n")
    if (heading := _heading(first)) and rest.strip():
        text, title = rest.strip(), heading[1]
    if PurePath(name).suffix.lower() not in MARKDOWN:
        return Source(name, text, title)
    body, sections = _without_headings(text)
    return Source(name, body, title, sections=sections) if body.strip() else Source(name, text, title)


def _heading(line: str) -> tuple[int, str] | None:
    match = _HEADING.match(line.rstrip("\r\n"))
    words = match[2].strip(" \t").rstrip("#").rstrip(" \t") if match else ""
    return (len(match[1]), words) if match and words else None


def _without_headings(text: str) -> tuple[str, tuple[tuple[int, str], ...]]:
    body: list[str] = []
    above: dict[int, str] = {}
    sections: dict[int, str] = {}
    length, in_code = 0, False
    for line in text.splitlines(keepends=True):
        in_code ^= line.lstrip().startswith(("```", "~~~"))
        if not in_code and (heading := _heading(line)):
            above = {level: words for level, words in above.items() if level < heading[0]} | dict([heading])
            sections[length] = BETWEEN.join(above.values())  # a heading directly below replaces this one
        else:
            body.append(line)
            length += len(line)
    return "".join(body), tuple((at, title) for at, title in sections.items() if at < length)


def title_of(name: str) -> str:
    """`docs/setup/pump.md` → `pump`."""
    path = PurePath(name)
    return path.stem if path.suffix.lower() in SUFFIXES else path.name
