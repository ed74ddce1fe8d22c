"""A sentence taken apart, and numbers that nothing has."""

import pytest

from trace_core.labeling.local.texts import analyse, strange_numbers


def test_a_sentence_is_taken_apart():
    text = analyse("The pump of Ada Lovelace does not hold three litres.")
    assert text.tokens == ("pump", "ada", "lovelac", "hold", "#3", "litr")
    assert text.numbers == {"#3"}
    assert text.names == {"ada", "lovelac"}


@pytest.mark.parametrize(
    ("claim", "sources", "places"),
    [
        ("It holds 25 litres.", ["It holds 18 litres."], [0]),
        ("It was founded in 1987.", ["It was founded in 1978 by two brothers."], [0]),
        ("It costs 7.5 euros.", ["It costs 9 euros.", "How much is it?"], [0]),
        ("It holds 18 litres.", ["It holds 18 litres."], []),
        ("Together they cost 95 euros.", ["One costs 45 euros, the other 50 euros."], []),
        ("It takes 90 minutes.", ["It takes 1.5 hours, that is 60 and 30 minutes."], []),
        ("The rest, 65 percent, went by train.", ["35 percent went by car."], []),
        ("It has 4 wheels.", ["It is a car."], []),
        ("It is as it was.", ["18"], []),
    ],
)
def test_a_number_that_no_source_has_and_that_none_of_theirs_make(claim, sources, places):
    assert strange_numbers([claim], sources) == places


def test_only_the_sentence_with_the_number_is_named():
    assert strange_numbers(["It is open.", "It opened in 1950.", "It is free."], ["It is open and free."]) == [1]
