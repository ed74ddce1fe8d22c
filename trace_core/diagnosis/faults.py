"""The one vocabulary of faults: each has one name, one meaning and one next step, wherever it is shown.

Faults are data, in the order in which they are tried. A record's diagnosis is the first fault whose conditions hold;
those listed as `beside` it may hold as well. Conditions compare a quantity (`signs.quantities`) with a threshold,
whose default is given here and can be changed. What seeds 000 to 003 call a pattern is kept in `PATTERNS`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.signs import SIGNS, Quantities, quantities, signs_of
from trace_core.facts.records import Finding, Record, Scores
from trace_core.metrics import METRICS, Counts, columns, count
from trace_core.metrics.balance import DERIVED
from trace_core.metrics.base import Values

Mask = NDArray[np.bool_]
Thresholds = Mapping[str, Mapping[str, float]]
"""Name of a fault → quantity → threshold."""
_COMPARE: Mapping[str, Callable[[Any, float], Any]] = {
    "<": operator.lt, ">": operator.gt, "≥": operator.ge, "≤": operator.le,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Condition:
    """`quantity` `comparison` `threshold`, e.g. completeness < 0.6."""

    quantity: str
    comparison: str
    threshold: float


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that fires when every condition holds. Severity: 3 wrong, 2 weak, 1 worth knowing, 0 no fault."""

    name: str
    severity: int
    title: str
    conditions: tuple[Condition, ...]
    meaning: str
    fix: str


@dataclass(frozen=True, slots=True)
class Fault(Rule):
    """What can be said of one record. `tone` is good, warn, bad, neutral or unknown; `metric` is the metric concerned.

    It holds if all `conditions` hold, or all of `otherwise`. It may accompany the diagnoses in `beside`; one that never
    leads is no diagnosis itself.
    """

    tone: str = "neutral"
    metric: str = ""
    otherwise: tuple[Condition, ...] = ()
    beside: frozenset[str] = frozenset()
    leads: bool = True


def conditions(when: str) -> tuple[Condition, ...]:
    """Parse conditions such as `"a < 0.5, b ≥ 0.7"`."""
    parts = (part.split() for part in when.split(",") if part)
    return tuple(Condition(quantity, comparison, float(threshold)) for quantity, comparison, threshold in parts)


def _fault(
    name: str, severity: int, tone: str, title: str, when: str, meaning: str, fix: str,
    metric: str = "", beside: str = "", leads: bool = True,
) -> Fault:  # fmt: skip
    first, _, second = when.partition(" or ")
    return Fault(name, severity, title, conditions(first), meaning, fix, tone, metric, conditions(second),
                 frozenset(beside.split()), leads)  # fmt: skip


