"""Who does what to whom: whether a claim exchanges two things of a document sentence and changes nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trace_core.labeling.local.wording.texts import Text, read

_MUTUAL = frozenset(
    """meet met marri equal adjac near resembl differ different connect link join touch border cross share like as and
    or same together opposit beside is are was were be been being also itself will would
    say said write wrote ask explain add repli announc""".split()
)
"""Words that say the same of two things in either order, or stand before or after what somebody says."""
_PLACING = frozenset(
    "in on at by for from to with without during under over behind off near of when if while after before".split()
)
"""Words that begin a part which may stand first or last."""
_SMALL = frozenset("a an the its their his her our your my".split())
_SHORTEST, _LONGEST, _LONGEST_TOLD = 3, 40, 200
"""In words, of the claim and of a document sentence."""


def contrast(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence in which two things stand in each other's place; `None` if there is none."""
    said = read(claim)
    ours = _order(said)
    if not _SHORTEST <= len(ours) <= _LONGEST or said.words.issuperset(said.sequence):  # a heading, not a sentence
        return None
    for place, text in enumerate(documents):
        told = read(text)
        windows = list(_windows(_order(told), ours)) if said.words <= told.words else []
        if ours not in windows and any(_exchanged(ours, theirs, said.words) for theirs in windows):
            return place
    return None


def _order(text: Text) -> tuple[str, ...]:
    return tuple(word for word in text.sequence[:_LONGEST_TOLD] if word not in _SMALL)


def _windows(told: tuple[str, ...], ours: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The stretches of a document sentence with our words in some order."""
    wanted = sorted(ours)
    return (w for at in range(len(told) - len(ours) + 1) if sorted(w := told[at : at + len(ours)]) == wanted)


def _exchanged(said: tuple[str, ...], told: tuple[str, ...], content: frozenset[str]) -> bool:
    """Whether the words are A X B Y C here and A Y B X C there, X and Y with content, and B is not mutual."""
    start = next(i for i, (a, b) in enumerate(zip(said, told, strict=True)) if a != b)
    end = len(said) - next(i for i, (a, b) in enumerate(zip(said[::-1], told[::-1], strict=True)) if a != b)
    ours, theirs = said[start:end], told[start:end]
    for i in range(1, len(ours)):
        for j in range(i + 1, len(ours)):
            if ours[j:] + ours[i:j] + ours[:i] == theirs and {*ours[:i]} & content and {*ours[j:]} & content:
                return not ({*ours[i:j]} <= _MUTUAL or (start == 0 and {ours[0], theirs[0]} & _PLACING))
    return False
