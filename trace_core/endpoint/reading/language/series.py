"""Texts numbered in a row, on one line or several: `(1) … (2) …`, `a: … b: …`, `d1 - …; d2 - …`, `#1 … #2 …`."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FIRST = re.compile(
    r"(?P<open>[(\[#]?)(?P<name>[A-Za-z]{0,12}[_-]?\d{1,4}|[A-Za-z])"
    r"(?P<close>[)\]]|[ \t]{0,2}[:.)=]|[ \t]{1,2}[=–—-]|：|)"
    r"(?:(?=\s)|(?<=：)|(?<=:)(?=[^\x00-\x7f]))"
)
_NUMBERED = re.compile(r"([A-Za-z_-]{0,13})(\d{1,4})")
_CLOSING = {"(": (")",), "[": ("]",), "#": ("", ":", ".")}
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_WIDEST_GAP = 8
"""The most names that may be missing between two; a search often returns the 2nd and the 7th text."""
_IN_NAMES = (".", "")
"""What may also follow an initial or a number in a text: after these a series has no gaps."""
_SUB_ITEMS = ("i", "v", "x")
"""Roman numbers, which count what is within an item."""
BEFORE = tuple(".!?;,|\"“”'»。！？")
"""What stands before a marker within a line: the end of the text before, or a separator."""

Mark = tuple[int, int, str]
"""(start, end, id) of a marker."""


def in_series(body: str, plural: bool = True) -> list[Mark]:
    """The markers that continue the one at the body's start, in order; none where there are fewer than two.

    After the label of one context (`plural` false) `1.` and `1)` count the steps in its text.
    """
    first = _FIRST.match(body)
    if first is None or first["close"].strip() not in _CLOSING.get(
        first["open"], (":", ".", ")", "=", "-", "–", "—", "：")
    ):
        return []
    if not plural and not first["open"] and first["close"] in (".", ")"):
        return []
    rows = [_row(body, first, names) for names in _names(first["name"], body.count(first["close"] or "#") + 1)]
    longest = max(rows, key=len)
    return longest if len(longest) > 1 else []


def _row(body: str, first: re.Match[str], names: Sequence[str]) -> list[Mark]:
    found = [(0, first.end(), first["name"])]
    gap = 0
    for name in names:
        if gap and name.lower() in _SUB_ITEMS:
            continue
        mark = f"{first['open']}{name}{first['close']}"
        place = _find(body, mark, found[-1][1], anywhere=first["open"] in ("(", "#") and not gap)
        if place < 0 and gap < _WIDEST_GAP and first["close"].strip() not in _IN_NAMES:
            gap += 1
            continue
        if place < 0:
            break
        gap = 0
        found.append((place, place + len(mark), name))
    return found


def _find(body: str, mark: str, start: int, anywhere: bool) -> int:
    """Where the marker stands alone after `start`, at a line's start or after the end of a text; −1 if nowhere."""
    place = body.find(mark, start)
    while place >= 0:
        before = body[max(start, place - 8) : place]
        text = before.rstrip(" \t")
        alone = body[place + len(mark) : place + len(mark) + 1].isspace() and text != before
        if body[place - 1] == "\n" or text.endswith("\n") or (alone and (anywhere or text.endswith(BEFORE))):
            return place
        place = body.find(mark, place + 1)
    return -1


def _names(first: str, most: int) -> list[list[str]]:
    """The names that may follow: numbers with the same prefix, letters, Roman numbers."""
    if numbered := _NUMBERED.fullmatch(first):
        prefix, digits = numbered[1], numbered[2]
        return [[f"{prefix}{int(digits) + step:0{len(digits)}}" for step in range(1, most + 1)]]
    last = "Z" if first.isupper() else "z"
    letters = [chr(code) for code in range(ord(first) + 1, ord(last) + 1)]
    roman = [one.upper() if first.isupper() else one for one in _ROMAN[1:]]
    return [letters, roman] if first in "iI" else [letters]
