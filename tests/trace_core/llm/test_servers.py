"""Servers that do other things than answer: how long they are waited for, and what goes where."""

import time

import pytest
from judge_server import MODEL, Answer, completion, judge_server, redirected, streamed

from trace_core.errors import LlmError
from trace_core.llm import Llm, Message, at_most

ASKED = [Message(role="user", content="Is it so?")]


def asked_of(url, timeout=5.0):
    llm = Llm(MODEL, "sk-test-0123456789", base_url=url, shown=url, timeout=timeout)
    return llm.text(ASKED, purpose="p")


def refusal_of(url, timeout=5.0):
    """What is said where no reply came, and after how many seconds."""
    start = time.monotonic()
    with pytest.raises(LlmError) as caught:
        asked_of(url, timeout)
    return str(caught.value), time.monotonic() - start


# Time


def test_a_server_that_drips_is_given_up_when_the_time_for_a_reply_is_over():
    slow = Answer(completion("Yes.").body, drip=0.1)  # never silent, done after half a minute
    with judge_server(lambda asked: slow) as server:
        said, seconds = refusal_of(server.url, timeout=1)
        assert server.calls == 1
    assert "did not finish within 1 s" in said
    assert seconds < 20


def test_a_stream_that_drips_is_given_up_too():
    with judge_server(lambda asked: streamed(*["word "] * 100, wait=0.1)) as server:
        llm = Llm(MODEL, "sk-test-0123456789", base_url=server.url, shown=server.url, timeout=1)
        with pytest.raises(LlmError, match="within 1 s") as caught:
            llm.text(ASKED, purpose="p", on_text=lambda text: None)
    assert caught.value.raw.startswith("word ")


def test_whoever_has_little_time_is_not_kept_however_many_requests_it_takes():
    with judge_server(lambda asked: completion("Yes.", wait=60)) as server:
        start = time.monotonic()
        with at_most(2):
            for _ in range(3):
                with pytest.raises(LlmError):
                    asked_of(server.url)
        assert server.calls <= 1
    assert time.monotonic() - start < 30


# Addresses


@pytest.mark.parametrize("status", [301, 307])
def test_a_prompt_is_sent_to_the_server_that_was_named_and_to_no_other(status):
    with judge_server(lambda asked: completion("Yes.")) as other:
        with judge_server(lambda asked: redirected(f"{other.url}/chat/completions", status)) as server:
            said, _ = refusal_of(server.url)
            assert server.calls == 1
        assert other.calls == 0
    assert f"redirects, and nothing is sent elsewhere ({status})" in said
