"""What a response sentence is held against, and what follows from what the reader says of it."""

import numpy as np
import pytest

from trace_core.facts.records import Sentences
from trace_core.labeling.local.labeler import _texts, compare
from trace_core.labeling.local.premises import UNREAD, Evidence, asked, bare_claim, named, pairs_of
from trace_core.labeling.local.reader import CONTRADICTS, ENTAILS

DOCUMENTS = ["The lamp is old. The tank holds two litres. It is made of steel.", "The lid is red."]
SENTENCES = Sentences.split(DOCUMENTS, "The tank holds two litres of water. Thank you for asking!")


@pytest.fixture(scope="module")
def comparison(model):
    item = ("What is the tank like?", SENTENCES)
    texts = _texts(item)
    return compare(item, dict(zip(texts, model.embed(texts), strict=True)))


def evidence(comparison, **said):
    """Every premise says `neither` for sure, but for those named: places → probabilities of the four classes."""
    wanted = asked(comparison)
    table = {tuple(int(c) for c in name[1:].split("_")): p for name, p in said.items()}
    p = [table.get(a.places, (0.01, 0.01, 0.97, 0.01)) for a in wanted]
    return Evidence(comparison, wanted, np.log(np.array(p, dtype=np.float32)), np.zeros(4, dtype=np.float32))


def test_a_sentence_is_held_against_the_nearest_ones_alone_together_and_the_best_with_the_one_before(comparison):
    first = [a.places for a in asked(comparison) if a.row == 0]
    assert first[0] == (1,)
    assert {len(places) for places in first} == {1, 2, 3}
    assert (0, 1) in first
    assert all(places == tuple(sorted(places)) for places in first)


def test_the_texts_stand_in_the_order_of_the_documents(comparison):
    wanted = asked(comparison)
    premise, claim = pairs_of(wanted, SENTENCES)[[a.places for a in wanted].index((0, 1))]
    assert premise == "The lamp is old. The tank holds two litres."
    assert claim == "The tank holds two litres of water."


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [("- Press it. [2]", "Press it."), ("1. Press it.", "Press it."), ("Press it.", "Press it."), ("[1]", "[1]")],
)
def test_list_marks_and_citations_claim_nothing(sentence, claim):
    assert bare_claim(sentence) == claim


def test_what_was_not_read_has_the_least_log_odds(comparison):
    alone = evidence(comparison, _1=(0.9, 0.05, 0.04, 0.01)).alone(ENTAILS)
    assert alone[0, 1] == pytest.approx(np.log(9), abs=1e-5)
    assert UNREAD in alone[0]


def test_of_premises_that_say_the_same_the_shorter_is_the_best(comparison):
    assert evidence(comparison, _1=(0.9, 0.05, 0.04, 0.01), _0_1=(0.9, 0.05, 0.04, 0.01)).best(0) == (1,)
    assert evidence(comparison, _0_1=(0.9, 0.05, 0.04, 0.01)).best(0) == (0, 1)


def test_a_sentence_that_the_reader_calls_empty_claims_nothing(comparison):
    wanted = asked(comparison)
    p = [(0.01, 0.01, 0.01, 0.97) if a.row else (0.97, 0.01, 0.01, 0.01) for a in wanted]
    found = Evidence(comparison, wanted, np.log(np.array(p, dtype=np.float32)), np.zeros(4, dtype=np.float32))
    assert found.claims.tolist() == [True, False]
    assert found.alone(CONTRADICTS).shape == (2, 4)


# What a leading pronoun stands for

PRONOUNS = [
    ("It is red.", ["The tank is red."], "The tank is red."),
    ("It is not valid abroad.", ["The warranty is not valid abroad."], "The warranty is not valid abroad."),
    ("It's blue.", ["The water tank of the pump is red."], "The water tank of the pump is blue."),
    ("They're closed on Mondays.", ["Our shops are closed on Mondays."], "Our shops are closed on Mondays."),
    ("He was born in 1950.", ["Peter de Vries was born in 1951."], "Peter de Vries was born in 1950."),
    ("It opened in 1911.", ["Harrow Museum (Harrow) opened in 1911."], "Harrow Museum opened in 1911."),
    ("It was founded by Ada.", ["Fill it daily.", "The school was founded by Ada."], "The school was founded by Ada."),
    ("The tank is red.", ["The pump is red."], "The tank is red."),
    ("It is red.", ["Fill it daily."], "It is red."),
    ("It is red.", ["It is red, says Ann."], "It is red."),
    ("Its lid is red.", ["The tank has a red lid."], "Its lid is red."),
    ("It", ["The tank is red."], "It"),
    ("", [], ""),
]


@pytest.mark.parametrize(("claim", "texts", "expected"), PRONOUNS)
def test_a_leading_pronoun_takes_the_subject_of_the_first_text_that_has_one(claim, texts, expected):
    assert named(claim, texts) == expected
