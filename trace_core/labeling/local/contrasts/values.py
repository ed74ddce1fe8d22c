"""Numbers: whether a claim has another number than the document sentence that says the same, of the same unit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trace_core.labeling.local.contrasts.amounts import Amount, amounts
from trace_core.labeling.local.contrasts.plain import negations, plain, share, things
from trace_core.labeling.local.wording.quantities import Checked, Known, values

_ABOUT = re.compile(r"\b(?:about|around|almost|nearly|roughly|some|approximately)\b")
_RECKONED = re.compile(
    r"\b(?:than|together|total|altogether|all|each|both|every|half|halves|double|doubled|twice|thrice"
    r"|times|difference|another|other|others|further|additional|extra|remaining|rest|left|still|later|earlier|before|after"
    r"|since|between|older|younger|longer|shorter|taller|faster|slower|higher|lower|bigger|smaller|enough|too|can|could"
    r"|may|might|if|when|for|any|lost|gained|missed|failed|exactly|ahead|behind|except|but)\b"
)
"""Words by which a number may follow from another."""
_MOST_TOLD = 2
_LIKE = 0.6
_APART = 1.3
"""An approximate number that is larger or smaller by this factor is another one."""


def contrast(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that says the same with another number; `None` if there is none.

    `None`, too, if a document sentence has the claim's number, or if anything adds up to it.
    """
    said, words = amounts(claim), things(claim)
    if len(said) != 1 or len(words) < 2 or _RECKONED.search(plain(claim)):
        return None
    mine = said[0]
    known = Known(value for text in documents for value in values(text))
    if known.makes(Checked(mine.value, mine.unit, False, True)):
        return None
    for place, text in enumerate(documents):
        told = amounts(text)
        if len(told) > _MOST_TOLD or _RECKONED.search(plain(text)) or negations(text) != negations(claim):
            continue
        same = [other for other in told if other.unit == mine.unit]
        if len(same) == 1 and _apart(mine, same[0], claim + text) and share(words, text) >= _LIKE:
            return place
    return None


def _apart(one: Amount, other: Amount, text: str) -> bool:
    """Whether one number cannot stand for the other: with a bound, or about."""
    if one.bound != other.bound:
        return False
    larger, smaller = max(one.value, other.value), min(one.value, other.value)
    return larger >= _APART * smaller if _ABOUT.search(plain(text)) else larger > smaller
