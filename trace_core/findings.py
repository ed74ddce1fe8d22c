"""Findings and the verdict: what a record's scores mean, and what usually helps.

Rules are data. A rule fires when all its conditions hold; each condition compares one quantity with
a threshold that stands here as the default and can be changed. Sources: seeds 001, 002, 003.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.labels import SPECIAL_KEYS, Labels, Status
from trace_core.facts.records import Finding, Record, Scores
from trace_core.metrics import METRICS
from trace_core.refusal import is_refusal

_COMPARE: Mapping[str, Callable[[Any, float], Any]] = {"<": operator.lt, ">": operator.gt, "≥": operator.ge}
SCALE_BOUND = ("context_relevance", "context_utilization")
"""Metrics whose thresholds are meant for convention `trace` alone: elsewhere their scale differs."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`quantity` `comparison` `threshold`, e.g. context_relevance < 0.5."""

    quantity: str
    comparison: str
    threshold: float


@dataclass(frozen=True, slots=True)
class Rule:
    """Fires when every condition holds. Severity: 3 wrong, 2 weak, 1 worth knowing, 0 fine."""

    name: str
    severity: int
    title: str
    conditions: tuple[Condition, ...]
    meaning: str
    fix: str


def _rule(name: str, severity: int, title: str, when: str, meaning: str, fix: str) -> Rule:
    """A rule from `"a < 0.5, b ≥ 0.7"`."""
    parts = (part.split() for part in when.split(","))
    return Rule(name, severity, title, tuple(Condition(q, c, float(t)) for q, c, t in parts), meaning, fix)


RULES: tuple[Rule, ...] = (
    _rule(
        "hallucination", 3, "Hallucination", "adherence < 1",
        "At least one statement of the answer does not rest on the documents.",
        "Use a grounding prompt (answer only from the context), and check each claim before it is shown.",
    ),
    _rule(
        "empty_answer", 2, "Empty answer", "empty_answer ≥ 1",
        "There is no answer: its adherence is undefined, neither good nor bad.",
        "Look at why the generator said nothing: an error, a filter, a limit of tokens.",
    ),
    _rule(
        "hallucination_risk", 1, "Hallucination risk", "context_relevance < 0.3, context_utilization ≥ 0.7",
        "Little of the context is relevant, and yet the answer leans on most of it.",
        "Improve the retrieval first, and let the generator refuse when the context does not fit.",
    ),
    _rule(
        "noise_sensitivity", 2, "Noise sensitivity", "noise_sensitivity > 0",
        "Part of the answer rests only on sentences that are not relevant to the question.",
        "Raise retrieval precision: rerank, lower top_k, or filter the context before generation.",
    ),
    _rule(
        "good_retrieval_poor_generation", 2, "Good retrieval, poor generation",
        "context_relevance ≥ 0.7, context_utilization < 0.5",
        "The retriever found what was needed; the generator did not use it.",
        "Work on the prompt and on how the context is laid out, not on the retriever.",
    ),
    _rule(
        "low_context_relevance", 2, "Retriever noise", "context_relevance < 0.5",
        "Little of what was retrieved bears on the question.",
        "Try a better embedding model, reranking, or query expansion.",
    ),
    _rule(
        "low_context_utilization", 2, "Context ignored", "context_utilization < 0.4",
        "The generator used little of the context.",
        "Tell the generator to use the context, and put the best chunks first.",
    ),
    _rule(
        "conservative", 2, "Conservative", "completeness < 0.6, adherence ≥ 1",
        "What the answer says is supported, but it leaves out relevant content.",
        "Widen the retrieval coverage, or ask the generator to cover every relevant point.",
    ),
    _rule(
        "low_completeness", 2, "Incomplete", "completeness < 0.6",
        "Relevant content did not make it into the answer.",
        "Raise top_k, rework the chunking, or retrieve hierarchically (RAPTOR).",
    ),
    _rule(
        "balanced_but_low", 2, "Balanced but low", "rmse_aggregation < 0.15, average < 0.5",
        "The four metrics agree, at a low level: a small RMSE is not quality.",
        "Look at the whole pipeline, from chunking to prompt.",
    ),
    _rule(
        "refusal", 1, "Refusal", "refusal ≥ 1",
        "The answer says that it cannot answer.",
        "If the documents do hold the answer, look at the retrieval; if they do not, this is right.",
    ),
    _rule(
        "healthy", 0, "Healthy",
        "context_relevance ≥ 0.7, context_utilization ≥ 0.7, completeness ≥ 0.7, adherence ≥ 1",
        "Retrieval and generation both do their work here.",
        "Nothing to mend: keep watching it.",
    ),
)  # fmt: skip

Thresholds = Mapping[str, Mapping[str, float]]
"""Rule name → quantity → threshold."""


def find(
    record: Record,
    scores: Scores,
    *,
    thresholds: Thresholds | None = None,
    quartiles: Mapping[str, float] | None = None,
) -> list[Finding]:
    """The rules that fire on one record, worst first.

    Outside convention `trace`, relevance and utilization are compared with the run's lower
    `quartiles` in place of the thresholds; without them (a single record) such a rule stays silent.
    """
    facts = _facts(record, scores)
    fired = (rule for rule in RULES if _fires(rule, facts, scores.convention, thresholds or {}, quartiles or {}))
    found = [Finding(name=r.name, severity=r.severity, title=r.title, meaning=r.meaning, fix=r.fix) for r in fired]
    return sorted(found, key=lambda finding: -finding.severity)


