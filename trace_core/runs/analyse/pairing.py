"""Which record of one run belongs to which of another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Stored = Mapping[str, Any]
"""A record in the form of the run file."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs (A's record, B's record) in A's order, and the records that have no partner."""

    pairs: list[tuple[Stored, Stored]]
    only_a: list[Stored]
    only_b: list[Stored]


def pair(a: Sequence[Stored], b: Sequence[Stored]) -> Pairs:
    """Pair by source id and generator where that is unique in both runs, the others by question.

    Where most records with the same source id ask something else, the ids are those of other rows, and do not count.
    Questions may repeat: the n-th occurrence in A is paired with the n-th in B, counting only records not
    already paired by id.
    """
    partner = _unique_partners(a, b)
    if 2 * sum(not same_question(a[i], b[j]) for i, j in partner.items()) > len(partner):
        partner = {}
    taken = set(partner.values())
    rest_a = [i for i in range(len(a)) if i not in partner]
    rest_b = [j for j in range(len(b)) if j not in taken]
    waiting: dict[str, list[int]] = defaultdict(list)
    for j in reversed(rest_b):
        waiting[b[j]["question"]].append(j)
    for i in rest_a:
        if same := waiting.get(a[i]["question"]):
            partner[i] = same.pop()
    taken = set(partner.values())
    return Pairs(
        pairs=[(a[i], b[partner[i]]) for i in range(len(a)) if i in partner],
        only_a=[a[i] for i in range(len(a)) if i not in partner],
        only_b=[b[j] for j in range(len(b)) if j not in taken],
    )


def same_question(one: Stored, other: Stored) -> bool:
    """Whether two records ask the same, whatever the spaces and capitals."""
    return " ".join(one["question"].split()).casefold() == " ".join(other["question"].split()).casefold()


def _unique_partners(a: Sequence[Stored], b: Sequence[Stored]) -> dict[int, int]:
    places_a, places_b = _places(a), _places(b)
    return {
        found[0]: places_b[key][0]
        for key, found in places_a.items()
        if len(found) == 1 and len(places_b.get(key, [])) == 1
    }


def _places(records: Sequence[Stored]) -> dict[Hashable, list[int]]:
    """Source id and generator → positions; records without a source id are left out."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for i, record in enumerate(records):
        if record.get("source_id") is not None:
            places[record["source_id"], record.get("generation_model_name")].append(i)
    return places
