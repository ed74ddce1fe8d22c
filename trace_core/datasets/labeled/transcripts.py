"""Conversations that people wrote down, with titles around them: `[14:00:07] User: …`, `[14:00:11] Assistant: …`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, dropwhile, islice, pairwise
from typing import Any

from trace_core.datasets.labeled.lines import MOST_LINES, read_line
from trace_core.datasets.labeled.sessions import is_session, said_in, session_rows
from trace_core.errors import InputError

_LOOKED_AT = 40
"""The first lines with a time, by which a transcript is known."""
_MOST_ABOVE = 20
"""The most lines of titles above the first."""
_TIME = re.compile(r"[\[(]?(?:\d[\d./-]{5,9}[,T ]{1,2})?\d{1,2}:\d\d")
_FRAMED = re.compile(r"[ \t]{0,8}([-=*_~#–—])\1{1,40} \S[^\n]{0,200} \1{2,40}[ \t]{0,8}$")
"""What stands in a frame: `-- end of session --`."""
_HINT = "Write the time and who speaks before each paragraph, and notes in a line of their own: -- note --."


def is_transcript(lines: Iterable[str]) -> bool:
    """Whether the lines with a time are those of a person who asks and a bot that answers."""
    begun = list(islice(_entries(islice(lines, MOST_LINES)), _LOOKED_AT))
    return bool(begun) and is_session(begun)


def transcript_rows(lines: Iterable[str], name: str) -> Iterator[tuple[int, Any]]:
    """A row for each question, numbered from 1. Raises `InputError` at a text that may be nobody's."""
    yield from session_rows((_checked(entry, name) for entry in _entries(lines)), name)


def _entries(lines: Iterable[str]) -> Iterator[str]:
    """What stands from each time to the next, without what is in a frame at its end."""
    lines = iter(lines)
    first = list(dropwhile(lambda line: said_in(line) is None, islice(lines, _MOST_ABOVE)))
    held: list[str] = []
    for line in chain(first, lines) if first else ():
        if held and _TIME.match(line):
            yield _unframed(held)
            held = []
        held.append(line.rstrip("\r\n"))
    if held:
        yield _unframed(held)


def _unframed(lines: list[str]) -> str:
    end = len(lines)
    while end > 1 and (not lines[end - 1].strip() or _FRAMED.match(lines[end - 1])):
        end -= 1
    return "\n".join(lines[:end])


def _checked(entry: str, name: str) -> str:
    """The entry. Raises `InputError` where something in it may be a note of the one who wrote it down."""
    one = said_in(entry)
    found = one is not None and one.part == "documents"
    notes = (line for above, line in pairwise(entry.split("\n")) if _may_be_note(line, above, found))
    if (note := next(notes, None)) is not None:
        raise InputError(f"Nobody known says {note.strip()[:80]!r}.", _HINT, file=name)
    return entry


def _may_be_note(line: str, above: str, found: bool) -> bool:
    """Whether a line has a label, is in a frame, or stands below a blank one; a text that was found may, if it is
    indented or has a mark.
    """
    if not line.strip() or _FRAMED.match(line):
        return bool(line.strip())
    if not line[0].isalpha():
        return not found and not above.strip()
    return not above.strip() or bool(read_line(line).label)
