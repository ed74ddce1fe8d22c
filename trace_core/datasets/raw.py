"""Files of any format as rows of plain values; each error names its row.

Rows are read one at a time, so that a long file needs little memory; only a `.json` file that is no list, and YAML, are
read whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trace_core.datasets.arrays import DECODER, array_rows, is_array
from trace_core.datasets.excel import excel_rows
from trace_core.datasets.joins import rows_within
from trace_core.datasets.layouts import is_frame, rows_of, rows_of_list
from trace_core.datasets.tables import (
    MAX_LINE,
    MAX_TEXT,
    Numbered,
    csv_rows,
    drawn_rows,
    dumped_rows,
    has_labels,
    has_messages,
    has_turns,
    is_drawn,
    is_prose,
    log_rows,
    message_rows,
    parquet_rows,
    text_rows,
    turn_rows,
)
from trace_core.datasets.text.encodings import encoding_of, is_text
from trace_core.datasets.text.yamls import yaml_documents
from trace_core.datasets.traces import is_carrier
from trace_core.datasets.unwrapping import unwrapped, with_prompt_opened
from trace_core.errors import InputError

__all__ = ["FORMATS", "MAX_LINE", "MAX_TEXT", "Numbered", "load_json", "parse", "raw_rows", "too_long"]
_JSON, _YAML = (".jsonl", ".ndjson", ".json"), (".yaml", ".yml")
FORMATS = (*_JSON, *_YAML, ".csv", ".tsv", ".tab", ".txt", ".md", ".log", ".xlsx", ".parquet", ".sql")
_SHEETS = (".xls", ".ods", ".numbers")
MAX_JSON = 1_000_000_000
"""The largest file, in bytes, that is read whole."""
_COMMENT = ("#", "//")
_BLANK = " \t\r\n"


def raw_rows(path: Path, name: str = "") -> Iterator[Numbered]:
    """The rows of a file, unchanged; an unreadable row is yielded as its `InputError`.

    `name` is what errors call the file. Raises `InputError` when the file as a whole cannot be read.
    """
    name = name or str(path)
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        hint = "Save it as .xlsx or CSV (UTF-8)." if suffix in _SHEETS else "Save its rows as CSV (UTF-8) or JSON."
        raise InputError(f"Files of this kind are not read; {', '.join(FORMATS)} are.", hint, file=name)
    if not path.is_file():
        raise InputError("There is no such file.", file=name)
    try:
        if suffix in _JSON or (suffix == ".log" and _is_json(path, name)):
            yield from _unwrapped(_json_rows(path, name))
        elif suffix in _YAML:
            yield from _unwrapped(_yaml_rows(path, name))
        elif suffix == ".log":
            yield from log_rows(path, name)
        else:
            for number, row in _table_rows(path, name, suffix):
                yield number, with_prompt_opened(row) if isinstance(row, dict) else row
    except OSError as error:
        raise InputError(f"It cannot be read ({error.strerror or type(error).__name__}).", file=name) from None


def _table_rows(path: Path, name: str, suffix: str) -> Iterator[Numbered]:
    if suffix == ".parquet":
        return parquet_rows(path, name)
    if suffix == ".sql":
        return dumped_rows(path, name)
    if suffix == ".xlsx":
        return excel_rows(path, name)
    if suffix == ".txt" and has_messages(path, name):
        return message_rows(path, name)
    if suffix in (".csv", ".txt", ".md") and is_drawn(path, name):
        return drawn_rows(path, name)
    if suffix in (".txt", ".md") and has_labels(path, name):
        return text_rows(path, name)
    if suffix in (".txt", ".md") and has_turns(path, name):
        return turn_rows(path, name)
    if suffix == ".md" or (suffix == ".txt" and is_prose(path, name)):
        return drawn_rows(path, name)
    return csv_rows(path, name)


def _unwrapped(rows: Iterator[Numbered]) -> Iterator[Numbered]:
    """The rows without their wrappings, and without what stands around them; spans as they are."""
    for number, row in rows:
        if is_carrier(row):
            yield number, row
        elif not is_frame(row):
            yield from ((number, unwrapped(one)) for one in rows_within(row))


def _json_rows(path: Path, name: str) -> Iterator[Numbered]:
    """One JSON value or one per line: first as the file's suffix says, then the other way."""
    if path.suffix.lower() != ".json":
        return _lines(path, name) if _is_lines(path, name) else rows_of(load_json(path, name), name)
    if is_array(path, name):
        return rows_of_list(array_rows(path, name))
    try:
        return rows_of(load_json(path, name), name)
    except NotJson as error:
        if error.more and _is_lines(path, name):
            return _lines(path, name)
        raise


