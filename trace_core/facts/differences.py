"""Find the words in which an answer sentence and a document sentence differ, to mark them in both."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from trace_core.facts.words import STOPWORDS, TOKEN, common_form, is_negation

Piece = list[str | bool]  # a stretch of text and whether it differs; a list, because JSON has no tuples
SMALL_BUT_MATTERS = frozenset(
    "all any both each either every few half least less many more most neither never no none not only several some"
    " after before below above over under until since without with if unless may must can cannot should might will"
    " because although first last from to up down in out on off".split()
)
"""Words that say little alone but change what a sentence says."""
LONGEST = 1000  # in words: nothing is marked in longer texts, because comparison takes time quadratic in their length
ALIKE = 0.5  # the share of common words from which two sentences are about the same matter


def differing(ours: str, theirs: str, *, both: bool = False) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces, the words marked that say something different, additional or opposite. What the answer
    leaves out is marked in the document only with `both` (neither rests on the other), or if it is "not" or "only"."""
    a, b = list(TOKEN.finditer(ours)), list(TOKEN.finditer(theirs))
    if max(len(a), len(b)) > LONGEST:
        return _pieces(ours, a, set()), _pieces(theirs, b, set())
    one, other = [common_form(m.group()) for m in a], [common_form(m.group()) for m in b]
    if sorted(one) == sorted(other):  # the same words, differing only in their order
        here = there = {x for x in range(len(one)) if one[x] != other[x]}
        return _pieces(ours, a, here), _pieces(theirs, b, there)
    our_forms, their_forms = set(one), set(other)
    here, there = set[int](), set[int]()
    for kind, i, j, k, m in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind != "equal":
            here |= {x for x in range(i, j) if _matters(a[x].group()) and one[x] not in their_forms}
        if kind == "replace" or (both and kind != "equal"):
            there |= {x for x in range(k, m) if _matters(b[x].group()) and other[x] not in our_forms}
        if kind == "insert":
            there |= {x for x in range(k, m) if is_negation(b[x].group().lower()) or b[x].group().lower() == "only"}
    return _pieces(ours, a, _with_gaps(here, a)), _pieces(theirs, b, _with_gaps(there, b))


def nearest_text(ours: frozenset[str], others: Sequence[frozenset[str]]) -> int | None:
    """The index of the text that shares most content with ours; `None` if none is about the same matter."""
    overlap = [len(ours & other) for other in others]
    place = max(range(len(others)), key=lambda i: (overlap[i], -len(others[i]), -i), default=0)
    alike = others and overlap[place] and overlap[place] >= ALIKE * min(len(ours), len(others[place]))
    return place if alike else None


def _matters(token: str) -> bool:
    word = token.lower()
    return word in SMALL_BUT_MATTERS or is_negation(word) or word not in STOPWORDS


def _with_gaps(places: set[int], tokens: Sequence[re.Match[str]]) -> set[int]:
    """The marked tokens, with the small words between two of them added: "because [of a] gift"."""
    gaps = (range(i + 1, j) for i, j in pairwise(sorted(places)) if j - i <= 3)
    return places.union(*(gap for gap in gaps if not any(_matters(tokens[x].group()) for x in gap)))


def _pieces(text: str, tokens: Sequence[re.Match[str]], places: set[int]) -> list[Piece]:
    ends = [0]  # of the stretches, which are alternately not marked and marked
    for at in sorted(places):
        if at - 1 in places:
            ends[-1] = tokens[at].end()
        else:
            ends += tokens[at].span()
    return [[text[a:b], i % 2 == 1] for i, (a, b) in enumerate(pairwise([*ends, len(text)])) if a < b]
