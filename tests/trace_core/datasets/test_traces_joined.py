"""Traces with more than one model call, request or reranker: which answer, which documents, how many rows."""

import json

import pytest

from trace_core.datasets import read_dataset

SPLIT = "The tank holds 1.8 litres."
FILTER = "Change the filter every March."


def span(kind, name, parent, start, said="", heard="", given="", documents=(), error=""):
    """An OpenInference span as OTLP writes it; `kind` CHAIN, RETRIEVER, RERANKER, LLM, TOOL, AGENT, EVALUATOR …"""
    named = {"openinference.span.kind": kind}
    if given:
        named["input.value"] = given
    if heard:
        named["llm.input_messages.0.message.role"] = "user"
        named["llm.input_messages.0.message.content"] = heard
    if said and kind == "LLM":
        named["llm.output_messages.0.message.role"] = "assistant"
        named["llm.output_messages.0.message.content"] = said
    elif said:
        named["output.value"] = said
    prefix = "reranker.output_documents" if kind == "RERANKER" else "retrieval.documents"
    for i, text in enumerate(documents):
        named[f"{prefix}.{i}.document.content"] = text
    return {
        "traceId": "t",
        "spanId": name,
        "parentSpanId": parent,
        "startTimeUnixNano": str(1_700_000_000_000_000_000 + start),
        "name": name,
        "attributes": [{"key": key, "value": {"stringValue": held}} for key, held in named.items()],
    } | ({"status": {"code": 2, "message": error}} if error else {})


def read(tmp_path, *spans):
    """Rows as (question, documents, response), and the reasons of what is left out."""
    path = tmp_path / "spans.json"
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}))
    found = read_dataset(path)
    return [(item.question, item.documents, item.response) for item in found.items], [str(e) for e in found.errors]


ASKED = "How much water does it hold?"
ANSWER = "It holds 1.8 litres."


@pytest.mark.parametrize("kind", ["EVALUATOR", "GUARDRAIL"])
def test_what_an_evaluator_or_a_guardrail_asks_a_model_is_not_the_answer(tmp_path, kind):
    rows, reasons = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
        span("LLM", "c", "a", 2, heard=ASKED, said=ANSWER),
        span(kind, "d", "a", 3),
        span("LLM", "e", "d", 4, heard="Is it grounded?", said="Yes, 5 of 5."),
    )
    assert rows == [(ASKED, [SPLIT], ANSWER)]
    assert reasons == []


def test_what_a_guardrail_looks_up_is_not_among_the_documents(tmp_path):
    rows, _ = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED, said=ANSWER),
        span("GUARDRAIL", "b", "a", 1),
        span("RETRIEVER", "c", "b", 2, given="rules", documents=["Never give medical advice."]),
        span("RETRIEVER", "d", "a", 3, given=ASKED, documents=[SPLIT]),
    )
    assert rows == [(ASKED, [SPLIT], ANSWER)]


def test_what_a_tool_retrieves_is_among_the_documents(tmp_path):
    rows, _ = read(
        tmp_path,
        span("AGENT", "a", "", 0, given=ASKED),
        span("LLM", "b", "a", 1, heard=ASKED, said="I'll look that up."),
        span("TOOL", "c", "a", 2, given="water"),
        span("RETRIEVER", "d", "c", 3, given="water", documents=[SPLIT]),
        span("LLM", "e", "a", 4, heard=ASKED, said=ANSWER),
    )
    assert rows == [(ASKED, [SPLIT], ANSWER)]


def test_what_a_tool_asks_a_model_is_not_the_answer(tmp_path):
    rows, _ = read(
        tmp_path,
        span("AGENT", "a", "", 0, given=ASKED),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
        span("LLM", "c", "a", 2, heard=ASKED, said=ANSWER),
        span("TOOL", "d", "a", 3),
        span("LLM", "e", "d", 4, heard="Write a title.", said="Water tank size"),
    )
    assert rows == [(ASKED, [SPLIT], ANSWER)]


def test_a_rewritten_question_deep_in_the_trace_is_not_the_answer(tmp_path):
    rows, _ = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given="How much does it hold?"),
        span("CHAIN", "r", "a", 1),
        span("LLM", "r2", "r", 2, heard="Rewrite it.", said="How much water does the tank hold?"),
        span("RETRIEVER", "b", "a", 3, given="How much water does the tank hold?", documents=[SPLIT]),
        span("LLM", "c", "a", 4, heard="Answer from these texts.", said=ANSWER),
    )
    assert rows == [("How much does it hold?", [SPLIT], ANSWER)]


