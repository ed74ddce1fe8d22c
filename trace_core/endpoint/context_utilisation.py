"""Context utilisation: how much of the provided text did the answer use?"""

from __future__ import annotations

from trace_core.endpoint.base import NamedTest, Result, undefined
from trace_core.endpoint.payload import Payload
from trace_core.endpoint.workspace import Workspace
from trace_core.facts.sentences import tokens


def _compute(payload: Payload, workspace: Workspace) -> Result:
    record, utilized = workspace.labeled(), workspace.labels().all_utilized_sentence_keys
    by_key = {s.key: tokens(s.text) for document in record.documents for s in document.sentences}
    total = sum(tokens(context.text) for context in payload.contexts)
    if utilized is None:
        return undefined("the labels lack all_utilized_sentence_keys", context_tokens_total=total)
    details = {
        "overlap_tokens": sum(by_key[key] for key in utilized),
        "context_tokens_total": total,
        "utilized_sentences": [
            {"context_id": d.id, "text": s.text} for d in record.documents for s in d.sentences if s.key in utilized
        ],
        "labeler": workspace.labeler,
    }
    score = sum(by_key[key] for key in utilized) / total if total else None
    return undefined("the contexts hold no word", **details) if score is None else Result(score, details)


CONTEXT_UTILISATION = NamedTest(
    name="context_utilisation",
    needs=("question", "contexts", "answer"),
    question="How much of the provided text did the answer use?",
    definition="Tokens of the utilized context sentences ÷ tokens of all contexts. A sentence is utilized if the "
    "labeler says that the answer rests on it. Not the context_utilization of the four metrics, which "
    "counts sentences under a convention. (The source of this endpoint prints 0.86 for 3 of 10 tokens in its first "
    "example; six of the ten are in the utilized sentence.)",
    judged="The same, on the judge's labels.",
    cost="one labeling, shared with faithfulness: 0 calls with the local labeler, 1 with a judge",
    details={
        "overlap_tokens": "tokens of the utilized sentences",
        "context_tokens_total": "tokens of all contexts",
        "utilized_sentences": "the utilized sentences and the context of each",
        "labeler": "who made the labels",
    },
    ragas="ContextUtilization: the mean precision over the ranking of contexts that a judge calls useful for "
    "the answer; another quantity under a like name.",
    compute=_compute,
    calls=lambda payload: 1,
    ragas_calls=lambda payload: len(payload.contexts),
)
