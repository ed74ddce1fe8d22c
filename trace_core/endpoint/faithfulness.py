"""Faithfulness: is what the answer says supported by the contexts?"""

from __future__ import annotations

from typing import Any

from trace_core.endpoint.base import NamedTest, Result, undefined
from trace_core.endpoint.payload import Payload
from trace_core.endpoint.workspace import Workspace
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Record
from trace_core.facts.sentences import tokens


def _compute(payload: Payload, workspace: Workspace) -> Result:
    if not any(tokens(context.text) for context in payload.contexts):
        return undefined("the contexts hold no word")
    record, labels = workspace.labeled(), workspace.labels()
    statuses = labels.statuses(record.sentences().response_keys())
    judged = [status for status in statuses.values() if status is not Status.UNLABELED]
    score = judged.count(Status.FULLY) / len(judged) if judged else None
    details = {
        "supported_count": judged.count(Status.FULLY),
        "sentence_count": len(judged),
        "unlabeled_count": len(statuses) - len(judged),
        "sentences": _sentences(record, labels, statuses),
        "labeler": workspace.labeler,
    }
    return undefined("no answer sentence was labeled", **details) if score is None else Result(score, details)


def _sentences(record: Record, labels: Labels, statuses: dict[str, Status]) -> list[dict[str, Any]]:
    """Each answer sentence with its status and the contexts that support it."""
    owner = {sentence.key: document.id for document in record.documents for sentence in document.sentences}
    entries = {s.response_sentence_key: s for s in labels.sentence_support_information or []}
    assert record.response is not None  # noqa: S101  # the workspace always gives one
    rows = []
    for sentence in record.response.sentences:
        entry = entries.get(sentence.key)
        supports = [key for key in (entry.supporting_sentence_keys if entry else []) if key in owner]
        row: dict[str, Any] = {"key": sentence.key, "text": sentence.text, "status": statuses[sentence.key].value}
        row["supporting_context_ids"] = list(dict.fromkeys(owner[key] for key in supports))
        row["explanation"] = entry.explanation if entry else None
        rows.append(row)
    return rows


FAITHFULNESS = NamedTest(
    name="faithfulness",
    needs=("answer", "contexts"),
    question="Is what the answer says supported by the contexts?",
    definition="Fully supported answer sentences ÷ labeled answer sentences. A ground truth is not used.",
    judged="The same, on the judge's labels.",
    cost="one labeling, shared with context_utilisation: 0 calls with the local labeler, 1 with a judge",
    details={
        "supported_count": "answer sentences that the contexts fully support",
        "sentence_count": "answer sentences that were labeled",
        "unlabeled_count": "answer sentences that the labeler left out; they do not count",
        "sentences": "each answer sentence: status, the ids of its supporting contexts, why",
        "labeler": "who made the labels",
    },
    ragas="Faithfulness: a judge cuts the answer into statements, and says of each whether the contexts "
    "support it. Ours counts sentences; the two agree where each sentence is one statement.",
    compute=_compute,
    calls=lambda payload: 1,
    ragas_calls=lambda payload: 2,
)
