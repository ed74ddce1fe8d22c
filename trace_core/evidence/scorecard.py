"""The view model of the scores: verdict, four cards with their formulas filled in, and the balance."""

from __future__ import annotations

from typing import Any

from trace_core.diagnosis.faults import FAULTS, Thresholds
from trace_core.diagnosis.signs import SIGNS, signs_of
from trace_core.diagnosis.verdict import Verdict, verdict
from trace_core.facts.labels import Labels
from trace_core.facts.records import Record, Scores
from trace_core.metrics import CONVENTIONS, DERIVED, METRICS, RELEVANCE_DIVISOR, Counts, band, count

ESTIMATED = ("context_relevance", "context_utilization", "adherence")
"""The estimates that are shown. The fourth hardly depends on the answer (docs/diagnosis.md)."""


def scorecard(
    record: Record, scores: Scores, relevance_divisor: float = RELEVANCE_DIVISOR, thresholds: Thresholds | None = None
) -> dict[str, Any]:
    """What the page draws of one record's scores; every value is a number, or null with a reason.

    `thresholds` are those of findings and diagnoses that a person changed.
    """
    counted = count(record.labels, record.sentences()) if record.labels else None
    found = verdict(record, scores, thresholds)
    convention = CONVENTIONS[scores.convention]
    return {
        "verdict": {"tone": found.tone, "text": found.text, "diagnosis": FAULTS[found.diagnosis].title},
        "convention": f"{convention.named(relevance_divisor)}. {convention.description}",
        "metrics": [_card(name, record, scores, counted, relevance_divisor, found) for name in METRICS],
        "derived": [_derived(name, scores) for name in DERIVED],
        "estimates": _estimates(record.labels),
    }


def _card(
    name: str, record: Record, scores: Scores, counted: Counts | None, divisor: float, found: Verdict
) -> dict[str, Any]:
    metric, value = METRICS[name], getattr(scores, name)
    formula, goal = metric.formulas[scores.convention], metric.goal(scores.convention)
    filled = formula.filled(counted, divisor) if counted and value is not None else ""
    return {
        "label": metric.label,
        "question": metric.question,
        "value": value,
        "shown": "undefined" if value is None else f"{value:.2f}",
        "reason": scores.undefined.get(name),
        "rule": formula.text.format(divisor=f"{divisor:g}"),
        "substitution": filled,
        "filled": _retrieved(record, counted, filled) if name == "context_relevance" and filled else filled,
        "target": goal,
        "tone": _tone(name, scores, goal, found),
    }


def _retrieved(record: Record, counted: Counts | None, filled: str) -> str:
    """What retrieval brought: its fraction, and shares that can be judged."""
    documents, relevant = (signs_of(record)[SIGNS.index(name)] for name in ("chunks", "relevant_chunks"))
    if counted is None or documents is None or relevant is None:
        return filled
    return f"{filled}: {counted.relevant:g} of {counted.sentences:g} sentences, {relevant:g} of {documents:g} documents"


_JUDGED = ("healthy", "noise", "incomplete", "unsupported", "contradicted")
"""Diagnoses under which the other metrics remain meaningful."""


def _tone(name: str, scores: Scores, goal: float | None, found: Verdict) -> str:
    """A card's colour: the diagnosis' tone if it concerns this metric, else good if the target is met.

    A count ÷ 20 says nothing about quality: it is grey.
    """
    if name == "context_relevance" and scores.convention == "trace":
        return "grey"
    if FAULTS[found.diagnosis].metric == name:
        return found.tone if found.tone in ("warn", "bad") else ""
    value = getattr(scores, name)
    met = value is not None and goal is not None and value >= goal
    return "good" if met and found.diagnosis in _JUDGED else ""


def _derived(name: str, scores: Scores) -> dict[str, Any]:
    """A derived number. Only balance is in sight, in words and beside the average, as it says nothing of quality."""
    value = getattr(scores, name)
    balance = name == "rmse_aggregation"
    about = f"{band(value).shown}, around an average of {scores.average:.2f}" if balance and value is not None else ""
    return {
        "label": DERIVED[name].label,
        "shown": "undefined" if value is None else f"{value:.3f}",
        "band": about,
        "main": balance,
        "description": DERIVED[name].description,
    }


def _estimates(labels: Labels | None) -> list[dict[str, str]]:
    """The labeler's estimates from its probabilities, shown beside the scores, never instead of them."""
    if labels is None or labels.expected is None:
        return []
    expected = {name: getattr(labels.expected, name) for name in ESTIMATED}
    return [{"label": METRICS[n].label, "shown": f"{v:.2f}"} for n, v in expected.items() if v is not None]
