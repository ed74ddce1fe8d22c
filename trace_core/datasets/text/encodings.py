"""Detect a text file's encoding: Unicode by its byte order mark or its bytes, any other by the words it would hold."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from trace_core.datasets.text.languages import ENCODINGS, NARROW, RARE, Likelihood, likelihood
from trace_core.errors import InputError

_MARKED = "utf-8-sig"
_MARKS = ((b"\xff\xfe\x00\x00", "utf-32"), (b"\x00\x00\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"),
          (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", _MARKED))  # fmt: skip
_CHUNK = 1 << 18
_SAMPLE = 20_000
"""Bytes of lines with other characters than ASCII by which encodings are told apart."""
_START = 4096
_RARELY = 100
"""The least share of null bytes in UTF-16, as one in this number; nearly all stand at even places, or at odd ones."""
_NEARLY = 0.9
"""The share of such bytes that must be UTF-8 in a file with some that are not."""
_BY_CHANCE = 0.02
"""The share of such bytes that may look like UTF-8 where each byte is a character."""
_LEAST_FIT = 0.8
"""The share of characters that must be letters of one language."""
_USUAL = "cp1252"
"""The encoding of most such files."""
_LEAST_SAID = 0.02
"""The share of words that must be common ones of the language, but in the usual encoding: names alone tell nothing."""
_CLEAR = 0.6
"""How much likelier, in powers of two, the best reading must be than the next."""
_OLD = 0.7
"""How much less likely, in powers of two, an encoding of an old system is."""
_ESCAPED = re.compile("[\udc80-\udcff]")
_WIDE = re.compile("[\x80-\ud7ff\ue000-\U0010ffff]")


def encoding_of(path: Path, name: str) -> str:
    """The encoding, as a name for `open`. Undecodable bytes become lone surrogates there, so that only a row is bad
    and not the file.

    Raises `InputError` where the text is not Unicode, and in no encoding clearly likelier a text than in any other; and
    where text of two or four bytes a character is cut off or broken, as `open` cannot read it in part.
    """
    with path.open("rb") as file:
        if encoding := _by_its_bytes(file.read(_START)):
            if encoding != _MARKED:
                file.seek(0)
                _check_decodes(iter(lambda: file.read(_CHUNK), b""), encoding, name)
            return encoding
        file.seek(0)
        sample = b""
        for lines in _not_ascii(iter(lambda: file.read(_CHUNK) + file.readline(), b"")):
            if not sample and not _ESCAPED.search(lines.decode("utf-8", "surrogateescape")):
                return "utf-8"
            sample += lines[:_SAMPLE]
            if len(sample) >= _SAMPLE:
                break
    return _likeliest(sample[:_SAMPLE], name) if sample else "utf-8"


def _by_its_bytes(start: bytes) -> str:
    """The encoding that the file's first bytes show; empty where they show none."""
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) > 1 and max(even, odd) * _RARELY > len(start) and max(even, odd) > 3 * min(even, odd):
        return "utf-16-le" if odd > even else "utf-16-be"
    return ""


def _check_decodes(chunks: Iterator[bytes], encoding: str, name: str) -> None:
    """Raises `InputError` where even `surrogateescape` cannot stand in for what is wrong: it takes no null bytes."""
    decoder = codecs.getincrementaldecoder(encoding)("surrogateescape")
    called = encoding[:6].upper()
    try:
        for chunk in chunks:
            decoder.decode(chunk)
    except UnicodeDecodeError as error:
        why = f"This is {called} text with bytes that are no character ({error.reason})."
        raise InputError(why, "Save it again, best as UTF-8.", file=name) from None
    try:
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        why = f"This is {called} text that ends within a character: the file is cut off."
        raise InputError(why, "Copy or save it again.", file=name) from None


def is_text(value: str) -> bool:
    """Whether every byte of the value could be decoded in the file's encoding."""
    return value.isascii() or not _ESCAPED.search(value)


def _not_ascii(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of each chunk that are not ASCII."""
    for chunk in chunks:
        if not chunk.isascii():
            yield b"".join(line for line in chunk.splitlines(keepends=True) if not line.isascii())


def _likeliest(sample: bytes, name: str) -> str:
    """UTF-8 where nearly all bytes are, else the encoding that gives by far the likeliest text."""
    text = sample.decode("utf-8", "surrogateescape")
    wrong = len(_ESCAPED.findall(text))
    held = sum(len(c.encode()) for c in _WIDE.findall(text))
    if held >= _NEARLY * (held + wrong):
        return "utf-8"
    encoding = _told(sample)
    if held and (not encoding or (encoding in NARROW and held > _BY_CHANCE * (held + wrong))):
        return "utf-8"
    if not encoding:
        raise InputError("This is neither UTF-8 nor clearly text in another encoding.", "Save it as UTF-8.", file=name)
    return encoding


def _told(sample: bytes) -> str:
    """The encoding that gives a text, and a clearly likelier one than every other; else empty."""
    read: dict[str, tuple[Likelihood, str]] = {}
    for encoding, languages in ENCODINGS.items():
        text = codecs.getincrementaldecoder(encoding)("replace").decode(sample)  # it may end within a character
        found = likelihood(text, languages)
        found = found._replace(score=found.score - _OLD * (encoding in RARE))
        known, first = read.get(text, (found, encoding))
        read[text] = (max(known, found), first)
    (best, encoding), *others = sorted(read.values(), reverse=True)
    clear = all(best.score - other.score >= _CLEAR for other, _ in others[:1])
    sure = best.said >= _LEAST_SAID or encoding == _USUAL
    return encoding if clear and sure and best.fit >= _LEAST_FIT else ""
