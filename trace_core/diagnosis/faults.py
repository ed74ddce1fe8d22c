"""The one vocabulary of faults: each has one name, one meaning and one next step, wherever it is shown.

Faults are data, in the order in which they are tried. A record's diagnosis is the first fault whose conditions hold;
those listed as `beside` it may hold as well. Conditions compare a quantity (`signs.quantities`) with a threshold,
whose default is given here and can be changed. What seeds 000 to 003 call a pattern is kept in `PATTERNS`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.signs import SIGNS, Quantities, quantities, signs_of
from trace_core.facts.records import Finding, Record, Scores
from trace_core.metrics import METRICS, Counts, columns, count
from trace_core.metrics.balance import DERIVED

Mask = NDArray[np.bool_]
Thresholds = Mapping[str, Mapping[str, float]]
"""Name of a fault → quantity → threshold."""
_COMPARE: Mapping[str, Callable[[Any, float], Any]] = {
    "<": operator.lt,
    ">": operator.gt,
    "≥": operator.ge,
    "≤": operator.le,
}


class FaultCondition(NamedTuple):
    """`quantity` `comparison` `threshold`, e.g. completeness < 0.6."""

    quantity: str
    comparison: str
    threshold: float


@cache
def conditions(when: str) -> list[list[FaultCondition]]:
    """The alternatives in `"a < 0.5, b ≥ 0.7 or c > 1"`, each with its conditions."""
    parts = [[part.split() for part in one.split(",") if part] for one in when.split(" or ")]
    return [[FaultCondition(quantity, sign, float(threshold)) for quantity, sign, threshold in one] for one in parts]


@dataclass(frozen=True, slots=True)
class Fault:
    """What can be said of a record: it holds `when` all conditions of one alternative do.

    Severity: 3 wrong, 2 weak, 1 worth knowing, 0 no fault. `tone` is good, warn, bad, neutral or unknown; `metric` is
    the metric concerned. It may accompany the diagnoses in `beside`; one that never leads is no diagnosis itself.
    """

    name: str
    severity: int
    title: str
    when: str
    meaning: str
    fix: str
    tone: str = "neutral"
    metric: str = ""
    beside: str = ""
    leads: bool = True

    @property
    def conditions(self) -> list[FaultCondition]:
        """The conditions of all alternatives, each once."""
        return list(dict.fromkeys(one for alternative in conditions(self.when) for one in alternative))


FAULTS: Mapping[str, Fault] = {
    fault.name: fault
    for fault in (
        Fault(
            "empty",
            3,
            "the pipeline failed",
            "failed_generation ≥ 1",
            "There is no answer: nothing, a placeholder or an error's text. It is counted apart and not scored.",
            "Find out why the generator gave none: an error, a filter or a token limit.",
            tone="warn",
        ),
        Fault(
            "declined",
            0,
            "rightly declined",
            "nothing_relevant ≥ 1, refusal ≥ 1, answerable < 1 or unanswerable ≥ 1, refusal ≥ 1"
            " or unanswerable ≥ 1, nothing_relevant ≥ 1, adherence ≥ 1",
            "Nothing that answers the question was retrieved, and the answer says so, or claims nothing.",
            "Nothing to change, unless the collection contains the answer: then look at the search.",
        ),
        Fault(
            "nothing_relevant",
            2,
            "nothing relevant retrieved",
            "nothing_relevant ≥ 1, unanswerable < 1",
            "Nothing that was retrieved bears on the question, although an answer was given or expected.",
            "Check whether the collection contains the answer. If so, improve the search or raise top_k; if not, let"
            " the generator decline.",
            tone="warn",
            metric="context_relevance",
        ),
        Fault(
            "refused",
            2,
            "refused although the documents answer",
            "refusal ≥ 1, completeness < 0.6",
            "The answer declines, although relevant text was retrieved.",
            "Read the relevant sentences. If they answer the question, soften the prompt or the refusal threshold.",
            tone="warn",
            metric="completeness",
        ),
        Fault(
            "contradicted",
            3,
            "contradicted claim",
            "adherence < 1, contradicted ≥ 1",
            "A statement of the answer contradicts a document.",
            "Check names, numbers and negations against the documents before an answer is shown.",
            tone="bad",
            metric="adherence",
            beside="nothing_relevant",
        ),
        Fault(
            "unsupported",
            3,
            "unsupported claim",
            "adherence < 1",
            "A statement of the answer does not rest on the documents.",
            "Have the generator answer from the documents alone, and check each claim before it is shown.",
            tone="bad",
            metric="adherence",
            beside="nothing_relevant",
        ),
        Fault(
            "unlabeled",
            0,
            "not enough labels",
            "lacking > 0",
            "Too little is labeled to judge the record.",
            "Label these records again, or by hand on the page Review.",
            tone="unknown",
        ),
        Fault(
            "incomplete",
            2,
            "relevant left out",
            "covered < 0.6, missed ≥ 1 or retrieved ≥ 0.7, used ≤ 0.5, missed ≥ 1",
            "Relevant text was retrieved and did not reach the answer.",
            "Ask the generator to cover every relevant point, and put the best documents first.",
            tone="warn",
            metric="completeness",
            beside="contradicted unsupported",
        ),
        Fault(
            "noise",
            2,
            "relevant among much noise",
            "relevance < 0.5, idle_chunks > 5",
            "Most of the retrieved documents contain nothing relevant.",
            "Rerank, and keep fewer documents.",
            tone="warn",
            metric="context_relevance",
            beside="contradicted unsupported incomplete",
        ),
        Fault(
            "late",
            1,
            "relevant text comes late",
            "first_relevant > 3",
            "The first document with anything relevant is not among the first three.",
            "Rerank: the best document belongs first.",
            tone="warn",
            beside="contradicted unsupported incomplete noise healthy refused",
            leads=False,
        ),
        Fault(
            "stray",
            1,
            "answer rests on irrelevant text",
            "noise_sensitivity > 0",
            "Part of the answer rests only on sentences that are not relevant to the question.",
            "Rerank or filter the documents before the generator reads them.",
            tone="warn",
            beside="contradicted unsupported incomplete noise healthy",
            leads=False,
        ),
        Fault(
            "healthy",
            0,
            "healthy",
            "",
            "By the labels, retrieval and generation both did their work.",
            "Nothing to mend by the labels: keep watching it.",
            tone="good",
        ),
    )
}


PATTERNS = {
    "hallucination": ("adherence < 1", "contradicted unsupported"),
    "hallucination risk": ("relevant_text < 0.3, used ≥ 0.7", "contradicted unsupported noise"),
    "retriever noise": ("relevance < 0.5, retrieved < 0.7", "nothing_relevant noise"),
    "good retrieval, poor generation": ("retrieved ≥ 0.7, used ≤ 0.5, missed ≥ 1", "incomplete"),
    "low utilization": ("used < 0.4, missed ≥ 1", "incomplete"),
    "low completeness": ("completeness < 0.6, missed ≥ 1", "incomplete"),
    "conservative": ("completeness < 0.6, adherence ≥ 1, missed ≥ 1", "incomplete"),
    "balanced but low": (
        "rmse_aggregation < 0.15, average < 0.5",
        "nothing_relevant contradicted unsupported incomplete",
    ),
    "noise sensitivity": ("noise_sensitivity > 0", "stray"),
    "refusal": ("refusal ≥ 1", "refused declined"),
    "healthy": ("retrieved ≥ 0.7, used ≥ 0.7, completeness ≥ 0.7, adherence ≥ 1", "healthy"),
}
"""The sources' name of a pattern → its conditions, by their thresholds, and the faults that it is a name of."""


