"""What programs write around pasted lines: marks of quoted mail, times and names of a chat, signatures."""

from __future__ import annotations

import re
from textwrap import dedent

from trace_core.endpoint.reading.words import LABEL

_QUOTED = re.compile(r"^(?:>[ \t]?){1,8}", re.MULTILINE)
_CHAT = re.compile(
    r"^\[?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ \t])?\d{1,2}:\d{2}(?::\d{2})?(?:[ \t]?[AaPp][Mm])?\]?[ \t,–-]{0,4}"
    r"[^\W\d][\w .'’-]{0,30}:[ \t]",
    re.MULTILINE,
)
_SIGNED = re.compile(r"\n[ \t]{0,4}(?:/|--? ?|— ?)[A-Z]\w{1,20}\s{0,8}\Z")
_LABELED = re.compile(rf"(?:{LABEL})[^\n:]{{0,40}}:", re.IGNORECASE)
_FEW = 2
_MOST_LINES, _WIDEST = 6, 100
"""Of a signature."""


def without_margins(text: str) -> str:
    """The text without the marks before its lines, where at least two lines have them, and without a signature."""
    if len(quoted := _QUOTED.findall(text)) >= _FEW:
        lines = text.split("\n")
        if len(quoted) >= len([line for line in lines if line.strip()]) // 2:
            text = dedent(_QUOTED.sub("", text))
    text = _SIGNED.sub("", _unsigned(text))
    labeled = sum(_LABELED.match(text, line.end()) is not None for line in _CHAT.finditer(text))
    return _CHAT.sub("", text) if labeled >= _FEW else text  # a timetable has times and colons, too


def _unsigned(text: str) -> str:
    """The text without the signature of a mail, which follows a line of two dashes."""
    before, dashes, after = text.rpartition("\n--")
    first, *lines = after.split("\n")
    short = len(lines) <= _MOST_LINES and all(len(line) <= _WIDEST for line in lines)
    return before if dashes and not first.strip() and short else text
