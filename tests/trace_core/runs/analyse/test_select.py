import numpy as np
import pytest
from run_examples import failed, labeled

from trace_core.diagnosis.faults import look
from trace_core.runs.analyse.select import FieldFilter, Filters, select, sort_places, time_order


@pytest.fixture
def run(store):
    """Relevance by `trace` (÷ 20): 0.1, 0.15, 0; by `graded` (÷ 3): 2/3, 1, 0; adherence 0, 1, 0."""
    run = store.create_run("a run", {})
    ann, bob, eve = ({"user": user, "latency": n} for user, n in (("ann", "0.5"), ("bob", 2.5), ("eve", 9)))
    records = [
        labeled("1", fields=ann, generation_model_name="small"),
        labeled("2", fields=bob, relevant=("0a", "0b", "1a"), second=True, question="Why do birds sing?"),
        labeled("3", fields=eve, relevant=()),
        labeled("4", relevant=None),
        failed("5"),
    ]
    store.save_records(run, records)
    return run


def ids(store, run, convention="trace", order="position", **filters):
    scores = store.columns(run).score(convention)
    chosen = select(store, run, scores, Filters(**filters))
    return scores.columns.id[sort_places(scores, np.flatnonzero(chosen), order)].tolist()


@pytest.mark.parametrize(
    ("filters", "shown"),
    [
        ({"statuses": frozenset({"failed", "undefined"})}, ["4", "5"]),
        ({"ranges": {"context_relevance": (0.1, 0.12)}}, ["1"]),
        ({"ranges": {"context_relevance": (0.0, 1.0), "adherence": (1.0, 1.0)}}, ["2"]),
        ({"undefined": ("context_relevance", "the labels lack all_relevant_sentence_keys")}, ["4"]),
        ({}, ["1", "2", "3", "4", "5"]),
        ({"words": "WHY do birds"}, ["2"]),
        ({"row_field": FieldFilter("user", frozenset({"ann", "eve"}))}, ["1", "3"]),
        ({"row_field": FieldFilter("latency", span=(0.5, 2.5))}, ["1", "2"]),
        ({"row_field": FieldFilter("latency")}, ["1", "2", "3"]),
        ({"row_field": FieldFilter("generation_model_name", frozenset({"small"}))}, ["1"]),
        ({"row_field": FieldFilter("latency"), "ranges": {"adherence": (1.0, 1.0)}}, ["2"]),
    ],
)
def test_a_filter_leaves_the_records_that_meet_it(store, run, filters, shown):
    assert ids(store, run, **filters) == shown


def test_rows_are_in_the_order_of_the_field_that_is_a_time_in_each():
    days = {1: "2026-03-02", 2: "2026-03-01", 3: "2026-03-02T12:00"}
    assert time_order({"user": {1: "ann", 2: "bob", 3: "eve"}, "day": days}, [1, 2, 3]) == ("day", [1, 0, 2])
    assert time_order({"day": days}, [1, 4]) is None
    assert time_order({"user": {1: "ann"}, "n": {1: 20260301}}, [1]) is None


def test_ranges_are_those_of_the_convention_that_is_shown(store, run):
    assert ids(store, run, "graded", ranges={"context_relevance": (0.6, 0.7)}) == ["1"]


def test_the_order_is_by_a_score_with_the_undefined_last_or_by_verdict(store, run):
    assert ids(store, run, order="context_relevance") == ["3", "1", "2", "4", "5"]
    assert ids(store, run, order="worst") == ["3", "1", "4", "2", "5"]


def test_the_worst_first_is_by_the_colour_that_is_shown(store, run):
    store.save_records(run, [labeled(f"more{n}", second=True, relevant=r) for n, r in enumerate([None, ("0a",), ()])])
    scores = store.columns(run).score("trace")
    order = sort_places(scores, np.arange(len(scores.columns)), "worst")
    tones = [look(str(scores.verdicts[place]), bool(scores.unsure[place])).tone for place in order]
    assert len(set(tones)) >= 3
    assert tones == sorted(tones, key=["bad", "warn", "unknown", "neutral", "good"].index)
