"""A "not" put into what a document sentence says, or left out of it, with the same words around."""

import pytest

from trace_core.labeling.local.contrasts.surroundings import contrast

BIPLANE = "The Wright Model B was an early pusher biplane designed by the Wright brothers in the United States in 1910."

DENIED = [
    (BIPLANE, "The Wright Model B was not an early pusher biplane, as far as the text goes."),
    ("The office moves to the third floor in May.", "The office does not move to the third floor in May."),
    ("Barney was the boyfriend of Thelma Lou.", "In the series Barney was not the boyfriend of Thelma Lou."),
    ("The thermostat should not hang near the warm ceiling.", "The thermostat should hang near the warm ceiling."),
]

NOT_DENIED = [
    (BIPLANE, "The Wright Model B was an early pusher biplane."),
    (BIPLANE, "The Wright Model B was not a jet."),
    ("The lamp is not red.", "The lamp is red."),
    ("Two of the coaches are first class.", "Most of the coaches are not first class."),
    ("Half of the girls were short of vitamin D.", "Some of the boys were not short of vitamin D."),
    ("Butter, unlike margarine, is made from milk fat.", "Margarine is not made from milk fat, unlike butter."),
    (
        "People believe that goldfish forget everything within seconds.",
        "Goldfish do not forget everything within seconds.",
    ),
    ("The old office does not move to the third floor.", "The new office does not move to the third floor."),
]


@pytest.mark.parametrize(("document", "claim"), DENIED)
def test_a_not_in_the_same_words_is_found(document, claim):
    assert contrast(claim, [document]) == 0


@pytest.mark.parametrize(("document", "claim"), NOT_DENIED)
def test_other_words_or_others_of_whom_it_is_said_are_not(document, claim):
    assert contrast(claim, [document]) is None
