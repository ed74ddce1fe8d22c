"""Rows that contain scores but no labels, and their expected values (seed 003's evaluation results)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trace_core.datasets.dataset import Item
from trace_core.datasets.rows import to_record
from trace_core.facts.records import Record, Scores, Truth
from trace_core.metrics import METRICS, check_convention, combine


def scores_record(item: Item, record_id: str, convention: str) -> Record:
    """A row with `metrics` → a scored record with the row's texts. Given and expected scores use `convention`.

    Average, balance and consistency are computed, not taken over. Raises `SettingsError` for an unknown
    convention.
    """
    true = item.ground_truth_scores
    made = to_record(item, record_id, with_labels=False)
    made.scores = given_scores(item.metrics or {}, convention)
    made.ground_truth = Truth(scores={n: true.get(n) for n in METRICS}, convention=convention) if true else None
    return made


def given_scores(given: Mapping[str, float | None], convention: str = "trace") -> Scores:
    """The four given metrics, and the scores derived from them. Raises `SettingsError` for an unknown convention."""
    check_convention(convention)
    four = np.array([[np.nan if (v := given.get(name)) is None else v] for name in METRICS], dtype=np.float64)
    derived = [float(values[0]) for values in combine(four)]
    average, rmse, consistency = (None if np.isnan(value) else value for value in derived)
    missing = {name: "not given" for name in METRICS if given.get(name) is None}
    return Scores(
        **{name: given.get(name) for name in METRICS},
        average=average, rmse_aggregation=rmse, consistency_score=consistency,
        convention=convention, undefined=missing,
    )  # fmt: skip
