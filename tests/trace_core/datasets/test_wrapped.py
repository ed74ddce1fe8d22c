"""What lies within other things, or apart from them, and what must not be taken for it."""

import json

import pytest

from trace_core.datasets import read_dataset

ASKED, FOUND, MORE, SAID = "When does it open?", "It opens at nine.", "It closes at six.", "At nine."
TEXTS = [{"text": FOUND, "score": 0.9}, {"text": MORE, "score": 0.4}]


def read(tmp_path, whole):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
    return read_dataset(path, name="rows.json").items


def parts(item):
    return item.question, item.documents, item.response, item.reference_answer or None, item.expected_documents


def reply(*, found=TEXTS):
    searched = {"type": "file_search_call", "queries": ["opening hours"], "results": found}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": SAID}]}
    return {"object": "response", "output": [{"type": "reasoning", "summary": []}, searched, said]}


@pytest.mark.parametrize("asked", [ASKED, [{"role": "user", "content": [{"type": "input_text", "text": ASKED}]}]])
@pytest.mark.parametrize("response", [reply(), {"status_code": 200, "body": reply()}])
def test_the_reply_of_a_model_with_its_search(tmp_path, asked, response):
    [item] = read(tmp_path, [{"request": {"input": asked, "instructions": "Be brief."}, "response": response}])
    assert parts(item) == (ASKED, [FOUND, MORE], SAID, None, None)


def test_a_reply_without_results_of_its_search_has_no_documents(tmp_path):
    [item] = read(tmp_path, [{"question": ASKED, "response": reply(found=None)}])
    assert parts(item) == (ASKED, None, SAID, None, None)


@pytest.mark.parametrize("holder", ["metadata", "extra", "debug"])
def test_documents_deeper_in_a_row(tmp_path, holder):
    [item] = read(tmp_path, [{"query": ASKED, "answer": SAID, holder: {"retriever_resources": TEXTS, "usage": {}}}])
    assert parts(item) == (ASKED, [FOUND, MORE], SAID, None, None)


@pytest.mark.parametrize(
    "held",
    [
        {"gold": {"passages": TEXTS}},
        {"history": {"documents": TEXTS}},
        {"previous_turn": {"chunks": TEXTS}},
        {"user_profile": {"documents": TEXTS}},
        {"first": {"chunks": TEXTS}, "second": {"chunks": TEXTS[:1]}},
        {"metadata": {"sources": ["a.pdf", "b.pdf"]}},
    ],
)
def test_other_documents_deeper_in_a_row_are_not_those_that_were_found(tmp_path, held):
    [item] = read(tmp_path, [{"query": ASKED, "answer": SAID} | held])
    assert item.documents is None


FACTS = [{"title": "Opening hours", "url": "https://a.example/1", "fact": "It opens at nine."}]


def test_answers_beside_the_facts_that_they_rest_on_are_the_right_ones(tmp_path):
    row = {"query": ASKED, "answer": SAID, "retrieved": TEXTS, "evidence_list": FACTS}
    assert parts(read(tmp_path, [row])[0]) == (ASKED, [FOUND, MORE], None, SAID, ["Opening hours"])
    own = row | {"generated_answer": "At ten."}
    assert parts(read(tmp_path, [own])[0]) == (ASKED, [FOUND, MORE], "At ten.", SAID, ["Opening hours"])
    run = row | {"model": "m-7b", "latency_ms": 12}
    assert parts(read(tmp_path, [run])[0]) == (ASKED, [FOUND, MORE], SAID, None, ["Opening hours"])
    both = row | {"ground_truth": "Nine."}
    assert parts(read(tmp_path, [both])[0]) == (ASKED, [FOUND, MORE], SAID, "Nine.", ["Opening hours"])


def test_lists_that_name_each_other_in_another_language(tmp_path):
    whole = {
        "fragen": [{"id": "F1", "text": ASKED, "thema": "Zeiten"}],
        "abschnitte": [{"id": "A2", "inhalt": MORE}, {"id": "A1", "inhalt": FOUND}, {"id": "A3", "inhalt": "Never."}],
        "treffer": [{"frage_id": "F1", "abschnitt_id": a, "rang": n} for a, n in (("A2", 2), ("A1", 1))],
        "antworten": [{"frage_id": "F1", "text": SAID, "modell": "m"}],
        "vorlagen": [{"frage_id": "F1", "musterantwort": "Nine."}],
    }
    [item] = read(tmp_path, whole)
    assert parts(item) == (ASKED, [FOUND, MORE], SAID, "Nine.", None)
    assert item.category == "Zeiten"


