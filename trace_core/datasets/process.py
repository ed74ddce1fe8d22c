"""Files that can be made to run forever or to fill the memory: each is read by a process of its own, with limits.

PDF, HTML, Excel and Parquet. This file is the program of that process too: there it imports nothing else of TRACE.
"""

from __future__ import annotations

import json
import math
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

if __name__ != "__main__":
    from trace_core.errors import InputError

WHOLE_SECONDS, SECONDS_EACH_MB = 20.0, 10.0
"""Seconds of computing for any file, and further seconds per megabyte."""
MEMORY = 2_000_000_000
UNPACKED = 2_000_000_000
"""The bytes of JSON that a file's content may be."""
_RATIO, _LEAST_BOMB = 100, 100_000_000
"""No file of texts unpacks to this many times its size and this many bytes."""
_BATCH = 128_000_000
"""Bytes that one batch of a Parquet file may unpack to in the worst case: none is longer than its row group."""
PLACES = 4
"""The most processes at once: each may take all of its memory."""
FREE = threading.BoundedSemaphore(PLACES)
_FULL = 3
"""The exit status of a process that needs more memory than it may have."""


def file_values(kind: str, path: Path, name: str, most: int = UNPACKED, *options: str) -> Iterator[Any]:
    """The values that the process reads from a file of this kind, a key of `READERS`, one after another.

    Raises `InputError`, which calls the file `name`, when they are more than `most` bytes of JSON, when the process
    exceeds its limits, and when the file is broken.
    """
    size = path.stat().st_size
    seconds = math.ceil(WHOLE_SECONDS + SECONDS_EACH_MB * size / 1_000_000)
    if not FREE.acquire(timeout=seconds):
        raise InputError("Other files are being read.", "Try again in a minute.", file=name)
    command = [sys.executable, "-I", __file__, kind, str(seconds), *options]
    most, unpacked = min(most, max(_LEAST_BOMB, _RATIO * size)), 0
    try:
        with (
            path.open("rb") as stream,  # the command is our own program, and nothing from outside
            subprocess.Popen(command, stdin=stream, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process,  # noqa: S603
        ):
            assert process.stdout is not None  # noqa: S101  # it is a pipe
            try:
                for line in iter(partial(process.stdout.readline, most + 1), b""):
                    unpacked += len(line)
                    if unpacked > most:
                        raise InputError(
                            f"The file unpacks to more than {most // 1_000_000:,} MB.",
                            "Look at what is in it, or split it.",
                            file=name,
                        )
                    yield json.loads(line)
                status = process.wait()
            finally:
                process.kill()
    finally:
        FREE.release()
    if status:
        raise InputError(*_reason(kind, status, seconds), file=name)


def _reason(kind: str, status: int, seconds: int) -> tuple[str, str]:
    """Why the process ended, and what to do."""
    if status == -signal.SIGXCPU:
        return f"The file takes longer than {seconds} s to read.", "Split it."
    if status == _FULL:
        return f"To read the file takes more than {MEMORY // 1_000_000:,} MB of memory.", "Split it."
    return f"The file is broken: it cannot be read as {kind}.", "Save or download it again."


# What the process runs


def _pdf(stream: BinaryIO) -> Iterator[dict[str, str] | None]:
    """Null for an encrypted one, else a text or an error a page."""
    from pypdf import PdfReader

    reader = PdfReader(stream)
    try:  # many PDFs only forbid changes: the empty password opens them
        opened = not reader.is_encrypted or bool(reader.decrypt(""))
    except Exception:  # noqa: BLE001  # an encryption that pypdf does not know
        opened = False
    if not opened:
        yield None
    for page in reader.pages if opened else ():
        try:
            yield {"text": page.extract_text()}
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001  # the parser raises many kinds; the other pages are read
            yield {"error": type(error).__name__}


def _html(stream: BinaryIO) -> Iterator[dict[str, str] | None]:
    """The title and the text; null for elements that are nested too deeply."""
    import html_text
    from lxml import etree

    data = stream.read()
    tree = html_text.parse_html(data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"))
    title = tree.findtext(".//title") or ""
    unseen = "head noscript template script style iframe embed object applet layer frameset".split()
    # Not by `drop_tree`, nor by `extract_text`, which calls it: what follows an element would be copied for each.
    etree.strip_elements(tree, *unseen, etree.Comment, etree.PI, with_tail=False)
    try:
        yield {"title": title, "text": html_text.etree_to_text(tree)}
    except RecursionError:
        yield None


def _excel(stream: BinaryIO, wanted: str = "") -> Iterator[Any]:
    """The titles of the sheets, the one that is read first; then its rows: of the wanted one, else the first of any."""
    import openpyxl

    book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
    sheets = [sheet.title for sheet in book.worksheets]
    for title in [wanted] if wanted in sheets else sheets:
        rows = _sheet_rows(book[title])
        first = list(islice(rows, 2))
        if len(first) == 2 or title == wanted:
            yield [title, *(other for other in sheets if other != title)]
            yield from first
            yield from rows
            return
    yield sheets


def _sheet_rows(sheet: Any) -> Iterator[list[Any]]:
    """The rows that are not empty. What a sheet says of its size may be wrong, and is not believed."""
    sheet.reset_dimensions()
    for row in sheet.iter_rows(values_only=True):
        last = max((n for n, cell in enumerate(row, start=1) if cell not in (None, "")), default=0)
        if last:
            yield _plain(list(row[:last]))


def _parquet(stream: BinaryIO) -> Iterator[Any]:
    """The numbers of rows and columns, then the rows."""
    import pyarrow
    import pyarrow.parquet

    pyarrow.set_cpu_count(1)
    with pyarrow.parquet.ParquetFile(stream) as file:
        about = file.metadata
        yield about.num_rows, about.num_columns
        largest = max((about.row_group(i).total_byte_size for i in range(about.num_row_groups)), default=1)
        size = max(1, min(256, _BATCH // max(1, largest)))
        for batch in file.iter_batches(batch_size=size, use_threads=False):
            yield from map(_plain, batch.to_pylist())


def _plain(cell: Any) -> Any:
    """The cell as JSON has it: a number that is none is null, a date its text."""
    if isinstance(cell, list):
        return [_plain(item) for item in cell]
    if isinstance(cell, dict):
        return {str(key): _plain(item) for key, item in cell.items()}
    if cell is None or isinstance(cell, bool | int | str):
        return cell
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
    return str(cell)


READERS: dict[str, Callable[..., Iterator[Any]]] = {"PDF": _pdf, "HTML": _html, "Excel": _excel, "Parquet": _parquet}


def main(kind: str, seconds: str, *options: str) -> None:
    """Read a file from standard input; print its values, a line of JSON each."""
    import logging

    for limit, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, int(seconds)),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (most, most + 1))  # at the second of the two the system kills without a reason
    logging.disable()  # pypdf logs every oddity that it can handle
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogatepass")  # type: ignore[union-attr]
    try:
        for value in READERS[kind](sys.stdin.buffer, *options):
            print(json.dumps(value, ensure_ascii=False))
    except MemoryError:
        sys.exit(_FULL)


if __name__ == "__main__":
    main(*sys.argv[1:])
