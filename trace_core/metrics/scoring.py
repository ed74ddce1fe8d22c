"""Scores: a pure function of labels, sentences and convention, which asks no judge."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import SettingsError
from trace_core.facts.cleaning import clean
from trace_core.facts.labels import Labels
from trace_core.facts.records import Scores, Sentences
from trace_core.metrics.adherence import ADHERENCE
from trace_core.metrics.balance import combine
from trace_core.metrics.base import CONVENTIONS, LACKS, Metric, Values
from trace_core.metrics.completeness import COMPLETENESS
from trace_core.metrics.context_relevance import CONTEXT_RELEVANCE
from trace_core.metrics.context_utilization import CONTEXT_UTILIZATION
from trace_core.metrics.counts import Columns, Counts, columns, count

METRICS: Mapping[str, Metric] = {m.name: m for m in (CONTEXT_RELEVANCE, CONTEXT_UTILIZATION, COMPLETENESS, ADHERENCE)}
RELEVANCE_DIVISOR = 20


@dataclass(frozen=True, slots=True)
class Column:
    """One metric over n records: `values` (NaN = undefined) and `reasons` ("" where defined)."""

    values: Values
    reasons: NDArray[np.object_]


def check_convention(name: str) -> str:
    """The name, if it is a convention. Raises `SettingsError` naming the four otherwise."""
    if name not in CONVENTIONS:
        raise SettingsError(f"There is no convention {name!r}.", f"Use one of: {', '.join(CONVENTIONS)}.")
    return name


def score_columns(
    counted: Columns, convention: str = "trace", relevance_divisor: float = RELEVANCE_DIVISOR
) -> dict[str, Column]:
    """The four metrics under one convention, from columns of counts of length n.

    Raises `SettingsError` for an unknown convention, or a divisor that is not above 0.
    """
    check_convention(convention)
    if not relevance_divisor > 0:
        raise SettingsError("The divisor of context relevance must be above 0.")
    return {name: _column(metric, counted, convention, relevance_divisor) for name, metric in METRICS.items()}


def _column(metric: Metric, counted: Columns, convention: str, divisor: float) -> Column:
    formula = metric.formulas[convention]
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(formula.compute(counted, divisor), dtype=np.float64).copy()
    reasons = np.full(values.shape, "", dtype=object)
    for rule in reversed(formula.undefined):  # the first rule that applies gives the reason
        applies = rule.when(counted)
        values[applies] = np.nan
        reasons[applies] = rule.reason
    return Column(values, reasons)


def score(
    labels: Labels | Mapping[str, Any] | None,
    sentences: Sentences,
    convention: str = "trace",
    *,
    relevance_divisor: float = RELEVANCE_DIVISOR,
) -> Scores:
    """Scores of one record, each in [0, 1], or `None` with its reason in `undefined`.

    Labels with keys that no sentence has are cleaned first, and so is a judge's reply as an object. Without labels
    everything is undefined. Raises `SettingsError` for an unknown convention.
    Sources: seeds 000–003, arXiv:2407.11005.
    """
    if labels is None:
        return undefined("not labeled", convention)
    if not isinstance(labels, Labels) or _untidy(labels, sentences):
        raw = labels.model_dump() if isinstance(labels, Labels) else labels
        labels = clean(raw, sentences.document_keys(), sentences.response_keys()).labels
    return score_cleaned(labels, sentences, convention, relevance_divisor)


def score_cleaned(
    labels: Labels, sentences: Sentences, convention: str, relevance_divisor: float = RELEVANCE_DIVISOR
) -> Scores:
    """Scores of cleaned labels."""
    if labels.unread is not None:
        return undefined(labels.unread, convention)
    word = labels.overall_supported
    return score_counts(count(labels, sentences), convention, relevance_divisor, overall_supported=word)


def _untidy(labels: Labels, sentences: Sentences) -> bool:
    """Whether the labels name a key that no sentence has, or one response sentence twice."""
    documents, response = set(sentences.document_keys()), set(sentences.response_keys())
    used = {*(labels.all_relevant_sentence_keys or ()), *(labels.all_utilized_sentence_keys or ())}
    entries = [entry.response_sentence_key for entry in labels.sentence_support_information or ()]
    listed = set(labels.unsupported_response_sentence_keys or ())
    return not (used <= documents and listed.union(entries) <= response and len(set(entries)) == len(entries))


def score_counts(
    counts: Counts,
    convention: str = "trace",
    relevance_divisor: float = RELEVANCE_DIVISOR,
    *,
    overall_supported: bool | None = None,
) -> Scores:
    """Scores from one record's counts."""
    scored = score_columns(columns([counts]), convention, relevance_divisor)
    together = combine(np.array([column.values for column in scored.values()]))
    return Scores(
        **{name: _number(column.values[0]) for name, column in scored.items()},
        **dict(zip(("average", "rmse_aggregation", "consistency_score"), map(_first, together), strict=True)),
        **_statuses(counts),
        overall_supported=overall_supported,
        convention=convention,
        undefined={name: str(c.reasons[0]) for name, c in scored.items() if c.reasons[0]},
    )


def _statuses(counts: Counts) -> dict[str, Any]:
    """The sentence counts; without support information every response sentence is unlabeled."""
    if math.isnan(counts.fully):
        return {"unlabeled_sentences": int(counts.response_sentences)}
    return {
        "fully_supported_sentences": int(counts.fully),
        "partially_supported_sentences": int(counts.partially),
        "unsupported_sentences": int(counts.unsupported),
        "unlabeled_sentences": int(counts.unlabeled),
    }


def lacks_labels(scores: Scores) -> bool:
    """Whether a value is unknown because the labels are incomplete, which a better reply could mend."""
    return scores.unlabeled_sentences > 0 or any(reason.startswith(LACKS) for reason in scores.undefined.values())


def undefined(reason: str, convention: str = "trace") -> Scores:
    """Undefined scores, with the same reason for all four metrics."""
    check_convention(convention)
    nothing = dict.fromkeys((*METRICS, "average", "rmse_aggregation", "consistency_score"))
    return Scores(**nothing, convention=convention, undefined=dict.fromkeys(METRICS, reason))


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _first(values: Values) -> float | None:
    return _number(values[0])
