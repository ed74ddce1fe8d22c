"""Who did what to whom: would a response sentence fit the documents better with two of its things swapped?"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from trace_core.labeling.local.texts import Pair, Text

Array = NDArray[np.float64]
_CLOSE = (1.0, 0.6, 0.4)
"""What a link weighs between words one, two and three places apart."""
_BESIDE = 0.5
"""What a link weighs with the small word just before or after, such as "by" or "from"."""


def order(text: Text, aligned: list[Text], match: float) -> dict[str, float]:
    """Order of words against the document sentences that match best; `match` is the best one's, in [0, 1]."""
    near = frozenset().union(*(t.near for t in aligned))
    size = len(text.adjacent) + 1
    straight, turned = _count(text.adjacent, near)
    close_straight, close_turned = _count(tuple(text.near), near)
    same, against = _inversions(text, aligned[0])
    passive = float(text.passive != aligned[0].passive)
    return {
        "pairs in order": straight / size,
        "pairs turned": turned / size,
        "pairs turned count": min(4.0, turned),
        "near in order": close_straight / (len(text.near) + 1),
        "near turned": close_turned / (len(text.near) + 1),
        "turned of known": close_turned / (close_turned + close_straight + 1),
        "inversions": against / (same + against + 1),
        "inversions by match": against / (same + against + 1) * match,
        "passive differs": passive,
        "turned though not passive": (1 - passive) * turned / size,
    } | swaps(text, aligned)


def _count(pairs: tuple[Pair, ...], near: frozenset[Pair]) -> tuple[int, int]:
    straight = sum(p in near for p in pairs)
    turned = sum(p not in near and (p[1], p[0]) in near for p in pairs)
    return straight, turned


def _inversions(text: Text, other: Text) -> tuple[int, int]:
    """Of the words that stand once on both sides: pairs in the same order, pairs in the other."""
    places = {w: i for i, w in enumerate(other.tokens)}
    once = [places[w] for w in dict.fromkeys(text.tokens) if w in places]
    order = np.array(once)
    upper = np.triu(order[None, :] > order[:, None], 1).sum()
    total = len(once) * (len(once) - 1) // 2
    return int(upper), int(total - upper)


def swaps(text: Text, aligned: list[Text]) -> dict[str, float]:
    """What swapping the two things that gain most would gain, all things and names alone."""
    units = text.units
    nothing = dict.fromkeys(("swap gain", "swap gain share", "swap gain of names", "swaps that gain", "links"), 0.0)
    if len(units) < 2:
        return nothing
    links = _merged([_links(t) for t in aligned])
    beside = frozenset().union(*(_beside(t) for t in aligned))
    fit = _fit(text, links, beside)
    own = np.diag(fit)
    gain = fit + fit.T - own[:, None] - own[None, :]
    held = frozenset().union(*(t.words for t in aligned))
    known = np.array([u.first in held and u.last in held for u in units])
    names = np.array([u.name for u in units])
    upper = np.triu(known[:, None] & known[None, :], 1)
    best = float(np.where(upper, gain, 0).max())
    return {
        "swap gain": min(best, 4.0),
        "swap gain share": best / (float(own.sum()) + 2),
        "swap gain of names": min(float(np.where(upper & names[:, None] & names[None, :], gain, 0).max()), 4.0),
        "swaps that gain": min(float((upper & (gain > 0.9)).sum()), 6.0),
        "links": float(own.mean()),
    }


def _fit(text: Text, links: dict[Pair, float], beside: frozenset[Pair]) -> Array:
    """How well each unit fits into each unit's place, k × k: links with what stands around it."""
    units = text.units
    k = len(units)
    link = np.array([[links.get((a.last, b.first), 0.0) if a is not b else 0.0 for b in units] for a in units])
    fit = np.array(
        [[_BESIDE * (((s.before, u.first) in beside) + ((u.last, s.after) in beside)) for s in units] for u in units]
    )
    for step, weight in enumerate(_CLOSE[:2], start=1):
        if step < k:
            fit[:, step:] += weight * link[:-step, :].T  # what stands `step` places before
            fit[:, :-step] += weight * link[:, step:]  # and after
    return fit


@lru_cache(maxsize=20_000)
def _links(text: Text) -> dict[Pair, float]:
    found: dict[Pair, float] = {}
    for distance in range(len(_CLOSE), 0, -1):
        found |= dict.fromkeys(zip(text.tokens, text.tokens[distance:], strict=False), _CLOSE[distance - 1])
    return found


@lru_cache(maxsize=20_000)
def _beside(text: Text) -> frozenset[Pair]:
    return frozenset(pairwise(("^", *text.sequence, "$")))


def _merged(every: list[dict[Pair, float]]) -> dict[Pair, float]:
    found: dict[Pair, float] = {}
    for links in every:
        for pair, weight in links.items():
            found[pair] = max(weight, found.get(pair, 0.0))
    return found
