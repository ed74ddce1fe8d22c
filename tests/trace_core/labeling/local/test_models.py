"""The trained models: what they compute, and that the file that ships fits the columns."""

import json

import numpy as np
import pytest

from trace_core.facts.words import is_negation, number_word
from trace_core.labeling.local.columns import question_kind
from trace_core.labeling.local.models import FILE, Models, logistic, logit, shipped
from trace_core.labeling.local.texts import analyse

TREE = [[0, 0.5, 1, 2, 0], [-1, 0, 0, 0, -1.0], [1, 2.0, 3, 4, 0], [-1, 0, 0, 0, 1.0], [-1, 0, 0, 0, 3.0]]
SMALL = {
    "thresholds": {},
    "models": {
        "linear": {"bias": 1.0, "columns": {"a": [2.0, 4.0, 3.0]}},
        "trees": {"columns": ["a", "b"], "bias": 0.5, "trees": [TREE, [[-1, 0, 0, 0, 0.25]]]},
    },
}


def test_a_linear_model_standardizes_and_clips():
    linear = Models.from_json(json.dumps(SMALL)).linear["linear"]
    assert linear.sum({"a": np.array([2.0, 6.0, 1000.0])}).tolist() == [1.0, 4.0, 16.0]


def test_trees_add_the_leaf_of_each():
    trees = Models.from_json(json.dumps(SMALL)).trees["trees"]
    p = trees.probability({"a": [0.5, 1.0, 1.0], "b": [9.0, 2.0, 2.1]})
    assert p == pytest.approx(logistic(np.array([-1.0, 1.0, 3.0]) + 0.75))


def test_log_odds_and_back():
    assert logistic(logit(np.array([0.2, 0.9]))) == pytest.approx([0.2, 0.9])


def test_the_file_that_ships_is_small_and_whole():
    assert FILE.stat().st_size < 350_000
    assert {*shipped().linear, *shipped().trees} == {
        *("relevant", "utilized", "unsupported", "judged", "supports"),
        *("context_relevance", "context_utilization", "completeness", "hallucination"),
    }


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How many litres does it hold?", {"amount"}),
        ("How do I clean it?", {"way"}),
        ("When does it open, and where?", {"time", "place"}),
        ("What time is it?", {"time", "thing"}),
        ("Is it open?", {"yes or no"}),
        ("", set()),
    ],
)
def test_what_a_question_asks_for(question, kinds):
    asks = question_kind(analyse(question))
    assert {name.removeprefix("asks ") for name, does in asks.items() if name.startswith("asks ") and does} == kinds


def test_words_and_numbers():
    assert [number_word(w) for w in ("two", "twelve", "one", "dozen")] == ["2", "12", None, None]
    assert [is_negation(w) for w in ("not", "can't", "cannot", "knot")] == [True, True, True, False]
