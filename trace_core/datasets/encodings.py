"""Detect a text file's encoding: Unicode by its byte order mark or its bytes, else Western European."""

from __future__ import annotations

import re
from pathlib import Path

from trace_core.errors import InputError

_MARKS = ((b"\xff\xfe\x00\x00", "utf-32"), (b"\x00\x00\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"),
          (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))  # fmt: skip
_CHUNK = 1 << 20
_STRANGE = re.compile("[a-zà-öø-ÿ](?:[À-ÖØ-ÞŠŽŸŒ]|[¡-¬®-¿×÷‚ƒ„†‡ˆ‰˜])[a-zà-öø-ÿ]")
_MOST_ACCENTS = 0.3
_ESCAPED = re.compile("[\udc80-\udcff]")
_WIDE = re.compile("[\x80-\ud7ff\ue000-\U0010ffff]")


def encoding_of(path: Path, name: str) -> str:
    """The encoding, as a name for `open`. Undecodable bytes become lone surrogates there, so that only a row is bad
    and not the file.

    A file is read as Western European (Windows-1252) only if none of its characters is UTF-8 and its words
    look Western European. Raises `InputError` where it can be neither.
    """
    with path.open("rb") as file:
        start = file.read(4)
        for mark, encoding in _MARKS:
            if start.startswith(mark):
                return encoding
        if start[:2].count(0) == 1:
            return "utf-16-le" if start[1:2] == b"\0" else "utf-16-be"
        file.seek(0)
        western = b""
        while chunk := file.read(_CHUNK):
            if chunk.isascii():
                continue
            chunk += file.readline()  # a character is never split
            text = chunk.decode("utf-8", "surrogateescape")
            if _WIDE.search(text):
                return "utf-8"
            western = western or chunk
    if not western:
        return "utf-8"
    _check_western(western.decode("cp1252", "replace"), name)
    return "cp1252"


def is_text(value: str) -> bool:
    """Whether every byte of the value could be decoded in the file's encoding."""
    return value.isascii() or not _ESCAPED.search(value)


def _check_western(text: str, name: str) -> None:
    """Raises `InputError` unless accents look natural: lower case inside a word, and on a minority of the letters."""
    letters = sum(map(str.isalpha, text))
    accents = sum(c.isalpha() and not c.isascii() for c in text)
    if accents > _MOST_ACCENTS * max(1, letters) or _STRANGE.search(text):
        raise InputError("This is neither UTF-8 nor Western European text.", "Save it as UTF-8.", file=name)
