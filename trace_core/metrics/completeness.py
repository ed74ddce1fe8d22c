"""Completeness: how much of the relevant text made it into the response."""

import numpy as np

from trace_core.metrics.base import LACKS_RELEVANT, LACKS_UTILIZED, Formula, Metric, Undefined, Values
from trace_core.metrics.counts import Columns, Counts

_UNDEFINED = (LACKS_RELEVANT, LACKS_UTILIZED)
_NO_RELEVANT_TOKENS = Undefined(
    "the relevant sentences contain no words", lambda c: (c.relevant > 0) & (c.relevant_tokens == 0)
)


def _share(c: Columns, _: float) -> Values:
    """If nothing is relevant, using nothing is complete and using something is not."""
    return np.where(c.relevant == 0, np.where(c.utilized == 0, 1.0, 0.0), c.both / c.relevant)


def _empty(c: Counts) -> str:
    return "R is empty, U is not" if c.utilized else "R and U are empty"


_SHARE = Formula(
    "|R ∩ U| ÷ |R|; if R is empty, 1 if U is empty, else 0",
    lambda c, _: f"{c.both:g} ÷ {c.relevant:g}" if c.relevant else _empty(c),
    _share,
    _UNDEFINED,
)

COMPLETENESS = Metric(
    name="completeness",
    label="Completeness",
    question="Does the answer cover what was relevant?",
    description="How much of the relevant text the response used.",
    source="all_relevant_sentence_keys ∩ all_utilized_sentence_keys",
    limits="It sees what was retrieved: what the retriever missed is missing here too.",
    fixes=(
        "raise top_k, or change how documents are chunked",
        "retrieve summaries as well as chunks (RAPTOR)",
        "ask the generator to cover every point",
    ),
    target=0.8,
    formulas={
        "trace": _SHARE,
        "ragbench": Formula(
            "|R ∩ U| ÷ |R|; 1 if R is empty",
            lambda c, _: f"{c.both:g} ÷ {c.relevant:g}" if c.relevant else "R is empty",
            lambda c, _: np.where(c.relevant == 0, 1.0, c.both / c.relevant),
            _UNDEFINED,
        ),
        "graded": _SHARE,
        "token": Formula(
            "tokens(R ∩ U) ÷ tokens(R); if R is empty, 1 if U is empty, else 0",
            lambda c, _: f"{c.both_tokens:g} ÷ {c.relevant_tokens:g}" if c.relevant else _empty(c),
            lambda c, _: np.where(c.relevant == 0, _share(c, _), c.both_tokens / c.relevant_tokens),
            (*_UNDEFINED, _NO_RELEVANT_TOKENS),
        ),
    },
)
