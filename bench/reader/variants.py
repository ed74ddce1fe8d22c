"""Pairs made from written passages: what a passage says and denies, edited in ways that change or keep its truth."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from reader.clauses import detailed
from reader.edits import Editor
from reader.pairs import Label, Pair, Passage

EDITED = 3
"""The number of true sentences of a passage that are edited; each gives a true and a false one."""
_BOUND = re.compile(
    r"\b(?:at least|at most|more|less|fewer|over|under|above|below|up to|within|until|before|after|by|between|from|"
    r"exceeds?|maximum|minimum|limit|enough|can|could|may)\b",
    re.I,
)
"""Beside these words another number may be as true as the first."""
_DIGITS = re.compile(r"\d[\d.,:]*\d|\d")


def of_variants(passage: Passage, others: Sequence[Passage], editor: Editor, rng: random.Random) -> Iterator[Pair]:
    """Edited sentences of one passage: true ones that stay true or become false, and a false one that stays false."""
    premise = " ".join(passage.sentences)
    true = [*passage.entailed, *passage.sentences]
    for said in rng.sample(true, min(EDITED, len(true))):
        yield Pair(premise, editor.harmless(said, rng, 3), Label.ENTAILS)
        reworded = editor.reworded(said, rng, 1)
        if made := editor.harmful(reworded, rng, numbers=fixes_its_numbers(said, premise)):
            yield Pair(premise, *made)
    said, strange = rng.choice(true), rng.choice(rng.choice(others).entailed)
    if rng.random() < 0.5 and (more := detailed(said, strange, premise)):
        yield Pair(premise, more, Label.NOT_ENTAILED)
    if passage.contradicted:
        yield Pair(premise, editor.reworded(rng.choice(passage.contradicted), rng, 2), Label.CONTRADICTS)


def fixes_its_numbers(sentence: str, premise: str) -> bool:
    """Whether another number would make the sentence false: the premise has the same numbers, and none is a bound."""
    return set(_DIGITS.findall(sentence)) <= set(_DIGITS.findall(premise)) and not _BOUND.search(sentence)
