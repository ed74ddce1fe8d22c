"""What can be ingested: files by name, and the documents (`Source`) that are read from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from trace_core.errors import InputError, counted
from trace_core.metrics.found_documents import BETWEEN

TEXT_SUFFIXES = (".txt", ".text", ".md", ".markdown")
HTML_SUFFIXES = (".html", ".htm")
JSON_SUFFIXES = (".jsonl", ".ndjson")
TABLE_SUFFIXES = (".csv", ".tsv")
SUFFIXES = (*TEXT_SUFFIXES, ".pdf", *HTML_SUFFIXES, *TABLE_SUFFIXES, *JSON_SUFFIXES)
MARKDOWN_SUFFIXES = (".md", ".markdown")
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


def find_files(paths: Iterable[Path], skipped: list[InputError] | None = None) -> list[File]:
    """The given files, and the readable files in the given folders, sorted.

    A file's name is its own, with suffix; in a folder it is the path that begins with the folder's name:
    `docs/setup/pump.md`. A folder's files of other types are left out and added to `skipped`, by type; hidden ones
    are not. A link that leads out of the folder is left out and added: otherwise the author of the folder would choose
    what is read on this machine. Raises `InputError` for a missing path, an unsupported file type, and two files with
    one name.
    """
    found: dict[Path, File] = {}
    for path in paths:
        if path.is_dir():
            folder = path.resolve()
            inside, out = _inside(path, folder)
            named = [(p, (PurePath(folder.name) / p.relative_to(path)).as_posix()) for p in inside]
            if skipped is not None:
                skipped += [InputError("It is a link that leads out of the folder.", file=str(p)) for p in out]
                skipped += _of_other_kinds(path)
        elif path.is_file():
            named = [(path, path.name)]
        else:
            raise InputError("There is no such file or folder.", file=str(path))
        for each, name in named:
            real = each.resolve()
            found.setdefault(real, File(name, str(each), real.stat().st_size, partial(open_bytes, real)))
    return checked(found.values())


def _inside(path: Path, folder: Path) -> tuple[list[Path], list[Path]]:
    """The readable files in a folder, and its links to files elsewhere."""
    every = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
    stays = {p: p.resolve().is_relative_to(folder) for p in every}
    return [p for p in every if stays[p]], [p for p in every if not stays[p]]


def _of_other_kinds(path: Path) -> list[InputError]:
    """One message for each kind of file in the folder that is not read, with the first of them."""
    kinds: dict[str, list[Path]] = {}
    for file in sorted(path.rglob("*")):
        hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
        if file.is_file() and not hidden and file.suffix.lower() not in SUFFIXES:
            kinds.setdefault(file.suffix.lower() or "no suffix", []).append(file)
    return [
        InputError(
            f"Files of this kind ({kind}) are not read: {counted(len(files), 'file')} in the folder.",
            f"{', '.join(SUFFIXES)} are.", file=str(files[0]),
        )
        for kind, files in kinds.items()
    ]  # fmt: skip


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
