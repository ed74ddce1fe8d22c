import pytest
from metric_examples import CONVENTIONS, keyed, labels, sized

from trace_core.metrics import score


def completeness(made, sentences, convention="trace"):
    return score(made, sentences, convention).completeness


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_it_is_the_share_of_the_relevant_sentences_that_were_utilized(convention):
    made = labels("0a 0b 1a 1c 2a 2b 3a", "0a 0b 1c 2a")
    assert completeness(made, sized(3, 3, 3, 3), convention) == 4 / 7


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_utilized_sentences_that_are_not_relevant_add_nothing(convention):
    assert completeness(labels("0a 0b 1a", "0a 1a 1b"), sized(3, 3), convention) == 2 / 3


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_relevant_and_utilized_without_overlap_is_0(convention):
    assert completeness(labels("0a", "0b"), sized(3), convention) == 0


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_nothing_relevant_and_nothing_utilized_is_1(convention):
    assert completeness(labels("", ""), sized(3), convention) == 1


@pytest.mark.parametrize("convention", ["trace", "graded", "token"])
def test_nothing_relevant_but_something_utilized_is_0(convention):
    assert completeness(labels("", "0a"), sized(3), convention) == 0


def test_nothing_relevant_is_1_under_ragbench_whatever_is_utilized():
    assert completeness(labels("", "0a"), sized(3), "ragbench") == 1


def test_token_is_the_share_of_the_relevant_tokens():
    sentences = keyed([["one two three", "four"], ["five six"]], ["r"])
    assert completeness(labels("0a 0b 1a", "0a 1a"), sentences, "token") == 5 / 6


def test_token_is_undefined_where_the_relevant_sentences_hold_no_word():
    scores = score(labels("0b", "0b"), keyed([["word", "…"]], ["r"]), "token")
    assert scores.completeness is None
    assert scores.undefined["completeness"] == "the relevant sentences hold no word"


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_it_is_defined_with_nothing_retrieved(convention):
    assert completeness(labels("", ""), sized(), convention) == 1


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (labels(None, "0a"), "the labels lack all_relevant_sentence_keys"),
        (labels("0a", None), "the labels lack all_utilized_sentence_keys"),
        (labels("", None), "the labels lack all_utilized_sentence_keys"),
        (labels(None, None), "the labels lack all_relevant_sentence_keys"),
    ],
)
def test_without_either_list_it_is_undefined(convention, made, reason):
    scores = score(made, sized(3), convention)
    assert scores.completeness is None
    assert scores.undefined["completeness"] == reason


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_key_that_names_no_sentence_or_is_named_twice_does_not_count(convention):
    assert completeness(labels("0a 0a 0b 7z", "0a 0a 7z"), sized(3), convention) == 1 / 2
