"""Labels that only their words tell, and sentences that tell the relevant contexts."""

import pytest

from trace_core.endpoint import parse_query
from trace_core.endpoint.reading.language.relevance import ids_told
from trace_core.endpoint.reading.language.roles import relabeled, said_by


@pytest.mark.parametrize(
    ("label", "field"),
    [
        ("Question asked", "question"), ("Pytanie", "question"), ("My question to the model was", "question"),
        ("Answer received", "answer"), ("The model's answer", "answer"), ("Odpowiedź", "answer"),
        ("Trechos recuperados", "contexts"), ("Gevonden stukken", "contexts"), ("Quelle", "contexts"),
        ("Réponses de référence", "ground_truth"), ("Verità di riferimento", "ground_truth"),
        ("the reference answer is", "ground_truth"), ("Expected", "ground_truth"), ("Facit", "ground_truth"),
        ("We fetched", "contexts"), ("what i asked", "question"), ("Revisore", None),
        ("Istotne konteksty", "relevant_context_ids"), ("gold_passage_ids", "relevant_context_ids"),
        ("Te testen", "tests"), ("Gewünschter Test", "tests"), ("eval.tests", "tests"),
        ("Answer time", None), ("Question id", None), ("Wrong answer", None), ("Answer accuracy", None),
        ("Question and answer", None), ("Requested by", None), ("Priority", None), ("Tip", None),
    ],
)  # fmt: skip
def test_the_words_of_a_label_say_what_follows(label, field):
    said = said_by(label)
    assert (said and said.field) == field


def test_a_label_with_an_unknown_word_counts_only_where_its_part_is_wanted():
    text = "Documents for visa:\n- a passport"
    assert relabeled(text, set(), set()) == text
    assert relabeled(text, set(), {"contexts"}) == "Contexts: \n- a passport"


def test_a_part_that_has_a_usual_label_keeps_it():
    assert relabeled("Answer received: No.", {"answer"}, set()) == "Answer received: No."


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        ("Only A and C actually help.", ["A", "C"]),
        ("the ones that are relevant: a and c", ["a", "c"]),
        ("Stukken 1 en 3 zijn relevant, het tweede is niet relevant.", ["1", "3"]),
        ("A and B are relevant but C is not", ["A", "B"]),
        ("Seuls d1 et d3 sont pertinents", ["d1", "d3"]),
        ("The first and the third are relevant.", ["first", "third"]),
        ("b is the relevant one", ["b"]),
        ("the second one is irrelevant", []),
        ("Plan A is relevant.", []),
        ("It is a relevant question.", []),
        ("Vitamin C helps.", []),
        ("Both are relevant", ["both"]),
        ("Not all are relevant", []),
    ],
)
def test_a_sentence_tells_the_relevant_contexts(line, ids):
    assert ids_told(line) == ids


@pytest.mark.parametrize(
    "absent", ["(none recorded)", "– fehlt im Export –", "[not logged]", "<missing>", "(pas encore disponible)"]
)
def test_an_answer_that_is_said_to_be_missing_is_none(absent):
    assert parse_query(f"Tests: answer relevancy\nQuestion: Why?\nAnswer: {absent}").payload.answer is None


@pytest.mark.parametrize("given", ["No.", "None of them.", "(a) and (b)", "– It is not late. –", "Nothing is missing."])
def test_an_answer_that_says_no_is_one(given):
    assert parse_query(f"Tests: answer relevancy\nQuestion: Why?\nAnswer: {given}").payload.answer == given


def test_a_program_is_read_with_what_its_names_stand_for():
    call = 'metrics=["faithfulness"], question=q, answer="So.", contexts=["a"]'
    program = f'import x\nq = "Why?"\nresult = x.run({call})\nprint(result)'
    payload = parse_query(program).payload
    assert (payload.question, payload.answer, [c.text for c in payload.contexts]) == ("Why?", "So.", ["a"])


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("评估：faithfulness\n问题：长城多长？\n上下文：[c1] 长城长21196公里。\n回答：21196公里。",
         ("长城多长？", ["长城长21196公里。"], "21196公里。", None)),
        ("テスト：faithfulness\n質問：富士山の高さは？\n文書：富士山は3776メートルです。\n回答：3776メートルです。",
         ("富士山の高さは？", ["富士山は3776メートルです。"], "3776メートルです。", None)),
        ("Tests: answer accuracy\nВопрос: Как высока гора?\nОтвет: 4806 м\nПравильный ответ: 4806 метров",
         ("Как высока гора?", [], "4806 м", "4806 метров")),
    ],
)  # fmt: skip
def test_labels_in_other_writings_are_read(query, read):
    payload = parse_query(query).payload
    contexts = [context.text for context in payload.contexts]
    assert (payload.question, contexts, payload.answer, payload.ground_truth) == read
