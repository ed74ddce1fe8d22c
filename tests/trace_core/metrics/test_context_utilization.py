import pytest
from metric_examples import CONVENTIONS, keyed, labels, sized

from trace_core.metrics import score


def utilization(made, sentences, convention="trace"):
    return score(made, sentences, convention).context_utilization


def test_trace_is_utilized_over_relevant_sentences():
    assert utilization(labels("0a 0b 0c 0d", "0a 0b 0c"), sized(6)) == 3 / 4


def test_trace_counts_utilized_sentences_that_are_not_relevant():
    assert utilization(labels("0a 0b 0c", "0d 0e"), sized(6)) == 2 / 3


def test_trace_stops_at_1():
    assert utilization(labels("0a", "0a 0b 0c"), sized(6)) == 1


@pytest.mark.parametrize("utilized", ["", "0a"])
def test_trace_is_0_where_nothing_is_relevant(utilized):
    assert utilization(labels("", utilized), sized(6)) == 0


@pytest.mark.parametrize("convention", ["ragbench", "graded"])
def test_ragbench_and_graded_are_the_share_of_all_document_sentences(convention):
    assert utilization(labels("0a", "0a 0b 1a"), sized(3, 4), convention) == 3 / 7


def test_token_is_the_share_of_all_document_tokens():
    sentences = keyed([["one two three", "four"], ["five six"]], ["r"])
    assert utilization(labels("0b", "0a 0b"), sentences, "token") == 4 / 6


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_nothing_utilized_is_0_and_not_undefined(convention):
    assert utilization(labels("0a", ""), sized(6), convention) == 0


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_with_nothing_retrieved_it_is_undefined(convention):
    scores = score(labels("", ""), sized(), convention)
    assert scores.context_utilization is None
    assert scores.undefined["context_utilization"] == "nothing retrieved"


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_without_the_utilized_list_it_is_undefined(convention):
    scores = score(labels("0a", None), sized(6), convention)
    assert scores.context_utilization is None
    assert scores.undefined["context_utilization"] == "the labels lack all_utilized_sentence_keys"


def test_trace_needs_the_relevant_list_too():
    scores = score(labels(None, "0a"), sized(6), "trace")
    assert scores.context_utilization is None
    assert scores.undefined["context_utilization"] == "the labels lack all_relevant_sentence_keys"


@pytest.mark.parametrize("convention", ["ragbench", "graded", "token"])
def test_the_others_do_not_need_the_relevant_list(convention):
    assert utilization(labels(None, "0a"), sized(6), convention) == 1 / 6


def test_token_is_undefined_where_the_documents_hold_no_word():
    scores = score(labels("", "0a"), keyed([["…"]], ["r"]), "token")
    assert scores.undefined["context_utilization"] == "the documents hold no word"


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_key_that_names_no_sentence_or_is_named_twice_does_not_count(convention):
    relevant = "0a 0b 0c 0d"
    assert utilization(labels(relevant, "0a 0a 7z"), sized(4), convention) == 1 / 4
