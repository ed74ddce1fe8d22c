"""Findings: which of the sources' patterns a record shows, what each means, and what usually helps.

Rules are data. A rule fires when all its conditions hold and the diagnosis is one that it does not contradict, listed
in `beside`. Each condition compares one quantity (`signs.quantities`) with a threshold, whose default is given here
and can be changed. Sources: seeds 000 to 003.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.signs import Quantities
from trace_core.metrics.base import Values

_COMPARE: Mapping[str, Callable[[Any, float], Any]] = {
    "<": operator.lt, ">": operator.gt, "≥": operator.ge, "≤": operator.le,
}  # fmt: skip
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Condition:
    """`quantity` `comparison` `threshold`, e.g. completeness < 0.6."""

    quantity: str
    comparison: str
    threshold: float


def conditions(when: str) -> tuple[Condition, ...]:
    """Parse conditions such as `"a < 0.5, b ≥ 0.7"`."""
    parts = (part.split() for part in when.split(",") if part)
    return tuple(Condition(quantity, comparison, float(threshold)) for quantity, comparison, threshold in parts)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that fires when every condition holds. Severity: 3 wrong, 2 weak, 1 worth knowing, 0 fine.

    `beside` lists the diagnoses it may accompany; a rule about many records may accompany any.
    """

    name: str
    severity: int
    title: str
    conditions: tuple[Condition, ...]
    meaning: str
    fix: str
    beside: frozenset[str] = frozenset()


def _rule(name: str, severity: int, title: str, when: str, beside: str, meaning: str, fix: str) -> Rule:
    return Rule(name, severity, title, conditions(when), meaning, fix, frozenset(beside.split()))


RULES: tuple[Rule, ...] = (
    _rule(
        "contradiction", 3, "Contradiction", "adherence < 1, contradicted ≥ 1",
        "contradicted nothing_relevant",
        "A statement of the answer says otherwise than a document.",
        "Have the generator quote what it states, and check names, numbers and negations before they are shown.",
    ),
    _rule(
        "hallucination", 3, "Hallucination", "adherence < 1",
        "contradicted unsupported nothing_relevant",
        "At least one statement of the answer does not rest on the documents.",
        "Use a grounding prompt (answer only from the context), and check each claim before it is shown.",
    ),
    _rule(
        "empty_answer", 2, "Empty answer", "empty_answer ≥ 1",
        "empty",
        "There is no answer: its adherence is undefined, neither good nor bad.",
        "Look at why the generator said nothing: an error, a filter, a limit of tokens.",
    ),
    _rule(
        "good_retrieval_poor_generation", 2, "Good retrieval, poor generation",
        "retrieved ≥ 0.7, used ≤ 0.5, missed ≥ 1",
        "contradicted unsupported incomplete",
        "The retriever found what was needed; the generator did not use it.",
        "Work on the prompt and on how the context is laid out, not on the retriever.",
    ),
    _rule(
        "low_context_relevance", 2, "Retriever noise", "relevance < 0.5, retrieved < 0.7",
        "contradicted unsupported incomplete nothing_relevant noise",
        "Little of what was retrieved bears on the question.",
        "Try a better embedding model, reranking, or query expansion.",
    ),
    _rule(
        "low_context_utilization", 2, "Context ignored", "used < 0.4, missed ≥ 1",
        "contradicted unsupported incomplete",
        "The generator used little of what was relevant.",
        "Tell the generator to use the context, and put the best chunks first.",
    ),
    _rule(
        "conservative", 2, "Conservative", "completeness < 0.6, adherence ≥ 1, missed ≥ 1",
        "incomplete",
        "What the answer says is supported, but it leaves out relevant content.",
        "Widen the retrieval coverage, or ask the generator to cover every relevant point.",
    ),
    _rule(
        "low_completeness", 2, "Incomplete", "completeness < 0.6, missed ≥ 1",
        "contradicted unsupported incomplete",
        "Relevant content did not make it into the answer.",
        "Raise top_k, rework the chunking, or retrieve hierarchically (RAPTOR).",
    ),
    _rule(
        "balanced_but_low", 2, "Balanced but low", "rmse_aggregation < 0.15, average < 0.5",
        "contradicted unsupported nothing_relevant incomplete",
        "The four metrics agree, at a low level: a small RMSE is not quality.",
        "Look at the whole pipeline, from chunking to prompt.",
    ),
    _rule(
        "hallucination_risk", 1, "Hallucination risk", "relevant_text < 0.3, used ≥ 0.7",
        "contradicted unsupported noise",
        "Little of the context is relevant, and yet the answer leans on most of it.",
        "Improve the retrieval first, and let the generator refuse when the context does not fit.",
    ),
    _rule(
        "noise_sensitivity", 1, "Noise sensitivity", "noise_sensitivity > 0",
        "contradicted unsupported incomplete nothing_relevant noise healthy",
        "Part of the answer rests only on sentences that are not relevant to the question.",
        "Raise retrieval precision: rerank, lower top_k, or filter the context before generation.",
    ),
    _rule(
        "late_relevance", 1, "Relevant text comes late", "first_relevant > 3",
        "contradicted unsupported incomplete noise healthy refused",
        "The first chunk that holds anything relevant is not among the first three.",
        "Rerank what was retrieved: the best chunk belongs first.",
    ),
    _rule(
        "refusal", 1, "Refusal", "refusal ≥ 1",
        "refused nothing_relevant",
        "The answer says that it cannot answer.",
        "Read the sentences that are labeled relevant: if they do not hold the answer, the refusal is right, "
        "and there is nothing to mend in the generator.",
    ),
    _rule(
        "healthy", 0, "Healthy",
        "retrieved ≥ 0.7, used ≥ 0.7, completeness ≥ 0.7, adherence ≥ 1",
        "healthy",
        "Retrieval and generation both do their work here.",
        "Nothing to mend: keep watching it.",
    ),
)  # fmt: skip

Thresholds = Mapping[str, Mapping[str, float]]
"""Name of a rule or a diagnosis → quantity → threshold."""


def compare(comparison: str, values: Values, threshold: float) -> Mask:
    """Where a column meets the condition; NaN never does."""
    met: Mask = _COMPARE[comparison](values, threshold)
    return met


def met(name: str, asked: Sequence[Condition], found: Quantities, thresholds: Thresholds | None = None) -> Mask:
    """Where every condition of the rule or diagnosis of that name holds."""
    changed = (thresholds or {}).get(name, {})
    held = np.ones(len(found["adherence"]), dtype=bool)
    with np.errstate(invalid="ignore"):
        for one in asked:
            held &= compare(one.comparison, found[one.quantity], changed.get(one.quantity, one.threshold))
    return held


def fired(found: Quantities, diagnoses: NDArray[np.object_], thresholds: Thresholds | None = None) -> dict[str, Mask]:
    """Rule → where it fires, given each record's diagnosis."""
    return {
        rule.name: met(rule.name, rule.conditions, found, thresholds) & np.isin(diagnoses, list(rule.beside))
        for rule in RULES
    }
