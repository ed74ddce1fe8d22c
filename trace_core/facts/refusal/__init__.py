"""Detect answers that decline to answer."""

from __future__ import annotations

from collections.abc import Iterable

from trace_core.facts.refusal.folding import folded
from trace_core.facts.refusal.politeness import only_polite

__all__ = ["is_refusal", "opens_by_declining"]


def is_refusal(text: str) -> bool:
    """Whether one sentence, or the opening of an answer, declines to answer."""
    # Imported when first needed: to compile these patterns takes longer than to load all else that a command imports.
    from trace_core.facts.refusal import abroad, english

    read = folded(text)
    return english.declines(read) or abroad.declines(read)


def opens_by_declining(sentences: Iterable[str]) -> bool:
    """Whether an answer of these sentences opens by declining; a later sentence may merely mention refusals.

    Sentences that only greet, thank or apologise say nothing and are passed over; an answer of such sentences alone
    declines if one of them does ("Sorry.").
    """
    polite = []
    for sentence in sentences:
        if not only_polite(folded(sentence)):
            return is_refusal(sentence)
        polite.append(sentence)
    return any(map(is_refusal, polite))
