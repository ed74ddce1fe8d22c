"""What the words of a column's name say about its part, where no tool uses that name."""

import pytest

from trace_core.datasets.words import names_category, names_expected, role_of

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


FOREIGN = {
    "question": "Pytanie|Otázka|Kérdés|Întrebare|Soru|Kysymys|Ερώτηση|Spørgsmål|Spørsmål|Вопрос пользователя|Питання"
    "|質問|ユーザーの質問|用户问题|問題|질문|Testvraag|Dotaz zákazníka",
    "documents": "Znalezione fragmenty|Nalezené úryvky|Talált szövegrészek|Bulunan belgeler|Найденные документы"
    "|検索結果 1|検索結果|检索到的内容|검색 결과|문서|上下文|Hentede dokumenter|Search results (top 3)"
    "|Documenti trovati|hämtade_stycken|opgehaalde_passages",
    "response": "Odpowiedź systemu|Odpověď bota|A bot válasza|Ответ модели|AIの回答|模型回答|챗봇 답변|Svar fra bot"
    "|Antwort des Systems|Відповідь бота",
    "reference_answer": "Odpowiedź wzorcowa|Správná odpověď|Helyes válasz|Doğru cevap|Правильный ответ|正解|模範解答"
    "|标准答案|正確答案|정답|Korrekt svar|Erwartete Antwort|期待される回答|Risposta corretta|Resposta correta",
    None: "回答時間|評価|担当者|番号|Kommentar zur Antwort|Kategorie der Frage|Ocena odpowiedzi|Poznámka k odpovědi"
    "|Oczekiwane dokumenty|Articles attendus|Documents that should be found|Время ответа|正解文書|검색 점수"
    "|Risposta corretta?|Respuesta correcta?|Documento de referencia|Referenz-Dokument",
}
CATEGORIES = """Kategorie|Catégorie|Categoría|Thema|Thème|Rubrik|Rubrique|Área|Tema|Onderwerp|Kategoria|Kategória
Категория|カテゴリ|カテゴリー|分类|類別|카테고리|Fragenkategorie|Kategorie der Frage|Question type|topic|Kategori
Emne|Konu"""
NO_CATEGORIES = """error category|category score|Kategorie-ID|category comment|answer type|source category|Typ|type
Theman"""
EXPECTED = """Oczekiwane dokumenty|Expected source(s)|documents attendus|must_find_files|Articles attendus|正解文書
期待文書|Soll-Dokument|Fundstelle (Soll)|verwachte_bronnen|Documento correto
Documento de referencia|Referenz-Dokument|IDs dos documentos esperados|ids of the expected docs"""


@pytest.mark.parametrize("role", FOREIGN)
def test_words_of_other_languages_say_the_same(role):
    names = listed(FOREIGN[role])
    assert {name: role_of(name) for name in names} == dict.fromkeys(names, role)


def test_a_category_is_told_by_its_words():
    assert [name for name in listed(CATEGORIES) if not names_category(name)] == []
    assert [name for name in listed(NO_CATEGORIES) if names_category(name)] == []


def test_documents_that_should_be_found_are_no_others():
    assert [name for name in listed(EXPECTED) if role_of(name) or not names_expected(name)] == []