def test_the_answers_of_two_systems_are_neither_taken(tmp_path):
    lists = {
        f"answers_{name}": [{"question_id": "1", "text": text}] for name, text in (("gpt", SAID), ("llama", "No."))
    }
    assert parts(read(tmp_path, {"questions": [{"id": "1", "text": ASKED}], **lists})[0])[:3] == (ASKED, None, None)


@pytest.mark.parametrize("key", ["tekst", "texto", "contenu", "Inhalt", "本文"])
def test_texts_under_their_name_in_another_language(tmp_path, key):
    found = [{"bron": "a.pdf", "score": 0.9, key: FOUND}, {"bron": "b.pdf", "score": 0.8, key: MORE}]
    [item] = read(tmp_path, {"fragen": {"1": {"frage": ASKED, "dokumente": found, "antwort_bot": SAID}}})
    assert parts(item) == (ASKED, [FOUND, MORE], SAID, None, None)


def test_names_with_an_abbreviation_are_no_sentences(tmp_path):
    row = {"question": ASKED, "documents": [FOUND], "response": SAID, "Fundstelle soll": "Hausordnung Nr. 7; AGB § 3"}
    assert read(tmp_path, [row])[0].expected_documents == ["Hausordnung Nr. 7", "AGB § 3"]


def test_columns_of_pandas_with_lists_are_no_lists_of_ids(tmp_path):
    columns = {"query": [ASKED, "Who?"], "retrieved_contents": [[FOUND], [MORE]], "generated_texts": [SAID, "They."],
               "generated_tokens": [[12, 7], [4]], "retrieval_gt": [[["a1"], ["a2"]], [["b1"]]]}  # fmt: skip
    items = read(tmp_path, {name: dict(enumerate(cells)) for name, cells in columns.items()})
    assert [parts(item) for item in items] == [
        (ASKED, [FOUND], SAID, None, ["a1", "a2"]),
        ("Who?", [MORE], "They.", None, ["b1"]),
    ]


def test_an_empty_list_of_prompts_is_no_column(tmp_path):
    case = {"input": ASKED, "actualOutput": SAID, "retrievalContext": [FOUND]}
    [item] = read(tmp_path, {"testRunData": {"testCases": [case], "prompts": [], "conversationalTestCases": []}})
    assert parts(item) == (ASKED, [FOUND], SAID, None, None)


def test_ids_in_a_list_of_gold_are_of_the_documents_that_should_be_found(tmp_path):
    whole = {
        "queries": [{"qid": "1", "text": ASKED}],
        "passages": [{"pid": "a", "text": FOUND}, {"pid": "b", "text": MORE}],
        "results": [{"qid": "1", "pid": "a", "rank": 1}, {"qid": "1", "pid": "b", "rank": 2}],
        "answers": [{"qid": "1", "text": SAID}],
        "gold": [{"qid": "1", "answer": "Nine.", "doc_ids": ["a"]}],
    }
    assert parts(read(tmp_path, whole)[0]) == (ASKED, [FOUND, MORE], SAID, "Nine.", ["a"])


@pytest.mark.parametrize("said", [("sì", "no"), ("ja", "nein"), ("да", "нет")])
def test_whether_an_answer_is_right_is_no_answer(tmp_path, said):
    rows = [
        {"Domanda": ASKED, "Documenti": FOUND, "Risposta del sistema": SAID, "Risposta corretta": one} for one in said
    ]
    assert [parts(item) for item in read(tmp_path, rows)] == [(ASKED, [FOUND], SAID, None, None)] * 2


def test_a_golden_set_may_hold_yes_and_no(tmp_path):
    rows = [{"Domanda": ASKED, "Risposta corretta": one} for one in ("sì", "no")]
    assert [item.reference_answer for item in read(tmp_path, rows)] == ["sì", "no"]


def test_an_answer_in_a_batch_of_replies(tmp_path):
    body = {"choices": [{"message": {"role": "assistant", "content": SAID}}]}
    row = {"question": ASKED, "context": FOUND, "response": {"status_code": 200, "body": body}}
    assert parts(read(tmp_path, [row])[0]) == (ASKED, [FOUND], SAID, None, None)


