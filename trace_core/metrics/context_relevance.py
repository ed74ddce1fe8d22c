"""Context relevance: how much of the retrieved text bears on the question."""

import numpy as np

from trace_core.metrics.base import LACKS_RELEVANT, NO_TOKENS, NOTHING_RETRIEVED, Formula, Metric

_UNDEFINED = (NOTHING_RETRIEVED, LACKS_RELEVANT)
_SHARE = Formula(
    "|R| ÷ N", lambda c, _: f"{c.relevant:g} ÷ {c.sentences:g}", lambda c, _: c.relevant / c.sentences, _UNDEFINED
)

CONTEXT_RELEVANCE = Metric(
    name="context_relevance",
    label="Context relevance",
    question="Did the retriever fetch what the question needs?",
    description="How much of the retrieved text is relevant to the question.",
    source="all_relevant_sentence_keys",
    limits="The fixed 20 of the default convention is arbitrary: few or short documents cannot reach 1.",
    fixes=(
        "use an embedding model that knows the domain",
        "rerank the retrieved chunks",
        "expand or rewrite the question",
        "check the retrieval before answering (CRAG)",
    ),
    target=None,
    suggestion=0.7,
    formulas={
        "trace": Formula(
            "min(1, |R| ÷ {divisor})",
            lambda c, divisor: f"min(1, {c.relevant:g} ÷ {divisor:g})",
            lambda c, divisor: np.minimum(1.0, c.relevant / divisor),
            _UNDEFINED,
        ),
        "ragbench": _SHARE,
        "graded": _SHARE,
        "token": Formula(
            "tokens(R) ÷ tokens(all)",
            lambda c, _: f"{c.relevant_tokens:g} ÷ {c.tokens:g}",
            lambda c, _: c.relevant_tokens / c.tokens,
            (*_UNDEFINED, NO_TOKENS),
        ),
    },
)
