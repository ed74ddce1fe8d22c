"""The diagnosis: the most important thing to say about a record. Verdict, colours and findings follow from it.

Diagnoses are data, in the order in which they are tried: a record gets the first one whose conditions hold. What
prevents any judgment of the answer comes first, then what retrieval did, what the answer claims, what it leaves out,
and noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.findings import RULES, Condition, Mask, Thresholds, conditions, fired, met
from trace_core.diagnosis.signs import SIGNS, Quantities, quantities, signs_of
from trace_core.facts.records import Finding, Record, Scores
from trace_core.metrics import METRICS, Counts, columns, count
from trace_core.metrics.balance import DERIVED


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`tone` is good, warn, bad, neutral or unknown; `metric` is the metric it concerns, "" for none."""

    name: str
    title: str
    tone: str
    metric: str
    cases: tuple[tuple[Condition, ...], ...]
    """The diagnosis holds if all conditions of any one case hold."""
    start: str
    """Where to start fixing it."""


def _diagnosis(name: str, title: str, tone: str, metric: str, when: str, start: str) -> Diagnosis:
    return Diagnosis(name, title, tone, metric, tuple(map(conditions, when.split(" or "))), start)


DIAGNOSES: Mapping[str, Diagnosis] = {
    one.name: one
    for one in (
        _diagnosis(
            "empty", "empty answer", "warn", "", "empty_answer ≥ 1",
            "look at why the generator said nothing: an error, a filter, a limit of tokens",
        ),
        _diagnosis(
            "nothing_relevant", "nothing relevant retrieved", "neutral", "context_relevance", "nothing_relevant ≥ 1",
            "look whether the collection holds the answer, and whether the question finds it",
        ),
        _diagnosis(
            "refused", "refused although the documents answer", "warn", "completeness",
            "refusal ≥ 1, completeness < 0.6",
            "read the relevant sentences: if they answer the question, soften the prompt or the threshold that refuses",
        ),
        _diagnosis(
            "contradicted", "contradicted claim", "bad", "adherence", "adherence < 1, contradicted ≥ 1",
            "check names, numbers and negations against the context before an answer is shown",
        ),
        _diagnosis(
            "unsupported", "unsupported claim", "bad", "adherence", "adherence < 1",
            "use a grounding prompt, and check each claim against the context",
        ),
        _diagnosis(
            "unlabeled", "not enough labels", "unknown", "", "lacking > 0",
            "label these records again, or by hand on the page Review",
        ),
        _diagnosis(
            "incomplete", "relevant left out", "warn", "completeness",
            "covered < 0.6, missed ≥ 1 or retrieved ≥ 0.7, used ≤ 0.5, missed ≥ 1",
            "ask the generator to cover every relevant point",
        ),
        _diagnosis(
            "noise", "relevant among much noise", "warn", "context_relevance", "relevance < 0.5, idle_chunks > 5",
            "rerank, or lower top_k: most chunks hold nothing relevant",
        ),
        _diagnosis("healthy", "healthy", "good", "", "", "keep watching it"),
    )
}  # fmt: skip
FAULTLESS = ("healthy", "unlabeled")
"""Diagnoses that are not faults."""


def diagnose(found: Quantities, thresholds: Thresholds | None = None) -> NDArray[np.object_]:
    """The name of each record's diagnosis."""
    names = np.full(len(found["adherence"]), "healthy", dtype=object)
    for one in reversed(list(DIAGNOSES.values())):
        for case in one.cases:
            names[met(one.name, case, found, thresholds)] = one.name
    return names


@dataclass(frozen=True, slots=True)
class Found:
    """What was found about one record."""

    diagnosis: Diagnosis
    findings: list[Finding]


def examine(record: Record, scores: Scores, thresholds: Thresholds | None = None) -> Found:
    """The record's diagnosis under the scores' convention, and its findings, worst first."""
    found = _of_one(record, scores)
    names = diagnose(found, thresholds)
    masks: dict[str, Mask] = fired(found, names, thresholds)
    rules = sorted((rule for rule in RULES if masks[rule.name][0]), key=lambda rule: -rule.severity)
    return Found(
        DIAGNOSES[str(names[0])],
        [Finding(name=r.name, severity=r.severity, title=r.title, meaning=r.meaning, fix=r.fix) for r in rules],
    )


def find(record: Record, scores: Scores, thresholds: Thresholds | None = None) -> list[Finding]:
    """The rules that fire on one record, worst first."""
    return examine(record, scores, thresholds).findings


def _of_one(record: Record, scores: Scores) -> Quantities:
    """The quantities of a single record, as columns of length one."""
    counted = count(record.labels, record.sentences()) if record.labels else Counts(*[np.nan] * len(Counts._fields))
    values = {name: _column(getattr(scores, name)) for name in (*METRICS, *DERIVED)}
    signs = {name: _column(value) for name, value in zip(SIGNS, signs_of(record), strict=True)}
    return quantities(columns([counted]), values, signs, scores.convention)


def _column(value: float | None) -> NDArray[np.float64]:
    return np.array([np.nan if value is None else value], dtype=np.float64)
