"""How far two answers say the same: SQuAD's exact match and token F1, and a blend with similarity.

Pure: the similarity comes as a number from whoever has an embedding model.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection

NOT_EXACT = 0.999
"""The highest score of an answer that is not an exact match."""

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalized(answer: str) -> str:
    """SQuAD's normal form: lower case, no ASCII punctuation, no articles, single spaces.

    An answer of which nothing would be left keeps its punctuation and articles.
    """
    lower = answer.lower()
    bare = " ".join(_ARTICLES.sub(" ", lower.translate(_PUNCTUATION)).split())
    return bare or " ".join(lower.split())


def exact_match(answer: str, truth: str) -> bool:
    """Whether both have the same normal form."""
    return normalized(answer) == normalized(truth)


def token_f1(answer: str, truth: str) -> float:
    """Harmonic mean of precision and recall over the tokens (`\\w+`) of the normal forms, in [0, 1]."""
    given, wanted = (Counter(re.findall(r"\w+", normalized(text))) for text in (answer, truth))
    shared = (given & wanted).total()
    return 2 * shared / (given.total() + wanted.total()) if shared else 0.0


def answer_likeness(f1: float, similarity: float) -> float:
    """(token F1 + max(0, cosine)) ÷ 2, in [0, 1) as 1 is kept for an exact match."""
    return min(NOT_EXACT, (f1 + min(1.0, max(0.0, similarity))) / 2)


def share_found(wanted: Collection[str], found: Collection[str]) -> float | None:
    """|wanted ∩ found| ÷ |wanted| over unique values, in [0, 1]; `None` where nothing is wanted."""
    unique = set(wanted)
    return len(unique & set(found)) / len(unique) if unique else None


def share_of(part: float, whole: float) -> float | None:
    """part ÷ whole; `None` where there is no whole."""
    return part / whole if whole else None
