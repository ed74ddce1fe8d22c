"""A JSON array, one element at a time: a file of any length needs the memory of its longest row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from trace_core.datasets.tables import Numbered
from trace_core.datasets.text.encodings import encoding_of, is_text
from trace_core.errors import InputError

_CHUNK = 1 << 18
_BLANK = " \t\r\n"
DECODER = json.JSONDecoder(parse_constant=lambda _: None)
"""Reads NaN and infinities as null."""
_REST = "The rows before it were read; it and all that follows were not."


def is_array(path: Path, name: str) -> bool:
    """Whether the file's first character is that of an array of objects."""
    with path.open(encoding=encoding_of(path, name), errors="replace") as file:
        start = file.read(_CHUNK).removeprefix("\ufeff").lstrip(_BLANK)
    return start.startswith("[") and start[1:].lstrip(_BLANK).startswith("{")


def array_rows(path: Path, name: str, chunk: int = _CHUNK) -> Iterator[Numbered]:
    """The array's elements, numbered from 1.

    An element with bytes that are no text is yielded as its `InputError`; so is the first one that is no JSON, and
    nothing after it, because where the next one begins is then unknown.
    """
    with path.open(encoding=encoding_of(path, name), errors="surrogateescape", newline="") as file:
        window = _Window(file, chunk)
        window.skip("\ufeff" + _BLANK)
        window.take()  # the opening bracket
        number = 0
        while window.skip(_BLANK) != "]":
            number += 1
            try:
                value, text = window.value()
                after = window.skip(_BLANK)
                if after not in ("", ",", "]"):
                    raise ValueError(f"a comma was expected, not {after!r}")
            except (ValueError, RecursionError) as error:
                yield number, InputError(f"This is not JSON ({str(error)[:100]}).", _REST, file=name, row=number)
                return
            yield number, value if is_text(text) else _not_text(name, number)
            if after == ",":
                window.take()
            elif not after:
                yield number + 1, InputError("The file ends inside the list.", _REST, file=name, row=number + 1)
                return
        window.take()
        if window.skip(_BLANK):
            wrong = InputError("Something follows the list.", "One list is read.", file=name, row=number + 1)
            yield number + 1, wrong


def _not_text(name: str, number: int) -> InputError:
    return InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name, row=number)


class _Window:
    """The part of a file that is being read."""

    def __init__(self, file: TextIO, chunk: int) -> None:
        self._file, self._chunk = file, chunk
        self._text, self._at = "", 0

    def skip(self, characters: str) -> str:
        """Move past these characters; returns the next one, or nothing at the end of the file."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in characters:
                    return self._text[self._at]
                self._at += 1
            if not self._more(self._chunk):
                return ""

    def take(self) -> None:
        """Move past one character."""
        self._at += 1

    def value(self) -> tuple[Any, str]:
        """The JSON value that begins here, and its text. Raises `ValueError` where there is none."""
        while (found := self._decoded()) is None and self._more(max(self._chunk, len(self._text) - self._at)):
            pass  # each time twice as much, so that the time stays linear
        value, end = found or DECODER.raw_decode(self._text, self._at)
        text, self._at = self._text[self._at : end], end
        return value, text

    def _decoded(self) -> tuple[Any, int] | None:
        """The value and its end; `None` unless it ends before the window does, because a number may go on."""
        try:
            value, end = DECODER.raw_decode(self._text, self._at)
        except ValueError:
            return None
        return (value, end) if end < len(self._text) else None

    def _more(self, characters: int) -> bool:
        read = self._file.read(characters)
        self._text, self._at = self._text[self._at :] + read, 0
        return bool(read)