def test_a_rewritten_question_alone_is_no_answer(tmp_path):
    rows, reasons = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given="How much does it hold?"),
        span("LLM", "r", "a", 1, heard="Rewrite it.", said="How much water does the tank hold?"),
        span("RETRIEVER", "b", "a", 2, given="How much water does the tank hold?", documents=[SPLIT]),
    )
    assert rows == [("How much does it hold?", [SPLIT], None)]
    assert reasons == []


def test_a_trace_whose_answering_call_failed_is_left_out_although_the_question_was_rewritten(tmp_path):
    rows, reasons = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED, error="The call failed."),
        span("LLM", "r", "a", 1, heard="Rewrite it.", said="How much water does the tank hold?"),
        span("RETRIEVER", "b", "a", 2, given=ASKED, documents=[SPLIT]),
        span("LLM", "c", "a", 3, heard=ASKED, error="rate limit"),
    )
    assert rows == []
    assert "This trace ended in an error" in reasons[0]


def test_a_call_that_failed_and_was_repeated_gives_the_answer(tmp_path):
    rows, reasons = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
        span("LLM", "c", "a", 2, heard=ASKED, error="rate limit"),
        span("LLM", "d", "a", 3, heard=ASKED, said=ANSWER),
    )
    assert rows == [(ASKED, [SPLIT], ANSWER)]
    assert reasons == []


def test_a_repeated_call_that_failed_after_a_draft_is_an_error(tmp_path):
    rows, reasons = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED, error="The call failed."),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
        span("LLM", "c", "a", 2, heard="Draft an answer.", said="Perhaps two litres."),
        span("LLM", "d", "a", 3, heard="Write the answer.", error="rate limit"),
    )
    assert rows == []
    assert "This trace ended in an error" in reasons[0]


def test_the_answer_is_the_part_of_the_top_output_that_a_model_wrote(tmp_path):
    rows, _ = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED, said=json.dumps({"final": ANSWER, "title": "Water tank size"})),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
        span("LLM", "c", "a", 2, heard=ASKED, said=ANSWER),
        span("LLM", "d", "a", 3, heard="Is that right?", said="Yes, it is."),
    )
    assert rows == [(ASKED, [SPLIT], ANSWER)]


def test_the_only_sentence_of_the_top_output_is_the_answer_where_no_model_call_is_recorded(tmp_path):
    rows, _ = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED, said=json.dumps({"final": ANSWER})),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
    )
    assert rows == [(ASKED, [SPLIT], ANSWER)]


def test_a_status_is_no_answer(tmp_path):
    rows, _ = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED, said=json.dumps({"status": "ok"})),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
    )
    assert rows == [(ASKED, [SPLIT], None)]


def test_two_requests_without_a_common_span_are_two_rows(tmp_path):
    rows, reasons = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED, said=ANSWER),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
        span("CHAIN", "c", "", 5, given="When do I change the filter?", said="Every March."),
        span("RETRIEVER", "d", "c", 6, given="When do I change the filter?", documents=[FILTER]),
    )
    assert rows == [
        (ASKED, [SPLIT], ANSWER),
        ("When do I change the filter?", [FILTER], "Every March."),
    ]
    assert reasons == []


def test_two_requests_within_a_span_that_only_holds_them_are_two_rows(tmp_path):
    rows, _ = read(
        tmp_path,
        span("CHAIN", "s", "", 0),
        span("CHAIN", "a", "s", 1, given=ASKED),
        span("RETRIEVER", "b", "a", 2, given=ASKED, documents=[SPLIT]),
        span("LLM", "b2", "a", 3, heard=ASKED, said=ANSWER),
        span("CHAIN", "c", "s", 5, given="When do I change the filter?"),
        span("RETRIEVER", "d", "c", 6, given="When do I change the filter?", documents=[FILTER]),
        span("LLM", "d2", "c", 7, heard="When do I change the filter?", said="Every March."),
    )
    assert rows == [
        (ASKED, [SPLIT], ANSWER),
        ("When do I change the filter?", [FILTER], "Every March."),
    ]


def test_rows_of_one_trace_have_different_ids(tmp_path):
    path = tmp_path / "spans.json"
    spans = [
        span("CHAIN", "a", "", 0, given=ASKED, said=ANSWER),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
        span("CHAIN", "c", "", 5, given="When do I change the filter?", said="Every March."),
        span("RETRIEVER", "d", "c", 6, given="When do I change the filter?", documents=[FILTER]),
    ]
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}))
    assert [item.id for item in read_dataset(path).items] == ["t-a", "t-c"]


