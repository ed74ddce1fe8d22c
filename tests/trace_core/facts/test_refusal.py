import json
import time
from pathlib import Path

import pytest

from trace_core.facts.refusal import is_refusal, opens_by_declining
from trace_core.facts.sentences import response_sentences

SAID = json.loads((Path(__file__).parent / "refusals.json").read_text(encoding="utf-8"))
"""The first sentences of answers that decline, and of answers that merely look alike; written without sight of the
code."""


BY_LANGUAGE = json.loads((Path(__file__).parent / "refusals_by_language.json").read_text(encoding="utf-8"))
"""Language → sentences that decline, and sentences about the world in like words."""


@pytest.mark.parametrize("said", BY_LANGUAGE.values(), ids=BY_LANGUAGE)
def test_it_declines_in_any_language_and_answers_in_like_words(said):
    assert [text for text in said["declines"] if not is_refusal(text)] == []
    assert [text for text in said["answers"] if is_refusal(text)] == []


def test_openings_that_decline():
    assert [text for text in SAID["declines"] if not is_refusal(text)] == []


def test_openings_that_answer_in_like_words():
    assert [text for text in SAID["answers"] if is_refusal(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "I cannot answer this from the documents.",
        "I can’t find that in the manual.",
        "I'm sorry, but the documents do not say.",
        "Sorry, I don't know.",
        "We were unable to find any mention of it.",
        "The context does not provide the price.",
        "Unfortunately, the given documents don't mention a warranty.",
        "Based on the provided context, it cannot be determined.",
        "None of the passages state the year.",
        "There is no information about the pump.",
        "There's not enough context to answer.",
        "Not enough information is given to answer.",
        "The price is not mentioned in the text.",
        "I DO NOT HAVE ENOUGH INFORMATION.",
        "This question could not be answered.",
        "The answer is not in the documents.",
        "Sorry, that's not in the documents.",
        "This information isn't available.",
        "No information about this is in the context.",
        "The provided passages say nothing about the price.",
        "There is no mention of a guarantee in the documents.",
        "It is unclear from the context when it opens.",
        "Not specified.",
        "Unable to answer based on given passages.",
        "I don't have enough details to say.",
        "We could not find any information about this.",
        "Insufficient information.",
        "That is not stated in the text.",
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
        "You cannot use hot water.",
        "The filter does not replace descaling.",
        "I know the answer: 15 bar.",
        "The document describes how to descale.",
        "The machine cannot be switched on without a tank.",
        "It does not contain lead.",
        "The warranty does not cover lime damage.",
        "This context manager closes the file.",
        "Information is provided by the display.",
        "Water damage is not covered by the warranty.",
        "Batteries are not provided in the box.",
        "There is no evidence that vaccines cause autism.",
        "Penguins cannot be found in the Arctic.",
        "I don't have the flu.",
        "The root cause could not be determined, so the part was replaced.",
        "We are unable to ship to islands.",
        "We don't have any vacancies in August.",
        "We cannot provide refunds after 30 days.",
        "There is no information desk at the station.",
        "I'm sorry for the delay: your parcel arrives on Friday.",
        "The price does not include breakfast.",
        "No dogs are allowed in the museum.",
        "The key is not in the drawer.",
        "He was not mentioned in the will.",
        "The passage mentions that lack of sleep is harmful.",
        "It does not contain any sugar.",
    ],
)
def test_wordings_that_answer(text):
    assert not is_refusal(text)


@pytest.mark.parametrize(
    "answer",
    [
        "Hello! I do not know.",
        "Hi! I'm sorry, but the documents don't say.",
        "Thank you for your question. Unfortunately, the documents do not mention this.",
        "Thanks for asking! I couldn't find that in the manual.",
        "Great question! I don't have that information.",
        "I'm sorry. I cannot answer that.",
        "Sorry. I don't know.",
        "I apologize for the inconvenience. I am unable to answer this question.",
        "Good morning. There is no information about the price in the documents.",
        "Hello there! Thank you for reaching out. I do not have enough information.",
        "Dear customer, unfortunately we cannot answer your question.",
        "Dear Anna, I don't know.",
        "The documents do not mention the price. The tank costs 500 dollars.",
        "Hallo! Das steht nicht in den Dokumenten.",
        "Vielen Dank für Ihre Frage. Leider weiß ich es nicht.",
        "Bonjour ! Je ne sais pas.",
        "¡Hola! No lo sé.",
        "Lo siento. No tengo esa información.",
        "Désolé. Les documents ne le précisent pas.",
        "您好！文档中没有提到。",
        "抱歉。我不知道。",
        "Ciao! Non lo so.",
        "Olá! Não sei.",
        "Sorry.",
        "I'm sorry.",
        "Hi,\n\nI don't know.",
        "Sure! The context does not say.",
        "Okay. I can't answer that.",
        "**Hello!** I do not know.",
        "Hello, I do not know.",
        "I'm so sorry to hear that. Unfortunately, I can't help with this.",
        "Thank you for contacting us! We do not have any information about this model.",
    ],
)
def test_an_answer_that_opens_by_declining_after_a_greeting_or_none(answer):
    assert opens_by_declining(sentence.text for sentence in response_sentences(answer))


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Hello! The tank holds 2 litres.",
        "Thank you for your question. The tank holds 2 litres. I do not know the rest.",
        "I'm sorry for the delay. Your parcel arrives on Friday.",
        "Sorry for the confusion. The tank holds 2 litres.",
        "It is red. I cannot answer the rest.",
        "Hello!",
        "Thank you for your question.",
        "Yes. The manual does not cover this topic.",
        "No. It is not included.",
        "Great question! No, the battery cannot be replaced.",
        "Good question. Water damage is not covered by the warranty.",
        "Hallo! Der Tank fasst zwei Liter.",
        "I apologize. The price is 5 dollars.",
        "Hi! We do not accept returns.",
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
