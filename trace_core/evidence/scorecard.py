"""The view models of scores: one record's with its verdict and formulas filled in, and the means of many records'."""

from collections.abc import Mapping
from typing import Any

from trace_core.diagnosis.faults import FAULTS
from trace_core.diagnosis.signs import SIGNS, signs_of
from trace_core.errors import counted
from trace_core.facts.records import Record, Scores
from trace_core.metrics import CONVENTIONS, DERIVED, LABELS, METRICS, RELEVANCE_DIVISOR, Counts, band, count
from trace_core.metrics.base import Values
from trace_core.summary.aggregation import mean_of
from trace_core.summary.columns import Texts
from trace_core.summary.intervals import spread

_METRICS_HOLD = ("healthy", "noise", "incomplete", "unsupported", "contradicted")
"""Diagnoses under which the other metrics remain meaningful."""


def scorecard(record: Record, divisor: float = RELEVANCE_DIVISOR) -> dict[str, Any]:
    """What the page draws of a record's verdict and scores; a value is a number, or null with a reason."""
    scores, verdict = record.scores, record.verdict
    assert scores is not None and verdict is not None  # noqa: PT018, S101  # a record is scored before it is drawn
    counts = count(record.labels, record.sentences()) if record.labels else None
    cards = {}
    for name in METRICS:
        formula, value = METRICS[name].formulas[scores.convention], getattr(scores, name)
        numbers = formula.example(counts, divisor) if counts and value is not None else ""
        cards[name] = _card(name, value, ".2f", scores.convention) | {
            "reason": "not scored" if record.error else scores.undefined.get(name),  # the verdict says why
            "rule": formula.text.format(divisor=f"{divisor:g}"),
            "substitution": numbers,
            "filled": numbers,
            "tone": tone_of(name, value, scores.convention, verdict.name, verdict.tone),
        }
    if counts and scores.context_relevance is not None:
        cards["context_relevance"] |= _retrieval(record, scores, counts, divisor)
    convention = CONVENTIONS[scores.convention]
    return {
        "verdict": verdict.model_dump(),
        "convention": f"{convention.label_with(divisor)}. {convention.description}",
        "metrics": list(cards.values()),
        "derived": _combinations({name: getattr(scores, name) for name in DERIVED}, scores.convention),
    }


def _card(name: str, value: float | None, digits: str, convention: str) -> dict[str, Any]:
    return {
        "label": METRICS[name].label,
        "question": METRICS[name].question,
        "value": value,
        "shown": _number(value, digits),
        "reason": None,
        "target": METRICS[name].goal(convention),
    }


def _retrieval(record: Record, scores: Scores, counts: Counts, divisor: float) -> dict[str, Any]:
    """What retrieval brought, in shares that can be judged; |R| ÷ 20 says nothing of quality: the count first."""
    chunks, relevant = (signs_of(record)[SIGNS.index(sign)] for sign in ("chunks", "relevant_chunks"))
    where = f"relevant, in {relevant or 0:g} of {counted(int(chunks or 0), 'document')}"
    sentences = f"{counts.relevant:g} of {counts.sentences:g}"
    if scores.convention == "trace":
        return {"shown": sentences, "filled": f"{where}; ÷ {divisor:g} = {_number(scores.context_relevance, '.2f')}"}
    return {"filled": f"{sentences} sentences {where}"}


def tone_of(name: str, value: float | None, convention: str, verdict: str, tone: str) -> str:
    """The tone of a record's metric: that of a verdict on it, else good if its target is met; a count ÷ 20 is grey."""
    if name == "context_relevance" and convention == "trace":
        return "grey"
    if verdict in FAULTS and FAULTS[verdict].metric == name:
        return tone if tone in ("warn", "bad") else ""
    goal = METRICS[name].goal(convention)
    meets = value is not None and goal is not None and value >= goal
    return "good" if meets and verdict in _METRICS_HOLD and tone != "unknown" else ""


def _combinations(values: Mapping[str, float | None], convention: str) -> list[dict[str, Any]]:
    """The derived numbers. Only balance is in sight, beside the average, as it says nothing of quality."""
    balance, average = values["rmse_aggregation"], values["average"]
    # under `trace`, |R| ÷ 20 makes nearly all of it unequal
    words = [] if balance is None or convention == "trace" else [band(balance).title]
    words += [] if average is None else [f"around an average of {average:.2f}"]
    return [
        {
            "label": one.label,
            "shown": _number(values[name], ".3f"),
            "band": ", ".join(words) if name == "rmse_aggregation" else "",
            "main": name == "rmse_aggregation",
            "description": one.description,
        }
        for name, one in DERIVED.items()
    ]


def _number(value: float | None, digits: str) -> str:
    return "undefined" if value is None else f"{value:{digits}}"


def means(values: Mapping[str, Values], status: Texts, convention: str) -> dict[str, Any]:
    """What the page draws of a run, in the shape of `scorecard`: one array per score (NaN: undefined), each status."""
    every = {name: mean_of(values[name], status) for name in LABELS}
    metrics = []
    for name in METRICS:
        goal, mean = METRICS[name].goal(convention), every[name]["mean"]
        tone = "" if mean is None or goal is None else "good" if mean >= goal else "warn"
        tone = "grey" if name == "context_relevance" and convention == "trace" else tone
        metrics.append(_card(name, mean, ".3f", convention) | {"tone": tone} | _spread(every[name]))
    combinations = _combinations({name: every[name]["mean"] for name in DERIVED}, convention)
    return {
        "verdict": None,
        "metrics": metrics,
        "derived": [one | _spread(every[name]) for one, name in zip(combinations, DERIVED, strict=True)],
    }


def _spread(values: Mapping[str, Any]) -> dict[str, str]:
    """The interval of a mean, and how many values it is of."""
    generations = values["failed_generations"]
    more = f", {counted(generations, 'failed generation')}" if generations else ""
    return {
        "filled": "" if values["mean"] is None else f"95 %: {spread(values['interval'], values['scored'])}",
        "counts": f"{values['scored']:,} defined, {values['undefined']:,} undefined, {values['failed']:,} failed{more}",
    }
