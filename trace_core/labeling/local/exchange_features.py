"""Would a response sentence say the same as a document sentence, but for a word in the place of another?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from trace_core.labeling.local.texts import Text

_LONGEST = 100
"""Words: in a longer sentence, one word in the place of another is not looked for."""


class Exchange(NamedTuple):
    """Words of content that stand where the document sentence has others, neither having the other's."""

    ours: frozenset[str]
    theirs: frozenset[str]
    frame: float
    """Share of the response sentence's words, small ones too, that stand around it as in the document sentence."""
    alike: float
    """The same of both sentences' words: twice those in common, of all."""


def exchanged(
    text: Text, aligned: list[Text], cosines: Sequence[float], everywhere: frozenset[str], asked: frozenset[str]
) -> dict[str, float]:
    """The exchange in the closest frame; `everywhere` are the words that some document sentence holds.

    `cosines` are those with the `aligned` sentences: between two that are far apart, a word in the place of
    another says little. Only the model of short sentences learns from these columns: in a long sentence it is
    mostly another wording.
    """
    found = [(e, max(0.0, cos)) for other, cos in zip(aligned, cosines, strict=True) for e in exchanges(text, other)]
    unknown = [(e, cos) for e, cos in found if e.ours - everywhere - asked]
    clear = any(not exchanges(text, other) and text.words <= other.words for other in aligned)
    best = exchanges(text, aligned[0])
    return {
        "exchanged": max((e.frame for e, _ in found), default=0.0) * (not clear),
        "exchanged near": max((e.frame * cos for e, cos in found), default=0.0) * (not clear),
        "exchanged alike": max((e.alike for e, _ in found), default=0.0) * (not clear),
        "exchanged alike near": max((e.alike * cos for e, cos in found), default=0.0) * (not clear),
        "exchanged for unknown": max((e.frame for e, _ in unknown), default=0.0),
        "exchanged for unknown near": max((e.frame * cos for e, cos in unknown), default=0.0),
        "exchanged for unknown alike near": max((e.alike * cos for e, cos in unknown), default=0.0),
        "exchanged share": max((len(e.ours) for e, _ in found), default=0) / (len(text.words) + 1),
        "exchanged in best": max((e.frame for e in best), default=0.0),
        "held by one": float(clear),
    }


@lru_cache(maxsize=20_000)
def exchanges(text: Text, other: Text) -> tuple[Exchange, ...]:
    """Every exchange between two sentences."""
    return tuple(_found(text, other))


def _found(text: Text, other: Text) -> Iterator[Exchange]:
    if max(len(text.sequence), len(other.sequence)) > _LONGEST:
        return
    steps = SequenceMatcher(None, other.sequence, text.sequence, autojunk=False).get_opcodes()
    same = sum(end - start for kind, _, _, start, end in steps if kind == "equal")
    for kind, there, there_end, here, here_end in steps:
        if kind == "replace":
            theirs = frozenset(other.sequence[there:there_end]) & other.words - text.words
            ours = frozenset(text.sequence[here:here_end]) & text.words - other.words
            if theirs and ours:
                both = len(text.sequence) + len(other.sequence)
                yield Exchange(ours, theirs, same / len(text.sequence), 2 * same / both)
