import re
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_core.facts.words import bare, common_form, is_negation, normal_number, number_word, stem, tokens

NUMBERS = {"1,000": "1000", "2.50": "2.5", "1,234,567.80": "1234567.8", "2,5": "2.5", "007": "7", "0": "0"}


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_have_one_spelling(number):
    assert normal_number(number) == NUMBERS[number]


@pytest.mark.parametrize(("word", "number"), [("three", "3"), ("twelve", "12"), ("one", None), ("tank", None)])
def test_numbers_in_letters(word, number):
    assert number_word(word) == number


@pytest.mark.parametrize(("first", "second"), [("Tanks", "tank"), ("three", "3"), ("Isn’t", "isn't"), ("2.50", "2,5")])
def test_spellings_that_mean_the_same_have_a_form_in_common(first, second):
    assert common_form(first) == common_form(second)


@pytest.mark.parametrize("text", ["It holds 3.", " it HOLDS, 3!", "It\nholds “3”"])
def test_copies_differ_in_case_and_punctuation_alone(text):
    assert bare(text) == "it holds 3"


def test_negations_and_words_like_them():
    assert all(map(is_negation, ["not", "isn't", "isn’t", "no", "without", "cannot", "never"]))
    assert not any(map(is_negation, ["is", "notice", "knot", "another", "nobody"]))


def test_threads_do_not_stem_each_others_words():
    words = [
        f"{start}{end}"
        for start in "relat conflat nation hopeful grind steam".split()
        for end in "ational ization iveness fulness ing ed s ly".split()
    ] * 20
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(stem.__wrapped__, words))  # the cache would answer for most of them
    finally:
        sys.setswitchinterval(before)
    assert found == [stem.__wrapped__(word) for word in words]


@given(st.text(alphabet=st.characters(max_codepoint=0x17F)) | st.text())
def test_tokens_are_runs_of_word_characters(text):
    assert tokens(text) == len(re.findall(r"\w+", text))
