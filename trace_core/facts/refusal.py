"""Detect answers that decline to answer."""

from __future__ import annotations

import re

_APOSTROPHES = str.maketrans("’ʼ`", "'''")
_REFUSAL = re.compile(
    r"""
    \b(i|we)('m|'re|\s+(am|are|was|were))?\s+(sorry|unable\ to|not\ able\ to)\b
    | \b(i|we)\s+(can\s*not|can't|could\ not|couldn't)\s+(answer|find|determine|say|tell|provide|help)\b
    | \b(i|we)\s+(do\ not|don't)\s+(know|have\s+(enough|any|sufficient|the)\b)
    | \b(can\s*not|can't|could\ not|couldn't)\s+be\s+(answered|determined|found)\b
    | ^\W*(unfortunately,?\ )?none\ of\ the\ ([\w-]+\ ){0,2}
      (context|documents|passages|information|sources)\b[^.!?]{0,40}?
      \b(provides?|contains?|mentions?|states?|specif(y|ies)|includes?|says?|gives?|answers?|covers?|has|have)\b
    | ^\W*(unfortunately,?\ )?(the|this|these|based\ on\ the)\ ([\w-]+\ ){0,2}
      (context|documents?|passages?|information|sources?)\b[^.!?]{0,40}?
      \b(do|does|did)(\ not|n't)\s+(provide|contain|mention|state|specify|include|say|give|answer|cover|have)\b
    | \b(there\ is|there's|has|have)\s+(no|not\ enough|insufficient)\s+(information|mention|evidence|context)\b
    | \b(no|not\ enough|insufficient)\s+(information|evidence|context)\b[^.!?]{0,40}?
      \b(provided|given|available|to\ answer)\b
    | \b(is|are)(\ not|n't)\s+(mentioned|provided|specified|stated|covered|answered)\s+(in|by)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ALWAYS_THERE = ("no", "n't", "sorry", "unable")
"""Every refusal contains one of these and most sentences contain none; this check takes a twentieth of the time."""


def is_refusal(text: str) -> bool:
    """Whether one sentence, or the opening of an answer, declines to answer (English wordings)."""
    opening = text[:2000].translate(_APOSTROPHES)
    folded = opening.casefold()
    return any(word in folded for word in _ALWAYS_THERE) and _REFUSAL.search(opening) is not None
