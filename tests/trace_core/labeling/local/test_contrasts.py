"""One thing of a document sentence told otherwise makes a claim false; its words in another order do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_core.labeling.local.contrasts import (
    Amount,
    amounts,
    contrary,
    events_in_order,
    exchanged_roles,
    other_amount,
    other_duty,
    other_order,
    repeats,
)
from trace_core.labeling.local.notation import normal
from trace_core.labeling.local.texts import analyse

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
RINSE = "Rinse the gravel before you fill the tank."
REVERSED = [
    (RINSE, "Fill the tank, and then rinse the gravel."),
    (RINSE, "The gravel is rinsed after the tank is filled."),
    (RINSE, "First fill the tank, then rinse the gravel."),
    ("The kitten may go outdoors once it has been chipped.", "The kitten may go outdoors before it has been chipped."),
    ("The crew eats first and the extras second.", "The extras eat before the crew."),
    ("Rules are applied from top to bottom.", "The rules are applied from bottom to top."),
    (
        "Notes can be exported if the password is entered first.",
        "Enter the password once the notes have been exported.",
    ),
    ("Pay at the desk, after which you get the key.", "You get the key before you pay at the desk."),
]
NOT_REVERSED = [
    (RINSE, "Fill the tank after the gravel has been rinsed."),
    (RINSE, "First rinse the gravel, then fill the tank."),
    (RINSE, "Before you fill the tank, rinse the gravel."),
    ("The bell rings before and after the lesson.", "The bell rings after the lesson."),
    ("Do not open the oven before the cake has risen.", "Open the oven once the cake has risen."),
    ("The stitches come out after ten days.", "Ten days after the operation the stitches are removed."),
    ("The first train leaves at six.", "The train leaves first."),
    ("Candidates write nothing until the music is over.", "Candidates write once the music is over."),
]
OTHER_AMOUNT = [
    ("The journey takes 52 minutes.", "The journey takes 52 hours."),
    ("Pads must be 2 millimetres thick.", "Pads must be 2 centimetres thick."),
    ("Members work three hours a month.", "Members work three hours a week."),
    ("One kettle can be paired with at most four phones.", "One kettle can be paired with at least four phones."),
    ("The prize is 500 euros.", "The prize is 500 dollars."),
]
SAME_AMOUNT = [
    ("The journey takes 90 minutes.", "The journey takes 1.5 hours."),
    ("The journey takes 52 minutes.", "The journey takes 52 minutes."),
    ("It is 3 kilometres long and 3 metres wide.", "It is 3 metres wide."),
    ("Two doses are given eight weeks apart.", "A lamb of eight months is sold."),
    ("Members work three hours a month.", "Members work three hours."),
]
OTHER_DUTY = [
    ("Drivers must turn off their engines.", "Drivers need not turn off their engines."),
    ("You need not book a table for lunch.", "Booking a table for lunch is compulsory."),
    ("The shelter may check the home.", "The shelter has to check the home."),
    ("Children may not sit in the front row.", "Children may sit in the front row."),
    ("The tyres must be checked, and the spokes may be checked.", "The spokes must be checked."),
]
SAME_DUTY = [
    ("Drivers must turn off their engines.", "Drivers have to turn off their engines."),
    ("Only members may vote.", "Members must pay to vote."),
    ("Children may sit here if an adult is with them.", "Children must sit here with an adult."),
    ("This function may not be available in your region.", "This function may be available in your region."),
    ("The fair is held in May.", "The fair must be held."),
    ("Dogs must be on a lead.", "Cats may sleep indoors."),
]

CONTRASTS = [
    (exchanged_roles, EXCHANGED, NOT_EXCHANGED),
    (other_order, REVERSED, NOT_REVERSED),
    (other_amount, OTHER_AMOUNT, SAME_AMOUNT),
    (other_duty, OTHER_DUTY, SAME_DUTY),
]


@pytest.mark.parametrize(
    ("contrast", "document", "claim"), [(c, *pair) for c, changed, _ in CONTRASTS for pair in changed]
)
def test_one_changed_thing_is_found(contrast, document, claim):
    assert contrast(normal(claim), [normal(document)]) == 0


@pytest.mark.parametrize(("contrast", "document", "claim"), [(c, *pair) for c, _, same in CONTRASTS for pair in same])
def test_the_same_in_other_words_is_not(contrast, document, claim):
    assert contrast(normal(claim), [normal(document)]) is None


def test_another_sentence_with_what_is_claimed_clears_it():
    walks = ["The walk takes 52 minutes.", "The long walk takes 52 hours."]
    assert other_amount("The walk takes 52 hours.", walks) is None
    other = "Fill the tank before you rinse the gravel."
    assert other_order("Fill the tank, and then rinse the gravel.", [RINSE, other]) is None


def test_the_words_of_both_events_are_left_out():
    (found,) = events_in_order("Rinse the red filter before you clean the blue filter.")
    assert found == ({"rins", "red"}, {"clean", "blue"})


AMOUNTS = [
    ("52 minutes", [Amount(52, "minut", "", 0)]),
    ("at least four phones", [Amount(4, "phone", "", 1)]),
    ("up to 2,000 euros a month", [Amount(2000, "euro", "month", -1)]),
    ("$5 per person", [Amount(5, "dollar", "person", 0)]),
    ("a 19th chapter at 8 p.m.", []),
    ("9" * 400, []),
]


@pytest.mark.parametrize(("text", "expected"), AMOUNTS)
def test_amounts_are_read(text, expected):
    assert list(amounts(normal(text))) == expected


def test_the_document_sentence_is_named():
    documents = ["The shop sells bread.", "The journey takes 52 minutes."]
    assert contrary("The journey takes 52 hours.", documents) == 1


WORDS = """before after first then must may not 4 pm 52 minutes hours at least the dog cat until from top to bottom
and , ; . ’"""


@given(st.lists(st.one_of(st.sampled_from(WORDS.split()), st.text(max_size=8)), max_size=40))
def test_no_text_makes_it_fail(words):
    text = " ".join(words)
    assert contrary(text, []) is None
    assert contrary(text, [text, text[::-1]]) in (None, 0, 1)


REPEATED = [
    ("From May to September its rooms are rented.", "Its rooms are rented from May to September."),
    ("For the stew you brown 600 g of beef in lard.", "For the stew brown 600 g of beef in lard."),
    ("The chosen channels are now added to the list.", "The chosen channels are added to the list."),
    ("Wash the jars in hot water.", "Mrs Tully washes the jars in hot water and then heats them at 120 °C."),
    ("The course starts in March.", "The course starts in March and has ten lessons."),
    ("The keeper was Angus Reid.", "The keeper was Angus Reid, and his sister helped him."),
]
"""A response sentence, and the document sentence whose words it repeats."""

CHANGED = [
    ("You need a lawyer to appeal.", "You don't need a lawyer to appeal."),
    ("Members pay 4 euros.", "Non-members pay 4 euros."),
    ("The museum is open until 8 p.m.", "On Thursdays the museum is open until 8 p.m."),
    ("Fishing is allowed on the lake.", "No fishing is allowed on the lake, but rowing is."),
    ("Dogs are allowed.", "Dogs are allowed and must be on a lead only if they bite."),
    ("The dog bites the man.", "The man bites the dog."),
    ("Ada founded the firm.", "Ada and Tom founded the firm."),
    ("The firm is closed.", "It is false that the firm is closed."),
    ("Ada was the first owner of the firm.", "Ada was the owner of the firm."),
    ("The line opened in 2030.", "The line will open in 2030."),
    ("You should use bleach on the rug.", "Do not use bleach on the rug."),
]


@pytest.mark.parametrize(("answer", "document"), REPEATED)
def test_a_sentence_that_only_repeats(answer, document):
    assert repeats(analyse(answer), analyse(document))


@pytest.mark.parametrize(("answer", "document"), CHANGED)
def test_a_word_that_matters_is_missing_or_changed(answer, document):
    assert not repeats(analyse(answer), analyse(document))
