"""Whatever columns say of a run is what its records say one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_examples import failed, labeled, run_file, with_truth

from trace_core.datasets import Item
from trace_core.diagnosis.rescoring import rescore
from trace_core.diagnosis.verdict import examine
from trace_core.metrics import CONVENTIONS, METRICS, Scoring
from trace_core.runs.files.row_records import scores_record
from trace_core.summary.aggregation import count_columns, summary_of, truth_values
from trace_core.summary.columns import columns_of

LISTED = st.lists(st.sampled_from(["0a", "0b", "1a"]), unique=True)
KEYS = st.none() | LISTED
SCORED = ("average", "rmse_aggregation", "consistency_score", *METRICS)


def flat(value, path=""):
    """A summary as path → number or text, so that floats compare with a tolerance."""
    if isinstance(value, dict):
        return {k: v for name, item in value.items() for k, v in flat(item, f"{path}/{name}").items()}
    if isinstance(value, list | tuple):
        return {k: v for i, item in enumerate(value) for k, v in flat(item, f"{path}/{i}").items()}
    return {path: value}


@st.composite
def records(draw):
    made = []
    for n in range(draw(st.integers(1, 8))):
        kind = draw(st.sampled_from(["labeled", "truth", "failed"]))
        record = labeled(str(n), relevant=draw(KEYS), utilized=draw(LISTED), second=draw(st.booleans()))
        record = failed(str(n)) if kind == "failed" else record
        if kind == "truth":
            record = with_truth(record, all_relevant_sentence_keys=draw(KEYS), all_utilized_sentence_keys=draw(KEYS))
        made.append(record)
    return made


@settings(max_examples=30, deadline=None)
@given(records(), st.sampled_from(sorted(CONVENTIONS)), st.integers(1, 40))
def test_scores_as_they_are_stored_give_the_summary_of_scores_counted_anew(made, convention, divisor):
    rescored = [rescore(record, Scoring(convention, divisor)) for record in made]
    expected = run_file(rescored, "x", convention=convention, labeler="local", settings={"relevance_divisor": divisor})
    columns = columns_of(made)
    scores = columns.score(Scoring(convention, divisor))
    assert flat(summary_of(scores)) == pytest.approx(flat(expected["summary"]), nan_ok=False)
    assert count_columns(scores) == expected["counts"]


def test_stored_scores_that_the_labels_do_not_give_are_kept_where_that_is_asked_for():
    record = labeled("1")
    record.scores.adherence, record.scores.completeness = 1.0, None  # made of uncleaned labels
    stored = columns_of([record]).score(stored_scores=True)
    assert [stored.values[name][0] for name in ("adherence", "context_relevance")] == [1, 2 / 20]
    assert (stored.status[0], stored.reasons["completeness"][0]) == ("undefined", "undefined")
    assert columns_of([record]).score().values["adherence"].tolist() == [0]


@settings(max_examples=30, deadline=None)
@given(records(), st.sampled_from(sorted(CONVENTIONS)))
def test_scores_reasons_and_findings_from_columns_are_those_of_each_record(made, convention):
    columns = columns_of(made)
    scores = columns.score(convention)
    fired = scores.findings
    for i, record in enumerate(made):
        one = rescore(record, convention).scores
        alone = {n: float("nan") if getattr(one, n) is None else getattr(one, n) for n in SCORED}
        assert {n: scores.values[n][i] for n in SCORED} == pytest.approx(alone, nan_ok=True)
        assert {n: scores.reasons[n][i] for n in METRICS if scores.reasons[n][i]} == one.undefined
        if record.error is None:
            assert {rule for rule, mask in fired.items() if mask[i]} == {f.name for f in examine(record, one).findings}


def test_scores_that_came_without_labels_stand_under_their_own_convention_alone():
    item = Item(metrics={"context_relevance": 0.25, "context_utilization": 0.5, "completeness": 1.0})
    columns = columns_of([scores_record(item, "1", "ragbench"), labeled("2")])
    own, other = columns.score("ragbench"), columns.score("trace")
    assert own.values["context_relevance"].tolist() == [0.25, 2 / 3]
    assert [own.reasons["adherence"][0], other.reasons["context_relevance"][0]] == ["not labeled", "not labeled"]
    assert other.status.tolist() == ["undefined", "scored"]


def test_true_values_are_counted_from_the_true_labels_under_any_convention():
    columns = columns_of([with_truth(labeled("1"), all_relevant_sentence_keys=["0a", "0b", "1a"]), labeled("2")])
    for convention, relevance in (("trace", 3 / 20), ("ragbench", 3 / 3)):
        found = truth_values(columns, convention)["context_relevance"]
        assert found[0] == pytest.approx(relevance)
        assert np.isnan(found[1])


def test_truth_under_another_convention_is_refused():
    record = with_truth(labeled("1"))
    record.ground_truth.labels = None
    columns = columns_of([record])
    refused = summary_of(columns.score("trace"))["ground_truth"]["refused"]
    assert refused == "The ground truth scores are under 'ragbench', not 'trace'."


def test_a_value_that_all_records_share_is_kept_once():
    columns = columns_of([labeled(str(n)) for n in range(100)])
    assert columns.labeler.base.size == 1
    assert columns.labeler.tolist() == ["local"] * 100
