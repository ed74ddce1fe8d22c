"""Models fitted to named columns: logistic and ridge regressions, boosted trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, Ridge

from trace_core.labeling.local.trees import Trees
from trace_core.labeling.local.weights import LIMIT, Model

Array = NDArray[np.float64]
Columns = Mapping[str, Array]

SEED = 7
RIDGE = 1000.0
"""Regularization strength of the ridge regression."""
TREES = 120
"""The usual number of boosted trees."""
BOOSTED = {"learning_rate": 0.08, "max_leaf_nodes": 15, "max_depth": 6, "l2_regularization": 5.0}
LEAST = 100
"""Minimum sentences per leaf. Like the number of trees, chosen on held-out subjects, passages and chunks."""


def balance(subjects: Iterable[str]) -> Array:
    """Weights with mean 1 under which a subject with four times the rows has only twice the influence."""
    names = np.array(list(subjects))
    unique, places, counts = np.unique(names, return_inverse=True, return_counts=True)
    weights = 1.0 / np.sqrt(counts[places])
    return weights / weights.mean() if len(unique) else weights


def fit_logistic(columns: Columns, truth: Array, weights: Array, c: float) -> Model:
    """A regularized logistic regression over standardized columns."""
    model = standard(columns)
    found = LogisticRegression(C=c, max_iter=500).fit(scaled(model, columns), truth, sample_weight=weights)
    return with_weights(model, found.coef_[0], float(found.intercept_[0]))


def fit_ridge(columns: Columns, truth: Array, weights: Array) -> Model:
    """A ridge regression over standardized columns."""
    model = standard(columns)
    found = Ridge(alpha=RIDGE).fit(scaled(model, columns), truth, sample_weight=weights)
    return with_weights(model, found.coef_, float(found.intercept_))


def fit_trees(columns: Columns, truth: Array, weights: Array, trees: int = TREES) -> Trees:
    """Boosted trees, which can model interactions of columns."""
    values = np.stack([np.asarray(v, dtype=np.float64) for v in columns.values()], axis=-1)
    boosted = HistGradientBoostingClassifier(
        **BOOSTED, max_iter=trees, min_samples_leaf=LEAST, early_stopping=False, random_state=SEED
    )
    boosted.fit(values, truth, sample_weight=weights)
    fields = ("feature_idx", "num_threshold", "left", "right", "value")
    grown = [
        [(-1, 0.0, 0, 0, float(n["value"])) if n["is_leaf"] else tuple(n[f].item() for f in fields) for n in one.nodes]
        for (one,) in boosted._predictors  # scikit-learn has no other interface to the trees
    ]
    made = Trees.of(tuple(columns), grown, float(boosted._baseline_prediction.item()))
    assert np.allclose(made.probability(columns), boosted.predict_proba(values)[:, 1], atol=1e-6)
    return made


def standard(columns: Columns) -> Model:
    """Means and standard deviations of the columns, without weights yet."""
    values = np.stack([np.asarray(v, dtype=np.float64) for v in columns.values()], axis=-1)
    spread = values.std(axis=0)
    return Model(tuple(columns), values.mean(axis=0), np.where(spread > 1e-6, spread, 1.0), np.ones(len(spread)), 0.0)


def scaled(model: Model, columns: Columns) -> Array:
    """Standardized columns, clipped to the limit."""
    return np.clip(model.terms(columns), -LIMIT, LIMIT)


def with_weights(model: Model, weight: Array, bias: float) -> Model:
    """The model with the learned weights."""
    return Model(model.columns, model.mean, model.scale, np.asarray(weight, dtype=np.float64), bias)
