"""Files of rows: JSON lines, JSON, CSV and Parquet, each bad row named with its field."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from trace_core.datasets.raw import FORMATS, MAX_TEXT, raw_rows, too_long
from trace_core.datasets.rows import LABEL_FIELDS, Row
from trace_core.errors import InputError
from trace_core.strict import valid

__all__ = ["FORMATS", "LISTS", "checked", "read_rows"]
LISTS = frozenset(name for name in (*Row.model_fields, *LABEL_FIELDS) if name.endswith(("s", "information")))
"""Fields that hold lists or objects, which CSV writes as JSON."""
AnyRow = TypeVar("AnyRow", bound=Row)


def read_rows(path: Path, *, labels: bool = False, raw: bool = False) -> tuple[list[Row], list[InputError]]:
    """The good rows and an error for each bad one, rows counted from 1.

    With `labels`, a row without any label list is bad; with `raw`, one whose label fields are no lists
    that can be counted as they came. Raises `InputError` when the file as a whole
    cannot be read.
    """
    good: list[Row] = []
    bad: list[InputError] = []
    for number, found in raw_rows(path, lists=LISTS):
        try:
            row = checked(Row, found, str(path), number)
            _check_whole(row, str(path), number, labels)
            if raw and row.uncountable:
                raise InputError("A plain list was expected.", file=str(path), row=number, field=row.uncountable)
            good.append(row)
        except InputError as error:
            bad.append(error)
    if not good and not bad:
        raise InputError("The file holds no rows.", file=str(path))
    return good, bad


def checked(model: type[AnyRow], raw: Any, name: str, number: int) -> AnyRow:
    """A raw row → the model. Raises `InputError` naming file, row and field."""
    if isinstance(raw, InputError):
        raise raw
    if not isinstance(raw, dict):
        raise InputError("An object was expected.", file=name, row=number)
    long = too_long(raw)
    if long:
        field, length = long
        raise InputError(
            f"A text of {length:,} characters; at most {MAX_TEXT:,} are read.", "Split it.",
            file=name, row=number, field=field,
        )  # fmt: skip
    try:
        return model.model_validate(valid(raw))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{first['msg']}.", file=name, row=number, field=field) from None


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
