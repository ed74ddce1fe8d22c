"""Scores that a labeler expects, by arithmetic over its probabilities: no model of its own.

They are of convention `ragbench`, whose formulas they follow with a probability in place of each yes or no.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trace_core.facts.labels import Expected, Probabilities
from trace_core.facts.records import Sentences

_DIGITS = 6


AS_IT_IS = (0.0, 1.0)
"""A line that changes nothing."""


def expected_scores(
    probabilities: Probabilities, sentences: Sentences, completeness_line: tuple[float, float] = AS_IT_IS
) -> Expected:
    """The scores in [0, 1] that the probabilities lead one to expect.

    Relevance and utilization are the mean probability of the document sentences, completeness is the share of what is
    relevant that is also utilized (1 if surely nothing is relevant), adherence is 1 less the greatest doubt about a
    response sentence. A score is `None` if there is no sentence for it, or if one of them has no probability.

    What is utilized is mostly what is relevant, so that completeness is too low where the probabilities do not know it:
    a labeler may give the line that was fitted, its start and its slope.
    """
    relevant = _all_of(probabilities.relevant, sentences.document_keys())
    utilized = _all_of(probabilities.utilized, sentences.document_keys())
    doubts = _all_of(probabilities.unsupported, sentences.response_keys())
    completeness = None
    if relevant and utilized:
        used = sum(p * q for p, q in zip(relevant, utilized, strict=True))
        start, slope = completeness_line
        completeness = round(min(1.0, start + slope * used / sum(relevant)), _DIGITS) if any(relevant) else 1.0
    return Expected(
        context_relevance=_mean(relevant),
        context_utilization=_mean(utilized),
        completeness=completeness,
        adherence=round(1 - max(doubts), _DIGITS) if doubts else None,
    )


def _all_of(probabilities: Mapping[str, float], keys: Sequence[str]) -> list[float]:
    """The probability of every key in order; none at all if one is unknown."""
    return [probabilities[key] for key in keys] if probabilities.keys() >= set(keys) else []


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), _DIGITS) if values else None