def met(when: str, values: Quantities, changed: Mapping[str, float] | None = None) -> Mask:
    """Where every condition of an alternative holds, by the default thresholds unless `changed`; NaN meets none."""
    n = len(next(iter(values.values())))
    mask = np.zeros(n, dtype=bool)
    for alternative in conditions(when):
        every = np.ones(n, dtype=bool)
        for quantity, comparison, threshold in alternative:
            every &= _COMPARE[comparison](values[quantity], (changed or {}).get(quantity, threshold))
        mask |= every
    return mask


def _holds(fault: Fault, values: Quantities, thresholds: Thresholds | None) -> Mask:
    return met(fault.when, values, (thresholds or {}).get(fault.name))


def diagnose(values: Quantities, thresholds: Thresholds | None = None) -> NDArray[np.object_]:
    """The name of each record's diagnosis."""
    names = np.full(len(values["adherence"]), "healthy", dtype=object)
    for fault in reversed([fault for fault in FAULTS.values() if fault.leads]):
        names[_holds(fault, values, thresholds)] = fault.name
    return names


def fired(values: Quantities, diagnoses: NDArray[np.object_], thresholds: Thresholds | None = None) -> dict[str, Mask]:
    """Fault → which records have it, given each record's diagnosis ("" for a record that has none)."""
    return {
        name: (diagnoses == name) | (_holds(fault, values, thresholds) & np.isin(diagnoses, fault.beside.split()))
        for name, fault in FAULTS.items()
    }


class Examined(NamedTuple):
    """One record's diagnosis, and its findings, the worst first."""

    diagnosis: Fault
    findings: list[Finding]


def examine(record: Record, scores: Scores, thresholds: Thresholds | None = None) -> Examined:
    """The record's diagnosis under the scores' convention, and its findings."""
    values = _of_one(record, scores)
    names = diagnose(values, thresholds)
    masks = fired(values, names, thresholds)
    patterns = {title: of.split() for title, (when, of) in PATTERNS.items() if met(when, values)[0]}
    findings = [
        Finding(
            name=name,
            severity=fault.severity,
            title=fault.title,
            meaning=fault.meaning,
            fix=fault.fix,
            sources=[title for title, of in patterns.items() if name in of and title != fault.title],
        )
        for name, fault in sorted(FAULTS.items(), key=lambda one: -one[1].severity)
        if masks[name][0]
    ]
    return Examined(FAULTS[str(names[0])], findings)


def _of_one(record: Record, scores: Scores) -> Quantities:
    """The quantities of a single record, as columns of length one."""
    counted = count(record.labels, record.sentences()) if record.labels else Counts(*[np.nan] * len(Counts._fields))
    values = {name: np.array([getattr(scores, name)], dtype=np.float64) for name in (*METRICS, *DERIVED)}
    signs = {name: np.array([value], dtype=np.float64) for name, value in zip(SIGNS, signs_of(record), strict=True)}
    failed_generation = np.array([record.failed_generation is not None])
    return quantities(columns([counted]), values, signs, scores.convention, failed_generation)
