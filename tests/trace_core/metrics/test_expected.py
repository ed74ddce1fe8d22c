"""Expected scores: arithmetic over a labeler's probabilities."""

import pytest

from trace_core.facts.labels import Expected, Probabilities
from trace_core.facts.records import Sentences
from trace_core.metrics.expected import expected_scores, sums

SENTENCES = Sentences.split(["The bridge is red. It opened in 1890."], "It is red. It is old.")
RELEVANT, UTILIZED, UNSUPPORTED = {"0a": 0.9, "0b": 0.1}, {"0a": 0.8, "0b": 0.4}, {"a": 0.05, "b": 0.7}


def expected(sentences=SENTENCES, relevant=RELEVANT, utilized=UTILIZED, unsupported=UNSUPPORTED) -> Expected:
    probabilities = Probabilities(relevant=relevant, utilized=utilized, unsupported=unsupported)
    return expected_scores(sums(probabilities, sentences))


def test_two_scores_are_means_and_completeness_is_a_share_of_what_is_relevant():
    scores = expected()
    assert (scores.context_relevance, scores.context_utilization) == (0.5, pytest.approx(0.6))
    assert scores.completeness == pytest.approx((0.9 * 0.8 + 0.1 * 0.4) / (0.9 + 0.1))


def test_a_score_may_follow_a_line_over_the_sums():
    values = {"relevant": 0.5, "share": 0.76, "doubt": 0.7}
    scores = expected_scores(values, {"completeness": lambda v: 0.5 + 0.25 * v["share"], "context_utilization": max})
    assert scores == Expected(context_relevance=0.5, completeness=0.69, adherence=0.3)


def test_adherence_is_as_good_as_the_most_doubtful_sentence():
    assert expected().adherence == pytest.approx(0.3)


def test_nothing_relevant_leaves_nothing_out():
    assert expected(relevant={"0a": 0.0, "0b": 0.0}).completeness == 1


def test_a_score_that_lacks_one_probability_is_unknown_and_the_others_are_not():
    assert expected(unsupported={"a": 0.1}) == expected().model_copy(update={"adherence": None})
    unknown = expected(relevant={"0a": 0.9})
    assert (unknown.context_relevance, unknown.completeness) == (None, None)
    assert unknown.context_utilization == pytest.approx(0.6)


def test_without_sentences_there_is_no_score():
    assert expected(Sentences([], []), {}, {}, {}) == Expected()
