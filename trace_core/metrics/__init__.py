"""The four metrics, their conventions, and what is computed from them."""

from trace_core.metrics.balance import BANDS, DERIVED, band, combine
from trace_core.metrics.base import CONVENTIONS, RELEVANCE_DIVISOR, Metric, Scoring, check_convention
from trace_core.metrics.counts import Columns, Counts, columns, count, count_raw
from trace_core.metrics.scoring import (
    METRICS,
    lacks_labels,
    score,
    score_cleaned,
    score_columns,
    score_counts,
    undefined,
)

__all__ = [
    "BANDS",
    "CONVENTIONS",
    "DERIVED",
    "METRICS",
    "RELEVANCE_DIVISOR",
    "Columns",
    "Counts",
    "Metric",
    "Scoring",
    "band",
    "check_convention",
    "columns",
    "combine",
    "count",
    "count_raw",
    "lacks_labels",
    "score",
    "score_cleaned",
    "score_columns",
    "score_counts",
    "undefined",
]
