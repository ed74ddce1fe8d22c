import json
import time
from pathlib import Path

import pytest

from trace_core.facts.refusal import is_refusal, opens_by_declining
from trace_core.facts.sentences import response_sentences

BY_LANGUAGE = json.loads((Path(__file__).parent / "refusals.json").read_text(encoding="utf-8"))
"""Language → sentences that decline, and sentences about the world in like words."""


@pytest.mark.parametrize("language", BY_LANGUAGE)
def test_it_declines_in_nine_languages_and_answers_in_like_words(language):
    told = BY_LANGUAGE[language]
    assert [text for text in told["declines"] if not is_refusal(text)] == []
    assert [text for text in told["answers"] if is_refusal(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "I cannot answer this from the documents.",
        "Unfortunately, the given documents don't mention a warranty.",
        "Based on the provided context, it cannot be determined.",
        "None of the passages state the year.",
        "This question could not be answered.",
        "The provided passages say nothing about the price.",
        "It is unclear from the context when it opens.",
        "Unable to answer based on given passages.",
        "Based on the provided context, it does not mention such a feature.",
        "I'm afraid I can't help with that.",
    ],
)
def test_wordings_that_decline(text):
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The tank holds 1.8 litres.",
        "Water damage is not covered by the warranty.",
        "There is no evidence that vaccines cause autism.",
        "The root cause could not be determined, so the part was replaced.",
        "We cannot provide refunds after 30 days.",
        "There is no information desk at the station.",
        "I'm sorry for the delay: your parcel arrives on Friday.",
        "The price does not include breakfast.",
        "He was not mentioned in the will.",
        "The passage mentions that lack of sleep is harmful.",
    ],
)
def test_wordings_that_answer(text):
    assert not is_refusal(text)


@pytest.mark.parametrize(
    "answer",
    [
        "Hello! I do not know.",
        "Thank you for your question. Unfortunately, the documents do not mention this.",
        "Great question! I don't have that information.",
        "I apologize for the inconvenience. I am unable to answer this question.",
        "The documents do not mention the price. The tank costs 500 dollars.",
        "Hallo! Das steht nicht in den Dokumenten.",
        "Vielen Dank für Ihre Frage. Leider weiß ich es nicht.",
        "Lo siento. No tengo esa información.",
        "您好！文档中没有提到。",
        "Sorry.",
        "Sure! The context does not say.",
    ],
)
def test_an_answer_that_opens_by_declining_after_a_greeting_or_none(answer):
    assert opens_by_declining(sentence.text for sentence in response_sentences(answer))


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Thank you for your question. The tank holds 2 litres. I do not know the rest.",
        "I'm sorry for the delay. Your parcel arrives on Friday.",
        "It is red. I cannot answer the rest.",
        "Hello!",
        "Thank you for your question.",
        "No. It is not included.",
        "Great question! No, the battery cannot be replaced.",
        "Dear customer, we do not offer refunds.",
    ],
)
def test_an_answer_that_opens_by_answering(answer):
    assert not opens_by_declining(sentence.text for sentence in response_sentences(answer))


def test_only_the_opening_is_read():
    assert not is_refusal("It is red. " * 400 + "I cannot answer the rest.")


@pytest.mark.parametrize("text", ["the " * 5000, "the context " * 3000, "no information " * 3000, "\ud800" * 5000])
def test_a_hostile_text_takes_no_time(text):
    start = time.perf_counter()
    is_refusal(text)
    assert time.perf_counter() - start < 1
