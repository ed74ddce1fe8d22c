import math

import numpy as np
import pytest
from metric_examples import column

from trace_core.metrics import combine
from trace_core.summary.statistics import RANDOM_BALANCE, correlation, holm


def test_correlation_by_hand():
    # deviations -1, 0, 1 and -1, 1, 0: covariance (1 + 0 + 0)/2, spreads 1 and 1
    assert correlation(column(1, 2, 3), column(1, 3, 2)) == pytest.approx((1 / 2, 1 / 2))
    assert correlation(column(0, 1), column(1, 0)) == pytest.approx((-1 / 2, -1))


def test_correlation_leaves_out_pairs_with_an_undefined_side():
    assert correlation(column(1, 2, 3, None, 9), column(1, 3, 2, 9, None)) == pytest.approx((1 / 2, 1 / 2))


@pytest.mark.parametrize(("a", "b"), [([], []), ([1], [1]), ([1, None], [None, 1]), ([1, 2], [1, None])])
def test_fewer_than_two_pairs_have_no_correlation(a, b):
    assert correlation(column(*a), column(*b)) == (None, None)


def test_a_constant_that_is_no_binary_fraction_has_no_correlation_either():
    assert correlation(np.linspace(0, 1, 7), np.full(7, 0.1))[1] is None


def test_the_reference_for_random_metrics_is_what_simulation_gives():
    four = np.random.default_rng(11).random((4, 200_000))
    assert math.isclose(combine(four)[1].mean(), RANDOM_BALANCE, abs_tol=0.001)


def test_holm_by_hand():
    # sorted 0.01·4, 0.02·3, 0.03·2, 0.5·1; each at least the one before
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])


def test_holm_counts_only_what_was_tested_and_stays_at_1():
    assert holm([None, 0.04, 0.9]) == [None, pytest.approx(0.08), 0.9]
    assert holm([0.6, 0.7]) == [1, 1]
