import pytest
from metric_examples import CONVENTIONS, keyed, labels, sized

from trace_core.metrics import score

TWELVE = "0a 0b 0c 0d 0e 0f 0g 0h 0i 0j 0k 0l"


def relevance(made, sentences, convention="trace", **more):
    return score(made, sentences, convention, **more).context_relevance


def test_trace_is_the_number_of_relevant_sentences_over_20():
    assert relevance(labels(TWELVE), sized(30)) == 12 / 20


def test_trace_is_the_same_however_many_sentences_were_retrieved():
    assert relevance(labels("0a 0b"), sized(2)) == relevance(labels("0a 0b"), sized(20, 30)) == 2 / 20


def test_trace_stops_at_1():
    assert relevance(labels(" ".join(f"{i}a" for i in range(21))), sized(*[1] * 21)) == 1


def test_trace_reaches_1_at_20_relevant_sentences():
    assert relevance(labels(" ".join(f"{i}a" for i in range(20))), sized(*[1] * 30)) == 1


def test_the_divisor_of_trace_is_a_setting():
    assert relevance(labels(TWELVE), sized(30), relevance_divisor=15) == 12 / 15


@pytest.mark.parametrize("convention", ["ragbench", "graded", "token"])
def test_the_divisor_touches_no_other_convention(convention):
    assert relevance(labels(TWELVE), sized(30), convention, relevance_divisor=3) == 12 / 30


@pytest.mark.parametrize("convention", ["ragbench", "graded"])
def test_ragbench_and_graded_are_the_share_of_all_document_sentences(convention):
    assert relevance(labels("0a 1b"), sized(3, 4), convention) == 2 / 7


def test_token_is_the_share_of_all_document_tokens():
    sentences = keyed([["One, two: three!", "four"], ["five six"]], ["r"])
    assert relevance(labels("0a 1a"), sentences, "token") == 5 / 6


def test_tokens_are_runs_of_unicode_word_characters():
    sentences = keyed([["Übergrößenträger naïve_x", "don't — 3.5%"]], ["r"])  # 2 against don, t, 3, 5
    assert relevance(labels("0a"), sentences, "token") == 2 / 6


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_nothing_relevant_is_0_and_not_undefined(convention):
    assert relevance(labels(""), sized(3), convention) == 0


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("documents", [(), (0,), (0, 0)])
def test_with_nothing_retrieved_it_is_undefined(convention, documents):
    scores = score(labels(""), sized(*documents), convention)
    assert scores.context_relevance is None
    assert scores.undefined["context_relevance"] == "nothing retrieved"


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_without_the_relevant_list_it_is_undefined(convention):
    scores = score(labels(None), sized(3), convention)
    assert scores.context_relevance is None
    assert scores.undefined["context_relevance"] == "the labels lack all_relevant_sentence_keys"


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_it_needs_neither_the_utilized_list_nor_support(convention):
    assert relevance(labels("0a", None, None), sized(20), convention) == 1 / 20


def test_token_is_undefined_where_the_documents_hold_no_word():
    scores = score(labels("0a"), keyed([["…", "!?"]], ["r"]), "token")
    assert scores.context_relevance is None
    assert scores.undefined["context_relevance"] == "the documents hold no word"


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_key_that_names_no_sentence_or_is_named_twice_does_not_count(convention):
    assert relevance(labels("0a 0a 7z"), sized(20), convention) == 1 / 20
