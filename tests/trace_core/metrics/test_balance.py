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


@given(SHARE, SHARE, SHARE, SHARE)
def test_rmse_lies_between_0_and_a_half(r, t, c, a):
    average, rmse, consistency = combined(r, t, c, a)
    assert 0 <= average <= 1
    assert 0 <= rmse <= 0.5 + 1e-12
    assert 0.5 - 1e-12 <= consistency <= 1


@pytest.mark.parametrize(("name", "low", "high"), [("excellent", 0, 0.1), ("good", 0.1, 0.2), ("acceptable", 0.2, 0.3)])
def test_a_lower_bound_belongs_to_its_band(name, low, high):
    assert band(low).name == band(high - 1e-4).name == name
    assert band(high - 1e-16).name != name  # a root may miss a bound by a hair
    assert band(0.3).name == band(0.5).name == "poor"
