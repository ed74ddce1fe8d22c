import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metric_examples import CONVENTIONS, labels, sized
from run_examples import support

from trace_core.errors import SettingsError
from trace_core.facts.labels import Labels, Support
from trace_core.facts.records import Sentences
from trace_core.metrics import (
    METRICS,
    Scoring,
    band,
    check_convention,
    columns,
    combine,
    count,
    count_raw,
    score,
    score_columns,
    score_counts,
    score_labels,
)

fewer = settings(max_examples=settings().max_examples // 4)  # whole replies and records take long to draw

DERIVED = ("average", "rmse_aggregation", "consistency_score")
convention = st.sampled_from(CONVENTIONS)


def defined(values):
    return [None if math.isnan(value) else value for value in values]


def listed(keys):
    return st.lists(st.sampled_from([*keys, "9z"]), max_size=len(keys) + 2)


def lists(keys):
    return st.none() | listed(keys)


@st.composite
def labeled(draw):
    """Sentences, and labels that may be absent, partial, repeated or of unknown keys."""
    documents = draw(st.lists(st.integers(0, 6), max_size=4))
    sentences = sized(*documents, response=draw(st.integers(0, 5)))
    document_keys, response_keys = sentences.document_keys(), sentences.response_keys()
    entry = st.builds(
        Support,
        response_sentence_key=st.sampled_from([*response_keys, "zz"]),
        supporting_sentence_keys=listed(document_keys),
        fully_supported=st.booleans(),
    )
    made = Labels(
        all_relevant_sentence_keys=draw(lists(document_keys)),
        all_utilized_sentence_keys=draw(lists(document_keys)),
        sentence_support_information=draw(st.none() | st.lists(entry, max_size=6)),
        unsupported_response_sentence_keys=draw(lists(response_keys)),
        overall_supported=draw(st.none() | st.booleans()),
    )
    return made, sentences


@fewer
@given(labeled(), convention, st.integers(1, 40))
def test_every_score_is_in_0_to_1_or_undefined_with_a_reason(example, convention, divisor):
    scores = score(*example, Scoring(convention, divisor))
    for name in METRICS:
        value = getattr(scores, name)
        assert (value is None) == bool(scores.undefined.get(name))
        assert value is None or 0 <= value <= 1


@fewer
@given(st.lists(labeled(), min_size=1, max_size=6), convention)
def test_many_records_at_once_score_as_record_by_record(examples, convention):
    at_once = score_columns(columns([count(*example) for example in examples]), convention)
    one_by_one = [score_labels(*example, convention) for example in examples]
    for name, column in at_once.items():
        assert defined(column.values) == [getattr(scores, name) for scores in one_by_one]
        assert list(column.reasons) == [scores.undefined.get(name, "") for scores in one_by_one]
    derived = combine(np.array([column.values for column in at_once.values()]))
    for name, values in zip(DERIVED, derived, strict=True):
        assert defined(values) == [getattr(scores, name) for scores in one_by_one]


@fewer
@given(labeled(), convention)
def test_scores_are_strict_json_whose_statuses_add_up_to_the_response_sentences(example, convention):
    shown = json.loads(json.dumps(score(*example, convention).model_dump(), allow_nan=False))
    assert sum(number for name, number in shown.items() if name.endswith("_sentences")) == len(example[1].response)


def test_no_record_gives_empty_columns():
    scored = score_columns(columns([]), "trace")
    assert {name: len(column.values) for name, column in scored.items()} == dict.fromkeys(METRICS, 0)


def test_a_record_without_labels_is_undefined_throughout():
    scores = score(None, sized(4), "graded")
    assert scores.undefined == dict.fromkeys(METRICS, "not labeled")
    assert all(getattr(scores, name) is None for name in (*METRICS, *DERIVED))
    assert scores.convention == "graded"


@pytest.mark.parametrize(
    "call",
    [lambda: check_convention("TRACE"), lambda: score(None, sized(1), "mean"), lambda: score_columns(columns([]), "")],
)
def test_an_unknown_convention_is_an_error_that_names_the_four(call):
    with pytest.raises(SettingsError, match="trace, ragbench, graded, token"):
        call()


@pytest.mark.parametrize("divisor", [0, -1, math.nan])
def test_a_divisor_that_is_not_above_0_is_an_error(divisor):
    with pytest.raises(SettingsError, match="divisor"):
        Scoring("trace", divisor)


def test_scores_as_json_have_the_names_of_the_contract():
    support = ["fully_supported_sentences", "partially_supported_sentences", "unsupported_sentences"]
    names = [*METRICS, *DERIVED, "overall_supported", *support, "convention"]
    assert list(score(labels("0a", "0a"), sized(4)).model_dump()) == names


def test_scores_as_json_tell_what_is_undefined_and_how_many_sentences_are_unlabeled():
    shown = score(labels("0a", "0a", "a+"), sized(4, response=3)).model_dump()
    assert shown["adherence"] is None
    assert shown["undefined"] == {"adherence": "unlabeled"}
    assert shown["unlabeled_sentences"] == 2


ROW = {
    "all_relevant_sentence_keys": ["0a", "0a", "0b.", "7z"],
    "all_utilized_sentence_keys": ["0a", "0c", "0c"],
    "sentence_support_information": [support("a."), support("b", fully=None), support("c", [], fully=False)],
    "unsupported_response_sentence_keys": ["c."],
}


def test_raw_lists_and_support_are_counted_as_they_came():
    raw = count_raw(ROW, sized(8, response=4))
    # Repeated and unknown keys count; the overlap is of sets, divided by the length of the list.
    scores = score_counts(raw, "ragbench")
    assert [getattr(scores, name) for name in METRICS] == [4 / 8, 3 / 8, 1 / 4, 0]
    assert score_counts(raw, "graded").adherence == 1 / 3
    assert (scores.partially_supported_sentences, scores.unsupported_sentences, scores.unlabeled_sentences) == (1, 1, 1)


def test_raw_lists_that_are_absent_are_undefined():
    scores = score_counts(count_raw({}, sized(8, response=1)), "ragbench")
    assert set(scores.undefined) == set(METRICS)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_raw_row_without_a_response_adheres(convention):
    for row in ({}, {"sentence_support_information": []}):
        assert score_counts(count_raw(row, sized(8, response=0)), convention).adherence == 1


# A person's own labels


def mine(**changes):
    """Labels of two document sentences and an answer of two, as a person may write them."""
    given = {"all_relevant_sentence_keys": ["0a"], "all_utilized_sentence_keys": ["0a"]}
    return Labels(**(given | {"sentence_support_information": [support("a"), support("b")]} | changes))


OWN = Sentences.split(["One is so. Two is so."], "It is so. And so.")


def test_labels_whose_keys_are_untidy_are_cleaned_first():
    assert score(mine(all_relevant_sentence_keys=["0A."]), OWN, "graded").context_relevance == 1 / 2


def test_a_sentence_without_a_known_status_stays_so_when_labels_are_cleaned():
    untidy = mine(sentence_support_information=[support("a", fully=None), support("b.")])
    assert score(untidy, OWN).undefined["adherence"] == "unlabeled"


# Balance

SHARE = st.floats(0, 1)


def combined(*four):
    average, rmse, consistency = combine(np.array([[metric] for metric in four], dtype=float))
    return float(average[0]), float(rmse[0]), float(consistency[0])


def test_consistency_is_1_minus_rmse():
    # average 1/2; every deviation 1/2
    assert combined(0, 1, 1, 0) == (1 / 2, 1 / 2, 1 / 2)


@pytest.mark.parametrize("level", [0, 0.25, 1])
def test_four_equal_metrics_are_balanced_whatever_their_level(level):
    assert combined(level, level, level, level) == (level, 0, 1)


@pytest.mark.parametrize("place", range(4))
def test_one_undefined_metric_makes_all_three_undefined(place):
    four = [0.5] * 4
    four[place] = math.nan
    assert all(math.isnan(value) for value in combined(*four))


@given(SHARE, SHARE, SHARE, SHARE)
def test_rmse_lies_between_0_and_a_half(r, t, c, a):
    average, rmse, consistency = combined(r, t, c, a)
    assert 0 <= average <= 1
    assert 0 <= rmse <= 0.5 + 1e-12
    assert 0.5 - 1e-12 <= consistency <= 1


@pytest.mark.parametrize(("name", "low", "high"), [("excellent", 0, 0.1), ("good", 0.1, 0.2), ("acceptable", 0.2, 0.3)])
def test_a_lower_bound_belongs_to_its_band(name, low, high):
    assert band(low).name == band(high - 1e-4).name == name
    assert band(high - 1e-16).name != name  # a root may miss a bound by a hair
    assert band(0.3).name == band(0.5).name == "poor"
