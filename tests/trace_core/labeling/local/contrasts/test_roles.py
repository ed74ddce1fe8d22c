"""Two things of a sentence in each other's place."""

import pytest

from trace_core.labeling.local.contrasts.roles import contrast

EXCHANGED = [
    ("The teacher tests every learner in the last lesson.", "Every learner tests the teacher in the last lesson."),
    (
        "The leader approves the request, and the office records it.",
        "The office approves the request, and the leader records it.",
    ),
    ("Copper conducts heat better than steel.", "Steel conducts heat better than copper."),
    (
        "Use matt paper for text and glossy paper for photographs.",
        "Use glossy paper for text and matt paper for photographs.",
    ),
]

NOT_EXCHANGED = [
    ("The teacher tests every learner.", "Every learner is tested by the teacher."),
    ("The teacher tests every learner in the last lesson.", "In the last lesson the teacher tests every learner."),
    ("Anton's brother is the dentist.", "The dentist is Anton's brother."),
    ("The hotel is opposite the station.", "The station is opposite the hotel."),
    ("Ina met Olga in Rome.", "Olga met Ina in Rome."),
    ("Behind the door hangs the key.", "The key hangs behind the door."),
    ("“The spring runs dry,” says the warden.", "The warden says: “The spring runs dry.”"),
    ("Slow forward slow rewind.", "Slow rewind slow forward."),
    ("Ken was promoted over Lea.", "Ken was promoted."),
    ("Send the sound of a phone to a TV, or send the sound of a TV to a phone.", "Send the sound of a TV to a phone."),
]


@pytest.mark.parametrize(("document", "claim"), EXCHANGED)
def test_exchanged_things_are_found(document, claim):
    assert contrast(claim, [document]) == 0


@pytest.mark.parametrize(("document", "claim"), NOT_EXCHANGED)
def test_the_same_roles_in_another_order_are_not(document, claim):
    assert contrast(claim, [document]) is None
