"""The four metrics, their conventions, and what is computed from them: pure functions of labels and sentences."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.cleaning import clean
from trace_core.facts.labels import Labels
from trace_core.facts.records import Scores, Sentences
from trace_core.metrics.adherence import ADHERENCE
from trace_core.metrics.base import CONVENTIONS as CONVENTIONS
from trace_core.metrics.base import LACKS, Values
from trace_core.metrics.base import RELEVANCE_DIVISOR as RELEVANCE_DIVISOR
from trace_core.metrics.base import Metric as Metric
from trace_core.metrics.base import Scoring as Scoring
from trace_core.metrics.base import check_convention as check_convention
from trace_core.metrics.completeness import COMPLETENESS
from trace_core.metrics.context_relevance import CONTEXT_RELEVANCE
from trace_core.metrics.context_utilization import CONTEXT_UTILIZATION
from trace_core.metrics.counts import Columns as Columns
from trace_core.metrics.counts import Counts as Counts
from trace_core.metrics.counts import columns as columns
from trace_core.metrics.counts import count as count
from trace_core.metrics.counts import count_raw as count_raw

METRICS: Mapping[str, Metric] = {m.name: m for m in (CONTEXT_RELEVANCE, CONTEXT_UTILIZATION, COMPLETENESS, ADHERENCE)}


class Derived(NamedTuple):
    """A number computed from the four metrics."""

    name: str
    label: str
    description: str


_DERIVED = (
    Derived("average", "Average", "Mean of the four metrics."),
    Derived("rmse_aggregation", "Balance (RMSE)", "Spread of the four metrics. It says nothing about quality."),
    Derived("consistency_score", "Consistency", "1 − balance. 1 means all four metrics are equal."),
)
DERIVED: Mapping[str, Derived] = {one.name: one for one in _DERIVED}
LABELS: Mapping[str, str] = {name: one.label for of in (METRICS, DERIVED) for name, one in of.items()}
"""Score → its name for people: the four metrics, then what is computed from them."""


class Band(NamedTuple):
    """Values of balance from `low` (included) up to the next band: its `name` in JSON, and its `title`."""

    name: str
    low: float
    title: str
    meaning: str


BANDS = (
    Band("excellent", 0.0, "perfectly balanced", "the four metrics agree"),
    Band("good", 0.10, "slight variation", "the four metrics nearly agree"),
    Band("acceptable", 0.20, "moderate inconsistency", "one metric stands apart: find out which"),
    Band("poor", 0.30, "high inconsistency", "the metrics disagree strongly: review the pipeline"),
)


def combine(four: Values) -> tuple[Values, Values, Values]:
    """Average, RMSE (population; in [0, 0.5]) and consistency of `four` (4 × n); NaN if any is. Source: seed 003."""
    rmse = four.std(axis=0)
    return four.mean(axis=0), rmse, 1.0 - np.minimum(rmse, 1.0)


def band(rmse: float) -> Band:
    """The band of one RMSE ≥ 0; a lower bound belongs to its band."""
    return next(b for b in reversed(BANDS) if round(rmse, 12) >= b.low)  # a root may give 0.09999999999999998 for 0.1


_STATUSES = "fully_supported_sentences partially_supported_sentences unsupported_sentences unlabeled_sentences".split()


class MetricColumn(NamedTuple):
    """One metric over n records: `values` (NaN = undefined) and `reasons` ("" where defined)."""

    values: Values
    reasons: NDArray[np.object_]


def score_columns(counts: Columns, scoring: str | Scoring = "trace") -> dict[str, MetricColumn]:
    """The four metrics under one convention, from columns of counts of length n. Raises `SettingsError`."""
    scoring = Scoring.of(scoring)
    scores = {}
    for name, metric in METRICS.items():
        formula = metric.formulas[scoring.convention]
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.asarray(formula.compute(counts, scoring.divisor), dtype=np.float64).copy()
        reasons = np.full(values.shape, "", dtype=object)
        for rule in reversed(formula.undefined):  # the first rule that applies gives the reason
            applies = rule.when(counts)
            values[applies], reasons[applies] = np.nan, rule.reason
        scores[name] = MetricColumn(values, reasons)
    return scores


def score(
    labels: Labels | Mapping[str, Any] | None, sentences: Sentences, convention: str | Scoring = "trace"
) -> Scores:
    """Scores of one record, each in [0, 1], or `None` with its reason in `undefined`, as without labels. Labels, or a
    judge's reply, are cleaned first. Raises `SettingsError`. Sources: seeds 000–003, arXiv:2407.11005."""
    if labels is None:
        return undefined("not labeled", convention)
    if not isinstance(labels, Labels) or labels.unread is None:
        raw = labels.model_dump() if isinstance(labels, Labels) else labels
        labels = clean(raw, sentences.document_keys(), sentences.response_keys()).labels
    return score_labels(labels, sentences, convention)


def score_labels(labels: Labels, sentences: Sentences, scoring: str | Scoring) -> Scores:
    """Scores of cleaned labels."""
    if labels.unread is not None:
        return undefined(labels.unread, scoring)
    return score_counts(count(labels, sentences), scoring, overall_supported=labels.overall_supported)


def score_counts(counts: Counts, scoring: str | Scoring = "trace", *, overall_supported: bool | None = None) -> Scores:
    """Scores from one record's counts; without support information every response sentence is unlabeled."""
    metrics = score_columns(columns([counts]), scoring)
    four = [column.values for column in metrics.values()]
    values = dict(zip(LABELS, [*four, *combine(np.array(four))], strict=True))
    statuses = dict(zip(_STATUSES, (counts.fully, counts.partially, counts.unsupported, counts.unlabeled), strict=True))
    if math.isnan(counts.fully):
        statuses = {"unlabeled_sentences": counts.response_sentences}
    return Scores(
        **{name: None if np.isnan(value[0]) else float(value[0]) for name, value in values.items()},
        **{name: int(number) for name, number in statuses.items()},
        overall_supported=overall_supported,
        convention=Scoring.of(scoring).convention,
        undefined={name: str(column.reasons[0]) for name, column in metrics.items() if column.reasons[0]},
    )


def scores_from(values: Mapping[str, float | None], convention: str = "trace") -> Scores:
    """The four given metrics, and the scores derived from them. Raises `SettingsError` for an unknown convention."""
    check_convention(convention)
    four = {name: values.get(name) for name in METRICS}
    results = combine(np.array([[value] for value in four.values()], dtype=np.float64))  # null becomes NaN
    three = {name: None if np.isnan(one[0]) else float(one[0]) for name, one in zip(DERIVED, results, strict=True)}
    reasons = {name: "not given" for name, value in four.items() if value is None}
    return Scores.model_validate({**four, **three, "convention": convention, "undefined": reasons})


def lacks_labels(scores: Scores) -> bool:
    """Whether a value is unknown because the labels are incomplete, which a better reply could complete."""
    return scores.unlabeled_sentences > 0 or any(reason.startswith(LACKS) for reason in scores.undefined.values())


def undefined(reason: str, scoring: str | Scoring = "trace") -> Scores:
    """Undefined scores, with the same reason for all four metrics."""
    nothing: dict[str, Any] = dict.fromkeys(LABELS)
    return Scores(**nothing, convention=Scoring.of(scoring).convention, undefined=dict.fromkeys(METRICS, reason))
