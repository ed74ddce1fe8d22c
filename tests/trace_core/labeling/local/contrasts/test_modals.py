"""A duty made a permission, a permission a duty, a ban lifted."""

import pytest

from trace_core.labeling.local.contrasts.modals import contrast

OTHER = [
    ("Drivers must turn off their engines.", "Drivers need not turn off their engines."),
    ("Drivers must turn off their engines.", "Drivers are free to turn off their engines."),
    ("You need not book a table for lunch.", "Booking a table for lunch is compulsory."),
    ("The shelter may check the home.", "The shelter has to check the home."),
    ("Children may not sit in the front row.", "Children may sit in the front row."),
    ("Visitors should leave their bags at the desk.", "Visitors must leave their bags at the desk."),
    ("The tyres must be checked, and the spokes may be checked.", "The spokes must be checked."),
]

SAME = [
    ("Drivers must turn off their engines.", "Drivers have to turn off their engines."),
    ("Drivers must turn off their engines.", "Drivers have no choice but to turn off their engines."),
    ("Only members may vote.", "Members must pay to vote."),
    ("Children may sit here if an adult is with them.", "Children must sit here with an adult."),
    ("This function may not be available in your region.", "This function may be available in your region."),
    ("The fair is held in May.", "The fair must be held."),
    (
        "All students except those in their final year must take the course.",
        "Final-year students need not take the course.",
    ),
    ("Dogs must be on a lead.", "Cats may sleep indoors."),
]


@pytest.mark.parametrize(("document", "claim"), OTHER)
def test_another_duty_or_permission_is_found(document, claim):
    assert contrast(claim, [document]) == 0


@pytest.mark.parametrize(("document", "claim"), SAME)
def test_the_same_one_or_a_limited_one_is_not(document, claim):
    assert contrast(claim, [document]) is None
