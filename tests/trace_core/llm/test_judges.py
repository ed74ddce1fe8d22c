"""Servers as people have them, each labeling 12 of 12 records; what a server refuses is refused once."""

import json
import re

import pytest
from judge_server import Answer, completion, judge_server, refused, streamed, tokens
from run_examples import reply_to, row

from trace_core.datasets import Item
from trace_core.facts.records import Sentences
from trace_core.labeling import GptLabeler
from trace_core.llm import Limits, ReplyCache
from trace_core.pipeline import label_all
from trace_core.runs.files.row_records import to_record

LABELS = reply_to(Sentences.split(row(1)["documents"], row(1)["response"]))
RECORDS = 12
PROVIDER = {"raw": "some/model is temporarily rate-limited upstream.", "provider_name": "P", "retry_after_seconds": 0.2}


def busy_within_200(asked):
    """OpenRouter: every third request is refused in the body of a 200."""
    error = {"message": "Provider returned error", "code": 429, "metadata": PROVIDER}
    return Answer(json.dumps({"choices": None, "error": error})) if asked.number % 3 == 0 else completion(LABELS)


def empty_with_a_format(asked):
    return completion("" if "response_format" in asked.body else LABELS)


def knows_only_the_prompt(asked):
    """Refuses one parameter after the other."""
    for name in ("temperature", "response_format"):
        if name in asked.body:
            return refused(400, f"'{name}' is not supported")
    return completion(LABELS)


def with_message(**fields):
    """A server whose message has no text, but these fields."""
    answer = json.loads(completion(None).body)
    answer["choices"][0]["message"] |= fields
    return lambda asked: Answer(json.dumps(answer))


CALL = {"id": "c", "type": "function", "function": {"name": "labels", "arguments": json.dumps(LABELS)}}


def with_comments(asked):
    """As a model annotates its JSON, in curly quotes."""
    text = json.dumps(LABELS, indent=1)
    text = text.replace("true\n", 'true // "Cats purr" is there\n').replace("[\n", "[ # keys\n", 1)
    return completion(f"```json\n{text}\n```")


def takes_no_system_message(asked):
    """As some chat templates: every message must be the user's or the assistant's, in turn."""
    if asked.body["messages"][0]["role"] == "system":
        message = "Conversation roles must alternate user/assistant/user/assistant/..."
        return Answer(json.dumps({"object": "error", "message": message, "type": "BadRequestError", "code": 400}), 400)
    assert [message["role"] for message in asked.body["messages"]] == ["user"]
    return completion(LABELS)


def only_streams(asked):
    if not asked.body.get("stream"):
        return refused(400, "This model only support stream mode, please enable the stream parameter.")
    return streamed(*re.findall("(?s).{1,9}", json.dumps(LABELS)))


def streams_its_thoughts(asked):
    if not asked.body.get("stream"):
        return refused(400, "stream=false is not supported")
    return streamed("", thoughts=json.dumps(LABELS))


def no_endpoint_for_a_schema(asked):
    """OpenRouter, where no provider of the model knows the format."""
    if asked.format == "json_schema":
        return refused(404, "No endpoints found that can handle the requested parameters.", code=404)
    return completion(LABELS)


def breaks_on_a_schema(asked):
    return refused(500, "Internal Server Error") if asked.format == "json_schema" else completion(LABELS)


JUDGES = {
    "takes no system message": (takes_no_system_message, 4),
    "only streams": (only_streams, 1),
    "streams its thoughts": (streams_its_thoughts, 1),
    "404 for a schema": (no_endpoint_for_a_schema, 1),
    "500 for a schema": (breaks_on_a_schema, 3),
    "the object itself": (with_message(content=LABELS), 0),
    "an object beside the text": (with_message(parsed=LABELS), 0),
    "errors within 200": (busy_within_200, 6),
    "empty with a format": (empty_with_a_format, 2),
    "knows only the prompt": (knows_only_the_prompt, 3),
    "replies by a tool": (with_message(tool_calls=[CALL]), 0),
    "comments in its JSON": (with_comments, 0),
}


def labeled(server, folder, count=RECORDS):
    llm = server.llm(cache=ReplyCache(folder / "r.sqlite"), limits=Limits(seconds=30))
    records = [to_record(Item.model_validate(row(n)), f"q{n}") for n in range(count)]
    return list(label_all(records, GptLabeler(llm), workers=8))


@pytest.mark.parametrize(("judge", "more"), JUDGES.values(), ids=JUDGES)
def test_twelve_of_twelve_records_are_labeled(judge, more, tmp_path):
    with judge_server(judge) as server:
        records = labeled(server, tmp_path)
        calls = server.calls
    assert [record.error for record in records] == [None] * RECORDS
    assert all(record.labels.all_relevant_sentence_keys for record in records)
    assert calls <= RECORDS + more


def test_a_refusal_within_200_that_stays_is_named_with_the_providers_reason(tmp_path):
    error = {"message": "Provider returned error", "code": 403, "metadata": PROVIDER}
    with judge_server(lambda asked: Answer(json.dumps({"choices": None, "error": error}))) as server:
        failure = labeled(server, tmp_path)[0].error
    assert "(403)" in failure.message
    assert PROVIDER["raw"] in failure.hint


FILTERED = {
    "the reason of its end": completion("", finish="content_filter"),
    "an error within 200": refused(200, "The response was filtered.", code="content_filter"),
    "an error": refused(400, "The response was filtered.", code="content_filter"),
}


@pytest.mark.parametrize("reply", FILTERED.values(), ids=FILTERED)
def test_a_content_filter_is_named_and_not_asked_again(reply, tmp_path):
    with judge_server(lambda asked: reply) as server:
        record = labeled(server, tmp_path, 1)[0]
        assert server.calls == 1
    assert "content filter" in record.error.message


def test_a_wrong_model_is_not_asked_for_in_every_format(tmp_path):
    with judge_server(lambda asked: refused(404, "The model does not exist", code="model_not_found")) as server:
        labeled(server, tmp_path, 3)
        assert server.calls == 5
    # each format once, for the first record


def test_a_prompt_of_which_the_server_read_a_part_is_noted_counted_and_not_cached(tmp_path):
    long = row(1, documents=["The quick brown fox jumps over the lazy dog. " * 1500])
    with judge_server(lambda asked: completion(LABELS, usage=tokens(4096, 60))) as server:
        llm = server.llm(cache=ReplyCache(tmp_path / "r.sqlite"))
        for _ in range(2):
            record = to_record(Item.model_validate(long), "q1")
            (record,) = label_all([record], GptLabeler(llm))
        assert server.calls == 2
    assert record.error is None
    assert record.usage["cut_prompts"] == 1
    assert any("The server read only 4,096 tokens of a prompt of at least 15," in note for note in record.cleaning)
