"""The view models of scores: one record's with its verdict and formulas filled in, and the means of many records'."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trace_core.diagnosis.faults import FAULTS
from trace_core.diagnosis.signs import SIGNS, signs_of
from trace_core.errors import counted
from trace_core.facts.records import Record, Scores, Verdict
from trace_core.metrics import CONVENTIONS, DERIVED, METRICS, RELEVANCE_DIVISOR, Counts, band, count
from trace_core.metrics.base import Values
from trace_core.summary.aggregation import mean_of
from trace_core.summary.columns import Texts
from trace_core.summary.intervals import spread
from trace_core.summary.statistics import RANDOM_BALANCE

_JUDGED = ("healthy", "noise", "incomplete", "unsupported", "contradicted")
"""Diagnoses under which the other metrics remain meaningful."""


def scorecard(record: Record, divisor: float = RELEVANCE_DIVISOR) -> dict[str, Any]:
    """What the page draws of a record's verdict and scores; a value is a number, or null with a reason."""
    scores, verdict = record.scores, record.verdict
    assert scores is not None  # noqa: S101  # a record is scored before it is drawn
    assert verdict is not None  # noqa: S101  # and then has a verdict
    counts = count(record.labels, record.sentences()) if record.labels else None
    convention = CONVENTIONS[scores.convention]
    return {
        "verdict": verdict.model_dump(),
        "convention": f"{convention.named(divisor)}. {convention.description}",
        "metrics": [_card(name, record, scores, counts, divisor, verdict) for name in METRICS],
        "derived": [_derived(name, scores) for name in DERIVED],
    }


def _card(
    name: str, record: Record, scores: Scores, counts: Counts | None, divisor: float, judgment: Verdict
) -> dict[str, Any]:
    metric, value = METRICS[name], getattr(scores, name)
    formula, goal = metric.formulas[scores.convention], metric.goal(scores.convention)
    filled = shown = formula.filled(counts, divisor) if counts and value is not None else ""
    number = "undefined" if value is None else f"{value:.2f}"
    if counts and filled and name == "context_relevance":  # what retrieval brought, in shares that can be judged
        chunks, relevant = (signs_of(record)[SIGNS.index(sign)] for sign in ("chunks", "relevant_chunks"))
        shown = f"relevant, in {relevant or 0:g} of {counted(int(chunks or 0), 'document')}"
        if scores.convention == "trace":  # |R| ÷ 20 says nothing of quality: the count first, the quotient small
            shown, number = f"{shown}; ÷ {divisor:g} = {number}", f"{counts.relevant:g} of {counts.sentences:g}"
        else:
            shown = f"{counts.relevant:g} of {counts.sentences:g} sentences {shown}"
    return {
        "label": metric.label,
        "question": metric.question,
        "value": value,
        "shown": number,
        "reason": scores.undefined.get(name),
        "rule": formula.text.format(divisor=f"{divisor:g}"),
        "substitution": filled,
        "filled": shown,
        "target": goal,
        "tone": _tone(name, scores, goal, judgment),
    }


def _tone(name: str, scores: Scores, goal: float | None, judgment: Verdict) -> str:
    """The diagnosis' tone if it concerns this metric, else good if the target is met; a count ÷ 20 is grey."""
    if name == "context_relevance" and scores.convention == "trace":
        return "grey"
    if FAULTS[judgment.name].metric == name:
        return judgment.tone if judgment.tone in ("warn", "bad") else ""
    value = getattr(scores, name)
    met = value is not None and goal is not None and value >= goal
    return "good" if met and judgment.name in _JUDGED and judgment.tone != "unknown" else ""


def _derived(name: str, scores: Scores) -> dict[str, Any]:
    """A derived number. Only balance is in sight, in words and beside the average, as it says nothing of quality."""
    value = getattr(scores, name)
    balance = name == "rmse_aggregation"
    about = f"around an average of {scores.average:.2f}" if balance and value is not None else ""
    if about and value is not None and scores.convention != "trace":  # there |R| ÷ 20 makes nearly all of it unequal
        about = f"{band(value).shown}, {about}"
    shown = "undefined" if value is None else f"{value:.3f}"
    return {
        "label": DERIVED[name].label,
        "shown": shown,
        "band": about,
        "main": balance,
        "description": DERIVED[name].description,
    }


def means(values: Mapping[str, Values], status: Texts, convention: str = "trace") -> dict[str, Any]:
    """What the page draws of a run, in the shape of `scorecard`: one array per score (NaN: undefined), each status."""
    shown = {name: _mean(mean_of(values[name], status)) for name in (*METRICS, *DERIVED)}
    return {
        "verdict": None,
        "metrics": [shown[name] | _mean_card(name, shown[name]["value"], convention) for name in METRICS],
        "derived": [shown[name] | _mean_derived(name, shown[name]["value"], convention) for name in DERIVED],
    }


def _mean(values: dict[str, Any]) -> dict[str, Any]:
    """A mean and the words shown beside it."""
    mean, generations = values["mean"], values["failed_generations"]
    failed = f"{values['failed']:,} failed" + (f", {counted(generations, 'failed generation')}" if generations else "")
    return {
        "value": mean,
        "shown": "undefined" if mean is None else f"{mean:.3f}",
        "filled": "" if mean is None else f"95 %: {spread(values['interval'], values['scored'])}",
        "counts": f"{values['scored']:,} defined, {values['undefined']:,} undefined, {failed}",
    }


def _mean_card(name: str, mean: float | None, convention: str) -> dict[str, Any]:
    metric, goal = METRICS[name], METRICS[name].goal(convention)
    tone = "" if mean is None or goal is None else "good" if mean >= goal else "warn"
    if name == "context_relevance" and convention == "trace":
        tone = "grey"
    return {
        "label": metric.label,
        "question": metric.question,
        "reason": None,
        "rule": "",
        "substitution": "",
        "target": goal,
        "tone": tone,
    }


def _mean_derived(name: str, mean: float | None, convention: str) -> dict[str, Any]:
    about, main = DERIVED[name].description, name == "rmse_aggregation"
    balance = main and mean is not None
    return {
        "label": DERIVED[name].label,
        "band": band(mean).shown if balance and mean is not None and convention != "trace" else "",
        "main": main,
        "description": f"{about} Four independent metrics would give {RANDOM_BALANCE}." if balance else about,
    }