def _yaml_rows(path: Path, name: str) -> Iterator[Numbered]:
    """The rows of its only document; several are the rows."""
    found = yaml_documents(_whole_text(path, name), name)
    return rows_of(found[0] if len(found) == 1 else found, name)


class NotJson(InputError):
    """Text that is not JSON; `more`: it is JSON with something after it."""

    more = False


def load_json(path: Path, name: str = "") -> Any:
    """A whole JSON file. Raises `InputError`, also for a file that is too big to read whole."""
    name = name or str(path)
    return parse(_whole_text(path, name), name)


def _whole_text(path: Path, name: str) -> str:
    if path.stat().st_size > MAX_JSON:
        raise InputError(
            f"A {path.suffix.lower()} file of more than {MAX_JSON // 1_000_000} MB is not read.",
            "Write the rows as one list, or one row a line, as .jsonl.", file=name,
        )  # fmt: skip
    text = path.read_bytes().decode(encoding_of(path, name), "surrogateescape").removeprefix("\ufeff")
    if not is_text(text):
        raise InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name)
    return text


def parse(text: str, name: str, row: int | None = None) -> Any:
    """Parse JSON, with NaN and infinities as null. Raises `InputError`."""
    try:
        text = text.strip(_BLANK)
        value, end = DECODER.raw_decode(text)
        if end < len(text):
            raise json.JSONDecodeError("Extra data", text, end)
        return value
    except (ValueError, RecursionError) as error:
        wrong = NotJson(f"This is not JSON ({str(error)[:100]}).", file=name, row=row)
        wrong.more = isinstance(error, json.JSONDecodeError) and error.msg == "Extra data"
        raise wrong from None


def too_long(value: Any, field: str = "") -> tuple[str, int] | None:
    """The first text in the value that is longer than `MAX_TEXT`: its field (`documents.0`) and length."""
    if isinstance(value, str):
        return (field, len(value)) if len(value) > MAX_TEXT else None
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, item in items:
        if isinstance(item, str) and len(item) <= MAX_TEXT:
            continue
        if isinstance(item, str | dict | list | tuple):
            found = too_long(item, f"{field}.{key}" if field else str(key))
            if found:
                return found
    return None


def _is_json(path: Path, name: str) -> bool:
    """Whether the file's first character is that of an object or a list of objects."""
    with path.open(encoding=encoding_of(path, name), errors="replace", newline="\n") as file:
        first = next((line for line in iter(lambda: file.readline(MAX_LINE), "") if line.strip()), "")
    return first.lstrip("\ufeff" + _BLANK).startswith(("{", "[{"))


def _is_lines(path: Path, name: str) -> bool:
    """Whether the first non-empty line is more than the beginning of a longer value."""
    with path.open(encoding=encoding_of(path, name), errors="replace", newline="\n") as file:
        first = next((line for line in iter(lambda: file.readline(MAX_LINE), "") if line.strip()), "")
        return first.strip().removeprefix("\ufeff") not in ("[", "{", "[{") and not first.lstrip().startswith("[{")


def _lines(path: Path, name: str) -> Iterator[Numbered]:
    """Read one JSON value per line, but for comments. Only \\n ends a line: a text may contain other separators."""
    number = 0
    with path.open(encoding=encoding_of(path, name), errors="surrogateescape", newline="\n") as file:
        while line := file.readline(MAX_LINE):
            said = line.strip()
            if not said or said.startswith(_COMMENT):
                continue
            number += 1
            if len(line) >= MAX_LINE and not line.endswith("\n"):
                while len(rest := file.readline(MAX_LINE)) == MAX_LINE and not rest.endswith("\n"):
                    pass
                message = f"A line of more than {MAX_LINE // 1_000_000} MB is not read."
                yield number, InputError(message, file=name, row=number)
                continue
            yield number, _line(said, name, number)


def _line(line: str, name: str, number: int) -> Any:
    try:
        if not is_text(line):
            raise InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name, row=number)
        return parse(line.removesuffix(","), name, number)  # from a list, in which commas stand between
    except InputError as error:
        return error
