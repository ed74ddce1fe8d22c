"""The same words around a "not": put into what a document sentence says, or left out of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trace_core.facts.words import is_negation
from trace_core.labeling.local.wording.texts import read

_LEAST, _LEAST_CONTENT = 5, 3
"""The words around the "not" that are the same, and those of them that are no small words."""
_DO = frozenset("do does did".split())
_LONGEST = 200
_CLEARING = frozenset(
    """whether if unless until without nor neither rather instead only than question doubt except unlik alon because
    believ think claim say""".split()
)
"""Beside such a word, a "not" may say what another sentence says without one."""
_OF_WHOM = frozenset("most all some many few every each both none half third quarter several".split())
"""Words that tell of whom or what it is said: of the others the opposite may be true."""

Words = tuple[str, ...]


def contrast(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that has the claim's words without its "not", or with one more.

    `None` if there is none, or where a word beside may turn it round.
    """
    said = read(claim)
    ours = said.sequence[:_LONGEST]
    if said.refusal or _CLEARING & set(ours):
        return None
    for place, text in enumerate(documents):
        told = read(text)
        theirs = told.sequence[:_LONGEST]
        if said.negations + told.negations != 1 or _CLEARING & set(theirs):
            continue
        for around in (*_negated(ours, theirs), *_negated(theirs, ours)):
            if _is_enough(around, said.words) and not _of_others(set(ours) - set(around)):
                return place
    return None


def _negated(ours: Words, theirs: Words) -> Iterator[Words]:
    """The words around each "not" of ours that theirs has without it."""
    for at, word in enumerate(ours):
        if word == "not":
            end = at - 1 if at and ours[at - 1] in _DO else at
            for cut in range(1, len(theirs)):
                left = _same(ours[:end][::-1], theirs[:cut][::-1])
                right = _same(ours[at + 1 :], theirs[cut:])
                if left and right:
                    yield (*ours[end - left : end], *ours[at + 1 : at + 1 + right])


def _same(a: Words, b: Words) -> int:
    """How many words the two begin with in common."""
    return next((i for i, (one, other) in enumerate(zip(a, b, strict=False)) if one != other), min(len(a), len(b)))


def _is_enough(around: Words, content: frozenset[str]) -> bool:
    alike = sum(word in content for word in around)
    return len(around) >= _LEAST and alike >= _LEAST_CONTENT and not any(map(is_negation, around))


def _of_others(rest: set[str]) -> bool:
    """Whether the words beside tell of whom it is said."""
    return bool(rest & _OF_WHOM) or any(word[0] == "#" for word in rest)
