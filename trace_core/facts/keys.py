"""Read the sentence keys that a judge names: marks stripped, lists in a string split, ranges of two keys expanded.

Nothing more is read out of a judge's words: what does not name an existing key is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_MARKS = " \t\n\r.\"'`“”‘’«»()[]{}"
_SEPARATOR = re.compile(r",|\band\b")
_RANGE = re.compile(r"(\w+)[\s.]*(?:[-–—]|\bthrough\b|\bto\b)[\s.]*(\w+)")
_LONGEST = 10_000
"""Longer items are prose."""
MOST_EXPANDED = 50_000
"""The most keys that all ranges of a reply may name together; later ranges are not expanded."""


class Keys(dict[str, None]):
    """The existing keys, in order: those of `sentences`, and `special` ones, which belong to no range."""

    def __init__(self, sentences: Iterable[str], special: Iterable[str] = ()) -> None:
        self._sentences = list(dict.fromkeys(sentences))
        super().__init__(dict.fromkeys((*self._sentences, *special)))
        self._by_name = {key.casefold(): key for key in reversed(self)}
        self._places = {key: place for place, key in enumerate(self._sentences)}
        self._left = MOST_EXPANDED

    def read(self, item: object) -> tuple[list[str], list[object]]:
        """The existing keys that an item names, as often as it does, and what was dropped.

        An item of marks alone names nothing. Never raises on any JSON.
        """
        if not isinstance(item, str) or len(item) > _LONGEST:
            return [], [item]
        if item in self:
            return [item], []
        parts = [bare for part in _SEPARATOR.split(item.casefold()) if (bare := part.strip(_MARKS))]
        read = [(part, self._named(part)) for part in parts]
        return [key for _, keys in read for key in keys], [part for part, keys in read if not keys]

    def _named(self, text: str) -> list[str]:
        """The key, or the keys of the range, that a text names; empty where it names none."""
        if key := self._by_name.get(text):
            return [key]
        ends = _RANGE.fullmatch(text)
        named = [self._by_name.get(end, "") for end in ends.groups()] if ends else []
        places = sorted(self._places[key] for key in named if key in self._places)
        if len(places) < 2 or self._left <= 0:
            return []
        keys = self._sentences[places[0] : places[1] + 1]
        self._left -= len(keys)
        return keys
