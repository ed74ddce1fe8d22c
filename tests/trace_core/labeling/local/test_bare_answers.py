"""Bare answers: spelled out with the words of their question, and judged as the whole sentence would be."""

import pytest

from trace_core.facts.records import Sentences
from trace_core.labeling.local.bare_answers import spelled_out
from trace_core.labeling.local.claims import claims
from trace_core.labeling.local.labeler import LocalLabeler
from trace_core.retrieval.embedding import embedder

SPELLED = [
    ("Is the museum open on Mondays?", "Yes.", "The museum is open on Mondays.", False),
    ("Is the museum open on Mondays?", "No.", "The museum is open on Mondays.", True),
    ("Are dogs allowed in the hall?", "Yes, they are.", "Dogs are allowed in the hall.", False),
    ("Can I cancel online?", "No, you cannot.", "I can cancel online.", True),
    ("Does the fee include lunch?", "No, it doesn't.", "The fee include lunch.", True),
    ("Do you accept cheques?", "Absolutely.", "You accept cheques.", False),
    ("I lost my card. Is there a fee?", "Of course not.", "There is a fee.", True),
    ("Is it true that the bridge was built in 1911?", "Correct", "The bridge was built in 1911.", False),
    ("If I am late, can I still enter?", "Yes, you can.", "If I am late, I can still enter.", False),
    ("Was Anna Lopez the founder of the club?", "That's right.", "Anna Lopez was the founder of the club.", False),
    ("Must helmets be worn?", "Not necessarily.", "Helmets must be worn.", True),
    ("Isn't the pool heated?", "Yes.", "The pool is heated.", False),
    ("Is the museum open on Mondays", "Yes it is", "The museum is open on Mondays.", False),
    ("Bus 14 runs all night, is that right?", "Correct.", "Bus 14 runs all night.", False),
    ("The pool is heated, isn't it?", "No.", "The pool is heated.", True),
    ("So the pool is heated, right?", "Yes", "The pool is heated.", False),
    ("If I am late, is it true that I lose my seat?", "No.", "If I am late, it is true that I lose my seat.", True),
    ("The pool is heated?", "Yes.", "The pool is heated.", False),
    ("How much do students pay?", "9 euros.", "Students pay 9 euros.", False),
    ("When was the bridge built?", "In 1987.", "The bridge was built in 1987.", False),
    ("Who designed the tower?", "Anna Lopez.", "Anna Lopez designed the tower.", False),
    ("What is the capital of Norland?", "Tarn", "The capital of Norland is Tarn.", False),
    ("How many rooms does the hotel have?", "12", "The hotel have 12 rooms.", False),
    ("Which colour is the lamp?", "The red one.", "The lamp is the red one.", False),
    ("Who opens the gate at night?", "The porter.", "The porter opens the gate at night.", False),
    (
        "Why was the outdoor concert moved to the hall?",
        "Rain.",
        "The outdoor concert was moved to the hall Rain.",
        False,
    ),
    ("How much flour is needed for the dough?", "400 grams.", "400 grams flour is needed for the dough.", False),
    ("Are the pears in the school garden ripe?", "No.", "The pears in the school garden are ripe.", True),
    ("Is the Orchard Café open on Mondays?", "Not any more.", "The Orchard Café is open on Mondays.", True),
    ("Does Mr. Okafor sell it?", "Unfortunately not.", "Mr. Okafor sell it.", True),
    ("Must I show my passport?", "No, you don't have to.", "I must show my passport.", True),
    ("Can I join?", "Yes, of course.", "I can join.", False),
    ("Name the architect of the hall.", "Josef Haldane.", "The architect of the hall is Josef Haldane.", False),
    ("Which cities does the ferry connect?", "Helsinki and Turku", "The ferry connect Helsinki and Turku.", False),
    ("How many pupils take part?", "22", "22 pupils take part.", False),
    ("Which bus goes to the hospital?", "Line 9.", "Line 9 goes to the hospital.", False),
    ("What kind of tree stands in the yard?", "A maple.", "A maple stands in the yard.", False),
    ("In which month is the market held?", "In May.", "The market is held in May.", False),
    (
        "When is the deadline for the poetry competition?",
        "1 May.",
        "The deadline for the poetry competition is 1 May.",
        False,
    ),
    ("Why was the race cancelled?", "Because of the rain.", "The race was cancelled because of the rain.", False),
    ("How long did it take?", "Six months.", "It take Six months.", False),
    ("Which cheese is in the pie?", "Goat cheese.", "In the pie is Goat cheese.", False),
    ("How often is the filter changed?", "- Twice a week [1].", "The filter is changed twice a week.", False),
]
"""Question, answer, the statement, and whether the answer denies it."""

