"""Boosted trees by hand: each says one leaf's value, and their sum is log-odds."""

import numpy as np
import pytest

from trace_core.labeling.local.trees import Trees
from trace_core.labeling.local.weights import Model, Weights

# Words ≤ 3 → -1; more words and cos ≤ 0.5 → 2; else 0.5. And a second tree: cos ≤ 0.9 → 0.25, else -0.25.
TWO = Trees.of(
    ("words", "cos"),
    [
        [(0, 3.0, 1, 2, 0.0), (-1, 0.0, 0, 0, -1.0), (1, 0.5, 3, 4, 0.0), (-1, 0.0, 0, 0, 2.0), (-1, 0.0, 0, 0, 0.5)],
        [(1, 0.9, 1, 2, 0.0), (-1, 0.0, 0, 0, 0.25), (-1, 0.0, 0, 0, -0.25)],
    ],
    bias=-0.5,
)


@pytest.mark.parametrize(
    ("words", "cos", "total"),
    [
        pytest.param(3, 0.2, -0.5 - 1 + 0.25, id="at a threshold it goes left"),
        pytest.param(4, 0.5, -0.5 + 2 + 0.25, id="two steps down"),
        pytest.param(4, 0.6, -0.5 + 0.5 + 0.25, id="the other side of the second split"),
        pytest.param(3, 0.95, -0.5 - 1 - 0.25, id="each tree for itself"),
    ],
)
def test_the_sum_is_the_bias_and_one_leaf_a_tree(words, cos, total):
    assert TWO.sum({"words": [words], "cos": [cos]}).tolist() == [total]


def test_many_are_told_at_once_and_columns_go_by_name():
    columns = {"cos": np.array([0.2, 0.6, 0.95]), "more": np.zeros(3), "words": np.array([3, 4, 3])}
    assert TWO.sum(columns).tolist() == [-1.25, 0.25, -1.75]


def test_a_probability_is_the_logistic_of_the_sum():
    assert TWO.probability({"words": [4], "cos": [0.6]}).tolist() == [pytest.approx(1 / (1 + np.exp(-0.25)))]


def test_nothing_in_nothing_out():
    assert TWO.probability({"words": [], "cos": []}).shape == (0,)


def test_the_file_holds_trees_beside_linear_models():
    line = Model(("cos",), np.array([0.5]), np.array([0.1]), np.array([2.0]), -1.0)
    read = Weights.from_json(Weights({"relevant": TWO, "line": line}, {"relevant": 0.5}).to_json())
    columns = {"words": [3, 4, 4], "cos": [0.2, 0.5, 0.95]}
    assert read.models["relevant"].sum(columns).tolist() == TWO.sum(columns).tolist()
    assert read.models["line"].sum(columns).tolist() == line.sum(columns).tolist()
    assert read.thresholds == {"relevant": 0.5}
