import pytest

from trace_core.metrics.overlap import answer_likeness, exact_match, normalize, recall, token_f1


def test_case_punctuation_articles_and_spaces_do_not_count():
    assert normalize("  The  Eiffel-Tower, in Paris! ") == "eiffeltower in paris"
    assert normalize("Theo and Ann") == "theo and ann"  # an article within a word stays
    assert exact_match("The capital.", "capital")


def test_answers_of_marks_alone_are_compared_as_they_are():
    assert exact_match("!!!", "!!!")
    assert not exact_match("!!!", "???")
    assert not exact_match("the", "a")


@pytest.mark.parametrize(
    ("answer", "truth", "f1"),
    [
        ("Paris", "Paris", 1),
        ("in Paris", "Paris", 2 / 3),  # precision 1/2, recall 1
        ("paris paris", "Paris", 2 / 3),  # a token counts as often as it stands there
        ("Jane wrote it", "Jane Austen wrote it", 6 / 7),  # precision 1, recall 3/4
        ("Lyon", "Paris", 0),
        ("", "Paris", 0),
    ],
)
def test_token_f1(answer, truth, f1):
    assert token_f1(answer, truth) == pytest.approx(f1)


@pytest.mark.parametrize(
    ("f1", "similarity", "likeness"),
    [(0.5, 0.9, 0.7), (0.5, -0.4, 0.25), (1.0, 1.0000001, 0.999)],  # only an exact match is 1
)
def test_likeness_is_the_mean_of_token_f1_and_a_similarity_above_0(f1, similarity, likeness):
    assert answer_likeness(f1, similarity) == pytest.approx(likeness)


def test_the_share_found_counts_each_value_once_and_a_share_of_nothing_is_undefined():
    assert recall(["a", "b", "b", "c"], ["b", "c", "d"]) == 2 / 3
    assert recall([], ["a"]) is None
