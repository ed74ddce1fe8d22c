import json

import numpy as np
import pytest

from trace_core.facts.words import is_negation, number_word
from trace_core.labeling.local.document_features import question_kind
from trace_core.labeling.local.log_odds import logistic
from trace_core.labeling.local.weights import FILE, Model, Weights, shipped
from trace_core.labeling.local.wording.texts import read


def test_a_sentence_is_taken_apart():
    text = read("- The pump of Ada Lovelace does not hold three litres. [2]")
    assert text.tokens == ("pump", "ada", "lovelac", "hold", "#3", "litr")
    assert text.numbers == {"#3"}
    assert text.names == {"ada", "lovelac"}
    assert text.denied == {"hold", "#3", "litr"}
    assert text.negations == 1
    assert [unit.first for unit in text.units] == ["pump", "ada", "hold", "#3", "litr"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Children may ride it from the age of 8.", {"#8"}),
        ("Children under 12.", {"#12"}),
        ("Press the button. 2.", set()),
        ("Press these keys: 2.", set()),
        ("3. Press the button.", set()),
    ],
)
def test_a_number_at_the_end_is_one_and_a_list_mark_there_is_none(text, numbers):
    assert read(text).numbers == numbers


@pytest.mark.parametrize("text", ["", "\x00\ud800", "🙂", "1" * 5000, "not " * 5000, "A" * 50_000])
def test_no_text_raises(text):
    read(text)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("How many watts does it need?", {"amount"}),
        ("I would like to know how long it takes.", {"amount"}),
        ("What's the price of a ticket?", {"amount", "thing"}),
        ("How do I pair my phone?", {"way"}),
        ("When is it open?", {"time"}),
        ("What time does it close?", {"time", "thing"}),
        ("who founded it", {"person"}),
        ("Where is the inn?", {"place"}),
        ("Why does it beep?", {"reason"}),
        ("Which filter fits?", {"thing"}),
        ("Can I use vinegar?", {"yes or no"}),
        ("vinegar descaling", set()),
        ("", set()),
    ],
)
def test_what_a_question_asks_for(question, asks):
    kind = question_kind(read(question))
    assert {name for name, does in kind.items() if does and name != "question words"} == {f"asks {one}" for one in asks}


@pytest.mark.parametrize(("word", "said"), [("not", True), ("isn't", True), ("cannot", True), ("note", False)])
def test_single_negations(word, said):
    assert is_negation(word) is said


@pytest.mark.parametrize(("word", "number"), [("three", "3"), ("one", None), ("tank", None)])
def test_number_words(word, number):
    assert number_word(word) == number


def test_a_model_is_a_dot_product_over_standardized_columns():
    model = Model(("a", "b"), np.array([1.0, 0.0]), np.array([2.0, 1.0]), np.array([0.5, -1.0]), 0.25)
    columns = {"b": np.array([1.0, 100.0]), "a": np.array([3.0, 1.0]), "unused": np.zeros(2)}
    assert model.sum(columns).tolist() == [0.5 - 1.0 + 0.25, -5.0 + 0.25]  # held within five
    assert model.probability(columns)[0] == pytest.approx(1 / (1 + np.exp(0.25)))
    assert logistic(np.array([0.0])).tolist() == [0.5]


def test_the_shipped_weights_are_small_and_read_back_the_same():
    text = FILE.read_text(encoding="utf-8")
    assert len(text) < 1_000_000
    assert json.loads(Weights.from_json(text).to_json()) == json.loads(text)
    assert set(shipped().models) == {
        *("relevant", "utilized", "unsupported", "judged", "supports"),
        *("context_relevance", "context_utilization", "completeness", "hallucination"),
    }
