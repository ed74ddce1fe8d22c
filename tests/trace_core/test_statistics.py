import math

import numpy as np
import pytest

from trace_core.metrics import combine
from trace_core.statistics import (
    MANY,
    RANDOM_BALANCE,
    bootstrap,
    bootstrap_mean,
    bootstrap_rmse,
    correlation,
    holm,
    paired,
)


def array(*values):
    return np.array([np.nan if v is None else v for v in values], dtype=float)


def test_the_interval_holds_the_mean_and_lies_within_the_values():
    values = array(0, 0.25, 0.5, 0.75, 1)
    low, high = bootstrap_mean(values)
    assert 0 <= low < 0.5 < high <= 1


def test_the_same_values_give_the_same_interval():
    values = np.linspace(0, 1, 30)
    assert bootstrap_mean(values) == bootstrap_mean(values.copy())
    assert bootstrap_mean(values) != bootstrap_mean(values, seed=1)


def test_equal_values_have_an_interval_of_no_width():
    assert bootstrap_mean(array(0.5, 0.5, 0.5)) == (0.5, 0.5)


@pytest.mark.parametrize("values", [[], [0.5]])
def test_fewer_than_two_values_have_no_interval(values):
    assert bootstrap_mean(array(*values)) is None


def test_a_higher_level_gives_a_wider_interval():
    values = np.linspace(0, 1, 30)
    narrow, wide = bootstrap_mean(values, level=0.8), bootstrap_mean(values, level=0.99)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_the_interval_covers_the_true_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(7)
    intervals = [bootstrap_mean(rng.random(40), seed=n) for n in range(200)]
    covered = sum(low <= 0.5 <= high for low, high in intervals) / 200
    assert 0.89 <= covered <= 0.99


def test_the_interval_of_many_values_is_the_one_that_resampling_tends_to():
    values = np.random.default_rng(3).random(4 * MANY) ** 4
    found, resampled = bootstrap_mean(values), bootstrap(lambda drawn: float(drawn.mean()), values)
    assert found == pytest.approx(resampled, abs=0.1 * (resampled[1] - resampled[0]))
    # uniform ** 4 has mean 1/5 and variance 1/9 - 1/25
    half = 1.96 * math.sqrt((1 / 9 - 1 / 25) / (4 * MANY))
    assert found[1] - found[0] == pytest.approx(2 * half, rel=0.05)


def test_a_rare_event_among_many_is_resampled_as_its_interval_is_not_symmetric():
    values = np.repeat([1.0, 0.0], [3, MANY - 3])
    low, high = bootstrap_mean(values)
    assert low == pytest.approx(0, abs=1 / MANY)
    assert high - 3 / MANY > 3 / MANY - low


def test_many_errors_have_the_root_of_their_squares_interval():
    errors = np.random.default_rng(4).random(MANY) - 0.5
    low, high = bootstrap_rmse(errors)
    assert low < math.sqrt((errors**2).mean()) < high
    assert (low**2, high**2) == pytest.approx(bootstrap_mean(errors**2))


def test_correlation_by_hand():
    # deviations -1, 0, 1 and -1, 1, 0: covariance (1 + 0 + 0)/2, spreads 1 and 1
    assert correlation(array(1, 2, 3), array(1, 3, 2)) == pytest.approx((1 / 2, 1 / 2))
    assert correlation(array(0, 1), array(1, 0)) == pytest.approx((-1 / 2, -1))


def test_correlation_leaves_out_pairs_with_an_undefined_side():
    assert correlation(array(1, 2, 3, None, 9), array(1, 3, 2, 9, None)) == pytest.approx((1 / 2, 1 / 2))


@pytest.mark.parametrize(("a", "b"), [([], []), ([1], [1]), ([1, None], [None, 1]), ([1, 2], [1, None])])
def test_fewer_than_two_pairs_have_no_correlation(a, b):
    assert correlation(array(*a), array(*b)) == (None, None)


def test_a_constant_has_a_covariance_of_0_and_no_correlation():
    assert correlation(array(1, 2, 3), array(0.5, 0.5, 0.5)) == (0, None)


def test_a_constant_that_is_no_binary_fraction_has_no_correlation_either():
    assert correlation(np.linspace(0, 1, 7), np.full(7, 0.1))[1] is None


def test_the_reference_for_random_metrics_is_what_simulation_gives():
    four = np.random.default_rng(11).random((4, 200_000))
    assert math.isclose(combine(four)[1].mean(), RANDOM_BALANCE, abs_tol=0.001)


# Paired differences


def test_a_paired_difference_leaves_out_what_is_undefined():
    (found,) = paired(array(1, None, 0, 1)[:, None])
    assert (found.value, found.n) == (2 / 3, 3)


def test_two_falls_of_one_size():
    # of the 4 signs ++, +-, -+, --, two go as far as what was seen, none farther: half of 2/4
    (found,) = paired(array(-1, -1)[:, None])
    assert found.p_value == pytest.approx(1 / 4, abs=0.02)


def test_no_difference_at_all_has_a_p_value_of_1():
    (found,) = paired(np.zeros((5, 1)))
    assert (found.value, found.interval, found.p_value) == (0, (0, 0), 1)


@pytest.mark.parametrize(("values", "value"), [([], None), ([None, None], None), ([0.5], 0.5)])
def test_fewer_than_two_pairs_have_neither_interval_nor_p_value(values, value):
    (found,) = paired(array(*values).reshape(-1, 1))
    assert (found.value, found.interval, found.p_value) == (value, None, None)


def test_each_column_stands_for_itself():
    one, other = array(1, 0, 1, 0), array(None, 1, 1, 1)
    together = paired(np.stack([one, other], axis=1))
    assert together[0].value == paired(one[:, None])[0].value == 1 / 2
    assert (together[1].value, together[1].n) == (1, 3)


def test_holm_by_hand():
    # sorted 0.01·4, 0.02·3, 0.03·2, 0.5·1; each at least the one before
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])


def test_holm_counts_only_what_was_tested_and_stays_at_1():
    assert holm([None, 0.04, 0.9]) == [None, pytest.approx(0.08), 0.9]
    assert holm([0.6, 0.7]) == [1, 1]
