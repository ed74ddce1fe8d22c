import json
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
        "None of the passages state the year.",
        "It is unclear from the context when it opens.",
        "Unable to answer based on given passages.",
    ],
)
def test_wordings_that_decline(text):
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The tank holds 1.8 litres.",
        "We cannot provide refunds after 30 days.",
        "I'm sorry for the delay: your parcel arrives on Friday.",
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
        "I apologize for the inconvenience. I am unable to answer this question.",
        "The documents do not mention the price. The tank costs 500 dollars.",
        "Hallo! Das steht nicht in den Dokumenten.",
        "您好！文档中没有提到。",
        "Sorry.",
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
        "Thank you for your question.",
        "Great question! No, the battery cannot be replaced.",
    ],
)
def test_an_answer_that_opens_by_answering(answer):
    assert not opens_by_declining(sentence.text for sentence in response_sentences(answer))


def test_only_the_opening_is_read():
    assert not is_refusal("It is red. " * 400 + "I cannot answer the rest.")


@pytest.mark.parametrize("text", ["the " * 5000, "the context " * 3000, "no information " * 3000, "\ud800" * 5000])
@pytest.mark.timeout(20)
def test_a_hostile_text_is_read_and_is_no_refusal(text):
    assert not is_refusal(text)
