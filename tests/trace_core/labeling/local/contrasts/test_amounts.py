"""A document's number with another unit, another period or the opposite bound."""

import pytest

from trace_core.labeling.local.contrasts import amounts as room
from trace_core.labeling.local.contrasts.amounts import Amount
from trace_core.labeling.local.notation import normal

READ = [
    ("52 minutes", [Amount(52, "minut", "", 0)]),
    ("at least four phones", [Amount(4, "phone", "", 1)]),
    ("up to 2,000 euros a month", [Amount(2000, "euro", "month", -1)]),
    ("$5 per person", [Amount(5, "dollar", "person", 0)]),
    ("twenty-two coats", [Amount(22, "coat", "", 0)]),
    ("a 19th chapter at 8 p.m.", []),
    ("no more than 6.5 kg", [Amount(6.5, "kilogram", "", -1)]),
    ("9" * 400, []),
]

OTHER = [
    ("The journey takes 52 minutes.", "The journey takes 52 hours."),
    ("Pads must be 2 millimetres thick.", "Pads must be 2 centimetres thick."),
    ("Members work three hours a month.", "Members work three hours a week."),
    ("One kettle can be paired with at most four phones.", "One kettle can be paired with at least four phones."),
    ("Orders above 80 euros are delivered free.", "Orders below 80 euros are delivered free."),
    ("The prize is 500 euros.", "The prize is 500 dollars."),
]

SAME = [
    ("The journey takes 90 minutes.", "The journey takes 1.5 hours."),
    ("Pads must be 20 millimetres thick.", "Pads must be 2 centimetres thick."),
    ("The journey takes 52 minutes.", "The journey takes 52 minutes."),
    ("It is 3 kilometres long and 3 metres wide.", "It is 3 metres wide."),
    ("Two doses are given eight weeks apart.", "A lamb of eight months is sold."),
    ("Children under 12 do not pay.", "Children over 12 pay."),
    ("Members work three hours a month.", "Members work three hours."),
]


OTHER_NUMBER = [
    ("The cellar has 12 rooms.", "The cellar has 20 rooms."),
    ("Silver melts at 962 degrees.", "Silver melts at 926 degrees."),
    ("About 340 people belong to the club.", "Nearly 3,400 people belong to the club."),
    ("The pads are bedded in ten days.", "The pads are bedded in nineteen days."),
    ("The library seats up to 80 people.", "The library seats up to 90 people."),
]

SAME_NUMBER = [
    ("The cellar has 12 rooms.", "The cellar has twelve rooms."),
    ("About 340 people belong to the club.", "Some 330 people belong to the club."),
    ("The cellar has 12 rooms, and the attic 8.", "The house has 20 rooms."),
    ("The cellar has 12 rooms.", "The cellar has 3 doors."),
    ("The cellar has more than 12 rooms.", "The cellar has 14 rooms."),
    ("Two thirds of the 186 chargers work.", "Both chargers work."),
    ("The first of five sisters is Anna.", "Anna has four other sisters."),
]



def amounts(text):
    return room.amounts(normal(text))


def contrast(claim, documents):
    return room.contrast(normal(claim), [normal(text) for text in documents])


@pytest.mark.parametrize(("text", "expected"), READ)
def test_amounts_are_read(text, expected):
    assert list(amounts(text)) == expected


@pytest.mark.parametrize(("document", "claim"), [*OTHER, *OTHER_NUMBER])
def test_another_amount_is_found(document, claim):
    assert contrast(claim, [document]) == 0


@pytest.mark.parametrize(("document", "claim"), [*SAME, *SAME_NUMBER])
def test_the_same_amount_is_not(document, claim):
    assert contrast(claim, [document]) is None


def test_a_sentence_with_the_claims_amount_clears_it():
    assert contrast("The walk takes 52 hours.", ["The walk takes 52 minutes.", "The long walk takes 52 hours."]) is None
