"""Servers that do other things than answer: how long they are waited for, and what goes where."""

import gzip
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate

import pytest
from judge_server import MODEL, Answer, completion, judge_server, priced, redirected, refused, streamed, then

from trace_core.errors import LlmError
from trace_core.labeling import GptLabeler
from trace_core.llm import Limits, Llm, Message, at_most, wire
from trace_core.llm.reading import find_object
from trace_core.pipeline import evaluate

ASKED = [Message(role="user", content="Is it so?")]


def asked_of(url, timeout=5.0):
    llm = Llm(MODEL, "sk-test-0123456789", base_url=url, limits=Limits(seconds=timeout))
    return llm.text(ASKED, purpose="p")


def refusal_of(url, timeout=5.0):
    """What is said where no reply came, and after how many seconds."""
    start = time.monotonic()
    with pytest.raises(LlmError) as caught:
        asked_of(url, timeout)
    return str(caught.value), time.monotonic() - start


# Time


ENDLESS = {
    "a byte at a time": Answer(completion("Yes.").body, drip=0.1),  # never silent, done after half a minute
    "headers, a byte at a time": Answer("", headers={"X-Long": "x" * 1000}, drip=0.1, drip_head=True),
    "interim responses": Answer(endless_head=True),
}


@pytest.mark.parametrize("answer", ENDLESS.values(), ids=ENDLESS)
def test_what_does_not_end_is_given_up_when_the_time_for_a_reply_is_over(answer):
    with judge_server(lambda asked: answer) as server:
        said, seconds = refusal_of(server.url, timeout=1)
        assert server.calls == 1
    assert "did not finish within 1 s" in said
    assert seconds < 10


def test_a_stream_that_drips_is_given_up_too():
    with judge_server(lambda asked: streamed(*["word "] * 100, wait=0.1)) as server:
        llm = server.llm(limits=Limits(seconds=1))
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


# What a server sends without end


@pytest.mark.parametrize("streamed_too", [False, True], ids=["whole", "in pieces"])
def test_a_reply_that_unpacks_without_end_is_given_up_at_ten_megabytes(streamed_too):
    packed = gzip.compress(completion("a" * 40_000_000).body.encode())
    kind = "text/event-stream" if streamed_too else "application/json"
    answer = Answer(packed, headers={"Content-Encoding": "gzip", "Content-Type": kind})
    with judge_server(lambda asked: answer) as server:
        tracemalloc.start()
        said, _ = refusal_of(server.url, timeout=20)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert server.calls == 1
    assert "sent more than 10,000,000 bytes" in said
    assert most < 60_000_000


def test_a_text_that_is_too_long_to_be_read_is_said_and_its_beginning_kept():
    with judge_server(lambda asked: completion("{'a': " + "[" * 2_000_000)) as server:
        record = evaluate("Is it?", ["It is."], "It is.", labeler=GptLabeler(server.llm()))
        assert server.calls == 1
    assert "The model's reply has more than 1,000,000 characters." in record.error.message
    assert len(record.raw_reply["said"]) == 10_000


@pytest.mark.parametrize("text", ['{"x": "' + "\\q" * 450_000 + '"}', "{“x”: “" + "a" * 900_000 + "”}"])
def test_a_text_in_a_notation_that_is_slow_to_mend_is_not_mended(text):
    start = time.monotonic()
    assert find_object(text, ["x"]) is None
    assert time.monotonic() - start < 5


# What it counts, and how it writes


@pytest.mark.parametrize("count", ['"many"', "NaN", "1" + "0" * 400, "-3", "null", "[]"], ids=lambda count: count[:6])
@pytest.mark.parametrize("in_pieces", [False, True], ids=["whole", "in pieces"])
def test_an_odd_count_is_an_unknown_one_and_the_reply_stands(count, in_pieces):
    answer = streamed("Yes.") if in_pieces else completion("Yes.")
    pieces = tuple(piece.replace('"prompt_tokens": 100', f'"prompt_tokens": {count}') for piece in answer.pieces)
    body = answer.body.replace('"prompt_tokens": 100', f'"prompt_tokens": {count}')
    with judge_server(lambda asked: Answer(body, pieces=pieces)) as server:
        llm = server.llm(prices=priced(input=1, output=1), limits=Limits(budget=1.0))
        reply = llm.text(ASKED, purpose="p", on_text=(lambda text: None) if in_pieces else None)
    assert (reply.text, reply.problem) == ("Yes.", "")
    assert reply.usage == {"calls": 1, "estimated_cost": pytest.approx(llm.purse.expenses)}


