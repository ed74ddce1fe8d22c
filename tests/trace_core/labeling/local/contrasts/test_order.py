"""Events told in the other order: with "before", "after", "first" and "then", and from one end to the other."""

import pytest

from trace_core.labeling.local.contrasts.order import contrast, pairs

RINSE = "Rinse the gravel before you fill the tank."

REVERSED = [
    (RINSE, "Fill the tank, and then rinse the gravel."),
    (RINSE, "The gravel is rinsed after the tank is filled."),
    (RINSE, "First fill the tank, then rinse the gravel."),
    ("The kitten may go outdoors once it has been chipped.", "The kitten may go outdoors before it has been chipped."),
    ("The crew eats first and the extras second.", "The extras eat before the crew."),
    ("After the wash, hang up the curtains.", "Hang up the curtains before the wash."),
    ("Rules are applied from top to bottom.", "The rules are applied from bottom to top."),
    (
        "Notes can be exported if the password is entered first.",
        "Enter the password once the notes have been exported.",
    ),
    ("Pay at the desk, after which you get the key.", "You get the key before you pay at the desk."),
]

NOT_REVERSED = [
    (RINSE, RINSE),
    (RINSE, "Fill the tank after the gravel has been rinsed."),
    (RINSE, "First rinse the gravel, then fill the tank."),
    (RINSE, "Before you fill the tank, rinse the gravel."),
    ("The bell rings before and after the lesson.", "The bell rings after the lesson."),
    ("Do not open the oven before the cake has risen.", "Open the oven once the cake has risen."),
    ("The stitches come out after ten days.", "Ten days after the operation the stitches are removed."),
    ("The first train leaves at six.", "The train leaves first."),
    ("Candidates write nothing until the music is over.", "Candidates write once the music is over."),
    ("The timer runs for an hour after which it beeps.", "The timer runs for an hour, and after that it beeps."),
    ("The hall was once a mill.", "It was a mill before it was a hall."),
    ("", "Nothing comes before it."),
]


@pytest.mark.parametrize(("document", "claim"), REVERSED)
def test_the_other_order_is_found(document, claim):
    assert contrast(claim, [document]) == 0


@pytest.mark.parametrize(("document", "claim"), NOT_REVERSED)
def test_the_same_order_in_other_words_is_not(document, claim):
    assert contrast(claim, [document]) is None


def test_another_sentence_with_the_claims_order_clears_it():
    assert (
        contrast("Fill the tank, and then rinse the gravel.", [RINSE, "Fill the tank before you rinse the gravel."])
        is None
    )


def test_the_words_of_both_events_are_left_out():
    (found,) = pairs("Rinse the red filter before you clean the blue filter.")
    assert found == ({"rins", "red"}, {"clean", "blue"})