def test_the_choice_of_a_reply_ends_the_messages_of_its_request(tmp_path):
    asked, said = {"role": "user", "content": ASKED}, {"role": "assistant", "content": SAID}
    cited = said | {"context": {"citations": [{"content": FOUND, "filepath": "a.pdf"}], "intent": "[]"}}
    row = {"messages": [asked], "choices": [{"message": cited}]}
    assert parts(read(tmp_path, [row])[0]) == (ASKED, [FOUND], SAID, None, None)
    row = {"request": {"model": "m", "messages": [asked]}, "response": {"choices": [{"message": cited}]}}
    assert parts(read(tmp_path, [row])[0]) == (ASKED, [FOUND], SAID, None, None)
    row = {"messages": [asked], "choices": [{"message": said}, {"message": said | {"content": "At ten."}}]}
    assert not read(tmp_path, [row])


def test_the_references_of_a_reply_are_its_documents_each_once(tmp_path):
    references = [{"content": {"text": FOUND}, "location": {"type": "S3"}}, {"content": {"text": MORE}}]
    cited = [{"retrievedReferences": references}, {"retrievedReferences": references[:1]}]
    row = {"input": {"text": ASKED}, "output": {"text": SAID}, "citations": cited}
    assert parts(read(tmp_path, [row])[0]) == (ASKED, [FOUND, MORE], SAID, None, None)
    chunks = [{"retrievedContext": {"text": FOUND, "uri": "a"}}]
    said = {"content": {"role": "model", "parts": [{"text": SAID}]}, "groundingMetadata": {"groundingChunks": chunks}}
    row = {"question": ASKED, "response": {"candidates": [said]}}
    assert parts(read(tmp_path, [row])[0]) == (ASKED, [FOUND], SAID, None, None)
    chunks[0] = {"web": {"uri": "https://a.example", "title": "a"}}
    assert parts(read(tmp_path, [row])[0]) == (ASKED, None, SAID, None, None)


def test_answers_of_several_models_are_no_reference_answers(tmp_path):
    answers = [{"model": "a", "text": SAID}, {"model": "b", "text": "No idea."}]
    [item] = read(tmp_path, [{"question": ASKED, "contexts": [FOUND], "answers": answers}])
    assert parts(item) == (ASKED, [FOUND], None, None, None)


def test_only_the_choices_marked_as_right_are_reference_answers(tmp_path):
    choices = [{"text": "Nine.", "is_correct": True}, {"text": "Ten.", "is_correct": False}]
    [item] = read(tmp_path, [{"question": ASKED, "prediction": SAID, "answers": choices}])
    assert item.reference_answer == ["Nine."]


def test_a_file_that_is_cited_is_no_reference_answer(tmp_path):
    rows = [{"question": ASKED, "answer": SAID, "reference": cited} for cited in ("manual.pdf p. 3", "faq.docx")]
    assert [parts(item) for item in read(tmp_path, rows)] == [(ASKED, None, SAID, None, None)] * 2


def test_a_list_of_answers_beside_the_questions_is_mentioned(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"samples": [{"question": ASKED}], "outputs": [{"answer": SAID}]}), encoding="utf-8")
    assert "The list 'outputs' has rows, too" in str(read_dataset(path, name="rows.json").errors[0])


def test_a_reply_without_text_is_no_answer(tmp_path):
    row = {"query": ASKED, "response": {"response": None, "source_nodes": [{"text": FOUND}]}}
    found = [parts(item) for item in read(tmp_path, [row, {**row, "response": {"response": SAID}}])]
    assert [answer for _, _, answer, _, _ in found] == [None, SAID]


def test_a_type_that_is_the_same_everywhere_is_no_category(tmp_path):
    rows = [{"type": "qa", "question": ASKED, "answer": SAID}, {"type": "qa", "question": "Who?", "answer": "They."}]
    assert [item.category for item in read(tmp_path, rows)] == [None, None]
    rows[1]["type"] = "person"
    assert [item.category for item in read(tmp_path, rows)] == ["qa", "person"]


CONTEXTS = f"Be brief.\nContext:\n[CONTEXT 0]:\n{FOUND}\n[END CONTEXT 0]\n\n[CONTEXT 1]:\n{MORE}\n[END CONTEXT 1]\n\n"


