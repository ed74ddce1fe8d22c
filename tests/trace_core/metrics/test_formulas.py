"""The four metrics under every convention, by fractions that are counted by hand, and why one is undefined."""

import pytest
from metric_examples import CONVENTIONS, keyed, labels, sized

from trace_core.metrics import Scoring, score

R, T, C, A = "context_relevance", "context_utilization", "completeness", "adherence"
ALL, SHARES, COUNTS = CONVENTIONS, ("ragbench", "graded", "token"), ("ragbench", "graded")
STRICT = ("trace", "token")
TWELVE = "0a 0b 0c 0d 0e 0f 0g 0h 0i 0j 0k 0l"
TEXTS = keyed([["One, two: three!", "four"], ["five six"]], ["r"])
UNICODE = keyed([["Übergrößenträger naïve_x", "don't — 3.5%"]], ["r"])  # 2 against don, t, 3, 5
VALUES = [
    # relevance: |R| ÷ 20, at most 1, or the share of sentences or tokens
    (R, ["trace"], labels(TWELVE), sized(30), 12 / 20),
    (R, ["trace"], labels("0a 0b"), sized(2), 2 / 20),
    (R, ["trace"], labels("0a 0b"), sized(20, 30), 2 / 20),
    (R, ["trace"], labels(" ".join(f"{i}a" for i in range(21))), sized(*[1] * 21), 1),
    (R, COUNTS, labels("0a 1b"), sized(3, 4), 2 / 7),
    (R, ["token"], labels("0a 1a"), TEXTS, 5 / 6),
    (R, ["token"], labels("0a"), UNICODE, 2 / 6),
    (R, ALL, labels(""), sized(3), 0),
    (R, ALL, labels("0a", None, None), sized(20), 1 / 20),  # needs no other list
    (R, ALL, labels("0a 0a 7z"), sized(20), 1 / 20),  # repeats and unknown keys do not count
    # utilization
    (T, ["trace"], labels("0a 0b 0c 0d", "0a 0b 0c"), sized(6), 3 / 4),
    (T, ["trace"], labels("0a 0b 0c", "0d 0e"), sized(6), 2 / 3),  # also sentences that are not relevant
    (T, ["trace"], labels("0a", "0a 0b 0c"), sized(6), 1),
    (T, ["trace"], labels("", ""), sized(6), 0),
    (T, ["trace"], labels("", "0a"), sized(6), 0),
    (T, COUNTS, labels("0a", "0a 0b 1a"), sized(3, 4), 3 / 7),
    (T, ["token"], labels("0b", "0a 0b"), TEXTS, 4 / 6),
    (T, ALL, labels("0a", ""), sized(6), 0),
    (T, SHARES, labels(None, "0a"), sized(6), 1 / 6),
    (T, ALL, labels("0a 0b 0c 0d", "0a 0a 7z"), sized(4), 1 / 4),
    # completeness
    (C, ALL, labels("0a 0b 1a 1c 2a 2b 3a", "0a 0b 1c 2a"), sized(3, 3, 3, 3), 4 / 7),
    (C, ALL, labels("0a 0b 1a", "0a 1a 1b"), sized(3, 3), 2 / 3),
    (C, ALL, labels("0a", "0b"), sized(3), 0),
    (C, ALL, labels("", ""), sized(3), 1),
    (C, ["trace", "graded", "token"], labels("", "0a"), sized(3), 0),
    (C, ["ragbench"], labels("", "0a"), sized(3), 1),
    (C, ["token"], labels("0a 0b 1a", "0a 1a"), TEXTS, 5 / 6),
    (C, ALL, labels("", ""), sized(), 1),  # defined with nothing retrieved
    (C, ALL, labels("0a 0a 0b 7z", "0a 0a 7z"), sized(3), 1 / 2),
    # adherence
    (A, ALL, labels(support="a+ b+ c+"), sized(2, response=3), 1),
    (A, STRICT, labels(support="a+ b+ c-"), sized(2, response=3), 0),
    (A, STRICT, labels(support="a+ b+ c-0a"), sized(2, response=3), 0),
    (A, ["ragbench"], labels(support="a+ b+ c-"), sized(2, response=3), 0),
    (A, ["ragbench"], labels(support="a+ b+ c-0a"), sized(2, response=3), 1),  # partially supported
    (A, ["ragbench"], labels(support="a+ b+", unsupported="b"), sized(2, response=2), 0),  # the list decides
    (A, ["ragbench"], labels(support="a+ b-", unsupported=""), sized(2, response=2), 1),
    (A, ["ragbench"], labels(support=None, unsupported="b"), sized(2, response=2), 0),
    (A, STRICT, labels(support="a+ b+", unsupported="b"), sized(2, response=2), 1),
    (A, ["graded"], labels(support="a+ b- c-0a d+ e+"), sized(2, response=5), 3 / 5),
    (A, ["graded"], labels(support="a+ b- c+"), sized(2, response=5), 2 / 3),  # of the labeled ones
    (A, [*STRICT, "ragbench"], labels(support="a+ b-"), sized(2, response=3), 0),  # one fails, one is unlabeled
    (A, ALL, labels(support="a+"), sized(response=1), 1),  # defined with nothing retrieved
    (A, ["graded"], labels(support="a+ z-"), sized(2, response=1), 1),
    (A, ["ragbench"], labels(support="a+", unsupported="z"), sized(2, response=1), 1),
]
UNDEFINED = [
    (R, ALL, labels(""), sized(), "nothing retrieved"),
    (R, ALL, labels(""), sized(0, 0), "nothing retrieved"),
    (R, ALL, labels(None), sized(3), "the labels lack all_relevant_sentence_keys"),
    (R, ["token"], labels("0a"), keyed([["…", "!?"]], ["r"]), "the documents contain no words"),
    (T, ALL, labels("", ""), sized(), "nothing retrieved"),
    (T, ALL, labels("0a", None), sized(6), "the labels lack all_utilized_sentence_keys"),
    (T, ["trace"], labels(None, "0a"), sized(6), "the labels lack all_relevant_sentence_keys"),
    (C, ALL, labels(None, "0a"), sized(3), "the labels lack all_relevant_sentence_keys"),
    (C, ALL, labels("", None), sized(3), "the labels lack all_utilized_sentence_keys"),
    (C, ["token"], labels("0b", "0b"), keyed([["word", "…"]], ["r"]), "the relevant sentences contain no words"),
    (A, ALL, labels(support=""), sized(2, response=0), "no answer"),
    (A, ALL, labels(support=None), sized(2, response=0), "no answer"),
    (A, [*STRICT, "ragbench"], labels(support="a+ b+"), sized(2, response=3), "unlabeled"),
    (A, ["ragbench"], labels(support="a-0a"), sized(2, response=2), "unlabeled"),
    (A, ALL, labels(support=""), sized(2, response=2), "unlabeled"),
    (A, ALL, labels(support=None), sized(2, response=2), "the labels lack sentence_support_information"),
]


