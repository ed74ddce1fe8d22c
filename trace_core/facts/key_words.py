"""Read the sentence keys in a judge's words, existing or not: strip dots, split lists in a string, expand ranges."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cached_property

_KEY = re.compile(r"([0-9]{0,6})([a-z]{1,6})")
_RANGE = re.compile(r"(\w+) ?(?:-|–|—| through | thru | to ) ?(\w+)")
_BETWEEN_KEYS = re.compile(r"(?:^| ?[,;&] ?| )and | ?[,;&] ?")
_AROUND_KEYS = " .\"'`()[]{}"
MOST_OPENED = 50_000
"""The most keys that all ranges of a reply may name together; later ranges are not expanded."""


class Keys(dict[str, None]):
    """The existing keys, in order, with an index for ranges."""

    def __init__(self, keys: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(keys))
        self._left = MOST_OPENED

    @cached_property
    def _places(self) -> list[tuple[tuple[int, int, str], int, str]]:
        return sorted((place, n, key) for n, key in enumerate(self) if (place := _place(key)))

    def between(self, first: str, last: str) -> list[str]:
        """The keys from `first`, which must exist, to `last`; "0a-d" is short for "0a-0d"."""
        low, high = _place(first), _place(last)
        if low is None or high is None or first not in self or self._left <= 0:
            return []
        high = high if high[0] >= 0 else (low[0], high[1], high[2])
        places = self._places
        begin, end = bisect_left(places, (low, -1, "")), bisect_right(places, (high, len(self), ""))
        self._left -= max(0, end - begin)
        return [key for _, key in sorted((n, key) for _, n, key in places[begin:end])]


def read_keys(item: object, known: Keys) -> list[str]:
    """The keys in one item, known or not: dots and spaces stripped, lists split, ranges expanded."""
    if not isinstance(item, str):
        return []
    whole = _tidy(item.lower())
    if item in known or whole in known:
        return [item if item in known else whole]
    parts = (_tidy(part) for part in _BETWEEN_KEYS.split(whole))
    return [key for part in parts if part for key in _open(part, known)]


def _open(part: str, known: Keys) -> list[str]:
    """The keys in a key, a range or a sequence of keys; anything else is returned whole, as an unknown key."""
    if part in known:
        return [part]
    if ends := _RANGE.fullmatch(part):
        return known.between(ends[1], ends[2]) or [part]
    keys = [_tidy(word) for word in part.split()]
    return keys if all(key in known for key in keys) else [part]


def _place(key: str) -> tuple[int, int, str] | None:
    """The sort position of a key: its document (−1 in a response), then its letters."""
    match = _KEY.fullmatch(key)
    return (int(match[1] or -1), len(match[2]), match[2]) if match else None


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(_AROUND_KEYS)
