"""A sentence as the contrasts read it: in lower case and on one line, without the end of one that is very long."""

from __future__ import annotations

import re
from functools import lru_cache

from trace_core.facts.words import is_negation
from trace_core.labeling.local.wording.texts import read

_LONGEST = 600
"""In characters: longer sentences say too much for one word of them to decide."""
_WORD = re.compile(r"[a-z']+")
_NOTHING = frozenset(("nothing", "nobody", "nowhere"))


@lru_cache(maxsize=4000)
def plain(text: str) -> str:
    """The text in lower case, with single spaces and straight apostrophes."""
    return " ".join(text[:_LONGEST].lower().replace("’", "'").split())


@lru_cache(maxsize=4000)
def negations(text: str) -> int:
    """How many words of the text deny something."""
    return sum(is_negation(word) or word in _NOTHING for word in _WORD.findall(plain(text)))


def things(text: str) -> frozenset[str]:
    """The stems of the text's words, without numbers."""
    return frozenset(word for word in read(text).words if word[0] != "#")


def share(words: frozenset[str], text: str) -> float:
    """The share of the words, at least one, that the text has, 0 to 1."""
    return len(words & read(text).words) / len(words)
