"""What the other fields of a run's rows can be filtered by."""

import numpy as np
import pytest

from trace_core.runs.analyse.select import MOST_VALUES, Facet, FieldFilter, facets, group_means, having


def offered(*values, records=None):
    found = {place: value for place, value in enumerate(values, start=1) if value is not None}
    return facets({"field": found}, records or len(values)).get("field")


@pytest.mark.parametrize(
    ("values", "offer"),
    [
        (("bob", "ann", "ann"), Facet({"ann": 2, "bob": 1})),
        ((1.5, 0.2, 3), Facet(span=(0.2, 3.0))),
        ((10, 2, 10, 10, 2), Facet({"2": 2, "10": 3})),
        (("beta", None), Facet({"beta": 1})),
        ((["beta", "fees"], ["beta"], None), Facet({"beta": 2, "fees": 1})),
        (("same", "same"), None),
        ([f"id {n}" for n in range(MOST_VALUES + 1)], None),
        (("short", "long " * 50), None),
    ],
    ids=["texts", "numbers", "few numbers", "one that some lack", "lists", "one text", "ids", "long texts"],
)
def test_a_field_offers_its_values_or_their_range_where_that_helps(values, offer):
    assert offered(*values) == offer


def test_a_list_is_chosen_by_each_of_its_items():
    assert having({"tags": {1: ["beta", "fees"], 2: ["beta"]}}, FieldFilter("tags", frozenset({"fees"}))) == [1]


def test_records_are_grouped_by_their_value_the_largest_group_first():
    scores = {"adherence": np.array([1.0, 0.0, np.nan, 1.0])}
    means = group_means({1: "bob", 2: "ann", 4: "ann"}, np.array([1, 2, 3, 4]), scores)
    assert {value: of["adherence"][0] for value, of in means.items()} == {"ann": 1 / 2, "bob": 1}
    assert list(means) == ["ann", "bob"]