def _fires(
    rule: Rule,
    facts: Mapping[str, float | None],
    convention: str,
    thresholds: Thresholds,
    quartiles: Mapping[str, float],
) -> bool:
    for condition in rule.conditions:
        value = facts.get(condition.quantity)
        threshold: float | None = thresholds.get(rule.name, {}).get(condition.quantity, condition.threshold)
        if convention != "trace" and condition.quantity in SCALE_BOUND:
            threshold = quartiles.get(condition.quantity)
        if value is None or threshold is None or not _COMPARE[condition.comparison](value, threshold):
            return False
    return True


def compare(comparison: str, values: NDArray[np.float64], threshold: float) -> NDArray[np.bool_]:
    """Where a column meets one condition; NaN never does."""
    met: NDArray[np.bool_] = _COMPARE[comparison](values, threshold)
    return met


def _facts(record: Record, scores: Scores) -> dict[str, float | None]:
    """Every quantity that a condition may name; `None` never fires."""
    refused, labels, response_keys = refuses(record), record.labels, record.sentences().response_keys()
    return {
        **{name: getattr(scores, name) for name in METRICS},
        "rmse_aggregation": scores.rmse_aggregation,
        "average": scores.average,
        "refusal": float(refused),
        "empty_answer": None if labels is None else float(not response_keys),
        "noise_sensitivity": noise_sensitivity(labels, response_keys),
    }


def refuses(record: Record) -> bool:
    """Whether the answer opens by declining; a later sentence may only speak of refusals."""
    sentences = record.response.sentences if record.response else []
    return bool(sentences) and is_refusal(sentences[0].text)


def noise_sensitivity(labels: Labels | None, response_keys: list[str]) -> float | None:
    """Share of response sentences whose only support is sentences not relevant, in [0, 1].

    Unsupported sentences are hallucination, and sentences with special support rest on no document:
    neither counts. `None` without the labels it needs, or without a response sentence.
    """
    if labels is None or labels.all_relevant_sentence_keys is None or not response_keys:
        return None
    if labels.sentence_support_information is None:
        return None
    relevant = set(labels.all_relevant_sentence_keys)
    supports = (set(entry.supporting_sentence_keys) for entry in labels.sentence_support_information)
    noisy = sum(bool(keys) and not keys & (relevant | SPECIAL_KEYS) for keys in supports)
    return noisy / len(response_keys)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One sentence for a person; `tone` is good, warn, bad or unknown."""

    tone: str
    text: str


def verdict(record: Record, scores: Scores) -> Verdict:
    """What to think of the answer: adherence first, then completeness, then the rest."""
    if record.error:
        return Verdict("unknown", f"Not scored: {record.error.message}")
    labels = record.labels
    if labels is None:
        return Verdict("unknown", "Not scored: the record has no labels.")
    if not record.sentences().response:
        return Verdict("warn", "The answer is empty: whether it is grounded cannot be said.")
    failing = _quoted_failures(record, labels)
    missed = _missed(labels)
    if scores.adherence is None:
        return Verdict("unknown", f"Adherence is undefined ({scores.undefined.get('adherence', 'unlabeled')}).")
    if failing:
        return Verdict("bad", f"Not grounded: {failing}." + (f" It leaves out {missed}." if missed else ""))
    if refuses(record):
        ground = f"though {missed} looks relevant" if missed else "and nothing retrieved says otherwise"
        return Verdict("warn" if missed else "good", f"The answer declines to answer, {ground}.")
    if missed:
        return Verdict("warn", f"Grounded, but incomplete: it leaves out {missed}.")
    return _of_the_rest(scores)


def _of_the_rest(scores: Scores) -> Verdict:
    gaps = {name: METRICS[name].target - (value or 0.0) for name in SCALE_BOUND
            if (value := getattr(scores, name)) is not None}  # fmt: skip
    worst = max(gaps, key=lambda name: gaps[name], default=None)
    if scores.convention == "trace" and worst and gaps[worst] > 0:
        value, target = getattr(scores, worst), METRICS[worst].target
        below = f"{METRICS[worst].label.lower()} is {value:.2f}, below its target of {target:.1f}"
        return Verdict("good", f"Grounded and complete; {below}.")
    return Verdict("good", "Grounded and complete.")


def _quoted_failures(record: Record, labels: Labels) -> str:
    """The sentences that fail, the worst quoted: `sentence c, “…”, is supported by no document`."""
    sentences = {s.key: s.text for s in record.sentences().response}
    statuses = labels.statuses(sentences)
    failing = [k for k, s in statuses.items() if s is Status.UNSUPPORTED]
    partly = [k for k, s in statuses.items() if s is Status.PARTIALLY]
    if not failing and not partly:
        return ""
    first, *others = failing + partly
    how = "is supported by no document" if first in failing else "is only partly supported"
    also = f" (also {', '.join(others[:6])}{' …' if len(others) > 6 else ''})" if others else ""
    return f"sentence {first}, “{_shortened(sentences[first])}”, {how}{also}"


def _missed(labels: Labels) -> str:
    """The relevant keys that were not used, at most six by name."""
    used = set(labels.all_utilized_sentence_keys or [])
    if labels.all_utilized_sentence_keys is None:
        return ""
    missed = [key for key in labels.all_relevant_sentence_keys or [] if key not in used]
    more = f" and {len(missed) - 6} more" if len(missed) > 6 else ""
    return ", ".join(missed[:6]) + more


def _shortened(text: str, most: int = 160) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