LEFT = [
    ("Is the museum open on Mondays?", "Yes, the museum is open on Mondays."),
    ("Is the museum open on Mondays?", "It is closed."),
    ("When was the bridge built?", "It was built in 1987."),
    ("When was the bridge built?", "Yes."),
    ("When was the bridge built?", "The documents do not say."),
    ("How much do students pay?", "Students pay 9 euros."),
    ("What does the machine weigh?", "The machine weighs 40 kg."),
    ("How much does the tank hold?", "The tank holds 2.5 litres."),
    ("How much do students pay?", "In winter students pay 9 euros."),
    ("What do dogs do?", "Dogs bark."),
    ("What happened?", "Rain fell."),
    ("What of it?", "Cats purr."),
    ("What did Anna do?", "Anna laughed."),
    ("What do dogs do?", "Dogs bark loudly."),
    ("Who designed the tower?", "I do not know."),
    ("Where is the key?", "Hello!"),
    ("Where is the key?", "Here you are:"),
    ("museum opening hours", "From 10 to 5."),
    ("", "Yes."),
    ("?", "No."),
    ("Is?", "No."),
]
"""An answer that is no bare one, or has no question that it could complete."""

RECORDS = [
    ("Is the museum open on Mondays?", "The museum is closed on Mondays.", "Yes.", False),
    ("Is the museum open on Mondays?", "The museum is closed on Mondays.", "No.", True),
    ("Are dogs allowed in the garden?", "Dogs are allowed in the garden.", "Yes, they are.", True),
    ("Are dogs allowed in the garden?", "Dogs are allowed in the garden.", "No, they aren't.", False),
    ("Was the bridge built in 1911?", "The hall was sold in 1950.", "Yes.", False),
    ("Was the bridge built in 1911?", "The hall was sold in 1950.", "No.", False),
    ("How much do students pay?", "Adults pay 9 euros, and students pay 6 euros.", "6 euros.", True),
    ("How much do students pay?", "Adults pay 9 euros, and students pay 6 euros.", "9 euros.", False),
    ("Who designed the tower?", "Maria Hahn designed the tower.", "Anna Lopez.", False),
    *(("How much water does the tank hold?", "The tank holds 1.8 litres of water.", a, True) for a in ("1.8", "1.8 L")),
    ("How much water does the tank hold?", "The tank holds 1.8 litres of water.", "2.8", False),
    ("How much does it cost?", "The ticket costs 15 euros.", "15", True),
    ("How much does it cost?", "The ticket costs 15 euros.", "16", False),
    ("How long is the warranty?", "The warranty lasts 2 years.", "2", True),
    ("How long is the warranty?", "The warranty lasts 2 years.", "3", False),
    ("How many moons does Mars have?", "Mars has two moons.", "Two", True),
    ("How many moons does Mars have?", "Mars has two moons.", "Three", False),
    ("How many people can sit in the hall?", "The hall seats 250 people and has four doors.", "4", False),
    ("How tall is the tower?", "The tower is 38 metres high.", "38 m", True),
    ("How old must you be?", "You must be at least 18 years old.", "18", True),
]
"""Question, document, answer, and whether the document supports it."""


ITEMS = [
    ("Children should bring:\n- a sleeping bag", "Children should bring a sleeping bag."),
    ("The ingredients are:\n1. 200 g flour\n2. two eggs", "The ingredients are 200 g flour."),
    ("In the box you will find the following:\n* a nozzle", "In the box you will find a nozzle."),
    ("The ways to pay are:\n- cash", "The ways to pay are cash."),
    ("Thanks! It comes with:\n\n- a bag", "It comes with a bag."),
]
"""An answer with a list, and the statement of its first item."""

WITHOUT = [
    "Here are the steps:\n1. Empty the tray.",
    "You need:\n- The tank holds 2 litres.",
    "Note the following:\n- It is open on Mondays.",
    "It is closed.\n- a sleeping bag",
    "The key points are:\n- Open the lid\n- Press Start",
    "The three steps are:\n1. Open the lid\n2. Pour",
]
"""Items that are sentences, or have no heading that they could complete."""

