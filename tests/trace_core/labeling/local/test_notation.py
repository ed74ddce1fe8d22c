"""What is written in several ways is read in one."""

import pytest

from trace_core.labeling.local.notation import normal, unreadable

SAME = [
    ("It costs €2,500.", "It costs 2500 euros."),
    ("It cost $3.2M.", "It cost 3.2 million dollars."),
    ("It seats 35k people.", "It seats thirty-five thousand people."),
    ("It ends on 2024-05-03.", "It ends on May 3rd, 2024."),
    ("It ends on 03/05/2024 (day/month/year).", "It ends on 3 May 2024."),
    ("It leaves at 4 p.m.", "It leaves at 16:00."),
    ("Open from 9 a.m. to 5 p.m.", "Open from 9:00 to 17:00."),
    ("It starts at half past two in the afternoon.", "It starts at 14:30."),
    ("Half of the members came.", "50% of the members came."),
    ("It is 2½ hours long.", "It is 2.5 hours long."),
    ("No more than 23 kg.", "At most 23 kilograms."),
    ("Age ≥ 18.", "Age at least 18."),
    ("It does 80 km/h.", "It does 80 kilometres per hour."),
    ("Chapter IV", "Chapter 4"),
    ("Super Bowl XXIV", "Super Bowl 24"),
    ("Two thirds of it", "2/3 of it"),
    ("It is red.\x1b[31m\u200b", "It is red."),
    ("It reaches 1\u202f240 °C.", "It reaches 1,240 degrees Celsius."),
    ("It reaches 1 240 °C.", "It reaches 1,240 degrees Celsius."),
    (r"It reaches $1{,}240\,^{\circ}\mathrm{C}$.", "It reaches 1,240 degrees Celsius."),
    ("It reaches １,２４０ metres.", "It reaches 1240 metres."),
    ("It has&nbsp;14 colours.", "It has 14 colours."),
]
APART = [
    ("It is 5 m.", "It is 5 min."),
    ("It leaves at 9:00.", "It leaves at 9 p.m."),
    ("It is 03/05/2024.", "It is 3 May 2024."),
    ("The 1990s", "The 1990 seconds"),
    ("At least 8", "At most 8"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_notations_of_the_same_are_one(one, other):
    assert normal(one).lower() == normal(other).lower()


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_may_differ_stays_apart(one, other):
    assert normal(one) != normal(other)


NOISE = ["asdfghjkl qwertyuiop", "xk7 p2q 9zz", "test test test", "....!!!", "\x1b[31m", "lkjh fdsa, wxcv."]
WORDS = ["It holds two litres.", "42", "On 3rd May at 5pm.", "Brivo X7", "Nein danke, das ist gut."]


@pytest.mark.parametrize("text", [*NOISE, *WORDS])
def test_keys_hit_at_random_are_unreadable_and_words_are_not(text):
    places = unreadable([text], ["The tank holds two litres of water.", "The Brivo X7 is a kettle."])
    assert places == ([0] if text in NOISE else [])


def test_beside_words_a_sentence_without_any_is_layout():
    assert unreadable(["It is red.", "---"], []) == []
