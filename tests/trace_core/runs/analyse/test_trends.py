from dataclasses import replace

import pytest
from run_examples import labeled
from stored_examples import followed

from trace_core.metrics import METRICS
from trace_core.runs.analyse.trends import Condition, Target, diagnosis, like, plan, point_of
from trace_core.store.store import Store
from trace_core.summary.charts import Estimate

USE_CASE_3 = dict(zip(METRICS, (0.95, 0.50, 0.85, 0.70), strict=True))


def test_a_level_is_the_mean_over_the_records_that_have_it():
    found = followed([(1, i % 2, None, 1) for i in range(8)]).levels
    low, high = found["context_utilization"].interval
    assert 0 < low < found["context_utilization"].mean == 1 / 2 < high < 1
    assert found["completeness"] == Estimate(None)
    assert followed([(1, 1, 1, 0)]).levels["adherence"] == Estimate(0, None, 1)  # too few


def test_runs_are_like_where_questions_convention_and_the_labelers_version_are():
    first = Condition("a", "local", "trace", version="1 abc", name="31 questions")
    others = replace(first, name="another name"), replace(first, version="2 def"), replace(first, labeler="gpt")
    found = [followed([(1, 1, 1, 1)], condition) for condition in (first, *others)]
    assert list(like(found).values()) == [[0, 1], [2], [3]]
    assert first.title == "31 questions, labels: local model"
    assert first.details == "version 1 abc, convention TRACE, count ÷ 20"
    assert Condition("a", "", "mine").title == "a, labels: none"


def test_the_same_questions_are_one_series_whichever_file_and_order_they_came_in(store):
    opened = Store(store.database)
    for name, questions in (("a", ("One?", "Two?")), ("b", (" two?", "one?")), ("c", ("One?", "One?"))):
        store.create_run(name, {"convention": "trace"}, run_id=name)
        store.save_records(name, [labeled(f"{name}{n}", question=q) for n, q in enumerate(questions)])
    a, b, c = (point_of(opened, name, "trace") for name in "abc")
    assert a.condition == b.condition != c.condition
    assert (list(b.ids), list(c.ids)) == (["two?", "one?"], ["one?", "one? #2"])
    assert a.condition.title == "2 questions, labels: local model"


def test_a_run_by_two_versions_of_a_labeler_is_like_neither_of_theirs(store):
    records = [labeled(version) for version in "21"]
    for record in records:
        record.labels = record.labels.model_copy(update={"labeler_version": record.id})
    for name, part in (("both", records), ("2", records[:1]), ("1", records[1:])):
        store.create_run(name, {"convention": "trace"}, run_id=name)
        store.save_records(name, part)
    versions = [point_of(Store(store.database), name, "trace").condition.version for name in ("both", "2", "1")]
    assert versions == ["1, 2", "2", "1"]


def goals(*values):
    return {name: Target(value) for name, value in zip(METRICS, values, strict=True)}


def test_a_target_may_be_missed_from_either_side_and_is_met_by_what_is_shown_as_it():
    (gap,) = plan({"context_relevance": 0.95}, {"context_relevance": Target(0.87, exact=True)}).gaps
    assert gap.missing == pytest.approx(0.08)
    floor = {"context_relevance": Target(0.87), "adherence": None}
    assert [gap.missing for gap in plan({"context_relevance": 0.95}, floor).gaps] == [0]
    shown, below = (plan({"adherence": value}, {"adherence": Target(0.8)}).gaps[0] for value in (0.7996, 0.7994))
    assert shown.missing == 0 < below.missing


def test_use_case_3_of_seed_003():
    target = (0.87, 0.85, 0.85, 0.82)
    found = plan(USE_CASE_3, goals(*target))
    assert found.balance == pytest.approx(0.16956, abs=1e-5)  # the seed says 0.154
    assert found.focus == "context_utilization"
    assert [gap.missing for gap in found.gaps] == pytest.approx([0, 0.35, 0, 0.12])
    # relevance stays at 0.95, where it is already
    assert found.balance_at_target == pytest.approx(0.04918, abs=1e-5)
    itself = plan(dict(zip(METRICS, target, strict=True)), goals(*target))
    assert (itself.balance, itself.focus) == (pytest.approx(0.01785, abs=1e-5), None)  # the seed says 0.019


def test_an_undefined_value_is_neither_met_nor_missed():
    found = plan({"adherence": 0.5}, goals(1, 1, 1, 1))
    assert [gap.missing for gap in found.gaps] == [None, None, None, 0.5]
    assert found.balance is None


def test_use_case_4_of_seed_003():
    def names(*values):
        found = diagnosis(dict(zip(METRICS, values, strict=True)), "graded")
        return {name for f in found for name in f.sources or [f.name]}

    assert names(0.9, 0.45, 0.8, 1) == {"good retrieval, poor generation"}
    assert names(0.6, 0.6, 0.5, 1) == {"conservative", "low completeness"}
    assert names(0.2, 0.8, 0.8, 1) == {"hallucination risk", "retriever noise"}
    assert names(0.8, 0.8, 0.8, 1) == {"healthy"}
