"""Whether a text is in English, the language of the packaged models, judged by its letters and its small words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from trace_core.facts.words import STOPWORDS

ADVICE = (
    "The packaged models read English, so retrieval and local labels are weak here. "
    "Set TRACE_EMBEDDING_MODEL to a multilingual model, or OPENAI_API_KEY to label with GPT."
)
NOTE = f"These texts are not in English. {ADVICE}"
LONGEST = 4_000
"""The number of leading characters from which the language is detected."""
LEAST_WORDS, LEAST_LETTERS = 8, 12
OTHER_LETTERS, OTHER_WORDS = 0.3, 0.1
"""A text counts as foreign above this share of non-Latin letters, or from this share of words that are small words
of other languages or have non-ASCII letters, if it has fewer small English words."""
_WORD = re.compile(r"[^\W\d_]+")
_NOT_LATIN = re.compile(r"(?![A-Za-zÀ-ɏḀ-ỿ])[^\W\d_]")
_OTHERS = frozenset(
    """der die das und ist nicht ein eine einen einem mit für auf den dem des sich von zu im wird werden bei oder wenn
    le la les des du un une et est pas que qui dans pour sur avec par au aux ce cette ne il elle sont ou
    el los las una y es no que en de del se por con para como su al lo más son
    il lo gli di che non per con del della una sono come nel alla è un
    o os as um uma e do da dos das em não que para com por se mais ao
    de het een en van niet dat met voor op zijn te aan er wordt bij
    och att det som en ett är på av för med inte den till om kan
    og er på til af det at ikke med som en et for den ved
    i w na z do nie się że to jest jak po od dla przez lub
    a je v na se že s z do pro si po jako nebo byl není
    ja on ei että se mutta tai kun ole joka
    ve bir bu için ile da de olarak daha çok değil veya
    dan yang di untuk dengan ini tidak dari pada adalah itu
    și în nu este cu la pe din care sau mai
    és az nem egy hogy van meg vagy csak""".split()
)


def is_english(text: str) -> bool:
    """Whether the text may be English; true for a text too short to tell."""
    text = text[:LONGEST]
    words = _WORD.findall(text)
    letters = sum(map(len, words))
    if letters >= LEAST_LETTERS and len(_NOT_LATIN.findall(text)) > OTHER_LETTERS * letters:
        return False
    if len(words) < LEAST_WORDS:
        return True
    words = [word for word in words if word[0].islower()]  # names occur in any language
    english = sum(word in STOPWORDS for word in words)
    other = sum((word in _OTHERS and len(word) > 1) or not word.isascii() for word in words)
    return other < max(2, OTHER_WORDS * len(words)) or english >= other


def is_foreign(*texts: Iterable[str]) -> bool:
    """Whether any of the texts, each given as its parts, is in another language."""
    return not all(is_english(" ".join(parts)) for parts in texts)
