import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metric_examples import column

from trace_core.summary.intervals import (
    FEWEST,
    auroc_interval,
    bias_interval,
    mean_interval,
    paired_means,
    rmse_interval,
    spread,
)

SCORES = st.lists(st.integers(0, 20).map(lambda n: n / 20), min_size=FEWEST, max_size=40)


# Shares of 0 and 1


SHARES = [(8, 8, (0.6306, 1)), (0, 8, (0, 0.3694)), (9, 10, (0.5550, 0.9975)), (50, 100, (0.3983, 0.6017))]


@pytest.mark.parametrize(("hits", "n", "ends"), [*SHARES, (1, 2000, (0, 0.0028))])
def test_a_share_has_the_interval_of_clopper_and_pearson(hits, n, ends):
    assert mean_interval(np.repeat([1.0, 0.0], [hits, n - hits])) == pytest.approx(ends, abs=0.01)


@pytest.mark.parametrize("n", [8, 20, 100])
def test_at_every_share_the_interval_holds_it_in_95_of_100_samples(n):
    found = [mean_interval(np.repeat([1.0, 0.0], [hits, n - hits])) for hits in range(n + 1)]
    for share in np.linspace(0.005, 0.995, 199):
        chances = [math.comb(n, hits) * share**hits * (1 - share) ** (n - hits) for hits in range(n + 1)]
        held = sum(c for c, (low, high) in zip(chances, found, strict=True) if low <= share <= high)
        assert held >= 0.945  # drawn, not counted


# Means


@pytest.mark.parametrize("n", [0, FEWEST - 1])
def test_fewer_than_eight_values_are_too_few(n):
    values = np.full(n, 0.5)
    assert (mean_interval(values), rmse_interval(values), bias_interval(values)) == (None, None, None)
    assert spread(None, n) == f"too few ({n})"


@given(SCORES)
@settings(max_examples=30)
def test_the_interval_holds_the_mean_lies_within_the_scale_and_has_a_width(values):
    low, high = mean_interval(column(*values))
    assert 0 <= low <= np.mean(values) <= high <= 1
    assert high > low


# AUROC


def detector(positives, negatives, apart, seed=0):
    rng = np.random.default_rng(seed)
    positive = np.repeat([1.0, 0.0], [positives, negatives])
    return positive, rng.normal(positive * apart, 1)


@pytest.mark.parametrize(("positives", "negatives"), [(1, 400), (9, 50), (50, 9), (0, 50)])
def test_fewer_than_ten_of_a_class_have_no_interval(positives, negatives):
    assert auroc_interval(*detector(positives, negatives, 1)) is None


def test_the_area_of_a_perfect_detector_may_be_less_than_1():
    positive = np.repeat([1.0, 0.0], [12, 40])
    low, high = auroc_interval(positive, positive)
    assert (low, high) == pytest.approx((0.025 ** (1 / 12), 1))
    assert auroc_interval(positive, -positive) == pytest.approx((0, 1 - 0.025 ** (1 / 12)))


# Paired differences


@pytest.mark.parametrize(("values", "value"), [([], None), ([None, None], None), ([0.5] * 7, 0.5)])
def test_fewer_than_eight_pairs_have_neither_interval_nor_p_value(values, value):
    (found,) = paired_means(column(*values).reshape(-1, 1))
    assert (found.value, found.interval, found.p_value) == (value, None, None)


@pytest.mark.parametrize("n", [8, 100, 1000])
def test_a_rise_of_all_pairs_is_certain_if_an_outweighing_fall_would_show(n):
    # the fall by 1 in a share of s outweighs a rise by s ÷ (1 − s), and escapes n pairs with (1 − s)ⁿ
    for chance, certain in ((0.035, False), (0.015, True)):
        share = 1 - chance ** (1 / n)
        assert (paired_means(np.full((n, 1), share / (1 - share)))[0].p_value < 0.05) == certain


@pytest.mark.parametrize("n", [8, 400])
@pytest.mark.parametrize(("rise", "fall", "share"), [(0.02, 1, 0.02), (0.1, 0.95, 0.05)])
def test_rises_that_a_rare_fall_outweighs_are_seldom_certain(n, rise, fall, share):
    rng, repeats, held, wrong = np.random.default_rng((1, n)), 200, 0, 0
    true = (1 - share) * rise * (0.5 if fall < 1 else 1) - share * fall
    for _ in range(repeats):
        rises = rng.uniform(0, rise, n) if fall < 1 else np.full(n, rise)
        (found,) = paired_means(np.where(rng.random(n) < share, -fall, rises)[:, None])
        held += found.interval[0] <= true + 1e-9 and true - 1e-9 <= found.interval[1]
        wrong += found.p_value < 0.05 and found.value > 0
    assert held >= 0.92 * repeats  # at 95 %: below this in 1 of 40 by chance
    assert wrong <= 0.055 * repeats


def test_many_unequal_values_keep_their_mean_beside_a_few_far_from_it():
    # 9,997 values within 0.004 of one another, each a little different: steps of 2 ÷ 250 would take them all for 0
    values = np.concatenate([0.001 + 0.0004 * np.random.default_rng(1).exponential(size=9997), np.full(3, -0.5)])
    (found,) = paired_means(values[:, None])
    assert found.interval[0] < values.mean() < found.interval[1]


@given(st.lists(st.integers(-4, 4).map(lambda n: n / 4), min_size=FEWEST, max_size=60))
@settings(max_examples=60)
def test_p_is_below_5_percent_exactly_where_the_interval_leaves_0_out(values):
    (found,) = paired_means(column(*values)[:, None])
    low, high = found.interval
    assert (found.p_value < 0.05) == (not low <= 0 <= high)
