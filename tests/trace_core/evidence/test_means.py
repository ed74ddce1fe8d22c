"""The means of many records: each counted beside its interval, nothing missing counted as 0."""

import numpy as np
import pytest

from trace_core.evidence import means
from trace_core.metrics import DERIVED, METRICS

NAN = float("nan")


def shown(values, *status):
    every = {name: np.array(values) for name in (*METRICS, *DERIVED)}
    return means(every, np.array(status or ["undefined"] * len(values), dtype=object))


def test_a_card_holds_the_mean_of_what_is_defined_and_counts_the_rest():
    card = shown([0.5, 1.0, NAN, NAN], "scored", "scored", "undefined", "failed")["metrics"][0]
    assert card["value"] == 3 / 4
    assert card["shown"] == "0.750"
    assert card["counts"] == "2 defined, 1 undefined, 1 failed"


def test_what_is_not_labeled_yet_is_not_undefined():
    card = shown([0.5, 1.0, NAN, NAN], "scored", "scored", "pending", "pending")["metrics"][0]
    assert card["counts"] == "2 defined, 0 undefined, 0 failed"


def test_a_failed_generation_is_counted_apart():
    card = shown([0.5, 1.0, NAN, NAN], "scored", "scored", "undefined", "failed_generation")["metrics"][0]
    assert card["value"] == 3 / 4
    assert card["counts"] == "2 defined, 1 undefined, 0 failed, 1 failed generation"


def test_without_a_defined_value_there_is_no_number_and_no_interval():
    told = shown([NAN] * 4)
    for card in told["metrics"]:
        assert (card["value"], card["shown"], card["filled"]) == (None, "undefined", "")
        assert card["tone"] in ("", "grey")
    assert [one["band"] for one in told["derived"]] == ["", "", ""]


def test_too_few_for_an_interval_are_called_that():
    assert shown([0.25] * 4)["metrics"][0]["filled"] == "95 %: too few (4)"


def test_eight_of_eight_may_be_less_than_all():
    assert shown([1.0] * 8)["metrics"][0]["filled"] == "95 %: 0.631 … 1.000"


def test_a_target_is_reached_from_its_value_on():
    tones = {card["label"]: card["tone"] for card in shown([0.8] * 4)["metrics"]}
    assert tones == {
        "Context relevance": "grey", "Context utilization": "good", "Completeness": "good", "Adherence": "warn"
    }  # fmt: skip


def test_a_count_to_twenty_has_no_target():
    assert {card["label"]: card["target"] for card in shown([0.05] * 4)["metrics"]} == {
        "Context relevance": None, "Context utilization": 0.6, "Completeness": 0.8, "Adherence": 1.0
    }  # fmt: skip


@pytest.mark.parametrize(("balance", "word"), [(0.05, "perfectly balanced"), (0.4, "high inconsistency")])
def test_only_the_balance_has_a_band(balance, word):
    assert [one["band"] for one in shown([balance] * 4)["derived"]] == ["", word, ""]


def test_large_numbers_of_records_can_be_read():
    counts = shown([0.5] * 12_345)["metrics"][0]["counts"]
    assert counts == "12,345 defined, 0 undefined, 0 failed"
