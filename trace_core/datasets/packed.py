"""Readers of files that unpack: Excel, Parquet, PDF, HTML; each runs in a process of its own (`trace_core.process`)."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, BinaryIO

_BATCH = 128_000_000
"""Bytes that one batch of a Parquet file may unpack to in the worst case: none is longer than its row group."""


def excel_rows(stream: BinaryIO, sheet: str = "") -> Iterator[Any]:
    """The titles of the sheets, the one that is read first; then its rows: the named one's, else the first with any."""
    import openpyxl

    book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
    titles = [page.title for page in book.worksheets]
    for title in [sheet] if sheet in titles else titles:
        rows = _rows(book[title])
        first = list(islice(rows, 2))
        if len(first) == 2 or title == sheet:
            yield [title, *(other for other in titles if other != title)]
            yield from first
            yield from rows
            return
    yield titles


def _rows(sheet: Any) -> Iterator[list[Any]]:
    """The rows that are not empty. What a sheet says of its size may be wrong, and is not believed."""
    sheet.reset_dimensions()
    for row in sheet.iter_rows(values_only=True):
        if last := max((n for n, cell in enumerate(row, start=1) if cell not in (None, "")), default=0):
            yield list(row[:last])


def parquet_rows(stream: BinaryIO) -> Iterator[Any]:
    """The number of rows, then the rows."""
    import pyarrow
    import pyarrow.parquet

    pyarrow.set_cpu_count(1)
    with pyarrow.parquet.ParquetFile(stream) as file:
        about = file.metadata
        yield about.num_rows
        largest = max((about.row_group(i).total_byte_size for i in range(about.num_row_groups)), default=1)
        size = max(1, min(256, _BATCH // max(1, largest)))
        for batch in file.iter_batches(batch_size=size, use_threads=False):
            yield from batch.to_pylist()


def pdf_pages(stream: BinaryIO) -> Iterator[dict[str, str] | None]:
    """Null for an encrypted one, else a text or an error a page."""
    from pypdf import PdfReader

    reader = PdfReader(stream)
    try:  # many PDFs only forbid changes: the empty password opens them
        is_open = not reader.is_encrypted or bool(reader.decrypt(""))
    except Exception:  # noqa: BLE001  # an encryption that pypdf does not know
        is_open = False
    if not is_open:
        yield None
    for page in reader.pages if is_open else ():
        try:
            yield {"text": page.extract_text()}
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001  # the parser raises many kinds; the other pages are read
            yield {"error": type(error).__name__}


def html_page(stream: BinaryIO) -> Iterator[dict[str, str] | None]:
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
