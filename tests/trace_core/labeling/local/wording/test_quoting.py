"""A sentence that only repeats a part of a document sentence, or moves a part of it, is said by it; one that says the
same with a "not" is denied by it.
"""

import pytest

from trace_core.labeling.local.wording.quoting import denies, opposes, repeats
from trace_core.labeling.local.wording.texts import read

REPEATED = [
    ("The hall was built in 1911.", "The hall was built in 1911."),
    ("From May to September its rooms are rented.", "Its rooms are rented from May to September."),
    ("Keep the window open until the paint is dry.", "Until the paint is dry, keep the window open."),
    ("For the stew you brown 600 g of beef in lard.", "For the stew brown 600 g of beef in lard."),
    ("Then add two onions.", "Add two onions."),
    ("The chosen channels are now added to the list.", "The chosen channels are added to the list."),
    ("Once the installation is complete, the menu appears.", "When the installation is complete, the menu appears."),
    ("If a drive is connected, a message appears.", "When a drive is connected, a message appears."),
    ("To use the gallery, you need to be signed in.", "To use the gallery, you must be signed in."),
    ("Visitors have to leave by six.", "Visitors must leave by six."),
    ("When the tray is empty, a menu will appear.", "When the tray is empty, a menu appears."),
    ("The engineer tests the line.", "The engineer will test the line."),
    ("Plug the cable into the port on your screen.", "Plug the cable into the port on the screen."),
    ("If you miss a dose, you should take it soon.", "If you miss a dose, take it soon."),
    ("You should not drink coffee before the test.", "Do not drink coffee before the test."),
    ("You shouldn't drink coffee before the test.", "Don't drink coffee before the test."),
    ("Make sure to match the colours of the cables.", "Match the colours of the cables."),
    ("Remember to close the inner door.", "Be sure to close the inner door."),
    ("The volume should be between 75 and 80 dB.", "The volume is between 75 and 80 dB."),
    ("Wash the jars in hot water.", "Mrs Tully washes the jars in hot water and then heats them at 120 °C."),
    ("The course starts in March.", "The course starts in March and has ten lessons."),
    ("The keeper was Angus Reid.", "The keeper was Angus Reid, and his sister helped him."),
]
"""A response sentence, and the document sentence whose words it repeats."""

CHANGED = [
    ("You need a lawyer to appeal.", "You don't need a lawyer to appeal."),
    ("Members pay 4 euros.", "Non-members pay 4 euros."),
    ("The dam is full.", "When the dam is full, the gates open."),
    ("The museum is open until 8 p.m.", "On Thursdays the museum is open until 8 p.m."),
    ("The museum is open until 8 p.m.", "The museum is open until 8 p.m. on Thursdays."),
    ("Fishing is allowed on the lake.", "No fishing is allowed on the lake, but rowing is."),
    ("Dogs are allowed.", "Dogs are allowed and must be on a lead only if they bite."),
    ("The dog bites the man.", "The man bites the dog."),
    ("Dong pays the studio.", "The studio pays Dong."),
    ("Ada founded the firm.", "Ada and Tom founded the firm."),
    ("The firm is closed.", "It is false that the firm is closed."),
    ("The firm is closed.", "Tom says the firm is closed."),
    ("The pond must be fenced off.", "The pond must be fenced off if children live there."),
    ("Tom was first.", "Ada beat Tom and Tom was first or second."),
    ("It is.", "It is red."),
    ("Ada was the first owner of the firm.", "Ada was the owner of the firm."),
    ("You must not pay the fee.", "You do not need to pay the fee."),
    ("You may need to pay the fee.", "You must pay the fee."),
    ("The pool has to be clean.", "The pool may be clean."),
    ("The line opened in 2030.", "The line will open in 2030."),
    ("The shop will close at noon.", "The shop closed at noon."),
    ("You should use bleach on the rug.", "Do not use bleach on the rug."),
    ("Visitors should leave their bags here.", "Visitors must leave their bags here."),
    ("Make sure to close the door.", "Do not close the door."),
    ("Remember the code and close the door.", "Close the door."),
    ("The menu will appear.", "The menu may appear."),
    ("You should go back for your bags.", "Nobody should go back for bags."),
    ("You should travel alone.", "We advise against travelling alone."),
    ("Your landlord pays the fee.", "You pay the fee."),
    ("If it rains, the pool closes.", "The pool closes once it rains hard."),
    ("Yes.", "Yes."),
]


