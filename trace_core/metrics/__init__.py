"""The four metrics, their conventions, and what is computed from them."""

from trace_core.metrics.balance import BANDS, DERIVED, Band, Derived, band, combine
from trace_core.metrics.base import (
    CONVENTIONS,
    RELEVANCE_DIVISOR,
    Convention,
    Formula,
    Metric,
    Scoring,
    check_convention,
)
from trace_core.metrics.counts import Columns, Counts, columns, count, count_raw
from trace_core.metrics.scoring import (
    METRICS,
    Column,
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
    "Band",
    "Column",
    "Columns",
    "Convention",
    "Counts",
    "Derived",
    "Formula",
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
