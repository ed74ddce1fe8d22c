"""Times of day as people write them, and a claim with another one than the document's."""

import pytest

from trace_core.labeling.local.contrasts import clock as room
from trace_core.labeling.local.notation import normal

READ = [
    ("18:30", [{1110}]),
    ("6:30", [{390, 1110}]),
    ("06:30", [{390}]),
    ("7.30 pm", [{1170}]),
    ("4 p.m.", [{960}]),
    ("12 a.m.", [{0}]),
    ("half past six in the evening", [{1110}]),
    ("twenty to nine", [{520, 1240}]),
    ("at night at eleven o'clock", [{660, 1380}]),
    ("before noon", [{720}]),
    ("until midnight", [{0}]),
    ("from 7 to 10", [{420, 1140}, {600, 1320}]),
    ("8–12", [{480, 1200}, {0, 720}]),
    ("within 7 days for 3.50 euros", []),
    ("\ud800 at 99:00", []),
]

OTHER = [
    ("The museum opens at 10 a.m.", "The museum opens at eleven in the morning."),
    ("The showers reach the capital at 4 p.m.", "The showers reach the capital at four in the morning."),
    ("The last train leaves at 23:10.", "The last train leaves at 22:10."),
    ("The first train leaves at 05:40 and the last at 23:10.", "The last train of the day leaves at 22:10."),
    ("The ferry sails at 9 a.m. and returns at 5 p.m.", "The ferry returns at 4 p.m."),
    ("The line answers calls until 6 p.m.", "The line answers calls until eight in the evening."),
    ("Breakfast is served from 7 to 10.", "Breakfast is served from 6:30."),
]

SAME = [
    ("The museum opens at 10 a.m.", "The museum opens at ten in the morning."),
    ("The last train leaves at 23:10.", "The last train leaves at ten past eleven at night."),
    ("Breakfast is served from 7 to 10.", "Breakfast is served at half past eight in the morning."),
    ("Breakfast is served between 7 a.m. and 10 a.m.", "Breakfast is served at half past eight in the morning."),
    ("The bar closes at 8 p.m.", "At 9 p.m. the bar is closed."),
    ("The bar closes at 8 p.m.", "You can still order at the bar at 7 p.m."),
    ("The concert begins at 7 p.m., and the doors open an hour before.", "The doors open for the concert at 6 p.m."),
    ("The shop sells bread.", "The bakery closes at 9 p.m."),
    ("The bell does not ring at 3 p.m.", "The bell rings at 4 p.m."),
]


def clocks(text):
    return room.clocks(normal(text))


def contrast(claim, documents):
    return room.contrast(normal(claim), [normal(text) for text in documents])


@pytest.mark.parametrize(("text", "expected"), READ)
def test_times_of_day_are_read(text, expected):
    assert [clock.minutes for clock in clocks(text)] == expected


@pytest.mark.parametrize(("document", "claim"), OTHER)
def test_another_time_is_found(document, claim):
    assert contrast(claim, [document]) == 0


@pytest.mark.parametrize(("document", "claim"), SAME)
def test_the_same_time_or_one_that_follows_is_not(document, claim):
    assert contrast(claim, [document]) is None


def test_a_time_that_another_sentence_has_is_not_another_one():
    documents = ["The pool opens at 7 a.m. for members.", "The pool opens at 9 a.m. for families."]
    assert contrast("The pool opens at nine in the morning for members.", documents) is None
