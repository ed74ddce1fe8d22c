"""Read the sentence keys in a judge's words, existing or not: strip dots, split lists in a string, expand ranges."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property

from trace_core.facts.labels import SPECIAL_KEYS

_KEY = re.compile(r"([0-9]{0,6})([a-z]{1,6})")
_RANGE = re.compile(r"(\w+) ?(?:-|–|—| through | thru | to ) ?(\w+)")
_BETWEEN_KEYS = re.compile(r"(?:^| ?[,;&] ?| )(?:and|or) | ?[,;&/] ?")
_SPELLED = re.compile(r"doc(?:ument)? ?#?([0-9]{1,6}),? ?sentence ([a-z]{1,6})(?![\w'])")
"""`Document 0, sentence a`."""
_BEFORE = re.compile(r"(?:doc(?:ument)?|sentence|key|context|passage) ?[#:]? ?(?=\S)")
_PARTED = re.compile(r"([0-9]{1,6}) ([a-z]{1,6})")
_QUOTING = re.compile(r"([0-9]{0,6}[a-z]{1,6}) ?[:–—-] (?=(\S+))")
"""A key, and the sentence after it."""
_AROUND_KEYS = " .\"'`()[]{}"
_NAMES = ("key", "sentence_key", "response_sentence_key", "id", "sentence")
"""The fields of an object in place of a key."""
_LIKE_KEY = re.compile(r"(?<!\w)[0-9]{1,6}[a-z]{1,6}(?!\w)|\A[a-z]{1,3}\Z")
_NONE = {"", "none", "n/a", "nothing", "no key", "no keys", "no sentence", "no sentences", "null", *SPECIAL_KEYS}
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


def names_keys(item: object) -> bool:
    """Whether the item says which keys it means, if only unknown ones, or says that there are none."""
    if not isinstance(item, str):
        return False
    text = _tidy(item.lower())
    return text in _NONE or bool(_LIKE_KEY.search(text))


def read_keys(item: object, known: Keys) -> list[str]:
    """The keys in one item, known or not: dots and spaces stripped, lists split, ranges expanded."""
    if isinstance(item, Mapping):
        item = next((item[name] for name in _NAMES if item.get(name) is not None), None)
    if isinstance(item, list):
        return [key for each in item if isinstance(each, str) for key in read_keys(each, known)]
    if not isinstance(item, str):
        return []
    whole = _SPELLED.sub(r"\1\2", _tidy(item.lower()))
    if item in known or whole in known:
        return [item if item in known else whole]
    quoting = _QUOTING.match(whole)
    if quoting and quoting[1] in known and quoting[2].strip(_AROUND_KEYS) not in known:
        return [quoting[1]]
    parts = (_tidy(part) for part in _BETWEEN_KEYS.split(whole))
    return [key for part in parts if part for key in _open(part, known)]


def _open(part: str, known: Keys) -> list[str]:
    """The keys in a key, a range or a sequence of keys; anything else is returned whole, as an unknown key."""
    if part in known:
        return [part]
    if ends := _RANGE.fullmatch(part):
        return known.between(ends[1], ends[2]) or [part]
    keys = [_tidy(word) for word in part.split()]
    if all(key in known for key in keys):
        return keys
    plain = _PARTED.sub(r"\1\2", _BEFORE.sub("", part))
    return [plain] if plain in known else [part]


def _place(key: str) -> tuple[int, int, str] | None:
    """The sort position of a key: its document (−1 in a response), then its letters."""
    match = _KEY.fullmatch(key)
    return (int(match[1] or -1), len(match[2]), match[2]) if match else None


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(_AROUND_KEYS)
