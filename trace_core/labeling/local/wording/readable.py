"""Which response sentences are made of words: neither keys hit at random, nor marks and control characters alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from trace_core.models import packaged_folder

_PART = re.compile(r"\w+")
_AMOUNT = re.compile(r"\d+(?:st|nd|rd|th|am|pm|s)?")
_LEAST = 0.5
"""The least share of a sentence's words that the model's vocabulary, the documents or the question have."""
_REPEATED = 3


def unreadable(response: Sequence[str], known: Iterable[str]) -> list[int]:
    """The places of sentences of which less than half are known words, or that repeat one word.

    Where a response has words, its sentences without any are layout.
    """
    parts = [_PART.findall(text.lower()) for text in response]
    strange = [row for row, words in enumerate(parts) if words and _is_strange(words)]
    if strange:
        told = {word for text in known for word in _PART.findall(text.lower())}
        strange = [row for row in strange if _is_strange([w for w in parts[row] if w not in told], len(parts[row]))]
    repeated = [row for row, words in enumerate(parts) if len(words) >= _REPEATED and len(set(words)) == 1]
    return sorted({*strange, *repeated}) if any(parts) else list(range(len(parts)))


def _is_strange(words: Sequence[str], total: int = 0) -> bool:
    """Whether too few of the words, of `total` with those that are known, are in the vocabulary."""
    unknown = sum(not (word in _vocabulary() or _AMOUNT.fullmatch(word)) for word in words)
    return unknown > (1 - _LEAST) * (total or len(words))


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    """The packaged model's whole words, without single letters."""
    lines = (packaged_folder() / "vocab.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for word in lines if len(word) > 1 and word.isalpha()) | {"a", "i"}
