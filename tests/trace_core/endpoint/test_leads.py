"""What the clause before a text tells: who asked, answered or found what."""

import pytest

from trace_core.endpoint.reading.leads.told import contradicts, last_clause, told_by


@pytest.mark.parametrize(
    ("clause", "field"),
    [
        ("a customer asked our bot", "question"), ("the onboarding bot got asked", "question"),
        ("someone searched our help centre for", "question"), ("Eine Kundin wollte wissen", "question"),
        ("il nostro assistente ha ricevuto la domanda", "question"), ("Visitor", "question"),
        ("and it came back with", "answer"), ("and was told", "answer"), ("our tool shot back", "answer"),
        ("the bot correctly answered", "answer"), ("y el bot contestó", "answer"), ("Asystent powiedział", "answer"),
        ("the only help article it pulled was this", "contexts"), ("the page it found says", "contexts"),
        ("it was working from one paragraph, namely", "contexts"), ("It found these 2 articles", "contexts"),
        ("what it should have said is", "ground_truth"), ("my answer key says", "ground_truth"),
        ("La risposta giusta sarebbe", "ground_truth"), ("Il aurait dû répondre", "ground_truth"),
        ("It based this on two excerpts from our rules", "contexts"), ("El buscador devolvió", "contexts"),
        ("the search engine returned", "contexts"), ("I passaggi trovati erano", "contexts"), ("Soll", "ground_truth"),
        ("I've lost the question, but the bot answered", "answer"), ("Gefragt wurde", "question"),
        ("y lo que esperábamos era", "ground_truth"), ("What should have come back", "ground_truth"),
        ("our tool returned", None), ("the customer returned", None), ("a customer consulted", "question"),
        ("and the bot asked", None), ("the customer answered", None), ("my colleague thinks", None),
        ("the handbook says", None), ("it did not find", None), ("it should not have said", None),
        ("the article it should have found says", None), ("it pulled the article called", None),
        ("the customer found this article", None), ("passage p7 says", None), ("the page used to say", None),
        ("our bot said the museum is", None), ("I want to know", None), ("and", None), ("", None),
    ],
)  # fmt: skip
def test_the_clause_before_a_text_tells_what_it_is(clause, field):
    assert told_by(clause) == field


def test_what_a_customer_says_is_a_question_where_it_ends_like_one():
    assert told_by("a customer said", "Is it open?") == "question"
    assert told_by("a customer said", "It is open.") is None


def test_the_last_clause_leads():
    assert last_clause("Quick check, please. A guest typed: ") == "A guest typed"


@pytest.mark.parametrize(
    ("gap", "field", "against"),
    [
        ("the bot asked", "question", True), ("asked about parking, and the bot said", "question", True),
        ("the right answer is not", "ground_truth", True), ("the relevant snippet is", "contexts", True),
        ("a customer asked", "question", False), ("I'd like to know the faithfulness of the response", "answer", False),
        ("with these contexts", "contexts", False), ("and", "answer", False),
    ],
)  # fmt: skip
def test_a_clause_contradicts_another_role(gap, field, against):
    assert contradicts(gap, field) == against
