"""What a leading pronoun stands for, by the text that the sentence is held against: cases written by hand."""

import pytest

from trace_core.labeling.local.pronouns import named

CASES = [
    ("It is red.", ["The tank is red."], "The tank is red."),
    ("It is not valid abroad.", ["The warranty is not valid abroad."], "The warranty is not valid abroad."),
    ("It's blue.", ["The water tank of the pump is red."], "The water tank of the pump is blue."),
    ("They're closed on Mondays.", ["Our shops are closed on Mondays."], "Our shops are closed on Mondays."),
    ("He was born in 1950.", ["Peter de Vries was born in 1951."], "Peter de Vries was born in 1950."),
    ("It opened in 1911.", ["Harrow Museum (Harrow) opened in 1911."], "Harrow Museum opened in 1911."),
    ("It was founded by Ada.", ["Fill it daily.", "The school was founded by Ada."], "The school was founded by Ada."),
    ("The tank is red.", ["The pump is red."], "The tank is red."),
    ("It is red.", ["Fill it daily."], "It is red."),
    ("It is red.", ["It is red, says Ann."], "It is red."),
    ("Its lid is red.", ["The tank has a red lid."], "Its lid is red."),
    ("It", ["The tank is red."], "It"),
    ("", [], ""),
]


@pytest.mark.parametrize(("claim", "texts", "expected"), CASES)
def test_a_leading_pronoun_takes_the_subject_of_the_first_text_that_has_one(claim, texts, expected):
    assert named(claim, texts) == expected
