"""Re-score one record under a convention: scores and findings follow from its labels, without asking a judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trace_core.diagnosis.diagnose import find
from trace_core.facts.records import Record
from trace_core.metrics import RELEVANCE_DIVISOR, score_cleaned, undefined


def rescore(record: Record, convention: str, relevance_divisor: float = RELEVANCE_DIVISOR) -> Record:
    """The record with the scores and findings that follow from its labels under the convention."""
    if record.labels is None:
        scores = undefined(f"failed: {record.error.message}" if record.error else "not labeled", convention)
    else:
        scores = score_cleaned(record.labels, record.sentences(), convention, relevance_divisor)
    return record.model_copy(update={"scores": scores, "findings": find(record, scores)})


def relevance_divisor(config: Mapping[str, Any]) -> float:
    """The divisor of relevance under convention `trace`, from a run's config."""
    return float((config.get("settings") or {}).get("relevance_divisor", RELEVANCE_DIVISOR))
