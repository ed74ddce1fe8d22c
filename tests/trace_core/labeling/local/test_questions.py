"""A bare yes or no: spelled out with the words of its question, and judged as the whole sentence would be."""

import pytest

from trace_core.facts.records import Sentences
from trace_core.labeling.local.labeler import LocalLabeler
from trace_core.labeling.local.questions import spelled_out

SPELLED = [
    ("Is the museum open on Mondays?", "Yes.", "The museum is open on Mondays.", False),
    ("Is the museum open on Mondays?", "No.", "The museum is open on Mondays.", True),
    ("Are dogs allowed in the hall?", "Yes, they are.", "Dogs are allowed in the hall.", False),
    ("Can I cancel online?", "No, you cannot.", "I can cancel online.", True),
    ("Does the fee include lunch?", "No, it doesn't.", "The fee include lunch.", True),
    ("Do you accept cheques?", "Absolutely.", "You accept cheques.", False),
    ("I lost my card. Is there a fee?", "Of course not.", "There is a fee.", True),
    ("If I am late, can I still enter?", "Yes, you can.", "If I am late, I can still enter.", False),
    ("Was Anna Lopez the founder of the club?", "That's right.", "Anna Lopez was the founder of the club.", False),
    ("Isn't the pool heated?", "Yes.", "The pool is heated.", False),
    ("Bus 14 runs all night, is that right?", "Correct.", "Bus 14 runs all night.", False),
    ("The pool is heated, isn't it?", "No.", "The pool is heated.", True),
    ("Are the pears in the school garden ripe?", "No.", "The pears in the school garden are ripe.", True),
    ("Is the Orchard Café open on Mondays?", "Not any more.", "The Orchard Café is open on Mondays.", True),
    ("Must I show my passport?", "No, you don't have to.", "I must show my passport.", True),
]
"""Question, answer, the statement, and whether the answer denies it."""

LEFT = [
    ("Is the museum open on Mondays?", "Yes, the museum is open on Mondays."),
    ("Is the museum open on Mondays?", "It is closed."),
    ("When was the bridge built?", "Yes."),
    ("When was the bridge built?", "The documents do not say."),
    ("How much do students pay?", "Students pay 9 euros."),
    ("museum opening hours", "From 10 to 5."),
    ("", "Yes."),
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
]
"""Question, document, answer, and whether the document supports it."""


@pytest.mark.parametrize(("question", "answer", "statement", "denies"), SPELLED)
def test_a_bare_answer_is_spelled_out(question, answer, statement, denies):
    assert spelled_out(question, answer) == (statement, denies)


@pytest.mark.parametrize(("question", "answer"), LEFT)
def test_any_other_answer_stays_as_it_is(question, answer):
    assert spelled_out(question, answer) is None


@pytest.mark.parametrize(("question", "document", "answer", "supported"), RECORDS)
def test_a_bare_answer_is_judged_as_its_sentence(model, question, document, answer, supported):
    reply = LocalLabeler(model).label(question, Sentences.split([document], answer))
    assert reply.raw["sentence_support_information"][0]["fully_supported"] is supported
