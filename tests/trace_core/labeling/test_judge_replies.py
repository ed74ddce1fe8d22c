"""A table of judges' replies, written by hand: what each says, and what has to be made of it.

`judge_replies.jsonl` holds a case a line: `content` and `reasoning_content` of the judge's message, and in
`expect` the key lists (null: the reply lacks it), each response sentence's entry (null: there is none;
`fully_supported` null: the judge said null, or nothing that can be understood), statuses, and adherence
under `trace`. What the judge is asked a second time, it does not answer here.
"""

import json
from pathlib import Path

import pytest
from judge_server import completion, judge_server

from trace_core.labeling import GptLabeler
from trace_core.pipeline import evaluate

DOCUMENTS = ["The tank holds 2 litres. It is red.", "The lid is blue."]  # 0a, 0b, 1a
RESPONSE = "It holds 2 litres. The lid is blue."  # a, b
CASES = [json.loads(line) for line in Path(__file__).with_name("judge_replies.jsonl").read_text("utf-8").splitlines()]
READABLE = [case for case in CASES if case["expect"]["readable"]]
UNREADABLE = [case for case in CASES if not case["expect"]["readable"]]
VALUE_OF_STATUS = {"fully": True, "partially": False, "unsupported": False, "unlabeled": None}


@pytest.fixture(scope="module")
def judged():
    """A record labeled by a judge that gives this case's message, and then nothing more."""
    message = {}

    def reply(asked):
        said = message.pop("said", {"content": ""})
        return completion(**said)

    with judge_server(reply) as server:
        labeler = GptLabeler(server.llm())

        def record_of(case):
            message["said"] = {"content": case["content"], "reasoning": case["reasoning_content"]}
            return evaluate("How much does it hold?", DOCUMENTS, RESPONSE, labeler=labeler)

        yield record_of


def support_of(entry, status):
    """What a label has to be where the table says so much of an entry; a null is what its status says."""
    if entry is None:
        return None
    fully = entry["fully_supported"]
    return (VALUE_OF_STATUS[status] if fully is None else fully, entry["keys"])


def named(case):
    return f"{case['group']}: {case['name']}".encode("ascii", "replace").decode()[:80]


@pytest.mark.parametrize("case", READABLE, ids=named)
def test_what_a_reply_says_becomes_labels_statuses_and_adherence(judged, case):
    record, expected = judged(case), case["expect"]
    assert record.error is None
    labels = record.labels
    assert labels.all_relevant_sentence_keys == expected["relevant"]
    assert labels.all_utilized_sentence_keys == expected["utilized"]
    entries = labels.sentence_support_information or []
    found = {one.response_sentence_key: (one.fully_supported, one.supporting_sentence_keys) for one in entries}
    statuses = labels.statuses("ab")
    assert statuses == expected["status"]
    wanted = {key: support_of(expected["support"][key], status) for key, status in statuses.items()}
    assert {key: found.get(key) for key in "ab"} == wanted
    assert record.scores.adherence == expected["adherence_trace"]


@pytest.mark.parametrize("case", UNREADABLE, ids=named)
def test_a_reply_without_labels_is_a_failure_that_keeps_what_was_said(judged, case):
    record = judged(case)
    assert record.labels is None
    assert record.error is not None
    assert record.scores.adherence is None
    assert record.raw_reply is not None
