"""What a response sentence is held against, and what follows from what the reader says of it."""

import numpy as np
import pytest

from trace_core.facts.records import Sentences
from trace_core.labeling.local.evidence import UNREAD, Evidence, SentenceMatrix, bare_claim, gather, texts_of
from trace_core.labeling.local.reader import CONTRADICTS, ENTAILS

DOCUMENTS = ["The lamp is old. The tank holds two litres. It is made of steel.", "The lid is red."]
ITEM = ("What is the tank like?", Sentences.split(DOCUMENTS, "The tank holds two litres of water. Thank you!"))
NEITHER = (0.01, 0.01, 0.97, 0.01)


class Reader:
    """Says `neither` of every premise, and remembers the pairs."""

    def says(self, pairs, told):
        self.pairs = pairs
        return np.log(np.array([NEITHER for _ in pairs], dtype=np.float32))

    def answers(self, pairs):
        return np.zeros(len(pairs), dtype=np.float32)


@pytest.fixture(scope="module")
def read_by():
    return Reader()


@pytest.fixture(scope="module")
def read(model, read_by):
    texts = texts_of(ITEM)
    comparison = SentenceMatrix(ITEM, dict(zip(texts, model.embed(texts), strict=True)))
    return gather([(comparison, ITEM)], read_by, lambda share: None)[0]


def with_probabilities(e, says):
    """The evidence, with other probabilities for the premises of `says`: (row, places) → the four classes."""
    p = np.array([says.get(premise, NEITHER) for premise in e.premises], dtype=np.float32)
    return Evidence(e.c, e.premises, np.log(p), e.answers)


def test_a_sentence_is_held_against_the_nearest_ones_alone_together_and_the_best_with_the_one_before(read):
    first = [places for row, places in read.premises if row == 0]
    assert first[0] == (1,)
    assert {len(places) for places in first} == {1, 2, 3}
    assert (0, 1) in first
    assert all(places == tuple(sorted(places)) for places in first)


def test_the_texts_stand_in_the_order_of_the_documents(read, read_by):
    pair = read_by.pairs[read.premises.index((0, (0, 1)))]
    assert pair == ("The lamp is old. The tank holds two litres.", "The tank holds two litres of water.")


def test_what_was_not_read_has_the_least_log_odds(read):
    alone = with_probabilities(read, {(0, (1,)): (0.9, 0.05, 0.04, 0.01)}).alone(ENTAILS)
    assert alone[0, 1] == pytest.approx(np.log(9), abs=1e-5)
    assert UNREAD in alone[0]


def test_of_premises_that_say_the_same_the_shorter_is_the_best(read):
    sure = (0.9, 0.05, 0.04, 0.01)
    assert with_probabilities(read, {(0, (1,)): sure, (0, (0, 1)): sure}).best(0) == (1,)
    assert with_probabilities(read, {(0, (0, 1)): sure}).best(0) == (0, 1)


def test_a_sentence_that_the_reader_calls_empty_claims_nothing(read):
    empty = {premise: (0.01, 0.01, 0.01, 0.97) for premise in read.premises if premise[0] == 1}
    found = with_probabilities(read, empty)
    assert found.claims.tolist() == [True, False]
    assert found.alone(CONTRADICTS).shape == (2, 4)


@pytest.mark.parametrize(
    ("sentence", "claim"), [("- Press it. [2]", "Press it."), ("1. Press it.", "Press it."), ("[1]", "[1]")]
)
def test_list_marks_and_citations_claim_nothing(sentence, claim):
    assert bare_claim(sentence) == claim
