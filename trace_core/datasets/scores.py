"""Rows that hold nothing but scores, and what they should have been (seed 003's evaluation results)."""

from __future__ import annotations

import numpy as np

from trace_core.datasets.dataset import Item
from trace_core.facts.records import Record, Scores, Truth
from trace_core.metrics import METRICS, check_convention, combine


def scores_record(item: Item, record_id: str, convention: str) -> Record:
    """A row with `metrics` → a scored record without texts. Both sides stand under `convention`.

    Average, balance and consistency are computed, not taken over. Raises `SettingsError` for an unknown
    convention.
    """
    check_convention(convention)
    given = item.metrics or {}
    four = np.array([[np.nan if (v := given.get(name)) is None else v] for name in METRICS], dtype=np.float64)
    derived = [float(values[0]) for values in combine(four)]
    average, rmse, consistency = (None if np.isnan(value) else value for value in derived)
    missing = {name: "not given" for name in METRICS if given.get(name) is None}
    scores = Scores(
        **{name: given.get(name) for name in METRICS},
        average=average, rmse_aggregation=rmse, consistency_score=consistency,
        convention=convention, undefined=missing,
    )  # fmt: skip
    true = item.ground_truth_scores
    return Record(
        id=record_id,
        source_id=item.id,
        question=item.question,
        scores=scores,
        ground_truth=Truth(scores={n: true.get(n) for n in METRICS}, convention=convention) if true else None,
        generation_model_name=item.generation_model_name,
    )
