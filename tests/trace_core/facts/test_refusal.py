import pytest

from trace_core.facts.refusal import is_refusal, opens_by_declining
from trace_core.facts.sentences import response_sentences

DECLINES = """
Based on the provided context, it is not possible to determine the tank size.
I would rather not answer that.
I lack the information to answer this.
The requested information could not be found.
The context is not relevant to the question.
There is nothing in the documents about the price.
Answer: Unknown
Unable to determine.
Given the context, I cannot say.
We cannot determine this from the documents.
We don't have enough data to answer that question.
The answer to your question is not in the retrieved documents.
I can't help you with that.
I'm unable to verify that.
I cannot answer this question from the documents.
I'm sorry, but the context does not provide enough information to answer.
The provided documents do not contain this information.
Unfortunately, I could not find the answer in the given context.
None of the passages state the year.
It is unclear from the context when it opens.
Unable to answer based on given passages.
I do not know.
The documents do not mention the price.
The documents I can see are about an espresso machine and say nothing about bicycles.
The price of the tank is not mentioned in the provided context.
How long the warranty lasts is not stated in the documents.
Based on the context provided, there is no information about the warranty period.
The retrieved passages don't say who invented it.
I couldn't find any mention of parking fees in the documents you provided.
The context only describes the tank and does not state the price.
The information provided does not specify the voltage.
I don't have enough information to answer that.
There isn't enough information in the context to answer the question.
No information about refunds is given in the documents.
The answer is not contained in the documents.
Neither document mentions the colour.
From the provided documents, I cannot determine the delivery time.
The documents provided do not specify a delivery time.
Sorry, I don't have that information.
I'm afraid the documents don't cover this topic.
The question cannot be answered with the given information.
This is not addressed in the manual.
""".strip().splitlines()
ANSWERS = """
The article does not contain gluten.
Water damage is not covered by the warranty
The documents are not required for the visa.
The answer is 15 bar.
There is no data roaming charge in the EU.
We found no evidence that the drug works.
I won't be there before noon.
It is not clear whether the dinosaurs had feathers.
The manual does not come with the printed edition.
The book does not have an index.
Not all of them.
Users cannot find the button because it is hidden.
The search engine does not index PDF files.
The available data do not support a link with cancer.
The given example does not include error handling.
The instructions are not in English.
The data was not encrypted.
It could not be determined by the engineers.
I am not sure-footed.
She found nothing about the house that pleased her.
The text does not use the letter e.
The constitution does not mention political parties.
Unlike the guide, the manual has an index.
Not before 2025.
Cash is not covered.
Water damage is not covered by the policy.
The policy does not cover cash.
We cannot provide refunds after 30 days.
I'm sorry for the delay: your parcel arrives on Friday.
The passage mentions that lack of sleep is harmful.
The documents do not mention the colour, but the tank holds 1.8 litres.
The tank holds 1.8 litres, but the documents do not mention the colour.
The tank holds 1.8 litres.
Batteries are not included.
Breakfast is not provided.
The warranty does not include batteries.
The form is not available in English.
You cannot find the button because it is hidden.
The device does not support Bluetooth.
Pets are not allowed in the rooms.
Dogs are not part of the offer.
The plan does not cover the documents you lose.
Although the context does not state the price, the tank costs 50 dollars.
Lost luggage is not covered, and neither is cash.
There is no answer phone in the room.
No details are stored on the card.
This cannot be undone.
It is not known to be toxic.
""".strip().splitlines()


def test_documents_that_lack_the_answer_or_one_who_cannot_answer_decline():
    assert [text for text in DECLINES if not is_refusal(text)] == []


def test_a_statement_in_like_words_and_a_sentence_that_also_claims_do_not_decline():
    assert [text for text in ANSWERS if is_refusal(text)] == []


@pytest.mark.parametrize(
    ("answer", "declines"),
    [
        ("Hello! I do not know.", True),
        ("Thank you for your question. Unfortunately, the documents do not mention this.", True),
        ("I apologize for the inconvenience. I am unable to answer this question.", True),
        ("The documents do not mention the price. The tank costs 500 dollars.", True),
        ("Sorry.", True),
        ("", False),
        ("Thank you for your question. The tank holds 2 litres. I do not know the rest.", False),
        ("I'm sorry for the delay. Your parcel arrives on Friday.", False),
        ("Thank you for your question.", False),
        ("Great question! No, the battery cannot be replaced.", False),
    ],
)
def test_an_answer_opens_by_declining_or_answering_after_a_greeting_or_none(answer, declines):
    assert opens_by_declining(sentence.text for sentence in response_sentences(answer)) is declines


def test_only_the_opening_is_read():
    assert not is_refusal("It is red. " * 400 + "I cannot answer the rest.")


@pytest.mark.parametrize("text", ["the " * 5000, "the context " * 3000, "no information " * 3000, "\ud800" * 5000])
@pytest.mark.timeout(20)
def test_a_hostile_text_is_read_and_is_no_refusal(text):
    assert not is_refusal(text)