def test_steps_of_a_question_that_is_answered_once_are_one_row(tmp_path):
    both = "How much does it hold, and when do I change the filter?"
    rows, _ = read(
        tmp_path,
        span("CHAIN", "s", "", 0, given=both, said="It holds 1.8 litres; change the filter every March."),
        span("CHAIN", "a", "s", 1, given=ASKED),
        span("RETRIEVER", "b", "a", 2, given=ASKED, documents=[SPLIT]),
        span("LLM", "b2", "a", 3, heard=ASKED, said=ANSWER),
        span("CHAIN", "c", "s", 5, given="When do I change the filter?"),
        span("RETRIEVER", "d", "c", 6, given="When do I change the filter?", documents=[FILTER]),
        span("LLM", "d2", "c", 7, heard="When do I change the filter?", said="Every March."),
    )
    assert rows == [(both, [SPLIT, FILTER], "It holds 1.8 litres; change the filter every March.")]


def test_a_step_that_retrieves_and_one_that_answers_are_one_row_where_their_parent_is_not_recorded(tmp_path):
    rows, _ = read(
        tmp_path,
        span("CHAIN", "a", "gone", 0, given=ASKED),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
        span("CHAIN", "c", "gone", 2, given=ASKED, said=ANSWER),
    )
    assert rows == [(ASKED, [SPLIT], ANSWER)]


def test_each_search_has_its_reranker_and_the_documents_of_both_are_kept(tmp_path):
    rows, _ = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED, said=ANSWER),
        span("RETRIEVER", "b", "a", 1, given="tank", documents=[SPLIT, "The tank is blue."]),
        span("RERANKER", "c", "a", 2, documents=[SPLIT]),
        span("RETRIEVER", "d", "a", 3, given="filter", documents=[FILTER]),
        span("RERANKER", "e", "a", 4, documents=[FILTER]),
    )
    assert rows == [(ASKED, [SPLIT, FILTER], ANSWER)]


def test_of_two_rerankers_in_a_row_the_last_decides(tmp_path):
    rows, _ = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED, said=ANSWER),
        span("RETRIEVER", "b", "a", 1, given="tank", documents=[SPLIT, FILTER, "The tank is blue."]),
        span("RERANKER", "c", "a", 2, documents=["The tank is blue.", SPLIT]),
        span("RERANKER", "d", "a", 3, documents=[SPLIT]),
    )
    assert rows == [(ASKED, [SPLIT], ANSWER)]


def test_a_search_after_the_reranker_adds_its_documents(tmp_path):
    rows, _ = read(
        tmp_path,
        span("CHAIN", "a", "", 0, given=ASKED, said=ANSWER),
        span("RETRIEVER", "b", "a", 1, given="tank", documents=[SPLIT, "The tank is blue."]),
        span("RERANKER", "c", "a", 2, documents=[SPLIT]),
        span("RETRIEVER", "d", "a", 3, given="filter", documents=[FILTER]),
    )
    assert rows == [(ASKED, [SPLIT, FILTER], ANSWER)]


def test_a_row_that_is_no_span_is_counted(tmp_path):
    path = tmp_path / "spans.jsonl"
    whole = {
        "resourceSpans": [
            {
                "scopeSpans": [
                    {
                        "spans": [
                            span("CHAIN", "a", "", 0, given=ASKED, said=ANSWER),
                            span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
                        ]
                    }
                ]
            }
        ]
    }
    path.write_text("\n".join(map(json.dumps, (whole, {"question": "Which cups fit?", "response": "Small ones."}))))
    found = read_dataset(path)
    assert [item.question for item in found.items] == [ASKED]
    assert "Row 2 of the file is not a span." in str(found.errors[0])


@pytest.mark.parametrize("kind", ["resourceLogs", "resourceMetrics"])
def test_logs_and_metrics_beside_spans_are_passed_over(tmp_path, kind):
    path = tmp_path / "spans.jsonl"
    spans = [
        span("CHAIN", "a", "", 0, given=ASKED, said=ANSWER),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
    ]
    lines = ({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}, {kind: []})
    path.write_text("\n".join(map(json.dumps, lines)))
    found = read_dataset(path)
    assert [item.question for item in found.items] == [ASKED]
    assert found.errors == []


def test_the_second_request_of_a_trace_has_the_first_as_its_earlier_turns(tmp_path):
    path = tmp_path / "spans.json"
    spans = [
        span("CHAIN", "a", "", 0, given=ASKED, said=ANSWER),
        span("RETRIEVER", "b", "a", 1, given=ASKED, documents=[SPLIT]),
        span("CHAIN", "c", "", 5, given="When do I change the filter?", said="Every March."),
        span("RETRIEVER", "d", "c", 6, given="When do I change the filter?", documents=[FILTER]),
    ]
    for each in spans:
        each["attributes"].append({"key": "session.id", "value": {"stringValue": "s-1"}})
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}))
    first, second = read_dataset(path).items
    assert first.turns is None
    assert [(turn.role, turn.text) for turn in second.turns] == [("user", ASKED), ("assistant", ANSWER)]
