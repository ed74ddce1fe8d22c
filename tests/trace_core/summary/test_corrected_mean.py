import numpy as np
import pytest

from trace_core.summary.corrected_mean import corrected_mean, is_fair

NOBODY = np.nan


def test_the_mean_moves_by_what_people_say_otherwise():
    labeler = np.array([1.0, 1.0, 1.0, 0.0])
    people = np.array([1.0, 0.0, NOBODY, NOBODY])
    found = corrected_mean(labeler, people)
    assert (found.raw, found.value, found.n, found.total) == (3 / 4, 1 / 4, 2, 4)
    assert found.interval is None  # two are too few


def test_without_a_record_that_people_read_there_is_no_corrected_mean():
    assert corrected_mean(np.array([1.0, 0.0]), np.full(2, NOBODY))[:2] == (0.5, None)


def test_undefined_scores_are_left_out():
    assert corrected_mean(np.array([1.0, np.nan]), np.array([0.0, 1.0])) == (1.0, 0.0, None, 1, 1)


def test_what_people_read_whole_is_certain():
    labeler, people = np.ones(20), np.array([0.0] * 5 + [1.0] * 15)
    value, interval = corrected_mean(labeler, people)[1:3]
    assert value == pytest.approx(0.75)
    assert interval == pytest.approx((0.75, 0.75))


def test_the_interval_is_narrower_the_more_people_read():
    labeler = np.ones(400)
    widths = []
    for n in (20, 200):
        people = np.full(400, NOBODY)
        people[:n] = np.arange(n) % 4 > 0
        low, high = corrected_mean(labeler, people).interval
        assert low < 0.75 < high
        widths.append(high - low)
    assert widths[0] > 2 * widths[1]


def test_the_most_doubtful_records_alone_are_no_fair_sample():
    assert not is_fair(range(10), 100)
    assert is_fair(range(0, 100, 10), 100)
    assert is_fair(range(100), 100)
