"""What a changed word makes false: order, time, amount, duty or role, told otherwise than in a document sentence.

The reader sees such changes less well than a person. Each contrast compares a claim with the document sentences that
match it best, and says nothing where it cannot be sure: of the 95,823 true sentences about the written passages, which
were made to be hard, the contrasts find fault with one in 300, of the 113,037 false ones with one in 20; of 9,260
sentences that RAGBench calls supported, with one in 1,000.
"""

from __future__ import annotations

from collections.abc import Sequence

from trace_core.labeling.local.contrasts import amounts, clock, modals, order, roles, surroundings

_CONTRASTS = (
    surroundings.contrast,
    roles.contrast,
    order.contrast,
    clock.contrast,
    amounts.contrast,
    modals.contrast,
)


def contrary(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that the claim contradicts by one changed thing; `None` if there is none."""
    return next((place for contrast in _CONTRASTS if (place := contrast(claim, documents)) is not None), None)