def each(table):
    return [
        pytest.param(name, convention, *rest, id=f"{n} {name} {convention}")
        for n, (name, conventions, *rest) in enumerate(table)
        for convention in conventions
    ]


@pytest.mark.parametrize(("name", "convention", "made", "sentences", "value"), each(VALUES))
def test_a_value_is_the_fraction_of_its_definition(name, convention, made, sentences, value):
    assert getattr(score(made, sentences, convention), name) == value


@pytest.mark.parametrize(("name", "convention", "made", "sentences", "reason"), each(UNDEFINED))
def test_what_is_missing_is_undefined_with_its_reason(name, convention, made, sentences, reason):
    scores = score(made, sentences, convention)
    assert (getattr(scores, name), scores.undefined[name]) == (None, reason)


def test_the_divisor_is_a_setting_of_trace_alone():
    values = [score(labels(TWELVE), sized(30), Scoring(name, 15)).context_relevance for name in CONVENTIONS]
    assert values == [12 / 15, 12 / 30, 12 / 30, 12 / 30]


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("word", [True, False, None])
def test_the_judges_own_word_is_kept_and_never_used(convention, word):
    scores = score(labels(support="a+ b-", overall_supported=word), sized(2, response=2), convention)
    assert scores.adherence == (1 / 2 if convention == "graded" else 0)
    assert scores.overall_supported is word


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_four_statuses_are_counted_under_every_convention(convention):
    scores = score(labels(support="a+ b+ c-0a d-"), sized(2, response=5), convention)
    assert (scores.fully_supported_sentences, scores.partially_supported_sentences) == (2, 1)
    assert (scores.unsupported_sentences, scores.unlabeled_sentences) == (1, 1)
