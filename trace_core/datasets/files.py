"""Whole rows: documents and an answer, and labels where required."""

from __future__ import annotations

from pathlib import Path

from trace_core.datasets.dataset import DataSet, Item, Mapped, read_items_mapped
from trace_core.datasets.rows import Row
from trace_core.datasets.traces import Texts
from trace_core.errors import InputError


def read_whole(
    path: Path, *, labels: bool = False, raw: bool = False, mapping: Mapped = None, texts: Texts | None = None
) -> DataSet:
    """The whole rows, and an error for every other row, counted from 1.

    With `labels`, a row without any label list is bad; with `raw`, a row whose label fields are not lists
    that can be counted unchanged. Raises `InputError` when the file as a whole cannot be read.
    """
    known, rows = read_items_mapped(path, mapping=mapping, texts=texts)
    found = DataSet(str(path), known)
    for number, row in enumerate(rows, start=1):
        if isinstance(row, InputError):
            found.errors.append(row)
            continue
        try:
            _check_whole(row, str(path), number, labels)
            if raw and row.uncountable:
                raise InputError("A plain list was expected.", file=str(path), row=number, field=row.uncountable)
            found.items.append(row)
        except InputError as error:
            found.errors.append(error)
    if not found.items and not found.errors:
        raise InputError("The file holds no rows.", file=str(path))
    return found


def read_rows(path: Path, *, labels: bool = False, raw: bool = False) -> tuple[list[Item], list[InputError]]:
    """Read a file as its whole rows and its errors; arguments and errors as in `read_whole`."""
    found = read_whole(path, labels=labels, raw=raw)
    return found.items, found.errors


def _check_whole(row: Row, name: str, number: int, labels: bool) -> None:
    if row.documents is None and row.documents_sentences is None:
        raise InputError("Documents were expected.", file=name, row=number, field="documents")
    if row.response is None and row.response_sentences is None:
        raise InputError("A response was expected.", file=name, row=number, field="response")
    if labels and not row.has_labels:
        raise InputError(
            "Labels were expected.", "Make them with `label`.",
            file=name, row=number, field="all_relevant_sentence_keys",
        )  # fmt: skip
