"""Adherence: is the response grounded in the documents?"""

import numpy as np
from numpy.typing import NDArray

from trace_core.metrics.base import LACKS, UNLABELED, Formula, Metric, Undefined, Values
from trace_core.metrics.counts import Columns, columns

_NO_ANSWER = Undefined("no answer", lambda c: c.response_sentences == 0)
_LACKS_SUPPORT = Undefined(f"{LACKS}sentence_support_information", lambda c: np.isnan(c.fully))


def _failing(c: Columns) -> Values:
    return c.partially + c.unsupported


def _no_list(c: Columns) -> NDArray[np.bool_]:
    return np.isnan(c.listed_unsupported)


def _unsupported(c: Columns) -> Values:
    """If the row lists its unsupported sentences, the list decides."""
    return np.where(_no_list(c), c.unsupported, c.listed_unsupported)


_BINARY = Formula(
    "1 if every response sentence is fully supported, else 0",
    lambda c, _: f"{c.fully:g} of {c.response_sentences:g} fully supported",
    lambda c, _: np.where(_failing(c) == 0, 1.0, 0.0),
    (_NO_ANSWER, _LACKS_SUPPORT, Undefined(UNLABELED, lambda c: (_failing(c) == 0) & (c.unlabeled > 0))),
)

ADHERENCE = Metric(
    name="adherence",
    label="Adherence",
    question="Is every statement of the answer supported by the documents?",
    description="Whether the response rests on the documents alone; what does not is a hallucination.",
    source="sentence_support_information",
    limits="As a yes or no it gives no credit for a mostly supported answer: one sentence makes it 0.",
    fixes=(
        "a grounding prompt: answer only from the context, else say so",
        "check each claim against the context before answering",
        "let the generator critique its own draft (Self-RAG)",
    ),
    target=1.0,
    formulas={
        "trace": _BINARY,
        "ragbench": Formula(
            "1 if no response sentence is unsupported, else 0",
            lambda c, _: f"{_unsupported(columns([c]))[0]:g} of {c.response_sentences:g} unsupported",
            lambda c, _: np.where(_unsupported(c) == 0, 1.0, 0.0),
            (
                _NO_ANSWER,
                Undefined(_LACKS_SUPPORT.reason, lambda c: _no_list(c) & np.isnan(c.fully)),
                Undefined(UNLABELED, lambda c: _no_list(c) & (c.unsupported == 0) & (c.unlabeled > 0)),
            ),
        ),
        "graded": Formula(
            "fully supported ÷ response sentences",
            lambda c, _: f"{c.fully:g} ÷ {c.response_sentences - c.unlabeled:g}",
            lambda c, _: np.where(np.isnan(c.response_sentences), 1.0, c.fully / (c.response_sentences - c.unlabeled)),
            (_NO_ANSWER, _LACKS_SUPPORT, Undefined(UNLABELED, lambda c: c.unlabeled == c.response_sentences)),
        ),
        "token": _BINARY,
    },
)