REMAINDERS = [
    ("The documents do not say who built it, but it was opened in 1911.", "It was opened in 1911."),
    ("The documents give no reason for the delay, but say that it lasts until 9.", "It lasts until 9."),
    ("Her grave is not mentioned in the documents; they only tell that she died in 1932.", "She died in 1932."),
    ("Although the documents do not name the architect, the hall was opened in 1911.", "The hall was opened in 1911."),
    ("I could not find the price; however, the text states that children enter free.", "Children enter free."),
]
"""A sentence that declines and claims something, and what it claims."""

ONLY_REFUSALS = [
    "The documents do not say who built it.",
    "The documents do not say who built it, but you can ask the town hall.",
    "I could not find the price, but I can look for something else.",
    "The documents do not say when or how, but they describe the hall.",
    "I'm sorry, but the documents do not mention it.",
    "The documents do not say whether it is open but not staffed.",
]


@pytest.mark.parametrize(("answer", "statement"), ITEMS)
def test_an_item_completes_the_heading_of_its_list(answer, statement):
    found = claims("What is there?", Sentences.split([], answer).response)
    assert [c.statement for c in found if c and c.statement][:1] == [statement]


@pytest.mark.parametrize("answer", WITHOUT)
def test_another_item_stays_as_it_is(answer):
    found = claims("Tell me about it.", Sentences.split([], answer).response)
    assert not any(claim.statement for claim in found if claim)


@pytest.mark.parametrize(("answer", "statement"), REMAINDERS)
def test_what_a_refusal_claims_besides_is_judged(answer, statement):
    (found,) = claims("Who built the hall?", Sentences.split([], answer).response)
    assert found.statement == statement
    assert not found.denies


@pytest.mark.parametrize(
    ("answer", "statement"),
    [
        ("I hope this helps, and note the tank is made of gold.", "The tank is made of gold."),
        ("Hope that helps, but please remember that it is closed today.", "It is closed today."),
        ("I hope this helps.", None),
        ("I hope this helps, and feel free to ask again.", None),
    ],
)
def test_what_follows_a_polite_clause_is_judged(answer, statement):
    (claim,) = claims("How big is the tank?", Sentences.split([], answer).response)
    assert (claim and claim.statement) == statement


@pytest.mark.parametrize("answer", ONLY_REFUSALS)
def test_a_refusal_that_claims_nothing_else_stays_one(answer):
    assert claims("Who built the hall?", Sentences.split([], answer).response) == [None]


@pytest.mark.parametrize(("question", "answer", "statement", "denied"), SPELLED)
def test_a_bare_answer_is_spelled_out(question, answer, statement, denied):
    assert spelled_out(question, answer) == (statement, denied)


@pytest.mark.parametrize(("question", "answer"), LEFT)
def test_another_answer_stays_as_it_is(question, answer):
    assert spelled_out(question, answer) is None


@pytest.mark.parametrize(("question", "document", "answer", "supported"), RECORDS)
def test_a_bare_answer_is_judged_with_its_question(question, document, answer, supported):
    reply = LocalLabeler(embedder()).label(question, Sentences.split([document], answer))
    (entry,) = reply.raw["sentence_support_information"]
    assert entry["fully_supported"] is supported, entry


def test_a_denial_of_what_a_document_says_is_contradicted_by_it():
    sentences = Sentences.split(["Dogs are allowed in the garden."], "No.")
    reply = LocalLabeler(embedder()).label("Are dogs allowed in the garden?", sentences)
    (entry,) = reply.raw["sentence_support_information"]
    assert entry["contradicting_sentence_keys"] == ["0a"]
    assert reply.expected.adherence < 0.5


def test_a_denial_rests_on_the_sentence_that_says_otherwise():
    sentences = Sentences.split(["The museum is closed on Mondays."], "No.")
    reply = LocalLabeler(embedder()).label("Is the museum open on Mondays?", sentences)
    (entry,) = reply.raw["sentence_support_information"]
    assert entry["supporting_sentence_keys"] == ["0a"]
    assert reply.raw["all_utilized_sentence_keys"] == ["0a"]
    assert reply.expected.adherence > 0.5
