"""Failure modes that need more than one record's labels: golden questions, contributions, runs in time.

Rules are data, like those for single records: the defaults are here, and settings contain only changes. Every
finding names the records it comes from. Source: seed 002.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from trace_core.contribution import Contribution
from trace_core.diagnosis.faults import Condition, Rule, Thresholds, compare
from trace_core.errors import SettingsError
from trace_core.golden.noise import Noise
from trace_core.golden.results import MEASURES, GoldenResult
from trace_core.retrieval.confidence import INCORRECT_BELOW

GLOBAL_CATEGORIES = ("global", "thematic", "multi-hop", "several")
"""Categories of golden questions that no single document answers."""

MODES: tuple[Rule, ...] = (
    Rule(
        "document_missed", 2, "Expected document missed", (Condition("document_recall", "<", 0.5),),
        "The retriever did not bring the documents that hold the answer.",
        "Add them if the collection lacks them. If not, improve the search, or retrieve more and rerank.",
    ),
    Rule(
        "answered_without_ground", 3, "Answered what it cannot know",
        (Condition("unanswerable", "≥", 1), Condition("refusal", "<", 1)),
        "The documents do not hold the answer, and the pipeline gave one.",
        "Let the generator refuse when the context does not fit, or refuse below a retrieval score.",
    ),
    Rule(
        "refused_wrongly", 2, "Refused wrongly",
        (Condition("unanswerable", "<", 1), Condition("refusal", "≥", 1)),
        "The documents hold the answer, and the pipeline declined.",
        "Was the document retrieved? If so, soften the prompt or the refusal threshold; if not, improve the search.",
    ),
    Rule(
        "global_query_failure", 2, "Global question failed",
        (Condition("global", "≥", 1), Condition("completeness", "<", 0.6)),
        "A question that needs several documents got an answer that leaves out much of them.",
        "Retrieve hierarchically (RAPTOR), or over a graph of the documents (GraphRAG).",
    ),
    Rule(
        "global_retrieval_failure", 2, "Global question half retrieved",
        (Condition("global", "≥", 1), Condition("document_recall", "<", 1)),
        "A question that needs several documents got only some of them.",
        "Raise top_k, split the question, or retrieve hierarchically (RAPTOR).",
    ),
    Rule(
        "retrieval_incorrect", 1, "Low retrieval confidence",
        (Condition("retrieval_confidence", "<", INCORRECT_BELOW),),
        "Even the best document has a low retrieval score.",
        "Correct the retrieval before answering (CRAG): rewrite the question, search elsewhere, or refuse.",
    ),
    Rule(
        "retrieval_answer_mismatch", 2, "Retrieval and answer do not match",
        (Condition("contribution_support", "<", 0.5),),
        "The documents that contribute most are not those that the answer rests on.",
        "Rerank, put the best documents first, or correct the retrieval before answering (CRAG).",
    ),
    Rule(
        "harmful_document", 2, "Harmful document", (Condition("harmful_documents", ">", 0),),
        "A document that the answer uses leads, alone, to a wrong answer.",
        "Rerank or filter the context; look whether the document is out of date.",
    ),
    Rule(
        "noise_sensitivity_relevant", 2, "Led astray by a relevant document", (Condition("noise_relevant", ">", 0),),
        "Part of the answer is wrong by the reference, and a document that fits the question supports it.",
        "Check the document against the reference; ask the generator to answer the question only.",
    ),
    Rule(
        "noise_sensitivity_irrelevant", 2, "Led astray by noise", (Condition("noise_irrelevant", ">", 0),),
        "Part of the answer is wrong by the reference, and only documents that do not fit the question support it.",
        "Raise retrieval precision: rerank, lower top_k, or filter the context before generation.",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModeFinding:
    """A rule that fired, and the records (for a trend, the runs) that it comes from, in order."""

    name: str
    severity: int
    title: str
    meaning: str
    fix: str
    record_ids: list[str]
    run_ids: list[str]
    of: int

    @property
    def share(self) -> float:
        """The share of the records (or runs) to which the rule could be applied."""
        return len(self.record_ids or self.run_ids) / self.of if self.of else 0.0


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
    """The rules that fire for pairs of record id and facts, worst first, each with its records.

    `thresholds` is rule → quantity → threshold. Raises `SettingsError` for an unknown rule or quantity.
    """
    known = list(facts)
    found = [_of_rule(rule, known) for rule in rules(thresholds)]
    return sorted((f for f in found if f.record_ids), key=lambda f: (-f.severity, -len(f.record_ids)))


def rules(thresholds: Thresholds | None = None) -> list[Rule]:
    """The rules with changed thresholds. Raises `SettingsError` for an unknown rule or quantity."""
    known = {rule.name: {c.quantity for c in rule.conditions} for rule in MODES}
    for name, given in (thresholds or {}).items():
        if name not in known or not set(given) <= known[name]:
            raise SettingsError(
                f"There is no threshold {name}: {', '.join(given)}.",
                "Rules and quantities: " + "; ".join(f"{n} ({', '.join(sorted(q))})" for n, q in known.items()) + ".",
            )
    return [_with(rule, (thresholds or {}).get(rule.name, {})) for rule in MODES]


def _with(rule: Rule, given: Mapping[str, float]) -> Rule:
    conditions = tuple(Condition(c.quantity, c.comparison, given.get(c.quantity, c.threshold)) for c in rule.conditions)
    return Rule(rule.name, rule.severity, rule.title, conditions, rule.meaning, rule.fix)


def _of_rule(rule: Rule, facts: Sequence[tuple[str, Facts]]) -> ModeFinding:
    asked = [(i, f) for i, f in facts if all(f.get(c.quantity) is not None for c in rule.conditions)]
    return ModeFinding(
        name=rule.name,
        severity=rule.severity,
        title=rule.title,
        meaning=rule.meaning,
        fix=rule.fix,
        record_ids=[record_id for record_id, known in asked if _fires(rule, known)],
        run_ids=[],
        of=len(asked),
    )


def _fires(rule: Rule, facts: Facts) -> bool:
    return all(
        bool(compare(c.comparison, np.array([facts[c.quantity]], dtype=np.float64), c.threshold)[0])
        for c in rule.conditions
    )
