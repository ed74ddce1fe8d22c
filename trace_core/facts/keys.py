"""The keys that exist, and what has the form of one: found by any spelling, opened as ranges."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cached_property

from trace_core.facts.labels import SPECIAL_KEYS
from trace_core.facts.plain import plain

_KEY = re.compile(r"([0-9]{0,6})([a-z]{1,6})")
_RUNS = re.compile(r"[a-z]+|[0-9]+")
_BETWEEN_WORDS = re.compile(r"[\s_-]+")
AROUND = " ._():"
"""What may stand about a key and says nothing."""
_SYNONYMS = {
    "general": "general_knowledge general_statement general_remark general_sentence",
    "supported_without_sentence": "supported_without_a_sentence supported_without_sentences",
    "well_known_fact": "well_known_facts well_known common_knowledge",
    "numerical_reasoning": "numeric_reasoning numerical_calculation",
}
_SPECIAL_NAMES = {name: key for key, names in _SYNONYMS.items() for name in names.split()} | {
    key: key for key in SPECIAL_KEYS
}
"""The special keys as judges call them."""
_NO_KEYS = frozenset(
    "all am an and any are as at be but by do for go he if in is it me my no not of on or so the to up we yes".split()
)
"""Words that are keys only where these exist."""
_LONGEST = 40
"""Of a key, in characters."""
MOST_OPENED = 50_000
"""The most keys that all ranges of a reply may name together; later ranges are not expanded."""


class Keys(dict[str, None]):
    """The existing keys, in order, with an index for ranges.

    `sentences` are keys of sentences; `special` ones exist, too, but belong to no range. `others` are known from
    another list: to name one is no riddle, but it does not exist here.
    """

    def __init__(self, sentences: Iterable[str], special: Iterable[str] = (), others: Iterable[str] = ()) -> None:
        self._sentences = list(dict.fromkeys(sentences))
        super().__init__(dict.fromkeys((*self._sentences, *special)))
        self._others = frozenset(others)
        self._left = MOST_OPENED

    def find(self, text: str) -> str | None:
        """The existing key that a text names by itself, in any spelling."""
        if text in self:
            return text
        name = _name(text)
        found = self._by_name.get(name) or _SPECIAL_NAMES.get(name)
        return found if found in self else None

    def lacks(self, text: str) -> bool:
        """Whether a text has the form of a key, but is none of these."""
        if text in self or len(text) > _LONGEST:
            return False
        no_key = text in _NO_KEYS or (text.isalpha() and len(text) > self._most_letters)
        return text in self._others or (not no_key and _form(text) in self._forms)

    def every(self) -> list[str] | None:
        """The keys of all sentences; `None` once too many were opened."""
        return self._opened(self._sentences)

    def between(self, first: str, last: str) -> list[str] | None:
        """The keys of the sentences from one to the other, in either direction; "0a-d" is short for "0a-0d".

        An end that does not exist stands for the next one inside. Empty if none of them exists; `None` if these are
        no ends of a range, or once too many were opened.
        """
        if self._left <= 0:
            return None
        last = self._in_full(first, last)
        ends = sorted(place for end in (first, last) if self._is_end(end) and (place := _place(end)))
        if len(ends) < 2:
            return None
        (low, high), places = ends, self._places
        begin, stop = bisect_left(places, (low, -1, "")), bisect_right(places, (high, len(self), ""))
        if begin < stop and first not in self and last not in self:
            return None
        return self._opened([key for _, key in sorted((n, key) for _, n, key in places[begin:stop])])

    def _opened(self, keys: list[str]) -> list[str] | None:
        if self._left <= 0:
            return None
        self._left -= len(keys)
        return keys

    def _is_end(self, text: str) -> bool:
        return text in self or self.lacks(text)

    def _in_full(self, first: str, last: str) -> str:
        begun, short = _KEY.fullmatch(first), _KEY.fullmatch(last)
        if begun and begun[1] and short and not short[1] and len(last) <= self._most_letters:
            return begun[1] + last
        return last

    @cached_property
    def _by_name(self) -> dict[str, str]:
        names = [(_name(key), key) for key in self]
        times = Counter(name for name, _ in names)
        return {name: key for name, key in names if times[name] == 1}

    @cached_property
    def _places(self) -> list[tuple[tuple[int, int, str], int, str]]:
        return sorted((place, n, key) for n, key in enumerate(self._sentences) if (place := _place(key)))

    @cached_property
    def _forms(self) -> Collection[str]:
        return {_form(plain(key)) for key in self._sentences} or {"0a", "a"}

    @cached_property
    def _most_letters(self) -> int:
        """The length of the longest letters in a key, as of "0ab" or "ab"."""
        found = (_KEY.fullmatch(key) for key in self._sentences)
        return max((len(match[2]) for match in found if match), default=1)


def is_special(text: str) -> bool:
    """Whether a text names a special key, in any spelling."""
    return _name(text) in _SPECIAL_NAMES


def _name(text: str) -> str:
    return _BETWEEN_WORDS.sub("_", plain(text).strip(AROUND))


def _form(text: str) -> str:
    """The kind of characters in a key: "12ab" → "0a"."""
    return _RUNS.sub(lambda run: "0" if run[0].isdigit() else "a", text)


def _place(key: str) -> tuple[int, int, str] | None:
    """The sort position of a key: its document (−1 in a response), then its letters."""
    match = _KEY.fullmatch(key)
    return (int(match[1] or -1), len(match[2]), match[2]) if match else None
