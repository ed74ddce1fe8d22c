"""Context utilization: how much of the context the response used."""

import numpy as np

from trace_core.metrics.base import LACKS_RELEVANT, LACKS_UTILIZED, NO_TOKENS, NOTHING_RETRIEVED, Formula, Metric

_UNDEFINED = (NOTHING_RETRIEVED, LACKS_UTILIZED)
_SHARE = Formula(
    "|U| ÷ N", lambda c, _: f"{c.utilized:g} ÷ {c.sentences:g}", lambda c, _: c.utilized / c.sentences, _UNDEFINED
)

CONTEXT_UTILIZATION = Metric(
    name="context_utilization",
    label="Context utilization",
    question="Did the answer use what was retrieved?",
    description="How much of the context the response used.",
    source="all_utilized_sentence_keys",
    limits="Use is not correctness: a sentence can be used and misread.",
    fixes=(
        "tell the generator to answer from the context",
        "put the most relevant chunks first",
        "shorten or reformat the context",
    ),
    target=0.6,
    of_trace=True,
    formulas={
        "trace": Formula(
            "min(1, |U| ÷ |R|); 0 if R is empty",
            lambda c, _: f"min(1, {c.utilized:g} ÷ {c.relevant:g})" if c.relevant else "R is empty",
            lambda c, _: np.where(c.relevant == 0, 0.0, np.minimum(1.0, c.utilized / c.relevant)),
            (NOTHING_RETRIEVED, LACKS_RELEVANT, LACKS_UTILIZED),
        ),
        "ragbench": _SHARE,
        "graded": _SHARE,
        "token": Formula(
            "tokens(U) ÷ tokens(all)",
            lambda c, _: f"{c.utilized_tokens:g} ÷ {c.tokens:g}",
            lambda c, _: c.utilized_tokens / c.tokens,
            (*_UNDEFINED, NO_TOKENS),
        ),
    },
)
