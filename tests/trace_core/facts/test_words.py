import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from trace_core.facts.words import all_words, bare, content_words, names, negated, numbers, stem


def test_content_words_are_stems_without_stopwords_and_numbers():
    assert content_words("The tanks were holding 18 litres of it.") == {"tank", "hold", "litr"}


def test_content_words_see_through_the_kind_of_apostrophe():
    assert content_words("It isn’t.") == content_words("It isn't.") == frozenset()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,000 and 2.50", {"1000", "2.5"}),
        ("1,234,567.80", {"1234567.8"}),
        ("2,5 bar", {"2.5"}),
        ("three or Twelve", {"3", "12"}),
        ("007", {"7"}),
        ("0", {"0"}),
        ("one of them", set()),
        ("1 of them", {"1"}),
        ("version 1.2.3", {"1.2.3"}),
        ("no number", set()),
    ],
)
def test_numbers_have_one_spelling(text, found):
    assert numbers(text) == found


def test_names_are_capitalised_words_but_for_the_first():
    assert names("Yesterday Ada Lovelace and I met The O’Brien.") == {"ada", "lovelace", "o’brien"}


def test_all_words_are_lower_case():
    assert all_words("The tank, 3 of THE tanks") == {"the", "tank", "of", "tanks"}


@pytest.mark.parametrize("text", ["It holds 3.", " it HOLDS, 3!", "It\nholds “3”"])
def test_copies_differ_in_case_and_punctuation_alone(text):
    assert bare(text) == "it holds 3"


@pytest.mark.parametrize(
    "text", ["It is not.", "It isn't.", "It isn’t.", "No pump.", "Works WITHOUT water.", "It cannot."]
)
def test_negations(text):
    assert negated(text)


@pytest.mark.parametrize("text", ["It is.", "Notice the knot.", "Another one.", "nobody’s"])
def test_what_is_no_negation(text):
    assert not negated(text)


@pytest.mark.parametrize("text", ["", "\x00\ud800", "🙂", "٣", "²", "½", "1" * 5000, "1," * 3000, "'" * 3000])
@pytest.mark.parametrize("function", [content_words, numbers, names, all_words, bare, negated])
def test_no_text_raises(function, text):
    function(text)


def test_threads_do_not_stem_each_others_words():
    words = [f"{start}{end}" for start in "relat conflat nation hopeful grind steam".split()
             for end in "ational ization iveness fulness ing ed s ly".split()] * 20  # fmt: skip
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(stem.__wrapped__, words))  # the cache would answer for most of them
    finally:
        sys.setswitchinterval(before)
    assert found == [stem.__wrapped__(word) for word in words]
