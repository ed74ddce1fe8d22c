"""Duty and permission: whether a claim makes a "may" of a document's "must", or the other way round."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from trace_core.facts.words import stem
from trace_core.labeling.local.contrasts.plain import plain, share
from trace_core.labeling.local.wording.texts import read

_KINDS = {
    "forbidden": r"must not|mustn't|may not|(?:are|is|be|being) (?:not|never) (?:allowed|permitted)|shall not"
    r"|must never|(?:is|are) (?:strictly )?(?:forbidden|prohibited|banned)",
    "free": r"(?:do|does|did|will|would) not (?:have|need) to|(?:don't|doesn't|didn't|won't) (?:have|need) to|need not"
    r"|needn't|not (?:obliged|required|necessary|compulsory|obligatory|mandatory|bound)|no (?:need|obligation|duty)"
    r"|optional|voluntary|not a must|free to|(?:can|may) (?:choose|decide) whether|as (?:you|they) (?:like|wish|please)"
    r"|under no obligation|no one has to|nobody has to",
    "duty": r"must|(?:has|have|had) to|(?:is|are|be|was|were) (?:obliged|required|compelled|bound|forced) to|compulsory"
    r"|obligatory|mandatory|(?:a|the|his|her|their) duty to|no choice but to|cannot avoid|(?:is|are) a must"
    r"|is (?:necessary|essential|required) (?:that|to)",
    "may": r"may|(?:is|are|be) (?:allowed|permitted|welcome|entitled) to|(?:is|are) (?:allowed|permitted)(?=[ .,;]|$)"
    r"|optionally",
    "should": r"should|ought to|(?:is|are) (?:recommended|advised|asked|encouraged|requested) to|(?:is|are) recommended"
    r"|we (?:recommend|advise|suggest)|it is (?:advisable|best)",
}
_KIND = re.compile("|".join(rf"(?P<{name}>\b(?:{pattern})\b)" for name, pattern in _KINDS.items()))
_EXCLUDED = frozenset(
    {
        *(("duty", "free"), ("duty", "may"), ("free", "duty"), ("may", "duty"), ("should", "duty"), ("should", "free")),
        *(("may", "forbidden"), ("forbidden", "may"), ("forbidden", "free")),
    }
)
"""What a document says, and what a claim may then not say."""
_MONTH = re.compile(r"(?<=\S )May\b")
_LIMITED = re.compile(
    r"\b(?:only|except\w{0,5}|unless|if|provided|providing|until|before|after|but|other than|when\w{0,5}|without|either"
    r"|neither|nor|till|apart|under|over|than|least|most|both|instead|rather|first|once|from|while|although|though|however"
    r"|who|whose|nobody|no one|none|no|not|never|outside|within|up to|during|depend\w{0,5}|vary|varies"
    r"|possib\w{1,4})\b|;|n't\b"
)
"""Words that limit whom or what a duty or permission is for: another may be for the rest."""
_POSSIBLE = re.compile(
    r"\bmay (?:also )?(?:not )?(?:differ|include|contain|cause|appear|occur|happen|change|result|lead|help|affect"
    r"|indicate|have|need|seem|experience|suffer|feel|increase|reduce|improve"
    r"|be (?:available|supported|different|due|caused|able|necessary|required|more|less|a|an|the|in|at))\b"
)
"""A "may" that tells what is possible, not what is allowed."""
_CLAUSE = re.compile(r"; |, (?=and |but |while |whereas )")
_LIKE = 0.6
_SPOKEN = (
    "obliged required compelled bound forced compulsory obligatory mandatory duty choice avoid necessary essential need"
    " optional voluntary free choose decide like wish please allowed permitted welcome entitled recommended advised"
    " forbidden prohibited banned obligation"
)
_OWN = frozenset(map(stem, _SPOKEN.split()))
"""The stems of the words that tell the kind: they are no part of what it is about."""


def contrast(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that says the same as a duty where the claim says a permission, or the like.

    Of a document sentence only the clause counts that is most like the claim. `None` if there is none, or if a clause
    has several of them or limits them.
    """
    said, words = _only_kind(claim), read(claim).words - _OWN
    if said is None or len(words) < 2:
        return None
    for place, text in enumerate(documents):
        clause = max(_CLAUSE.split(text), key=lambda one: share(words, one))
        if (told := _only_kind(clause)) and (told, said) in _EXCLUDED and share(words, clause) >= _LIKE:
            return place
    return None


@lru_cache(maxsize=4000)
def _only_kind(text: str) -> str | None:
    """The one kind of duty or permission that the text speaks of, without limits."""
    text = plain(_MONTH.sub(" ", text))
    found = [str(one.lastgroup) for one in _KIND.finditer(text)]
    if len(found) != 1 or _POSSIBLE.search(text) or _LIMITED.search(_KIND.sub(" ", text)):
        return None
    return found[0]
