"""Tests that a person asks for without their names: by what each of them finds out."""

import pytest

from trace_core.endpoint import QueryError, parse_query

FAITHFULNESS = [
    "Is the answer made up?", "Is this hallucinated?", "Hallucination check, please.", "Did the bot invent this?",
    "Is everything in the answer grounded in the sources?", "Is the answer backed by the passages?",
    "Can every claim be found in the contexts?", "Is the reply true according to the documents?",
    "Does the answer stick to the context?", "Does the answer follow from the documents?",
    "Is the answer consistent with the sources?", "Bitte prüft, ob die Antwort durch die Quellen gedeckt ist.",
    "Ist die Antwort durch den Kontext belegt?", "Hat das Modell halluziniert?", "Ist die Antwort erfunden?",
    "La réponse est-elle étayée par les documents ?", "Le modèle a-t-il halluciné ?", "La réponse est-elle inventée ?",
    "¿Está la respuesta respaldada por los documentos?", "¿Es inventada la respuesta?",
    "La risposta è supportata dai documenti?", "La risposta è inventata?",
    "Klopt het antwoord volgens de bronnen?", "Is het antwoord verzonnen?",
    "A resposta é apoiada pelos documentos?", "A resposta foi inventada?",
]  # fmt: skip
RELEVANCY = [
    "Does this actually answer what was asked?", "Does the answer address the question?", "Is the answer on topic?",
    "How relevant is the answer to the question?", "Is the answer off-topic?", "Does the reply dodge the question?",
    "Beantwortet das die Frage?", "Geht die Antwort auf die Frage ein?", "La réponse répond-elle à la question ?",
    "¿Responde esto a la pregunta?", "La risposta risponde alla domanda?", "Beantwoordt dit de vraag?",
    "A resposta responde à pergunta?",
]  # fmt: skip
UTILISATION = [
    "How much of the retrieved context did the answer actually use?", "How much of the context was used?",
    "What share of the contexts does the answer use?", "Did the answer make good use of the passages?",
    "Wie viel vom Kontext nutzt die Antwort?", "Quelle part du contexte la réponse utilise-t-elle ?",
    "¿Cuánto del contexto usa la respuesta?", "Quanto del contesto usa la risposta?",
    "Hoeveel van de context gebruikt het antwoord?",
]  # fmt: skip
RECALL = [
    "Did it retrieve everything it should?", "Did the retriever find all the relevant documents?",
    "Did the search miss anything relevant?", "Did we get all the passages that were needed?",
    "Wurde alles Relevante gefunden?", "Tous les documents pertinents ont-ils été trouvés ?",
    "¿Se encontraron todos los documentos relevantes?", "Sono stati trovati tutti i documenti rilevanti?",
]  # fmt: skip
PRECISION = [
    "Of what the retriever returned, how much was relevant?", "How much of the retrieved context was relevant?",
    "How many of the passages are relevant?", "How much of what it found was noise?",
    "Are all the retrieved chunks relevant?", "Wie viele der gefundenen Texte sind relevant?",
    "Combien des documents récupérés sont pertinents ?", "¿Cuántos de los documentos recuperados son relevantes?",
    "Quanti dei documenti recuperati sono rilevanti?",
]  # fmt: skip
ACCURACY = [
    "Is the answer correct?", "Is the answer right compared with the expected one?",
    "Does the answer match the reference?", "Does the answer agree with the ground truth?",
    "Stimmt die Antwort mit der Referenz überein?", "Ist die Antwort richtig?", "La réponse est-elle correcte ?",
    "¿Es correcta la respuesta?", "La risposta è corretta?", "Is het antwoord juist?", "A resposta está correta?",
]  # fmt: skip
ASKED = {
    "faithfulness": FAITHFULNESS, "answer_relevancy": RELEVANCY, "context_utilisation": UTILISATION,
    "context_recall": RECALL, "context_precision": PRECISION, "answer_accuracy": ACCURACY,
}  # fmt: skip
REST = "\nQuestion: Who built it?\nAnswer: Ada built it.\nContext: Ada built it in 1911."
NAMES = [
    ("Valuta fedeltà e accuratezza della risposta.", ["faithfulness", "answer_accuracy"]),
    ("Valuta la pertinenza della risposta.", ["answer_relevancy"]),
    ("Calcola la precisione del contesto e il recall del contesto.", ["context_precision", "context_recall"]),
    ("Avalie a fidelidade e a relevância da resposta.", ["faithfulness", "answer_relevancy"]),
    ("Avalie a precisão do contexto.", ["context_precision"]),
    ("Meet de nauwkeurigheid van het antwoord.", ["answer_accuracy"]),
    ("Run everything but answer accuracy, context recall and context precision.",
     ["faithfulness", "answer_relevancy", "context_utilisation"]),
    ("All but faithfulness.",
     ["answer_accuracy", "context_recall", "context_precision", "answer_relevancy", "context_utilisation"]),
]  # fmt: skip
NOTHING = ["Please look at this one.", "What do you think?", "Here is a case from today.", "Is the museum open?"]


@pytest.mark.parametrize(("test", "said"), [(test, said) for test, each in ASKED.items() for said in each])
def test_a_question_asks_for_the_test_that_answers_it(test, said):
    assert parse_query(said + REST).payload.tests == [test]


@pytest.mark.parametrize(("said", "tests"), NAMES)
def test_names_in_other_languages_and_all_but_some(said, tests):
    assert parse_query(said + REST).payload.tests == tests


@pytest.mark.parametrize("said", NOTHING)
def test_other_questions_ask_for_no_test(said):
    with pytest.raises(QueryError, match="names no tests"):
        parse_query(said + REST)
