"""What a response sentence is held against, and what follows from what the reader says of it."""

import numpy as np
import pytest

from trace_core.facts.records import Sentences
from trace_core.labeling.local.evidence import (
    UNREAD,
    Evidence,
    as_read,
    gather,
    halves,
    support_columns,
    texts_to_embed,
)
from trace_core.labeling.local.reader import ENTAILS

DOCUMENTS = ["The lamp is old. The tank holds two litres. It is made of steel.", "The lid is red."]
ITEM = ("What is the tank like?", Sentences.split(DOCUMENTS, "The tank holds two litres of water. Thank you!"))
NEITHER = (0.01, 0.01, 0.97, 0.01)


class Reader:
    """Says `neither` of every premise, and remembers the pairs."""

    def __init__(self):
        self.pairs = []

    def says(self, pairs, told):
        self.pairs += pairs
        return np.log(np.array([NEITHER for _ in pairs], dtype=np.float32))

    def answers(self, pairs):
        return np.zeros(len(pairs), dtype=np.float32)


def evidence(model, reader, item=ITEM):
    item = as_read(item)
    texts = texts_to_embed([item])
    return gather([item], dict(zip(texts, model.embed(texts), strict=True)), reader)[0]


@pytest.fixture(scope="module")
def read(model):
    return evidence(model, Reader())


def with_probabilities(e, says):
    """The evidence, with other probabilities for the premises of `says`: (row, places) → the four classes."""
    p = np.array([says.get(premise, NEITHER) for premise in e.premises], dtype=np.float32)
    return Evidence(e.c, e.premises, np.log(p), e.answers)


def test_a_sentence_is_held_against_the_nearest_alone_and_together(model):
    reader = Reader()
    read = evidence(model, reader)
    first = [places for row, places in read.premises if row == 0]
    assert first[0] == (1,)
    assert {len(places) for places in first} == {1, 2, 3}
    assert all(places == tuple(sorted(places)) for places in first)
    pair = reader.pairs[read.premises.index((0, (0, 1)))]
    assert pair == ("The lamp is old. The tank holds 2 litres.", "The tank holds 2 litres of water.")


def test_what_was_not_read_has_the_least_log_odds(read):
    alone = with_probabilities(read, {(0, (1,)): (0.9, 0.05, 0.04, 0.01)}).read(ENTAILS, together=False)
    assert alone[0, 1] == pytest.approx(np.log(9), abs=1e-5)
    assert UNREAD in alone[0]


def test_a_sentence_that_the_reader_calls_empty_claims_nothing(read):
    empty = {premise: (0.01, 0.01, 0.01, 0.97) for premise in read.premises if premise[0] == 1}
    assert with_probabilities(read, empty).claims.tolist() == [True, False]


def test_marks_are_not_read_and_a_row_is_read_with_its_head():
    rows = "| course | price | weeks |\n|---|---|---|\n| basic | €80 | 3 |"
    item = as_read(("Which?", Sentences.split(["The lamp is 1 240 mm high."], f"- Press it. [2]\n\n{rows}")))
    texts = ["Press it.", "course price weeks", "basic: price 80 euros, weeks 3"]
    assert [s.text for s in item.sentences.response] == texts
    assert item.claims == [True, False, True]
    assert item.sentences.documents[0][0].text == "The lamp is 1240 millimetres high."


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("The tank holds two litres, and the lid is red.", ["The tank holds two litres.", "the lid is red."]),
        ("It is cheap to buy; cleaning it costs more.", ["It is cheap to buy.", "cleaning it costs more."]),
        ("Mix the butter and sugar.", []),
        ("The tank holds two litres.", []),
    ],
)
def test_a_sentence_has_two_parts_where_its_middle_joins_two_long_ones(sentence, parts):
    assert halves(sentence) == parts


def test_a_sentence_whose_parts_are_said_apart_is_judged_by_the_part_said_least(model):
    class Apart(Reader):
        """Says that each part is so, the second less surely, and that the whole is not."""

        def says(self, pairs, told):
            sure = {"The tank holds 2 litres.": 0.9, "the lid is red.": 0.8}
            p = [sure.get(hypothesis, 0.1) for _, hypothesis in pairs]
            return np.log(np.array([(x, (1 - x) / 2, (1 - x) / 4, (1 - x) / 4) for x in p], dtype=np.float32))

    item = ("?", Sentences.split(DOCUMENTS, "The tank holds two litres, and the lid is red."))
    read = evidence(model, Apart(), item)
    assert support_columns(read)["entails most"] == pytest.approx([np.log(0.8 / 0.2)], abs=1e-4)