@pytest.mark.parametrize("charset", ["utf-9", "hex", "zip", "utf-16"])
def test_an_odd_charset_is_json_all_the_same(charset):
    answer = Answer(completion("Café.").body, headers={"Content-Type": f"application/json; charset={charset}"})
    with judge_server(lambda asked: answer) as server:
        assert asked_of(server.url).text == "Café."


def test_what_would_steer_a_terminal_in_a_servers_error_is_escaped():
    with judge_server(lambda asked: refused(401, "no\x1b[2J\x1b]0;title\x07 \u202ekey\u202c\u2066x")) as server:
        said, _ = refusal_of(server.url)
    assert r"no\x1b[2J\x1b]0;title\x07 \u202ekey\u202c\u2066x" in said
    with judge_server(lambda asked: completion(None, refusal="I \x1b[31mwill not \u202e.")) as server:
        assert asked_of(server.url).problem == r"The model refused: “I \x1b[31mwill not \u202e.”"


# When it asks to be asked again


@pytest.mark.parametrize("wait", ["86400", "-5", "nan", "inf", "1e999", "0", "soon", "Wed, 21 Oct 2015 07:28:00 GMT"])
@pytest.mark.parametrize("status", [503, 429])
def test_a_wait_that_is_none_fails_no_row_and_is_not_waited_for(status, wait):
    start = time.monotonic()
    with judge_server(then(refused(status, headers={"Retry-After": wait}), completion("Yes."))) as server:
        if status == 429 and wait in ("86400", "1e999"):  # it says that it is of no use to ask again
            assert "takes no more requests" in refusal_of(server.url)[0]
        else:
            assert asked_of(server.url).text == "Yes."
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("header", "value"),
    [("Retry-After", "1.5"), ("retry-after-ms", "1500"), ("Retry-After", lambda: formatdate(time.time() + 3))],
    ids=["seconds", "milliseconds", "a date"],
)
def test_a_wait_is_read_in_seconds_in_milliseconds_and_as_a_date(header, value):
    def busy(asked):
        return refused(503, headers={header: value if isinstance(value, str) else value()})

    with judge_server(then(busy, completion("Yes."))) as server:
        assert asked_of(server.url).text == "Yes."
        first, second = server.asked
    assert 1.4 < second.at - first.at < 10


@pytest.mark.parametrize("refusal", [(503, {"Retry-After": "100"}), (429, {"Retry-After": "100"}), (503, {})])
def test_a_stop_ends_every_wait_and_those_who_wait_behind_it(refusal):
    status, headers = refusal
    with judge_server(lambda asked: refused(status, "Loading model", headers=headers)) as server:
        llm = server.llm()
        with ThreadPoolExecutor(4) as pool:
            waiting = [pool.submit(llm.text, ASKED, purpose=f"p{n}") for n in range(4)]
            time.sleep(1)
            start = time.monotonic()
            llm.stop()
            reasons = [str(one.exception(timeout=20)) for one in waiting]
        assert time.monotonic() - start < 5
        assert 1 <= server.calls <= 3
    assert all("was stopped while it waited" in reason for reason in reasons)


def test_a_model_that_is_loaded_is_waited_for_as_long_as_it_takes(monkeypatch):
    monkeypatch.setattr(wire, "_LONGEST_PAUSE", 0.05)
    loading = refused(503, "Loading model", type="unavailable_error", code=503)
    with judge_server(then(*[loading] * 9, completion("Yes."))) as server:
        reply = asked_of(server.url)
        assert server.calls == 10
    assert (reply.text, reply.usage["calls"], reply.usage["rate_limited"]) == ("Yes.", 1, 9)


def test_too_many_requests_without_a_word_of_when_end_after_twelve(monkeypatch):
    monkeypatch.setattr(wire, "_SHORTEST_PAUSE", 0.01)
    monkeypatch.setattr(wire, "_LONGEST_PAUSE", 0.05)
    with judge_server(lambda asked: refused(429)) as server:
        said, _ = refusal_of(server.url)
        assert server.calls == wire.MOST_REFUSALS + 1
    assert "takes no more requests (429)" in said
