"""Statuses, key, limits, ids and logs: what a caller sees besides the reply."""

import json
import logging
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from slow_bodies import sending
from trace_server import reply_to, served
from waiting import until

from trace_core.api.gate import Gate

QUERY = json.dumps({"tests": ["context_recall"], "contexts": ["one"], "relevant_context_ids": ["1"]})
LABELED = json.dumps({"tests": ["faithfulness"], "contexts": ["The tank is full. " * 20], "answer": "It is full."})


def post(url, data, **headers):
    return requests.post(url, data=data, headers={"Content-Type": "application/json"} | headers, timeout=60)


def good(url, **headers):
    return reply_to(url, QUERY, **headers)


# 422 and 400


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "must be JSON"),
        (b'{"query": "x"', "line 1, column 14"),
        (b"[]", "This is not an object"),
        (b'{"Query": "x"}', "There is no field query"),
        (b'{"query": null}', "The field query is not a string"),
        (b'{"query": {"tests": ["faithfulness"]}}', "write the JSON of your query as a string"),
        (b'{"query": "\xff"}', "must be JSON"),
        (b"[" * 100_000, "must be JSON"),
        (b'{"query": ' + b"1" * 5000 + b"}", "must be JSON"),
    ],
)
def test_a_body_that_is_no_query_is_422_with_the_reason(url, body, reason):
    reply = post(url, body)
    assert reply.status_code == 422
    assert reason in reply.json()["detail"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_is_not_sent_as_json_is_415(url, kind):
    """A form of another site can send these without being asked."""
    reply = post(url, json.dumps({"query": QUERY}), **{"Content-Type": kind})
    assert (reply.status_code, reply.json()["detail"]) == (415, "The body must be sent as application/json.")


def test_bodies_that_drip_or_stall_hold_no_place_and_end(monkeypatch):
    gate = Gate()
    monkeypatch.setattr("trace_core.api.application.Gate", lambda: gate)
    monkeypatch.setattr("trace_core.api.body.SECONDS_TO_READ", 4.0)
    with served() as url:
        with sending(url.removesuffix("/trace"), total=80) as slow:
            assert good(url).status_code == 200
        assert {kind for kind, status in slow if status == "408"} >= {"stalls", "sends no body"}
        # One that still writes when it is refused may lose the connection before it reads why.
        assert {status for kind, status in slow if kind.startswith("drips")} <= {"408", "429", "none"}
        assert {status for _, status in slow} <= {"200", "408", "429", "none"}
        assert slow.total() == 80
        assert good(url).status_code == 200
        until(lambda: not gate._inside)  # who left is still worked for


# Who read it, and too much


MUCH = {
    "ground truths": ({"tests": ["answer_accuracy"], "answer": "x", "ground_truth": ["y"] * 21}, "20"),
    "contexts": ({"tests": ["context_recall"], "contexts": ["y"] * 101}, "100"),
    "five megabytes with labels": ("Tests: faithfulness\nAnswer: " + "So it is. " * 490_000, "500,000"),
    "five megabytes of brackets": ("[" * 4_900_000, "500,000"),
}


@pytest.mark.parametrize(("query", "most"), MUCH.values(), ids=MUCH)
def test_more_than_one_request_may_cost_is_413(ask, query, most):
    reply = ask(query)
    assert (reply.status_code, reply.json()["detail"].count(f"at most {most} are read")) == (413, 1)


# Key


@pytest.fixture(scope="module")
def guarded():
    with served(TRACE_API_KEY="k-é1") as url:
        yield url


@pytest.mark.parametrize("header", [None, "k-é1", "Bearer ", "Bearer k-é11", "Basic k-é1"])
def test_without_the_key_it_is_401(guarded, header):
    reply = good(guarded, **({} if header is None else {"authorization": header.encode()}))
    assert (reply.status_code, reply.headers["www-authenticate"]) == (401, "Bearer")
    assert "k-é1" not in reply.text


def test_with_the_key_it_is_200(guarded):
    assert good(guarded, authorization="bearer  k-é1 ".encode()).status_code == 200


# Size


def test_a_body_past_the_limit_is_413(url):
    reply = post(url, b" " * 6_000_000)
    assert reply.status_code == 413
    assert "larger than 5000000 bytes" in reply.json()["detail"]
    assert good(url).status_code == 200


# Load


def test_too_many_at_once_are_told_when_to_come_again(url):
    def send(_):
        return requests.post(url, json={"query": LABELED}, timeout=120)

    send(None)  # the model is loaded once; how many are let in depends on how long the last ones took
    with ThreadPoolExecutor(200) as threads:
        replies = list(threads.map(send, range(200)))
    statuses = [reply.status_code for reply in replies]
    assert set(statuses) == {200, 429}
    for reply in replies:
        assert reply.status_code == 200 or 1 <= int(reply.headers["retry-after"]) <= 60
    assert good(url).status_code == 200


# Ids and log


def test_a_callers_own_id_is_kept_only_if_it_is_a_plain_word(url):
    assert "{" not in good(url, **{"x-request-id": '{"a": 1}'}).headers["x-request-id"]


def test_the_log_has_a_line_a_request_without_texts_or_keys(guarded, caplog):
    log = logging.getLogger("trace.api")
    log.addHandler(caplog.handler)
    try:
        secret = json.dumps({"tests": ["faithfulness", "s3cret"], "answer": "s3cret", "contexts": ["s3cret"]})
        reply_to(guarded, secret, **{"authorization": "Bearer k-é1".encode(), "x-request-id": "mine"})
        until(lambda: any("mine" in message for message in caplog.messages))  # written once the reply is sent
    finally:
        log.removeHandler(caplog.handler)
    line = json.loads(next(message for message in caplog.messages if "mine" in message))
    assert "s3cret" not in caplog.text
    assert line.pop("seconds") > 0
    assert line.pop("bytes") > 100
    request = {"request_id": "mine", "method": "POST", "path": "/trace", "status": 200}
    query = {"parsed_by": "json", "tests": ["faithfulness"], "engine": "native", "labeler": "local"}
    assert line == request | query
