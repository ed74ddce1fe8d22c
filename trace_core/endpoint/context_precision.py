"""Context precision: are the provided contexts relevant ones?"""

from __future__ import annotations

from trace_core.endpoint.base import NamedTest, Result
from trace_core.endpoint.payload import Payload
from trace_core.endpoint.workspace import Workspace
from trace_core.metrics.overlap import share_found


def _compute(payload: Payload, workspace: Workspace) -> Result:
    provided = {context.id for context in payload.contexts}
    relevant = set(payload.relevant_context_ids)
    details = {"relevant_count": len(provided & relevant), "provided_count": len(provided)}
    return Result(share_found(provided, relevant), details)


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
    compute=_compute,
)
