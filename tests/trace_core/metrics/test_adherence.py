import pytest
from metric_examples import CONVENTIONS, labels, sized

from trace_core.metrics import score

WITHOUT_PARTIAL_CREDIT = ("trace", "token")


def scored(support, response, convention, unsupported=None):
    made = labels(support=support, unsupported=unsupported)
    return score(made, sized(2, response=response), convention)


def adherence(support, response, convention, unsupported=None):
    return scored(support, response, convention, unsupported).adherence


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_sentence_fully_supported_is_1(convention):
    assert adherence("a+ b+ c+", 3, convention) == 1


@pytest.mark.parametrize("convention", WITHOUT_PARTIAL_CREDIT)
@pytest.mark.parametrize("failing", ["c-", "c-0a"])
def test_one_sentence_not_fully_supported_is_0(convention, failing):
    assert adherence(f"a+ b+ {failing}", 3, convention) == 0


def test_ragbench_fails_on_an_unsupported_sentence():
    assert adherence("a+ b+ c-", 3, "ragbench") == 0


def test_ragbench_does_not_fail_on_a_partially_supported_sentence():
    assert adherence("a+ b+ c-0a", 3, "ragbench") == 1


def test_ragbench_follows_the_list_of_unsupported_sentences_where_the_row_has_one():
    assert adherence("a+ b+", 2, "ragbench", unsupported="b") == 0
    assert adherence("a+ b-", 2, "ragbench", unsupported="") == 1


def test_ragbench_follows_the_list_where_there_is_nothing_else():
    assert adherence(None, 2, "ragbench", unsupported="b") == 0
    assert adherence("a+", 2, "ragbench", unsupported="") == 1


@pytest.mark.parametrize("convention", WITHOUT_PARTIAL_CREDIT)
def test_the_list_of_unsupported_sentences_decides_under_no_other_convention(convention):
    assert adherence("a+ b+", 2, convention, unsupported="b") == 1


def test_graded_is_the_share_of_fully_supported_sentences():
    assert adherence("a+ b- c-0a d+ e+", 5, "graded") == 3 / 5


def test_graded_counts_only_labeled_sentences_and_says_how_many_are_not():
    scores = scored("a+ b- c+", 5, "graded")
    assert scores.adherence == 2 / 3
    assert scores.unlabeled_sentences == 2


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("support", ["", None])
def test_there_is_no_adherence_without_an_answer(convention, support):
    scores = scored(support, 0, convention)
    assert scores.adherence is None
    assert scores.undefined["adherence"] == "no answer"


@pytest.mark.parametrize("convention", ["trace", "ragbench", "token"])
def test_a_sentence_without_an_entry_makes_it_undefined_where_none_fails(convention):
    scores = scored("a+ b+", 3, convention)
    assert scores.adherence is None
    assert scores.undefined["adherence"] == "unlabeled"


@pytest.mark.parametrize("convention", ["trace", "ragbench", "token"])
def test_a_sentence_without_an_entry_does_not_hide_one_that_fails(convention):
    assert adherence("a+ b-", 3, convention) == 0


def test_ragbench_is_undefined_where_one_is_partial_and_one_unlabeled():
    assert scored("a-0a", 2, "ragbench").undefined["adherence"] == "unlabeled"


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_response_without_any_entry_is_undefined(convention):
    scores = scored("", 2, convention)
    assert scores.adherence is None
    assert scores.undefined["adherence"] == "unlabeled"


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_without_support_information_it_is_undefined(convention):
    scores = scored(None, 2, convention)
    assert scores.adherence is None
    assert scores.undefined["adherence"] == "the labels lack sentence_support_information"
    assert scores.unlabeled_sentences == 2


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("word", [True, False, None])
def test_the_judges_own_word_is_kept_and_never_used(convention, word):
    made = labels(support="a+ b-", overall_supported=word)
    scores = score(made, sized(2, response=2), convention)
    assert scores.adherence == (1 / 2 if convention == "graded" else 0)
    assert scores.overall_supported is word


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_it_is_defined_with_nothing_retrieved(convention):
    assert score(labels(support="a+"), sized(response=1), convention).adherence == 1


def test_an_entry_for_a_sentence_that_does_not_exist_does_not_count():
    assert adherence("a+ z-", 1, "graded") == 1


def test_a_listed_key_that_names_no_sentence_does_not_count():
    assert adherence("a+", 1, "ragbench", unsupported="z") == 1


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_four_statuses_are_counted_under_every_convention(convention):
    scores = scored("a+ b+ c-0a d-", 5, convention)
    assert scores.fully_supported_sentences == 2
    assert scores.partially_supported_sentences == 1
    assert scores.unsupported_sentences == 1
    assert scores.unlabeled_sentences == 1
