"""POST /trace in the public demo: as little as the pages allow, by the local labeler, never with the owner's key."""

import sys
from functools import partial

import pytest
from judge_server import completion, judge_server
from trace_server import reply_to, served

from trace_core.demo import limits
from trace_core.demo.limits import LONGEST, SENTENCES, VisitorLimiter

FAITHFUL = {"tests": ["faithfulness"], "contexts": ["The tank is full."], "answer": "The tank is full."}


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """Ask the demo of an owner with a key; gives the reply. Whoever answers for the owner's key fails the test."""
    monkeypatch.setattr(limits, "ASKING", VisitorLimiter(5, 7))

    with judge_server(lambda asked: completion({})) as judge:
        owners = {"OPENAI_API_KEY": "sk-owner", "OPENAI_BASE_URL": judge.url, "TRACE_RAGAS_PYTHON": sys.executable}
        with served(TRACE_DEMO="1", TRACE_LABELER="gpt", TRACE_DATA_DIR=tmp_path, **owners) as url:
            yield partial(reply_to, url)
        assert judge.calls == 0


def test_the_local_labeler_answers_and_no_other_can_be_asked_for(demo):
    reply = demo(FAITHFUL)
    assert (reply.status_code, reply.json()["evaluation_scores"]) == (200, {"faithfulness": 1.0})
    assert reply.json()["details"]["faithfulness"]["labeler"] == "local"
    for extra in ({"labeler": "gpt"}, {"engine": "ragas"}):
        refused = demo(FAITHFUL | {"extra": extra})
        assert refused.status_code == 400
        assert "The public demo" in refused.json()["detail"]


def test_a_query_longer_than_the_pages_read_is_413(demo):
    reply = demo(FAITHFUL | {"contexts": ["é" * LONGEST]})
    assert reply.status_code == 413
    assert "20,000 characters" in reply.json()["detail"]
    assert demo(FAITHFUL | {"contexts": ["x" * 1_000_000]}).status_code == 413


def test_contexts_that_would_hold_the_labeler_are_refused(demo):
    reply = demo(FAITHFUL | {"contexts": ["It is so. " * SENTENCES]})
    assert reply.status_code == 413
    assert f"at most {SENTENCES} are labeled at once" in reply.json()["detail"]


def test_a_caller_who_asks_too_often_waits(demo):
    assert [demo(FAITHFUL).status_code for _ in range(5)] == [200] * 5
    reply = demo(FAITHFUL)
    assert reply.status_code == 429
    assert 1 <= int(reply.headers["retry-after"]) <= 60
