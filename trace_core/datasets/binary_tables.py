"""The readers of files that unpack: Excel and Parquet. They run in a process of their own (`trace_core.process`)."""

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
        last = max((n for n, cell in enumerate(row, start=1) if cell not in (None, "")), default=0)
        if last:
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
