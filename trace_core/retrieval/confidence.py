"""How much a retrieval can be trusted, from its best score, in the sense of CRAG (arXiv:2401.15884)."""

CORRECT_FROM = 0.55
INCORRECT_BELOW = 0.43
"""Defaults set on the demo's golden questions."""


def retrieval_action(
    confidence: float | None, *, correct_from: float = CORRECT_FROM, incorrect_below: float = INCORRECT_BELOW
) -> str | None:
    """`correct`, `ambiguous` or `incorrect` from the top-1 retrieval score; `None` without one."""
    if confidence is None:
        return None
    if confidence >= correct_from:
        return "correct"
    return "incorrect" if confidence < incorrect_below else "ambiguous"