FAULTS: Mapping[str, Fault] = {
    fault.name: fault
    for fault in (
        _fault(
            "empty", 3, "warn", "the pipeline failed", "failed_generation ≥ 1",
            "There is no answer: nothing, a placeholder or an error's text. It is counted apart and not scored.",
            "Find out why the generator gave none: an error, a filter or a token limit.",
        ),
        _fault(
            "declined", 0, "neutral", "rightly declined",
            "nothing_relevant ≥ 1, refusal ≥ 1 or unanswerable ≥ 1, refusal ≥ 1",
            "Nothing that answers the question was retrieved, and the answer says so.",
            "Nothing to change, unless the collection holds the answer: then look at the search.",
        ),
        _fault(
            "nothing_relevant", 2, "warn", "nothing relevant retrieved", "nothing_relevant ≥ 1, unanswerable < 1",
            "Nothing that was retrieved bears on the question, and yet there is an answer.",
            "Check whether the collection holds the answer. If so, improve the search or raise top_k; if not, let the "
            "generator decline.",
            metric="context_relevance",
        ),
        _fault(
            "refused", 2, "warn", "refused although the documents answer", "refusal ≥ 1, completeness < 0.6",
            "The answer declines, although relevant text was retrieved.",
            "Read the relevant sentences. If they answer the question, soften the prompt or the refusal threshold.",
            metric="completeness",
        ),
        _fault(
            "contradicted", 3, "bad", "contradicted claim", "adherence < 1, contradicted ≥ 1",
            "A statement of the answer contradicts a document.",
            "Check names, numbers and negations against the documents before an answer is shown.",
            metric="adherence", beside="nothing_relevant",
        ),
        _fault(
            "unsupported", 3, "bad", "unsupported claim", "adherence < 1",
            "A statement of the answer does not rest on the documents.",
            "Have the generator answer from the documents alone, and check each claim before it is shown.",
            metric="adherence", beside="nothing_relevant",
        ),
        _fault(
            "unlabeled", 0, "unknown", "not enough labels", "lacking > 0",
            "Too little is labeled to judge the record.",
            "Label these records again, or by hand on the page Review.",
        ),
        _fault(
            "incomplete", 2, "warn", "relevant left out",
            "covered < 0.6, missed ≥ 1 or retrieved ≥ 0.7, used ≤ 0.5, missed ≥ 1",
            "Relevant text was retrieved and did not reach the answer.",
            "Ask the generator to cover every relevant point, and put the best documents first.",
            metric="completeness", beside="contradicted unsupported",
        ),
        _fault(
            "noise", 2, "warn", "relevant among much noise", "relevance < 0.5, idle_chunks > 5",
            "Most of the retrieved documents hold nothing relevant.",
            "Rerank, and keep fewer documents.",
            metric="context_relevance", beside="contradicted unsupported incomplete",
        ),
        _fault(
            "late", 1, "warn", "relevant text comes late", "first_relevant > 3",
            "The first document that holds anything relevant is not among the first three.",
            "Rerank: the best document belongs first.",
            beside="contradicted unsupported incomplete noise healthy refused", leads=False,
        ),
        _fault(
            "stray", 1, "warn", "answer rests on irrelevant text", "noise_sensitivity > 0",
            "Part of the answer rests only on sentences that are not relevant to the question.",
            "Rerank or filter the documents before the generator reads them.",
            beside="contradicted unsupported incomplete noise healthy", leads=False,
        ),
        _fault(
            "healthy", 0, "good", "healthy", "",
            "Retrieval and generation both did their work.",
            "Nothing to mend: keep watching it.",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of the sources: their name for what is, here, one of the faults `of`. It holds by their thresholds."""

    title: str
    conditions: tuple[Condition, ...]
    of: frozenset[str]


def _pattern(title: str, when: str, of: str) -> Pattern:
    return Pattern(title, conditions(when), frozenset(of.split()))


PATTERNS: tuple[Pattern, ...] = (
    _pattern("hallucination", "adherence < 1", "contradicted unsupported"),
    _pattern("hallucination risk", "relevant_text < 0.3, used ≥ 0.7", "contradicted unsupported noise"),
    _pattern("retriever noise", "relevance < 0.5, retrieved < 0.7", "nothing_relevant noise"),
    _pattern("good retrieval, poor generation", "retrieved ≥ 0.7, used ≤ 0.5, missed ≥ 1", "incomplete"),
    _pattern("low utilization", "used < 0.4, missed ≥ 1", "incomplete"),
    _pattern("low completeness", "completeness < 0.6, missed ≥ 1", "incomplete"),
    _pattern("conservative", "completeness < 0.6, adherence ≥ 1, missed ≥ 1", "incomplete"),
    _pattern(
        "balanced but low", "rmse_aggregation < 0.15, average < 0.5",
        "nothing_relevant contradicted unsupported incomplete",
    ),
    _pattern("noise sensitivity", "noise_sensitivity > 0", "stray"),
    _pattern("refusal", "refusal ≥ 1", "refused declined"),
    _pattern("healthy", "retrieved ≥ 0.7, used ≥ 0.7, completeness ≥ 0.7, adherence ≥ 1", "healthy"),
)  # fmt: skip


def compare(comparison: str, values: Values, threshold: float) -> Mask:
    """Where a column meets the condition; NaN never does."""
    met: Mask = _COMPARE[comparison](values, threshold)
    return met


def _met(wanted: Sequence[Condition], found: Quantities, changed: Mapping[str, float]) -> Mask:
    """Where every condition holds, by the default thresholds unless `changed`."""
    mask = np.ones(len(found["adherence"]), dtype=bool)
    with np.errstate(invalid="ignore"):
        for one in wanted:
            mask &= compare(one.comparison, found[one.quantity], changed.get(one.quantity, one.threshold))
    return mask


def _holds(fault: Fault, found: Quantities, thresholds: Thresholds | None) -> Mask:
    changed = (thresholds or {}).get(fault.name, {})
    mask = _met(fault.conditions, found, changed)
    return mask | _met(fault.otherwise, found, changed) if fault.otherwise else mask


def diagnose(found: Quantities, thresholds: Thresholds | None = None) -> NDArray[np.object_]:
    """The name of each record's diagnosis."""
    names = np.full(len(found["adherence"]), "healthy", dtype=object)
    for fault in reversed([fault for fault in FAULTS.values() if fault.leads]):
        names[_holds(fault, found, thresholds)] = fault.name
    return names


def fired(found: Quantities, diagnoses: NDArray[np.object_], thresholds: Thresholds | None = None) -> dict[str, Mask]:
    """Fault → which records have it, given each record's diagnosis ("" for a record that has none)."""
    return {
        name: (diagnoses == name) | (_holds(fault, found, thresholds) & np.isin(diagnoses, list(fault.beside)))
        for name, fault in FAULTS.items()
    }


@dataclass(frozen=True, slots=True)
class Examined:
    """One record's diagnosis, and its findings, the worst first."""

    diagnosis: Fault
    findings: list[Finding]


def examine(record: Record, scores: Scores, thresholds: Thresholds | None = None) -> Examined:
    """The record's diagnosis under the scores' convention, and its findings."""
    found = _of_one(record, scores)
    names = diagnose(found, thresholds)
    masks = fired(found, names, thresholds)
    faults = sorted((FAULTS[name] for name, mask in masks.items() if mask[0]), key=lambda fault: -fault.severity)
    holding = [pattern for pattern in PATTERNS if _met(pattern.conditions, found, {})[0]]
    return Examined(FAULTS[str(names[0])], [_finding(fault, holding) for fault in faults])


def _finding(fault: Fault, holding: Sequence[Pattern]) -> Finding:
    sources = [pattern.title for pattern in holding if fault.name in pattern.of and pattern.title != fault.title]
    return Finding(
        name=fault.name, severity=fault.severity, title=fault.title, meaning=fault.meaning, fix=fault.fix,
        sources=sources,
    )  # fmt: skip


def find(record: Record, scores: Scores, thresholds: Thresholds | None = None) -> list[Finding]:
    """The record's findings, the worst first."""
    return examine(record, scores, thresholds).findings


def _of_one(record: Record, scores: Scores) -> Quantities:
    """The quantities of a single record, as columns of length one."""
    counted = count(record.labels, record.sentences()) if record.labels else Counts(*[np.nan] * len(Counts._fields))
    values = {name: _column(getattr(scores, name)) for name in (*METRICS, *DERIVED)}
    signs = {name: _column(value) for name, value in zip(SIGNS, signs_of(record), strict=True)}
    failed_generation = np.array([record.failed_generation is not None])
    return quantities(columns([counted]), values, signs, scores.convention, failed_generation)


def _column(value: float | None) -> NDArray[np.float64]:
    return np.array([np.nan if value is None else value], dtype=np.float64)
