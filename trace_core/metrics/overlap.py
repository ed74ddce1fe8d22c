"""How similar two answers are: SQuAD's exact match and token F1, and their blend with a given similarity."""

import re
import string
from collections import Counter
from collections.abc import Collection

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalize(answer: str) -> str:
    """SQuAD's normal form: lower case, no ASCII punctuation, no articles (unless nothing is left), single spaces."""
    lower = answer.lower()
    return " ".join(_ARTICLES.sub(" ", lower.translate(_PUNCTUATION)).split()) or " ".join(lower.split())


def exact_match(answer: str, truth: str) -> bool:
    """Whether both have the same normal form."""
    return normalize(answer) == normalize(truth)


def token_f1(answer: str, truth: str) -> float:
    """Harmonic mean of precision and recall over the tokens (`\\w+`) of the normal forms, in [0, 1]."""
    one, other = (Counter(re.findall(r"\w+", normalize(text))) for text in (answer, truth))
    overlap = (one & other).total()
    return 2 * overlap / (one.total() + other.total()) if overlap else 0.0


def answer_likeness(f1: float, similarity: float) -> float:
    """(token F1 + max(0, cosine)) ÷ 2, at most 0.999, because 1 is reserved for an exact match."""
    return min(0.999, (f1 + min(1.0, max(0.0, similarity))) / 2)


def recall(targets: Collection[str], results: Collection[str]) -> float | None:
    """|targets ∩ results| ÷ |targets| over unique values, in [0, 1]; `None` without targets."""
    unique = set(targets)
    return len(unique & set(results)) / len(unique) if unique else None