@pytest.mark.parametrize(
    "row",
    [
        {"instruction": CONTEXTS, "input": ASKED, "output": SAID},
        {
            "messages": [
                {"role": "system", "content": CONTEXTS},
                {"role": "user", "content": ASKED},
                {"role": "assistant", "content": SAID},
            ]
        },
    ],
)
def test_contexts_between_marks_in_a_prompt_are_the_documents(tmp_path, row):
    [item] = read(tmp_path, [row])
    assert parts(item) == (ASKED, [FOUND, MORE], SAID, None, None)


def test_an_instruction_without_contexts_stays_the_question(tmp_path):
    [item] = read(tmp_path, [{"instruction": ASKED, "input": MORE, "output": SAID}])
    assert (item.question, item.response) == (ASKED, None)


def test_a_record_around_the_rows_is_none_of_them(tmp_path):
    row = {"record": "row", "question": ASKED, "ctx": [{"id": "c", "txt": FOUND}], "answer": SAID}
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"record": "header", "n": 1}, row, {"record": "footer", "ok": 1}]))
    found = read_dataset(path)
    assert [parts(item) for item in found.items] == [(ASKED, [FOUND], SAID, None, None)]
    assert not found.errors


@pytest.mark.parametrize(
    ("ref", "documents", "right"),
    [
        ("It opens at nine in summer.", [FOUND], "It opens at nine in summer."),
        ("Handbook p. 12", [FOUND], None),
        ("It opens at nine in summer.", None, None),
    ],
)
def test_a_ref_is_the_right_answer_where_it_is_a_sentence_beside_documents(tmp_path, ref, documents, right):
    row = {"question": ASKED, "answer": SAID, "ref": ref} | ({"contexts": documents} if documents else {})
    [item] = read(tmp_path, [row])
    assert parts(item) == (ASKED, documents, SAID, right, None)


TALK = [
    {"role": "user", "content": ASKED}, {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
    {"role": "tool", "content": FOUND}, {"role": "assistant", "content": SAID},
    {"role": "user", "content": "And when does it close?"}, {"role": "tool", "content": MORE},
    {"role": "assistant", "content": "At six."}, {"role": "user", "content": "Thanks."},
    {"role": "assistant", "content": "You are welcome."},
]  # fmt: skip


@pytest.mark.parametrize("whole", [{"messages": TALK}, {"id": "c1", "messages": TALK}])
def test_a_conversation_that_is_the_whole_file_has_a_row_for_each_answer_from_tools(tmp_path, whole):
    assert [parts(item)[:3] for item in read(tmp_path, whole)] == [
        (ASKED, [FOUND], SAID),
        ("And when does it close?", [MORE], "At six."),
    ]


@pytest.mark.parametrize("beside", [{"reference": "Bye."}, {"question": "Thanks."}])
def test_a_conversation_with_the_right_answer_to_one_question_is_one_row(tmp_path, beside):
    assert [item.question for item in read(tmp_path, {**beside, "messages": TALK})] == ["Thanks."]


def test_columns_within_the_inputs_of_a_run_are_rows_with_its_scores(tmp_path):
    inputs = {"question": [ASKED, "How so?"], "contexts": [[FOUND], [MORE]], "answer": [SAID, "At six."]}
    scores = {"faithfulness": {"score": 0.75, "individual_scores": [1.0, 0.5]}}
    first, second = read(tmp_path, {"run_name": "r1", "inputs": inputs, "results": scores})
    assert parts(first)[:3] == (ASKED, [FOUND], SAID)
    assert (parts(second)[:3], second.model_dump()["faithfulness"]) == (("How so?", [MORE], "At six."), 0.5)


@pytest.mark.parametrize(
    ("answer", "output", "read_as"),
    [("At nine.", "Nine [1].", ("Nine [1].", "At nine.")), ("At nine [1].", "Nine.", (None, None)),
     ("At nine [1].", "Nine [1].", (None, None)), ("At nine.", "Nine.", (None, None))],
)  # fmt: skip
def test_an_output_that_alone_cites_documents_is_the_answer(tmp_path, answer, output, read_as):
    (item,) = read(tmp_path, [{"question": ASKED, "docs": TEXTS, "answer": answer, "output": output}])
    assert parts(item)[2:4] == read_as


def test_blanks_around_a_question_are_left_out_but_in_whole_rows(tmp_path):
    row = {"question": f" {ASKED} ", "documents": [FOUND], "response": SAID}
    assert read(tmp_path, [row])[0].question == ASKED
    assert read(tmp_path, [{**row, "documents_sentences": [[["0a", FOUND]]]}])[0].question == f" {ASKED} "
