"""What the words of a column's name say about its part, where no tool uses that name."""

import pytest

from trace_core.datasets.words import role_of

QUESTIONS = """Customer enquiry|Bürgerfrage|Question du voyageur|counsel_question|player_question|Reader question
patientQuery|What did the user ask?|Kundenanfrage (Text)|test.question|Pregunta 1|3. Frage an den Bot
search query|guest_message|driver_utterance [text]|Input (user types)|Original question (EN)"""
DOCUMENTS = """KB article|Fundstelle|Archive passages (one per line)|lore_snippets|suggested_articles|Handbook extract
Retrieved chunk A|Gefundene Textstellen|es.hits|rag.contexts|evidence_paragraphs|Auszug 2|Policy clause
Which documents did it show?|retrieved_text_3"""
RESPONSES = """Assistant reply|Réponse du robot|npc_answer|Draft reply by AI|assistant_answer|Reply from our chatbot
rag.answer|What did the bot answer?|KI-Antwort|system response v2|Answer (GPT)|llm_reply_text|output of the tool
Actual result|Assistant said|bot_text"""
REFERENCES = """Approved answer|partner_answer_key|canon_answer|Editor's reply (reference)|gold_reply
Target answer [text]|qa_review.correct_answer|Sollantwort|Réponse de référence|What should it have answered?
official response|Musterantwort der Fachabteilung|answer expected by QA|human-written answer|Correct reply
Expected result|Officer would say|instructor_answer|Best Answer|should_have_said"""
ANSWERS = """Final answer|answer text|Short reply|Antwort"""
NOTHING = """Incorrect Answers|rejected_response
answer_id|Question type|has_answer|is_answerable|Answer rating|Source URL|Reviewer comment
response time (s)|prompt tokens|query_language|Chunk 1 score [0-1]|number of documents
question_answer_pair|document title|answer correct?|Pass/Fail|Tyre pressure [bar]|Steps to reproduce
expected documents|relevant passages|system prompt|Trust|Amt|created_at|answer_relevancy
context_precision|answer source|response status|Asked on|num_chunks|gold passage ids|Date asked|email
The date on which the person who asked the question got an answer from somebody else in the end
last reply by|city|output_tokens|query cost|doc author|answer length|Answered?|reply_to|article number
text|comment|notes on sources"""


def listed(lines):
    return [name for line in lines.splitlines() for name in line.split("|")]


@pytest.mark.parametrize(
    ("role", "lines"),
    [
        ("question", QUESTIONS), ("documents", DOCUMENTS), ("response", RESPONSES), ("reference_answer", REFERENCES),
        ("answer", ANSWERS), (None, NOTHING),
    ],
)  # fmt: skip
def test_the_part_is_read_from_the_words(role, lines):
    assert {name: role_of(name) for name in listed(lines)} == dict.fromkeys(listed(lines), role)
