"""The view model of many records' scores: each mean with its interval and number of records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trace_core.errors import counted
from trace_core.metrics import DERIVED, METRICS, band
from trace_core.metrics.base import Values
from trace_core.summary.aggregation import mean_of
from trace_core.summary.columns import Texts
from trace_core.summary.intervals import spread
from trace_core.summary.statistics import RANDOM_BALANCE


def means(values: Mapping[str, Values], status: Texts, convention: str = "trace") -> dict[str, Any]:
    """What the page draws of a run, in the shape of `scorecard`, so that the same code draws both.

    `values` has one array per score, NaN where undefined; `status` is each record's.
    """
    told = {name: _told(mean_of(values[name], status)) for name in (*METRICS, *DERIVED)}
    return {
        "verdict": None,
        "metrics": [_metric(name, told[name], convention) for name in METRICS],
        "derived": [_derived(name, told[name]) for name in DERIVED],
        "estimates": [],
    }


def _told(found: dict[str, Any]) -> dict[str, Any]:
    """A mean and the words shown beside it."""
    mean, generations = found["mean"], found["failed_generations"]
    failed = f"{found['failed']:,} failed" + (f", {counted(generations, 'failed generation')}" if generations else "")
    return {
        "value": mean,
        "shown": "undefined" if mean is None else f"{mean:.3f}",
        "filled": "" if mean is None else f"95 %: {spread(found['interval'], found['scored'])}",
        "counts": f"{found['scored']:,} defined, {found['undefined']:,} undefined, {failed}",
    }


def _metric(name: str, told: dict[str, Any], convention: str) -> dict[str, Any]:
    metric, mean = METRICS[name], told["value"]
    goal = metric.goal(convention)
    tone = "" if mean is None or goal is None else "good" if mean >= goal else "warn"
    if name == "context_relevance" and convention == "trace":
        tone = "grey"
    texts = {"label": metric.label, "question": metric.question, "reason": None, "rule": "", "substitution": ""}
    return {**texts, "target": goal, "tone": tone, **told}


def _derived(name: str, told: dict[str, Any]) -> dict[str, Any]:
    mean, about = told["value"], DERIVED[name].description
    balance = name == "rmse_aggregation" and mean is not None
    return {
        "label": DERIVED[name].label,
        "band": band(mean).shown if balance else "",
        "main": name == "rmse_aggregation",
        "description": f"{about} Four independent metrics would give {RANDOM_BALANCE}." if balance else about,
        **told,
    }
