"""The means of many records: each counted beside its interval, nothing missing counted as 0."""

import numpy as np

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


def test_a_failed_generation_is_counted_apart():
    statuses = ("scored", "scored", "undefined", "failed_generation", "pending")
    card = shown([0.5, 1.0, NAN, NAN, NAN], *statuses)["metrics"][0]
    assert card["counts"] == "2 defined, 1 undefined, 0 failed, 1 failed generation"
    assert (card["value"], card["filled"]) == (3 / 4, "95 %: too few (2)")


def test_without_a_defined_value_there_is_no_number_and_no_interval():
    told = shown([NAN] * 4)
    for card in told["metrics"]:
        assert (card["value"], card["shown"], card["filled"]) == (None, "undefined", "")
        assert card["tone"] in ("", "grey")
    assert [one["band"] for one in told["derived"]] == ["", "", ""]


def test_a_target_is_reached_from_its_value_on():
    assert {card["label"]: (card["target"], card["tone"]) for card in shown([0.8] * 4)["metrics"]} == {
        "Context relevance": (None, "grey"), "Context utilization": (0.6, "good"), "Completeness": (0.8, "good"),
        "Adherence": (1.0, "warn"),
    }  # fmt: skip