@pytest.mark.parametrize(("answer", "document"), REPEATED)
def test_repeated_words_are_said(answer, document):
    assert repeats(read(answer), read(document))


@pytest.mark.parametrize(("answer", "document"), CHANGED)
def test_words_without_what_limits_them_are_not(answer, document):
    assert not repeats(read(answer), read(document))


DENIED = [
    ("The boots are not waterproof.", "The boots are waterproof and weigh 900 g."),
    ("The café does not open on Sundays.", "The café opens on Sundays."),
    ("You cannot pay by card.", "You can pay by card."),
    ("Dogs aren't allowed in the garden.", "Dogs are allowed in the garden."),
    ("Candace was not voiced by Ashley Tisdale.", "Candace Flynn is voiced by Ashley Tisdale, an actress."),
    ("The system does not need to be armed.", "The system needs to be armed."),
    ("The bridge was never painted.", "In 1950 the bridge was painted."),
]
"""A response sentence, and the document sentence that says what it denies."""

NOT_DENIED = [
    ("The boots are not waterproof.", "The boots are not waterproof."),
    ("The boots are waterproof.", "The boots are waterproof."),
    ("You cannot visit the museum on Mondays.", "The museum is closed on Mondays."),
    ("The card is not free.", "Only the first card is free."),
    ("Loosen the bolts, but do not remove them.", "Loosen the bolts."),
    ("The lamp is red, not blue.", "The lamp is red."),
    ("If the lamp is not lit, press the button.", "The lamp is lit when you press the button."),
    ("Make sure that the cable is not loose.", "Make sure that the cable is loose enough to move."),
    ("Dogs are not allowed in the house.", "Dogs are allowed in the garden."),
    ("The pool is not open.", "The pool is unlikely to open."),
    ("The pool is not heated in winter.", "The pool is heated except in winter."),
    ("The documents do not say when it opens.", "It opens at nine."),
    ("It is not.", "It is."),
    ("No other player scored as many as twenty goals.", "Luca scored 19 goals, more than any other player."),
    ("No, the lamp is red.", "The lamp is red."),
]


@pytest.mark.parametrize(("answer", "document"), DENIED)
def test_a_denial_of_what_is_said(answer, document):
    assert denies(read(answer), [read("It is said."), read(document)]) == 1


@pytest.mark.parametrize(("answer", "document"), NOT_DENIED)
def test_what_is_no_denial_of_it(answer, document):
    assert denies(read(answer), [read(document)]) is None


def test_a_sentence_like_it_that_says_otherwise_leaves_it_open():
    said = [read("The boots are waterproof."), read("The boots are no longer waterproof after a year.")]
    assert denies(read("The boots are not waterproof."), said) is None


OPPOSED = [
    ("The museum is open on Mondays.", "The museum is closed on Mondays."),
    ("The price rose by two euros in May.", "In May the price fell by two euros."),
    ("Take the tablet after breakfast.", "Take the tablet before breakfast, with water."),
    ("Bake it at full heat, then raise the temperature.", "Bake it at full heat, then lower the temperature to 190."),
    ("At most 5 litres of oil fit in.", "At least 5 litres of oil fit in."),
    ("The pump starts when the button is pressed.", "The pump stops when the button is pressed."),
    ("The ferry leaves from the northern pier.", "The ferry leaves from the southern pier."),
    ("Most visitors arrive in summer.", "Most visitors arrive in winter."),
]
"""A response sentence, and the document sentence that has the opposite of one of its words in its place."""

NOT_OPPOSED = [
    ("The museum is open on Tuesdays.", "The museum is closed on Mondays and open on Tuesdays."),
    ("The museum is not open on Mondays.", "The museum is closed on Mondays."),
    ("The upper drawer holds the knives.", "The lower drawer holds the spoons and the forks."),
    ("Switch the lamp on.", "Switch the lamp off, wait, and switch the lamp on."),
    ("The old mill was sold.", "The mill was sold to a young family."),
    ("It is open.", "It is closed."),
    ("The lamp is red.", "The lamp is green."),
]


@pytest.mark.parametrize(("answer", "document"), OPPOSED)
def test_an_opposite_in_the_place_of_a_word(answer, document):
    assert opposes(read(answer), [read("It is said."), read(document)]) == 1


@pytest.mark.parametrize(("answer", "document"), NOT_OPPOSED)
def test_an_opposite_elsewhere_or_denied_says_nothing(answer, document):
    assert opposes(read(answer), [read(document)]) is None
