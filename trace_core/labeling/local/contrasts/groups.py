"""A group left out: the documents give one value for students and another for adults, the claim gives one for all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trace_core.labeling.local.contrasts.amounts import amounts
from trace_core.labeling.local.contrasts.clock import clocks
from trace_core.labeling.local.contrasts.plain import negations
from trace_core.labeling.local.wording.opposites import opposites
from trace_core.labeling.local.wording.quantities import numbers
from trace_core.labeling.local.wording.texts import read

_CLAUSE = re.compile(r"; |, (?:and|but|while|whereas) | (?:and|while|whereas|but) (?=(?:at )?\d)", re.IGNORECASE)
_LONGEST = 15
"""In different words: a longer sentence says too much for its groups to be told."""
_TIMES = frozenset(("noon", "midnight"))
_SAME_BEGINNING = 4
"""Words that begin with the same letters may be forms of one: give and given."""


_NONE = frozenset[str]()


class Clause(NamedTuple):
    """One value for one group: its sentence's place, its words and values, and how often it says "not"."""

    place: int
    words: frozenset[str]
    values: frozenset[tuple[str, str]]
    negations: int


def dropped(claim: str, question: str, documents: Sequence[str]) -> tuple[int, int] | None:
    """The places of the sentences with the claim's value for one group and with another value for another group.

    `None` where the claim or the question names the group, or where there is no such pair.
    """
    said, known = read(claim), read(claim).words | read(question).words
    mine = _values(claim)
    if said.refusal or not said.words:
        return None
    clauses = [clause for place, text in enumerate(documents) for clause in _clauses(place, text)]
    for one in clauses:
        told = {word[:_SAME_BEGINNING] for word in one.words | read(question).words}
        strange = any(word[:_SAME_BEGINNING] not in told for word in said.words)
        if strange or not mine <= one.values or one.words <= known or len(one.words) > _LONGEST:
            continue
        if not said.words & one.words or one.negations != negations(claim):
            continue
        if any(_same_group(c, mine, claim, known) for c in clauses):
            continue
        for other in clauses:
            if other is not one and _stands_beside(one, other, mine, known):
                return one.place, other.place
    return None


def _same_group(clause: Clause, mine: frozenset[tuple[str, str]], claim: str, known: frozenset[str]) -> bool:
    """Whether the clause says the claim of no group that the claim leaves out."""
    return mine <= clause.values and clause.negations == negations(claim) and clause.words <= known


def _stands_beside(one: Clause, other: Clause, mine: frozenset[tuple[str, str]], known: frozenset[str]) -> bool:
    """Whether the other clause says the same of another group with another value, or with a "not"."""
    ours, theirs = one.words - other.words, other.words - one.words
    named = {word for word in ours & known - _TIMES if word[0] != "#" and not opposites().get(word, _NONE) & theirs}
    left_out, instead = ({w for w in words - known if w[0] != "#"} for words in (ours, theirs))
    if named or not left_out or not instead or theirs & known or len(other.words) > _LONGEST:
        return False
    shared = {word for word in one.words & other.words & known if word[0] != "#"}
    if mine:
        units = {unit for unit, _ in mine}
        differs = any(unit in units and (unit, value) not in mine for unit, value in other.values)
        return differs and not mine & other.values and bool(shared)
    return one.negations != other.negations and len(shared) >= 2


def _clauses(place: int, text: str) -> Iterator[Clause]:
    parts = [part for part in _CLAUSE.split(text) if part.strip()]
    for number, part in enumerate(parts):
        # "The fee is 1 euro for books and 3 euros for DVDs": the second part has the subject of the first
        words = read(part).words
        if number and len(words) < len(read(parts[0]).words):
            words |= {w for w in read(parts[0]).words & read(parts[0].split(" for ")[0]).words if w[0] != "#"}
        yield Clause(place, words, _values(part), negations(part))


def _values(text: str) -> frozenset[tuple[str, str]]:
    """Unit and value of every amount and time of day in the text."""
    found = {(one.unit, f"{one.value:g}") for one in amounts(text)}
    found |= {("", f"{value:g}") for value in numbers(text)} if not found else set()
    return frozenset(found | {("time", str(sorted(clock.minutes))) for clock in clocks(text) if clock.sure})
