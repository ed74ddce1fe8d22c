"""The language of a text, by py3langid; the packaged models read English."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from trace_core.facts.words import STOPWORDS

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

ENGLISH = "en"
ADVICE = (
    "The packaged models read English: retrieval is weak here, and the local labeler gives no labels. "
    "Set TRACE_EMBEDDING_MODEL and TRACE_NLI_MODEL to multilingual models, or OPENAI_API_KEY to label with GPT."
)
NOTE = f"These texts are not in English. {ADVICE}"
_LONGEST = 1000
"""The number of leading characters from which the language is detected."""
_SURE = 0.5
"""The least probability of a language."""
_LEAST_WORDS, _ENGLISH_SHARE = 4, 0.3
"""A text of as many words, this share of which are small English ones, is in English: no other language has so many."""
_LANGUAGES = (
    *"af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka".split(),
    *"kk km kn ko la lt lv mk ml mn mr ms my nb ne nl pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk".split(),
    *"ur uz vi zh zxx".split(),
)
"""What py3langid may find; zxx is no language, as in code. Creoles and dialects look too much like their parents."""
_LOADING = Lock()
_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str) -> str | None:
    """The ISO 639-1 code of the language; `None` where the text is too short to tell, or in none."""
    return _code(text[:_LONGEST])


@lru_cache(maxsize=4000)
def _code(text: str) -> str | None:
    words = _WORD.findall(text.lower())
    if not words:
        return None
    small = sum(word in STOPWORDS for word in words)
    if len(words) >= _LEAST_WORDS and small >= _ENGLISH_SHARE * len(words):
        return ENGLISH  # most texts; the model takes a second to load
    with _LOADING:  # else each of a run's threads would load a model of its own
        identifier = _identifier()
    code, probability = identifier.classify(text)
    return str(code) if code != "zxx" and probability >= _SURE else None


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages([code for code in _LANGUAGES if code in set(identifier.nb_classes)])
    return identifier


def is_foreign(*texts: Iterable[str]) -> bool:
    """Whether any of the texts, each given as its parts, is in another language; not if it is too short to tell."""
    return not all(language_of(" ".join(parts)) in (None, ENGLISH) for parts in texts)
