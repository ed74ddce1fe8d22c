"""Failure modes that need more than one record's labels: golden questions and measurements. Source: seed 002."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from trace_core.contribution import Contribution
from trace_core.diagnosis.faults import Fault, Thresholds, met
from trace_core.golden.noise import Noise
from trace_core.golden.results import MEASURES, GoldenResult
from trace_core.retrieval.confidence import INCORRECT_BELOW

GLOBAL_CATEGORIES = ("global", "thematic", "multi-hop", "several")
"""Categories of golden questions that no single document answers."""

MODES: tuple[Fault, ...] = (
    Fault(
        "document_missed",
        2,
        "Expected document missed",
        "document_recall < 0.5",
        "The retriever did not bring the documents that contain the answer.",
        "Add them if the collection lacks them. If not, improve the search, or retrieve more and rerank.",
    ),
    Fault(
        "answered_without_ground",
        3,
        "Answered what it cannot know",
        "unanswerable ≥ 1, refusal < 1, adherence < 1",
        "The documents do not contain the answer, and the pipeline gave one.",
        "Let the generator refuse when the context does not fit, or refuse below a retrieval score.",
    ),
    Fault(
        "global_query_failure",
        2,
        "Global question failed",
        "global ≥ 1, completeness < 0.6",
        "A question that needs several documents got an answer that leaves out much of them.",
        "Retrieve hierarchically (RAPTOR), or over a graph of the documents (GraphRAG).",
    ),
    Fault(
        "global_retrieval_failure",
        2,
        "Global question half retrieved",
        "global ≥ 1, document_recall < 1",
        "A question that needs several documents got only some of them.",
        "Raise top_k, split the question, or retrieve hierarchically (RAPTOR).",
    ),
    Fault(
        "retrieval_incorrect",
        1,
        "Low retrieval confidence",
        f"retrieval_confidence < {INCORRECT_BELOW}, refusal < 1",
        "Even the best document has a low retrieval score.",
        "Correct the retrieval before answering (CRAG): rewrite the question, search elsewhere, or refuse.",
    ),
    Fault(
        "retrieval_answer_mismatch",
        2,
        "Retrieval and answer do not match",
        "contribution_support < 0.5",
        "The documents that contribute most are not those that the answer rests on.",
        "Rerank, put the best documents first, or correct the retrieval before answering (CRAG).",
    ),
    Fault(
        "harmful_document",
        2,
        "Harmful document",
        "harmful_documents > 0",
        "A document that the answer uses leads, alone, to a wrong answer.",
        "Rerank or filter the context; look whether the document is out of date.",
    ),
    Fault(
        "noise_sensitivity_relevant",
        2,
        "Led astray by a relevant document",
        "noise_relevant > 0",
        "Part of the answer is wrong by the reference, and a document that fits the question supports it.",
        "Check the document against the reference; ask the generator to answer the question only.",
    ),
    Fault(
        "noise_sensitivity_irrelevant",
        2,
        "Led astray by noise",
        "noise_irrelevant > 0",
        "Part of the answer is wrong by the reference, and only documents that do not fit the question support it.",
        "Raise retrieval precision: rerank, lower top_k, or filter the context before generation.",
    ),
)


class ModeFinding(NamedTuple):
    """A rule that fired, and the records that it comes from, in order, `of` those to which it could be applied."""

    rule: Fault
    record_ids: list[str]
    of: int


Facts = Mapping[str, float | None]
"""Quantity → value; a rule whose quantity is missing or `None` stays silent."""


def facts_of(
    result: GoldenResult | None = None, contribution: Contribution | None = None, noise: Noise | None = None
) -> dict[str, float | None]:
    """What is known about one record, under the names that the rules use."""
    facts: dict[str, float | None] = {}
    if result is not None and result.record.error is None:
        category = (result.golden.category or "").casefold()
        retrieval = result.record.retrieval
        facts |= {name: result.value(name) for name in MEASURES} | {
            "unanswerable": float(not result.answerable),
            "refusal": float(result.refused),
            "global": float(category in GLOBAL_CATEGORIES),
            "retrieval_confidence": retrieval.confidence if retrieval else None,
        }
    if contribution is not None:
        facts["contribution_support"] = contribution_support(contribution)
        facts["harmful_documents"] = float(sum(part.harmful for part in contribution.parts))
    if noise is not None:
        facts |= {"noise_relevant": noise.relevant, "noise_irrelevant": noise.irrelevant}
    return facts


def contribution_support(contribution: Contribution) -> float | None:
    """The share of the documents with the highest contribution (including ties) that the answer rests on.

    `None` if no document contributes, one has no label, the labels do not name support, or the answer
    rests on no document at all (a hallucination or a refusal, which have separate rules).
    """
    parts = contribution.parts
    if any(part.label is None or part.supports is None for part in parts) or not any(p.supports for p in parts):
        return None
    most = max((part.label or 0.0 for part in parts), default=0.0)
    best = [part for part in parts if part.label == most]
    return sum(bool(part.supports) for part in best) / len(best) if most > 0 else None


def find_modes(facts: Iterable[tuple[str, Facts]], thresholds: Thresholds | None = None) -> list[ModeFinding]:
    """The rules that fire for pairs of record id and facts, worst first; `thresholds`: rule → quantity → threshold."""
    pairs = list(facts)
    ids = np.array([record_id for record_id, _ in pairs], dtype=object)
    found = []
    for rule in MODES:
        columns = {c.quantity: np.array([of.get(c.quantity) for _, of in pairs], np.float64) for c in rule.conditions}
        asked = ~np.isnan(list(columns.values())).any(axis=0)
        fired = met(rule.when, columns, (thresholds or {}).get(rule.name))
        found.append(ModeFinding(rule, ids[fired].tolist(), int(asked.sum())))
    return sorted((f for f in found if f.record_ids), key=lambda f: (-f.rule.severity, -len(f.record_ids)))
