"""Which words of two sentences are marked as differing: written by hand, [words in brackets] are marked."""

import re

import pytest

from trace_core.facts.differences import differing, nearest_text
from trace_core.facts.words import content

CASES = [
    ("The museum is [open] on Mondays.", "The museum, founded in 1900, is [closed] on Mondays."),
    ("The tank holds two litres.", "The tank holds 2 litres."),
    ("The tank holds 2 [gallons].", "The tank holds 2 [litres]."),
    ("Rinse the filter [after] breakfast.", "Rinse the filter [before] breakfast."),
    ("The lift works at night.", "The lift does [not] work at night."),
    ("Visitors [may] bring dogs.", "Visitors [must] bring dogs."),
    ("You [never] pay a deposit.", "You pay a deposit."),
    ("[Anna] Lopez founded the school in 1950.", "[Maria] Lopez founded the school in 1950."),
    ("[Anna] lent [Ben] a car.", "[Ben] lent [Anna] a car."),
    ("Rinse the tanks weekly.", "Rinse the tank weekly."),
    ("At [most] 5 litres of oil are needed.", "At [least] 5 litres of oil are needed."),
    ("The library opened in 1950 [because of a gift].", "The library opened in 1950."),
    ("", "The tank is red."),
]


def marked(pieces):
    return "".join(f"[{text}]" if differs else text for text, differs in pieces)


def plain(text):
    return re.sub(r"[\[\]]", "", text)


@pytest.mark.parametrize(("answer", "document"), CASES)
def test_words_that_differ_are_marked_on_both_sides(answer, document):
    ours, theirs = differing(plain(answer), plain(document))
    assert (marked(ours), marked(theirs)) == (answer, document)


def test_nothing_is_lost_of_a_text():
    odd = "  <b>2 litres</b>\u202e $x$ \U0001f600 "
    ours, theirs = differing(odd, "3 litres")
    assert ("".join(t for t, _ in ours), "".join(t for t, _ in theirs)) == (odd, "3 litres")


def test_of_texts_too_long_to_be_compared_in_time_nothing_is_marked():
    ours, theirs = "tank " * 100_000 + "red", "tank " * 100_000 + "blue"
    assert differing(ours, theirs) == ([[ours, False]], [[theirs, False]])


def test_the_nearest_text_shares_most_and_speaks_of_the_same_matter():
    texts = ["Descale the machine every three months.", "The museum is closed on Mondays.", "The museum is big."]
    others = [content(text) for text in texts]
    assert nearest_text(content("The museum is open on Mondays."), others) == 1
    assert nearest_text(content("Dogs are welcome in the garden."), others) is None
    assert nearest_text(content(""), others) is None
    assert nearest_text(content("The museum is open."), []) is None
