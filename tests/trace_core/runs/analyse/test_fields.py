"""What the other fields of a run's rows can be filtered by."""

import numpy as np
import pytest

from trace_core.runs.analyse.select import MOST_VALUES, Choices, FieldFilter, choices, group_means, having, time_fields


def offered(*values, records=None):
    found = {place: value for place, value in enumerate(values, start=1) if value is not None}
    return choices({"field": found}, records or len(values)).get("field")


def test_a_text_is_chosen_from_its_values_the_most_frequent_first():
    assert offered("bob", "ann", "ann") == Choices({"ann": 2, "bob": 1})


def test_numbers_have_a_range():
    assert offered(1.5, 0.2, 3) == Choices(span=(0.2, 3.0))


def test_few_numbers_that_repeat_are_chosen_from_in_their_order():
    assert offered(10, 2, 10, 10, 2) == Choices({"2": 2, "10": 3})


def test_a_single_value_is_offered_where_some_rows_lack_it():
    assert offered("beta", None) == Choices({"beta": 1})


def test_a_list_is_chosen_from_by_each_of_its_items():
    assert offered(["beta", "fees"], ["beta"], None) == Choices({"beta": 2, "fees": 1})
    assert having({"tags": {1: ["beta", "fees"], 2: ["beta"]}}, FieldFilter("tags", frozenset({"fees"}))) == [1]


@pytest.mark.parametrize(
    "values",
    [("same", "same"), (7, 7), [f"id {n}" for n in range(MOST_VALUES + 1)], ("short", "long " * 50)],
    ids=["one text", "one number", "ids", "long texts"],
)
def test_a_field_that_helps_nobody_is_not_offered(values):
    assert offered(*values) is None


def test_records_are_grouped_by_their_value_the_largest_group_first():
    scores = {"adherence": np.array([1.0, 0.0, np.nan, 1.0])}
    means = group_means({1: "bob", 2: "ann", 4: "ann"}, np.array([1, 2, 3, 4]), scores)
    assert {value: of["adherence"][0] for value, of in means.items()} == {"ann": 1 / 2, "bob": 1}
    assert list(means) == ["ann", "bob"]


def test_a_field_of_iso_dates_is_a_time():
    fields = {"at": {1: "2026-01-02T10:00:00Z", 2: "2026-01-01"}, "no": {1: "2026-01-02", 2: "soon"}, "n": {1: 3, 2: 4}}
    assert time_fields(fields) == ["at"]
