"""Numbers of an answer that no document has, and that nothing in the documents adds up to."""

import pytest

from trace_core.facts.records import Sentences
from trace_core.labeling.local.labeler import LocalLabeler
from trace_core.labeling.local.wording.quantities import numbers, unfounded
from trace_core.retrieval.embedding import embedder

READ = [
    ("It costs 1,200.50 euros.", [1200.5]),
    ("Thirty-five people came, and six left.", [35, 6]),
    ("Two hundred of 3 million", [200, 3_000_000]),
    ("The 8:05 train", [8.05]),
    ("pH 7.4, 20%", [7.4, 20]),
    ("1. Press the button [2] as document 14 says.", []),
    ("Step 3: Wait (page 48).", []),
    ("No numbers here", []),
    ("B12 and COVID-19", []),
    ("1" * 400, []),
    ("¹ Ⅷ ½ ٣", [3]),
    ("\ud800 7", [7]),
]

FOUNDED = [
    ("The course costs 85 euros.", "It costs 85 euros."),
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
    ("It was founded in 1911.", "It opened over 20 years ago."),
    ("It weighs 19.6 kg.", "It weighs about 20 kg."),
    ("The hall was built from 1890 to 1905.", "Building took 15 years."),
    ("Entry costs 8 euros for adults. Children pay 5.", "Two adults and a child pay 21 euros."),
    ("It costs 40 euros, and half of that for children.", "Children pay 20 euros."),
    ("The park is twice as old as the hall, which is 70.", "The park is 140 years of age."),
    ("It lasts three months.", "It lasts for 90 days."),
    ("It is 1.2 km long.", "It is 1,200 m long."),
    ("There are 3 rooms, 4 halls and a shop.", "There are 8 things."),
    ("Children under 12 enter free.", "A child of 11 enters free."),
    ("The pool is for those under sixteen.", "A boy of 14 can swim there."),
    ("Boats of over 1.4 m may not enter.", "A boat of 1.6 m may not enter."),
    ("Tickets cost 3 euros each.", "Seven tickets and a map come to 25 euros."),
    ("Half of the tickets were sold in half an hour.", "50 per cent were gone in 30 minutes."),
    ("Only adults may enter.", "A person aged 16 may not enter."),
    ("The 1980s were good.", "It was good in the 1980s."),
]
"""A document, and an answer whose numbers follow from it, are small, or only bound what it says."""

UNFOUNDED = [
    ("The course costs 85 euros.", "It costs 150 euros."),
    ("The course costs 85 euros for five evenings.", "It might cost about 150 euros."),
    ("A day ticket costs 6.50 and a week ticket 19.", "A day ticket costs 9.50."),
    ("She died in 1923.", "She died in 1932."),
    ("The tunnel is 6.2 kilometres long.", "The tunnel is 62 kilometres long."),
    ("The app confirms payments of 2,000 euros.", "The app confirms payments of 200 euros."),
    ("A day of nine hours pays 95 pounds, and a further hour 12 pounds.", "A further hour pays 21 pounds."),
    ("The journey takes 52 minutes.", "The journey takes 5.2 minutes."),
    ("A skirt costs 45 and a belt 20.", "Together they cost 75."),
    ("The bread is baked for forty minutes.", "The bread is baked for fifty-five minutes."),
    ("It weighs 1.2 kg.", "It weighs 2.7 kg."),
]


@pytest.mark.parametrize(("text", "found"), READ)
def test_the_numbers_of_a_text(text, found):
    assert numbers(text) == found


@pytest.mark.parametrize(("document", "answer"), FOUNDED)
def test_a_number_that_follows_is_founded(document, answer):
    assert unfounded("What do two adults get?", Sentences.split([document], answer)) == []


@pytest.mark.parametrize(("document", "answer"), UNFOUNDED)
def test_a_number_that_does_not_follow_is_not(document, answer):
    assert unfounded("What is it?", Sentences.split([document], answer)) == [0]


def test_the_numbers_of_the_question_are_known():
    assert unfounded("I weigh 95 kg. May I?", Sentences.split(["It carries a lot."], "You weigh 95 kg.")) == []


def test_an_unfounded_number_is_unsupported():
    sentences = Sentences.split(["The evening course in pottery costs 85 pounds."], "The course costs 150 pounds.")
    reply = LocalLabeler(embedder()).label("What does the course cost?", sentences)
    (entry,) = reply.raw["sentence_support_information"]
    assert entry["fully_supported"] is False


def test_among_hundreds_of_numbers_none_is_unfounded():
    """Some two of them make almost any number, so the rule says nothing."""
    document = " ".join(f"Row {i} has {i * 7 + 13}." for i in range(20_000))
    answer = " ".join(f"It is {i}.77." for i in range(1000))
    assert unfounded("What?", Sentences.split([document], answer)) == []
