"""Scores that a labeler expects, by arithmetic over its probabilities: no model of its own. They are of convention
`ragbench`, whose formulas they follow with a probability in place of each yes or no."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import SupportsFloat

from trace_core.facts.labels import Expected, Probabilities
from trace_core.facts.records import Sentences

_DIGITS = 6
Line = Callable[[Mapping[str, float]], SupportsFloat]
"""A line that was fitted: from the sums of a record, by name, to one of its scores."""
NO_LINES: Mapping[str, Line] = MappingProxyType({})


def expected_scores(values: Mapping[str, float], lines: Mapping[str, Line] = NO_LINES) -> Expected:
    """The scores in [0, 1] that the probabilities lead one to expect, from their `sums`; `None` where one is unknown.
    Adherence is 1 less the greatest doubt about a response sentence. `lines` are of the scores that follow a line over
    the values instead, where that was measured to be better."""
    scores = {
        "context_relevance": values.get("relevant"),
        "context_utilization": values.get("utilized"),
        "completeness": values.get("share"),
        "adherence": 1 - values["doubt"] if "doubt" in values else None,
    }
    scores |= {name: float(line(values)) for name, line in lines.items() if scores[name] is not None}
    return Expected(**{name: None if score is None else round(score, _DIGITS) for name, score in scores.items()})


def sums(probabilities: Probabilities, sentences: Sentences) -> dict[str, float]:
    """Name → what a record's probabilities come to; nothing where there is no sentence, or one has no probability.
    `relevant` and `utilized` are means of the document sentences, `share` is how much of what is relevant is utilized,
    1 if surely nothing is relevant, and `doubt` is the greatest about a response sentence."""
    relevant = _all_of(probabilities.relevant, sentences.document_keys())
    utilized = _all_of(probabilities.utilized, sentences.document_keys())
    doubts = _all_of(probabilities.unsupported, sentences.response_keys())
    means = {"relevant": relevant, "utilized": utilized}
    values = {name: sum(each) / len(each) for name, each in means.items() if each}
    if relevant and utilized:
        both = sum(p * q for p, q in zip(relevant, utilized, strict=True))
        values["share"] = both / sum(relevant) if any(relevant) else 1.0
    return values | ({"doubt": max(doubts)} if doubts else {})


def _all_of(probabilities: Mapping[str, float], keys: Sequence[str]) -> list[float]:
    """The probability of every key in order; none at all if one is unknown."""
    return [probabilities[key] for key in keys] if probabilities.keys() >= set(keys) else []
