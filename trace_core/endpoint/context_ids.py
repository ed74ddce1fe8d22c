"""Context recall and precision: were the relevant contexts provided, and are the provided ones relevant?"""

from __future__ import annotations

from trace_core.endpoint.base import NamedTest, Result
from trace_core.endpoint.payload import Payload
from trace_core.endpoint.workspace import Workspace
from trace_core.metrics.overlap import share_found


def _recall(payload: Payload, workspace: Workspace) -> Result:
    relevant = list(dict.fromkeys(payload.relevant_context_ids))
    provided = {context.id for context in payload.contexts}
    details = {
        "relevant_context_ids": relevant,
        "found_relevant_count": len(provided & set(relevant)),
        "total_relevant_count": len(relevant),
    }
    return Result(share_found(relevant, provided), details)


def _precision(payload: Payload, workspace: Workspace) -> Result:
    provided, relevant = {context.id for context in payload.contexts}, set(payload.relevant_context_ids)
    details = {"relevant_count": len(provided & relevant), "provided_count": len(provided)}
    return Result(share_found(provided, relevant), details)


CONTEXT_RECALL = NamedTest(
    name="context_recall",
    needs=("contexts", "relevant_context_ids"),
    question="Were the relevant contexts provided?",
    definition="|relevant ∩ provided| ÷ |relevant|, over unique ids.",
    cost="0 calls",
    details={
        "relevant_context_ids": "the relevant ids, each once",
        "found_relevant_count": "how many of them are among the provided contexts",
        "total_relevant_count": "how many there are",
    },
    ragas="IDBasedContextRecall: the same quantity.",
    compute=_recall,
)
CONTEXT_PRECISION = NamedTest(
    name="context_precision",
    needs=("contexts", "relevant_context_ids"),
    question="Are the provided contexts relevant ones?",
    definition="|relevant ∩ provided| ÷ |provided|, over unique ids.",
    cost="0 calls",
    details={
        "relevant_count": "how many of the provided contexts are relevant",
        "provided_count": "how many contexts with different ids are provided",
    },
    ragas="IDBasedContextPrecision: the same quantity.",
    compute=_precision,
)
