"""Traces as tools write them: one row a trace, read as it was meant, or left out with the reason."""

import json
from collections import Counter
from pathlib import Path

import pytest

from trace_core.datasets import read_dataset

FOLDER = Path(__file__).parent / "traces"
CASES = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
FIELDS = (
    "id",
    "question",
    "documents",
    "document_ids",
    "document_titles",
    "document_scores",
    "response",
    "reference_answer",
    "generation_model_name",
    "conversation",
    "turns",
)
CHUNKS = {("manuals", "manual.pdf#0"): "The tank holds 1.8 litres.", ("manuals", "manual.pdf#1"): "Use cold water."}


def chunks(collection, ids):
    """What is in Qdrant."""
    return {each: text for each in ids if (text := CHUNKS.get((collection, each))) is not None}


def row(item):
    found = {name: getattr(item, name) for name in FIELDS}
    found["turns"] = [[turn.role, turn.text] for turn in item.turns or []] or None
    return {name: value for name, value in found.items() if value is not None}


def test_every_file_has_its_expected_reading():
    assert {path.name for path in FOLDER.iterdir()} - {"expected.json"} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_trace_is_read_as_it_is_meant_or_counted_with_its_reason(name):
    found = read_dataset(FOLDER / name, texts=chunks)
    assert [row(item) for item in found.items] == CASES[name]["rows"]
    wanted = CASES[name].get("left_out", {})
    reasons = Counter(next((part for part in wanted if part in str(e)), str(e)) for e in found.errors)
    assert reasons == wanted


def spans(tmp_path, *rows):
    file = tmp_path / "spans.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return read_dataset(file)


def retrieval(trace, attributes):
    named = {"openinference.span.kind": "RETRIEVER", "input.value": "How much water?", **attributes}
    return {"context": {"trace_id": trace, "span_id": f"{trace}-1"}, "name": "search", "attributes": named}


def test_what_only_later_documents_have_is_read_too(tmp_path):
    text = {"retrieval.documents.0.document.content": "The tank holds 1.8 litres."}
    later = {**text, "retrieval.documents.0.document.id": "d1", "retrieval.documents.0.document.score": 0.5}
    found = spans(tmp_path, *(retrieval(f"t{n}", text) for n in range(60)), retrieval("t60", later))
    assert [found.items[n].document_ids for n in (0, 60)] == [None, ["d1"]]
    assert [found.items[n].document_scores for n in (0, 60)] == [None, [0.5]]


@pytest.mark.parametrize(
    "attributes", [{"openinference.span.kind": "", "db.system": []}, {"retrieval.documents.0.document": {"content": 3}}]
)
def test_attributes_that_no_tool_writes_give_no_row(tmp_path, attributes):
    found = spans(tmp_path, retrieval("t", attributes))
    assert (found.items, len(found.errors)) == ([], 1)


def test_a_text_field_that_is_not_read_is_named(tmp_path):
    (error,) = spans(tmp_path, retrieval("t", {"retrieval.documents.0.document.remark": "A text."})).errors
    assert "The field 'remark' of its span is empty or not read." in str(error)


def test_a_search_that_found_nothing_is_a_row_without_documents(tmp_path):
    found = spans(tmp_path, retrieval("t", {"output.value": "[]"}), retrieval("u", {}))
    assert [(item.documents, item.kind) for item in found.items] == [([], "answer")] * 2


def test_what_a_search_gave_and_nobody_can_read_leaves_the_trace_out(tmp_path):
    (error,) = spans(tmp_path, retrieval("t", {"output.value": "three hits"})).errors
    assert "does not say which documents" in str(error)


ASKED, SAID, TANK = "How much water?", "It holds 1.8 litres.", "The tank holds 1.8 litres."
SEARCH = {
    "openinference.span.kind": "RETRIEVER",
    "input.value": ASKED,
    "retrieval.documents.0.document.content": TANK,
}


def span(number, attributes, name="", events=()):
    """The first is the root, the others are below it, in the order of their numbers."""
    listed = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    place = {"traceId": "t", "spanId": f"s{number}", "parentSpanId": "s0" if number else ""}
    return place | {"name": name, "startTimeUnixNano": f"{number:03}", "attributes": listed, "events": list(events)}


def llm(asked, said):
    return {"openinference.span.kind": "LLM", "input.value": asked, "output.value": said}


def one_trace(tmp_path, *attributes_and_names):
    listed = [one if isinstance(one, tuple) else (one,) for one in attributes_and_names]
    return spans(tmp_path, *(span(n, *one) for n, one in enumerate(listed)))


ROOT, ANSWER = {"openinference.span.kind": "CHAIN", "input.value": ASKED}, llm(ASKED, SAID)
HISTORY = f"Make a title.\nUSER: {ASKED}\nASSISTANT: {SAID}"
LOOP = [{"role": "user", "content": ASKED}, {"role": "assistant", "content": SAID}, {"role": "tool", "content": TANK}]


@pytest.mark.parametrize(
    "later",
    [
        (llm("Make a title of three words.", "Water in tanks"), "chat gpt"),
        (llm(HISTORY, "Water in tanks"), "generate_title"),
        (llm(HISTORY, "Water in tanks") | {"langfuse.observation.metadata": '{"task": "tags_generation"}'}, "gpt"),
        (llm(HISTORY, "And hot water?"), "FollowUpQuestions"),
        (llm(json.dumps(LOOP), SAID), "chat gpt"),  # an agent's next turn
    ],
)
@pytest.mark.parametrize("root", [ROOT, {"openinference.span.kind": "CHAIN"}])
def test_the_answer_is_what_was_said_before_titles_tags_and_follow_ups(tmp_path, root, later):
    (item,) = one_trace(tmp_path, root, SEARCH, ANSWER, later).items
    assert (item.question, item.response) == (ASKED, SAID)


