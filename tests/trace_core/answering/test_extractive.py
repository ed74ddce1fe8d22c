import pytest

from trace_core.answering import Extractive
from trace_core.facts.records import Document, Record

TANK = "# The water tank\nThe tank holds 1.8 litres of water. It is made of glass."
FILTER = "The filter is changed every two months. Cats purr when they are content."


def documents(*texts, score=0.6):
    made = [Document(id=f"d{i}", rank=i + 1, retrieval_score=score, text=text) for i, text in enumerate(texts)]
    return Record(id="1", question="?", documents=made).documents


@pytest.fixture(scope="module")
def answerer(model):
    return Extractive(model)


def test_the_answer_is_made_of_the_documents_own_sentences(answerer):
    found = answerer.answer("How much water does the tank hold?", documents(TANK, FILTER))
    assert found.text == "The tank holds 1.8 litres of water."
    assert found.citations == ["d0"]
    assert not found.declines


def test_at_most_three_sentences_in_the_documents_order(answerer):
    text = " ".join(f"The tank of model {n} holds {n} litres of water." for n in range(2, 9))
    found = answerer.answer("How much water does the tank hold?", documents(text))
    places = [text.index(sentence) for sentence in found.text.split(". ") if sentence.strip(".")]
    assert 1 <= len(places) <= 3
    assert places == sorted(places)


@pytest.mark.parametrize(("score", "refused"), [(0.429, True), (0.43, False)])
def test_it_refuses_below_the_threshold(answerer, score, refused):
    found = answerer.answer("How much?", documents(TANK, score=score))
    assert found.declines is refused
    assert found.text.startswith("I cannot answer this from the documents") is refused
    assert (found.citations == []) is refused
    assert ("score of 0.43, below 0.43" in found.text) is refused


def test_one_sentence_near_the_question_answers_though_its_chunk_speaks_of_much_else(answerer):
    found = answerer.answer("How often is the filter changed?", documents(TANK, FILTER, score=0.2))
    assert (found.text, found.citations) == ("The filter is changed every two months.", ["d1"])


@pytest.mark.parametrize("texts", [(), ("",), ("# Only a heading",)])
def test_it_refuses_where_there_is_nothing_to_answer_from(answerer, texts):
    found = answerer.answer("How much?", documents(*texts, score=None))
    assert found.declines
    assert found.text == "I cannot answer this: there is no document to answer from."


def test_without_retrieval_scores_it_answers_with_the_nearest_however_far(answerer):
    for question in ("?", "qwzx", "How do I renew my passport?", "-", "0x7f\x00"):
        found = answerer.answer(question, documents("Cats purr when they are content.", score=None))
        assert found.text == "Cats purr when they are content."
