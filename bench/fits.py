"""Models fitted to named columns: logistic and ridge regressions, boosted trees, as `local.json` holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, Ridge

from trace_core.labeling.local.models import LEAF, LIMIT, Linear, Trees, stacked

Array = NDArray[np.float64]
Columns = Mapping[str, Array]

SEED = 7
RIDGE = 1000.0
"""Regularization strength of the ridge regression."""
BOOSTED = {"learning_rate": 0.08, "max_leaf_nodes": 15, "max_depth": 6, "l2_regularization": 5.0}
LEAST = 100
"""Minimum sentences per leaf. Like the number of trees, chosen on held-out subjects, passages and chunks."""


def balance(subjects: Iterable[str]) -> Array:
    """Weights with mean 1 under which a subject with four times the rows has only twice the influence."""
    _, places, counts = np.unique(list(subjects), return_inverse=True, return_counts=True)
    weights = 1.0 / np.sqrt(counts[places])
    return weights / weights.mean()


def fit_logistic(columns: Columns, truth: Array, weights: Array, c: float) -> Linear:
    """A regularized logistic regression over standardized columns."""
    return _fitted(columns, LogisticRegression(C=c, max_iter=500), truth, weights)


def fit_ridge(columns: Columns, truth: Array, weights: Array) -> Linear:
    """A ridge regression over standardized columns."""
    return _fitted(columns, Ridge(alpha=RIDGE), truth, weights)


def _fitted(columns: Columns, model: Any, truth: Array, weights: Array) -> Linear:
    values = stacked(columns, tuple(columns))
    spread = values.std(axis=0)
    mean, scale = values.mean(axis=0), np.where(spread > 1e-6, spread, 1.0)
    model.fit(np.clip((values - mean) / scale, -LIMIT, LIMIT), truth, sample_weight=weights)
    return Linear(tuple(columns), mean, scale, np.ravel(model.coef_), float(np.ravel(model.intercept_)[0]))


def fit_trees(columns: Columns, truth: Array, weights: Array, trees: int) -> dict[str, Any]:
    """Boosted trees, which can model interactions of columns, as the file holds them."""
    values = stacked(columns, tuple(columns))
    boosted = HistGradientBoostingClassifier(
        **BOOSTED, max_iter=trees, min_samples_leaf=LEAST, early_stopping=False, random_state=SEED
    )
    boosted.fit(values, truth, sample_weight=weights)
    grown = [
        [_node(node) for node in one.nodes]
        for (one,) in boosted._predictors  # scikit-learn has no other interface to the trees
    ]
    bias = float(boosted._baseline_prediction.item())
    made = Trees(tuple(columns), grown, bias)
    assert np.allclose(made.probability(columns), boosted.predict_proba(values)[:, 1], atol=1e-4)
    return {"columns": list(columns), "bias": bias, "trees": grown}


def _node(node: Any) -> list[float]:
    value = float(f"{node['value'].item():.6g}")
    if node["is_leaf"]:
        return [LEAF, 0, 0, 0, value]
    threshold = float(f"{node['num_threshold'].item():.6g}")
    return [node["feature_idx"].item(), threshold, node["left"].item(), node["right"].item(), value]


def to_json(model: Linear) -> dict[str, Any]:
    """The bias, and the mean, scale and weight of each column."""
    parts = zip(model.columns, model.mean, model.scale, model.weight, strict=True)
    columns = {column: [float(f"{value:.6g}") for value in values] for column, *values in parts}
    return {"bias": round(model.bias, 6), "columns": columns}
