"""The decisions: what they compute, what is chosen from probabilities, and the file that ships."""

import numpy as np
import pytest

from trace_core.labeling.local.decision import EXPECTED, FILE, WORDS, Decision, best_set, packaged_decisions


def test_a_decision_standardizes_its_columns_and_clips_them():
    one = Decision(("a",), np.array([2.0]), np.array([4.0]), np.array([3.0]), 1.0)
    assert one.probability({"a": [2.0, 6.0, 1000.0], "b": [0, 0, 0]}).tolist() == [
        pytest.approx(1 / (1 + np.exp(-v))) for v in (1.0, 4.0, 16.0)
    ]


@pytest.mark.parametrize(
    ("p", "places"),
    [
        ([0.9, 0.1, 0.05], [0]),
        ([0.1, 0.8, 0.7, 0.6], [1, 2, 3]),  # a broad question: 2.1 / (3 + 1.5 · 2.2) is most
        ([0.5, 0.45, 0.45], [0, 1, 2]),
        ([0.3, 0.3, 0.3], []),  # even the best is improbable
        ([], []),
    ],
)
def test_the_set_with_the_greatest_expected_f_is_chosen(p, places):
    assert best_set(np.array(p), least=0.35) == places


def test_the_file_that_ships_has_every_decision_and_that_of_words_alone():
    names = ("unsupported", "relevant", "supports")
    lines = (f"{EXPECTED}{name}" for name in ("context_utilization", "completeness", "adherence"))
    assert packaged_decisions().keys() == {*names, *lines, *(f"{WORDS}{name}" for name in names)}
    assert FILE.stat().st_size < 10_000
