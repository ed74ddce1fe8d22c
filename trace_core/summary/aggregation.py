"""Aggregate many records: means with intervals, shares and counts. Undefined values are counted, not averaged."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from trace_core.errors import InputError
from trace_core.facts.records import Record
from trace_core.metrics import BANDS, METRICS, Scoring, score_columns
from trace_core.metrics.base import Values
from trace_core.metrics.truth import run_errors
from trace_core.summary.calibration import TruthPairs, accuracy_of, sentence_agreement
from trace_core.summary.columns import RunColumns, RunScores, Texts, columns_of, counts_by_status
from trace_core.summary.declining import declining
from trace_core.summary.intervals import mean_interval, too_few_note
from trace_core.summary.statistics import RANDOM_BALANCE, correlation

EDGES = np.linspace(0.0, 1.0, 11)
"""The edges of a histogram's bins."""


def aggregate(records: Sequence[Record], scoring: str | Scoring | None = None) -> dict[str, Any]:
    """The summary of records from their existing scores, which are all under one convention: that of `scoring`."""
    own = next((record.scores.convention for record in records if record.scores), "trace")
    return summary_of(columns_of(records).score(scoring or own, stored_scores=True))


def summary_of(scores: RunScores) -> dict[str, Any]:
    """The summary of a run's scores: each metric, balance, consistency, correlations, findings."""
    columns = scores.columns
    values = {name: np.where(columns.pending, np.nan, column) for name, column in scores.values.items()}
    aside = columns.failed | columns.failed_generation | columns.pending
    reasons = {name: dict(Counter(r for r in every[~aside] if r)) for name, every in scores.reasons.items()}
    return {
        "diagnosis": scores.diagnosis().to_dict(),
        "metrics": {name: _describe(values[name], scores.status) | {"reasons": reasons[name]} for name in METRICS},
        "average": mean(values["average"]),
        "rmse_aggregation": mean(values["rmse_aggregation"]),
        "consistency_score": mean(values["consistency_score"]),
        "random_rmse_reference": RANDOM_BALANCE,
        "bands": band_shares(values["rmse_aggregation"]),
        "together": together(values),
        "findings": {fault: int(mask.sum()) for fault, mask in scores.findings.items() if mask.any()},
        "declining": declining(scores),
        "ground_truth": truth_of_columns(scores),
    }


def together(values: Mapping[str, Values]) -> list[dict[str, Any]]:
    """Covariance and correlation of each two `metrics`."""
    pairs = [(a, b, *correlation(values[a], values[b])) for a, b in combinations(METRICS, 2)]
    return [{"metrics": [a, b], "covariance": covariance, "correlation": r} for a, b, covariance, r in pairs]


def count_columns(scores: RunScores) -> dict[str, int]:
    """`total` and the records of each status: scored has all four metrics, undefined lacks one."""
    return counts_by_status(Counter(scores.status.tolist()))


def truth_of_columns(scores: RunScores) -> dict[str, Any] | None:
    """The run compared with its ground truth; `None` if no record has one, `refused` if they are not comparable."""
    columns = scores.columns
    if columns.truth is None or not (here := (columns.truth.convention != "") & ~columns.pending).any():
        return None
    try:
        truths = truth_values(columns, scores.scoring)
    except InputError as error:
        return {"refused": error.message}
    ours, true = ({name: of[name][here] for name in METRICS} for of in (scores.values, truths))
    accuracy = accuracy_of(TruthPairs(ours, true, estimate=False))
    squares = {name: one["value"] ** 2 for name, one in accuracy["rmse"].items() if one["n"]}
    left_out: dict[str, dict[str, int]] = {}
    for name in METRICS:
        why = np.where(np.isnan(ours[name]), scores.reasons[name][here], "no ground truth")
        if missing := Counter(why[np.isnan(ours[name] - true[name])]):
            left_out[name] = dict(missing)
    errors = run_errors(squares, left_out, int(here.sum()))
    return errors | accuracy | {"sentences": sentence_agreement(columns.truth.agreement)}


def truth_values(columns: RunColumns, scoring: str | Scoring) -> dict[str, Values]:
    """The ground truth's four scores under a convention, from its labels if present, NaN where there is none. Raises
    `InputError` for scores without labels under another convention, which cannot be compared."""
    truth = columns.truth
    if truth is None:
        return {name: np.full(len(columns), np.nan) for name in METRICS}
    has_labels, convention = ~np.isnan(truth.numbers["sentences"]), Scoring.of(scoring).convention
    strangers = (truth.convention != "") & ~columns.pending & ~has_labels & (truth.convention != convention)
    if strangers.any():
        other = str(truth.convention[strangers][0])
        message = f"The ground truth scores are under {other!r}, not {convention!r}."
        raise InputError(message, "Choose that convention.")
    columns_of_labels = score_columns(truth.numbers.counts, scoring)
    return {
        name: np.where(has_labels, columns_of_labels[name].values, truth.numbers[f"score_{name}"]) for name in METRICS
    }


def mean_of(values: Values, status: Texts) -> dict[str, Any]:
    """One score over records, NaN where missing: its mean, 95 % interval and counts; `status` is each record's. A
    failed generation is counted apart, and a pending record nowhere. `too_few` explains an interval of `None`."""
    counts = counts_by_status(Counter(status.tolist()))
    aside = {name: counts[name] for name in ("failed", "failed_generations")}
    level = mean_summary(values)
    return level | {"undefined": len(values) - level["scored"] - sum(aside.values()) - counts["pending"], **aside}


def mean_summary(values: Values | Sequence[float | None]) -> dict[str, Any]:
    """The `mean`, 95 % `interval` and number `scored` of the values that are neither `None` nor NaN."""
    numbers = np.array(values, dtype=np.float64)
    numbers = numbers[~np.isnan(numbers)]
    interval = mean_interval(numbers)
    return {"mean": mean(numbers), "interval": interval, **too_few_note(interval, len(numbers)), "scored": len(numbers)}


def _describe(values: Values, status: Texts) -> dict[str, Any]:
    present = values[~np.isnan(values)]
    median = float(np.median(present)) if len(present) else None
    return mean_of(values, status) | {"median": median, "histogram": histogram(values)}


def histogram(values: Values) -> list[int]:
    """The number of defined values in each bin; the last bin includes its upper edge."""
    return [int(n) for n in np.histogram(values[~np.isnan(values)], EDGES)[0]]


def mean(values: Values) -> float | None:
    """The mean of the defined values; `None` if none is."""
    numbers = values[~np.isnan(values)]
    return float(numbers.mean()) if len(numbers) else None


def band_shares(balance: Values) -> dict[str, float]:
    """The share of records in each band of balance; empty if none is defined."""
    numbers = np.round(balance[~np.isnan(balance)], 12)
    places = np.digitize(numbers, [band.low for band in BANDS]) - 1
    return {band.name: float((places == i).mean()) for i, band in enumerate(BANDS)} if len(numbers) else {}
