"""The view model of the scores: verdict, four cards with their formula filled in, and the balance."""

from __future__ import annotations

from typing import Any

from trace_core.diagnosis.verdict import verdict
from trace_core.facts.labels import Labels
from trace_core.facts.records import Record, Scores
from trace_core.metrics import CONVENTIONS, DERIVED, METRICS, RELEVANCE_DIVISOR, Counts, band, count


def scorecard(record: Record, scores: Scores, relevance_divisor: float = RELEVANCE_DIVISOR) -> dict[str, Any]:
    """What the page draws of one record's scores; every value is a number or null with its reason."""
    counted = count(record.labels, record.sentences()) if record.labels else None
    said = verdict(record, scores)
    return {
        "verdict": {"tone": said.tone, "text": said.text},
        "convention": CONVENTIONS[scores.convention].label,
        "metrics": [_card(name, scores, counted, relevance_divisor) for name in METRICS],
        "derived": [_derived(name, scores) for name in DERIVED],
        "estimates": _estimates(record.labels),
    }


def _card(name: str, scores: Scores, counted: Counts | None, divisor: float) -> dict[str, Any]:
    metric, value = METRICS[name], getattr(scores, name)
    formula = metric.formulas[scores.convention]
    return {
        "label": metric.label,
        "question": metric.question,
        "value": value,
        "shown": "undefined" if value is None else f"{value:.2f}",
        "reason": scores.undefined.get(name),
        "formula": formula.text.format(divisor=f"{divisor:g}"),
        "filled": formula.filled(counted, divisor) if counted and value is not None else "",
        "target": metric.target,
        "reached": value is not None and value >= metric.target,
    }


def _derived(name: str, scores: Scores) -> dict[str, Any]:
    value = getattr(scores, name)
    word = band(value).name if name == "rmse_aggregation" and value is not None else ""
    return {
        "label": DERIVED[name].label,
        "shown": "undefined" if value is None else f"{value:.3f}",
        "band": word,
        "description": DERIVED[name].description,
    }


def _estimates(labels: Labels | None) -> list[dict[str, str]]:
    """What the labeler expects from its probabilities: beside the scores, never in their place."""
    if labels is None or labels.expected is None:
        return []
    expected = labels.expected.model_dump()
    return [{"label": METRICS[n].label, "shown": f"{v:.2f}"} for n, v in expected.items() if v is not None]
