import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_core.metrics import band, combine

SHARE = st.floats(0, 1)


def combined(*four):
    average, rmse, consistency = combine(np.array([[metric] for metric in four], dtype=float))
    return float(average[0]), float(rmse[0]), float(consistency[0])


def test_average_is_the_mean_of_the_four():
    assert combined(0.2, 0.75, 0.75, 0.0)[0] == pytest.approx(17 / 40)


def test_rmse_is_the_population_deviation_from_the_average():
    # average 0.75; deviations 0.20, -0.25, 0.10, -0.05
    assert combined(0.95, 0.5, 0.85, 0.7)[1] == pytest.approx(math.sqrt((0.04 + 0.0625 + 0.01 + 0.0025) / 4))


def test_consistency_is_1_minus_rmse():
    # average 1/2; every deviation 1/2
    assert combined(0, 1, 1, 0) == (1 / 2, 1 / 2, 1 / 2)


@pytest.mark.parametrize("level", [0, 0.25, 1])
def test_four_equal_metrics_are_balanced_whatever_their_level(level):
    assert combined(level, level, level, level) == (level, 0, 1)


@pytest.mark.parametrize("place", range(4))
def test_one_undefined_metric_makes_all_three_undefined(place):
    four = [0.5] * 4
    four[place] = math.nan
    assert all(math.isnan(value) for value in combined(*four))


def test_many_records_are_combined_at_once():
    average, rmse, consistency = combine(np.array([[0, 1], [0, 1], [0, 0], [0, 0]], dtype=float))
    assert average.tolist() == [0, 1 / 2]
    assert rmse.tolist() == [0, 1 / 2]
    assert consistency.tolist() == [1, 1 / 2]


@given(SHARE, SHARE, SHARE, SHARE)
def test_rmse_lies_between_0_and_a_half(r, t, c, a):
    average, rmse, consistency = combined(r, t, c, a)
    assert 0 <= average <= 1
    assert 0 <= rmse <= 0.5 + 1e-12
    assert 0.5 - 1e-12 <= consistency <= 1


@pytest.mark.parametrize(
    ("rmse", "name"),
    [
        (0, "excellent"),
        (0.0999, "excellent"),
        (0.10, "good"),
        (0.1999, "good"),
        (0.20, "acceptable"),
        (0.2999, "acceptable"),
        (0.30, "poor"),
        (0.5, "poor"),
    ],
)
def test_a_lower_bound_belongs_to_its_band(rmse, name):
    assert band(rmse).name == name


def test_a_lower_bound_that_a_root_missed_by_a_hair_still_belongs_to_its_band():
    assert band(0.1 - 1e-16).name == "good"
    assert band(math.sqrt(0.09) - 1e-16).name == "poor"