def test_of_two_calls_that_may_be_the_answer_both_are_named_and_none_is_taken(tmp_path):
    found = one_trace(tmp_path, ROOT, SEARCH, ANSWER, llm(HISTORY, "Water in tanks"))
    assert found.items == []
    assert f"may be the answer: {SAID!r} and 'Water in tanks'." in str(found.errors[0])
    (item,) = one_trace(tmp_path, ROOT | {"output.value": SAID}, SEARCH, ANSWER, llm(HISTORY, "Water")).items
    assert item.response == SAID


def lc(kind, text, **more):
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", kind], "kwargs": {"content": text, **more}}


@pytest.mark.parametrize(
    "made",
    [
        json.dumps({"messages": [lc("HumanMessage", ASKED, type="human"), lc("AIMessage", SAID, type="ai")]}),
        json.dumps({"messages": [lc("HumanMessage", ASKED), lc("AIMessageChunk", SAID)]}),
        json.dumps(lc("AIMessage", SAID)),
        f"{{'messages': [HumanMessage(content={ASKED!r}), AIMessage(content={SAID!r}, additional_kwargs={{}})]}}",
        f"content={SAID!r} additional_kwargs={{}} response_metadata={{'model': 'g'}} id='run-1'",
        json.dumps({"output": f"content={SAID!r} additional_kwargs={{}}"}),
    ],
)
def test_messages_of_langgraph_are_read_as_json_and_as_they_are_printed(tmp_path, made):
    root = {"openinference.span.kind": "CHAIN", "input.value": json.dumps({"messages": [["user", ASKED]]})}
    (item,) = one_trace(tmp_path, root | {"output.value": made}, SEARCH).items
    assert (item.question, item.response) == (ASKED, SAID)


def event(name, **attributes):
    return {"name": name, "attributes": [{"key": k, "value": {"stringValue": v}} for k, v in attributes.items()]}


CONTENT = "gen_ai.event.content"


@pytest.mark.parametrize(
    ("attributes", "events"),
    [
        ({"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": ASKED, "gen_ai.completion.0.content": SAID}, []),
        ({"gen_ai.prompt": ASKED, "gen_ai.completion": SAID}, []),
        (
            {},
            [
                event("gen_ai.system.message", content="Be brief."),
                event("gen_ai.user.message", content=ASKED),
                event("gen_ai.choice", message=json.dumps({"role": "assistant", "content": SAID})),
            ],
        ),
        (
            {},
            [
                event("gen_ai.user.message", **{CONTENT: json.dumps({"content": ASKED})}),
                event("gen_ai.choice", **{CONTENT: json.dumps({"index": 0, "message": {"content": SAID}})}),
            ],
        ),
        (
            {},
            [
                event("gen_ai.content.prompt", **{"gen_ai.prompt": json.dumps([{"role": "user", "content": ASKED}])}),
                event("gen_ai.content.completion", **{"gen_ai.completion": SAID}),
            ],
        ),
    ],
)
def test_older_genai_attributes_and_events_are_read(tmp_path, attributes, events):
    call = span(2, {"gen_ai.operation.name": "chat", **attributes}, events=events)
    (item,) = spans(tmp_path, span(0, {}), span(1, {**SEARCH, "input.value": ""}), call).items
    assert (item.question, item.response) == (ASKED, SAID)


FOUND = json.dumps([{"id": "d1", "content": TANK}])


@pytest.mark.parametrize(
    ("root", "search"),
    [
        (
            {
                "traceloop.span.kind": "workflow",
                "traceloop.entity.input": json.dumps({"inputs": {"question": ASKED}}),
                "traceloop.entity.output": json.dumps({"outputs": {"answer": SAID}}),
            },
            {
                "gen_ai.operation.name": "vector_db_retrieve",
                "gen_ai.task.output": json.dumps({"documents": json.loads(FOUND)}),
            },
        ),
        (
            {"ai.operationId": "ai.generateText", "ai.prompt": json.dumps({"prompt": ASKED}), "ai.response.text": SAID},
            {"ai.operationId": "ai.toolCall", "ai.toolCall.args": '{"query": "water"}', "ai.toolCall.result": FOUND},
        ),
        (
            {"langfuse.trace.input": ASKED, "langfuse.trace.output": SAID},
            {"langfuse.observation.type": "retriever", "langfuse.observation.output": FOUND},
        ),
    ],
)
def test_searches_of_openllmetry_vercel_and_langfuse_are_read(tmp_path, root, search):
    (item,) = one_trace(tmp_path, root, search).items
    assert (item.question, item.response, item.documents, item.document_ids) == (ASKED, SAID, [TANK], ["d1"])


def test_a_trace_without_a_search_names_the_spans_that_hold_lists(tmp_path):
    hits, texts = ({"output.value": json.dumps(found)} for found in ({"hits": [{"name": TANK}]}, [TANK]))
    talk = {"output.value": json.dumps({"messages": [{"role": "assistant", "content": SAID}]})}
    (error,) = one_trace(tmp_path, ROOT | talk, (hits, "lookup"), (texts, "query")).errors
    assert "No span of this trace is known as a search. These spans hold lists: lookup, query." in str(error)
    assert "openinference.span.kind=RETRIEVER" in str(error)
