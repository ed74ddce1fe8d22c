"""Another number in the place of the document's, which nothing there adds up to."""

import pytest

from trace_core.labeling.local.contrasts.values import contrast

OTHER = [
    ("The cellar has 12 rooms.", "The cellar has 20 rooms."),
    ("Silver melts at 962 degrees.", "Silver melts at 926 degrees."),
    ("About 340 people belong to the club.", "Nearly 3,400 people belong to the club."),
    ("The pads are bedded in ten days.", "The pads are bedded in nineteen days."),
    ("The library seats up to 80 people.", "The library seats up to 90 people."),
]

SAME = [
    ("The cellar has 12 rooms.", "The cellar has twelve rooms."),
    ("About 340 people belong to the club.", "Some 330 people belong to the club."),
    ("The cellar has 12 rooms, and the attic 8.", "The house has 20 rooms."),
    ("The cellar has 12 rooms.", "The cellar has 3 doors."),
    ("The cellar has more than 12 rooms.", "The cellar has 14 rooms."),
    ("Two thirds of the 186 chargers work.", "Both chargers work."),
    ("The first of five sisters is Anna.", "Anna has four other sisters."),
]


@pytest.mark.parametrize(("document", "claim"), OTHER)
def test_another_number_is_found(document, claim):
    assert contrast(claim, [document]) == 0


@pytest.mark.parametrize(("document", "claim"), SAME)
def test_a_number_that_the_document_has_or_leads_to_is_not(document, claim):
    assert contrast(claim, [document]) is None
