"""Numbers of an answer that no document has and nothing adds up to, and values that are one group's alone."""

import pytest

from trace_core.facts.records import Sentences
from trace_core.labeling.local.claims import claimed
from trace_core.labeling.local.notation import normal
from trace_core.labeling.local.numbers import dropped_group, numbers, unfounded


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("It costs 1,200.50 euros.", [1200.5]),
        ("Thirty-five people came, and six left.", [35, 6]),
        ("The 8:05 train", [8.05]),
        ("1. Press the button [2] as document 14 says.", []),
        ("Step 3: Wait (page 48).", []),
        ("B12 and COVID-19", []),
        ("1" * 400, []),
        ("\ud800 7", [7]),
    ],
)
def test_the_numbers_of_a_text(text, values):
    assert [number.value for number in numbers(normal(text))] == values


FOUNDED = [
    ("A skirt costs 45 and a belt 20.", "Together they cost 65."),
    ("A skirt costs 45 and a belt 20.", "The skirt costs 25 more."),
    ("It holds 12 cups of 0.25 litres.", "It holds 3 litres."),
    ("Four people need 300 g of farro.", "Eight people need 600 g."),
    ("It lasts two weeks.", "It lasts 14 days."),
    ("It takes 1.5 hours.", "It takes 90 minutes."),
    ("30 % of the 50 rooms are taken.", "15 rooms are taken."),
    ("30 % of the rooms are taken.", "70 % are free."),
    ("A ticket for 80 euros is reduced by 25 %.", "It costs 60 euros then."),
    ("The train leaves at 14:10.", "It leaves at 2:10 p.m."),
    ("It weighs 19.6 kg.", "It weighs about 20 kg."),
    ("The hall was built from 1890 to 1905.", "Building took 15 years."),
    ("Entry costs 8 euros for adults. Children pay 5.", "Two adults and a child pay 21 euros."),
    ("It costs 40 euros, and half of that for children.", "Children pay 20 euros."),
    ("Children under 12 enter free.", "A child of 11 enters free."),
    ("Boats of over 1.4 m may not enter.", "A boat of 1.6 m may not enter."),
    ("Tickets cost 3 euros each.", "Seven tickets and a map come to 25 euros."),
    ("Only adults may enter.", "A person aged 16 may not enter."),
]
"""A document, and an answer whose numbers follow from it, are small, or only bound what it says."""

UNFOUNDED = [
    ("The course costs 85 euros.", "It costs 150 euros."),
    ("The course costs 85 euros for five evenings.", "It might cost about 150 euros."),
    ("She died in 1923.", "She died in 1932."),
    ("The tunnel is 6.2 kilometres long.", "The tunnel is 62 kilometres long."),
    ("The journey takes 52 minutes.", "The journey takes 5.2 minutes."),
    ("A skirt costs 45 and a belt 20.", "Together they cost 75."),
    ("The bread is baked for forty minutes.", "The bread is baked for fifty-five minutes."),
]


@pytest.mark.parametrize(("document", "answer"), FOUNDED)
def test_a_number_that_follows_is_founded(document, answer):
    assert not claimed(("What do two adults get?", Sentences.split([document], answer))).unfounded


@pytest.mark.parametrize(("document", "answer"), UNFOUNDED)
def test_a_number_that_does_not_follow_is_not(document, answer):
    assert claimed(("What is it?", Sentences.split([document], answer))).unfounded == {0}


def test_the_numbers_of_the_question_are_known():
    assert unfounded("I weigh 95 kg. May I?", Sentences.split(["It carries a lot."], "You weigh 95 kg.")) == []


def test_among_hundreds_of_numbers_none_is_unfounded():
    """Some two of them make almost any number, so the rule says nothing."""
    document = " ".join(f"Row {i} has {i * 7 + 13}." for i in range(20_000))
    answer = " ".join(f"It is {i}.77." for i in range(1000))
    assert unfounded("What?", Sentences.split([document], answer)) == []


PRICES = ["Students pay 4 euros.", "Adults pay 9 euros."]


@pytest.mark.parametrize(
    ("claim", "question", "documents", "places"),
    [
        ("The ticket costs 4 euros.", "What does the ticket cost students?", PRICES, None),
        ("Students pay 4 euros.", "What does it cost?", PRICES, None),
        ("One pays 4 euros.", "What does one pay?", PRICES, (0, 1)),
        ("One pays 9 euros.", "What does one pay?", PRICES, (1, 0)),
        ("One pays 4 euros.", "What does one pay?", [*PRICES, "You pay 4 euros."], None),
        ("Soup costs 5 euros.", "What is there?", ["Soup costs 5 euros. ", "Salad costs 7 euros."], None),
    ],
)
def test_the_group_that_the_claim_leaves_out(claim, question, documents, places):
    assert dropped_group(normal(claim), normal(question), [normal(text) for text in documents]) == places
