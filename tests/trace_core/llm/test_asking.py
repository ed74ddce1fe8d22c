"""Asking a model's server: an object, words, words as they come; over real HTTP."""

import json

import pytest
from judge_server import MODEL, Answer, completion, judge_server, priced, refused, streamed, then, tokens
from pydantic import BaseModel

from trace_core.errors import LlmError, SettingsError, StoreError
from trace_core.llm import Limits, Llm, Message, ReplyCache, estimate_tokens, total_usage


class Rating(BaseModel):
    why: str
    stars: int
    tags: list[str]


GOOD = {"why": "clear", "stars": 4, "tags": ["short"]}
ASKED = [Message(role="system", content="Rate it."), Message(role="user", content='{"text": "…"}')]


def llm(server, **more):
    return server.llm(**{"limits": Limits(seconds=5)} | more)


def ask(client, **more):
    return client.ask(ASKED, Rating, **{"purpose": "rating"} | more)


# An object


def test_an_object_of_the_schema_comes_back_with_what_it_cost():
    with judge_server(lambda asked: completion(GOOD, usage=tokens(1000, 100, cached=400))) as server:
        reply = ask(llm(server, prices=priced(input=2, output=10, cached=1)))
    assert reply.value == Rating(why="clear", stars=4, tags=["short"])
    assert (reply.problem, reply.raw) == ("", (json.dumps(GOOD),))
    counts = {"calls": 1, "prompt_tokens": 1000, "completion_tokens": 100, "cached_tokens": 400}
    assert reply.usage == counts | {"cost": pytest.approx((600 * 2 + 400 * 1 + 100 * 10) / 1e6)}


def test_the_schema_is_strict_and_keeps_the_order_of_the_fields():
    with judge_server(lambda asked: completion(GOOD)) as server:
        ask(llm(server))
        described = server.asked[0].body["response_format"]["json_schema"]
    assert described["strict"] is True
    assert list(described["schema"]["properties"]) == described["schema"]["required"] == ["why", "stars", "tags"]
    assert described["schema"]["additionalProperties"] is False


# Repair


def test_what_cannot_be_used_is_asked_for_again_and_nothing_else():
    wrong = GOOD | {"stars": "many"}
    with judge_server(then(completion(wrong), completion({"stars": 4, "why": "other"}))) as server:
        reply = ask(llm(server))
        first, second = server.asked
    assert reply.value == Rating(**GOOD)
    assert (first.is_repair, second.is_repair) == (False, True)
    assert second.fields == ["stars"]
    assert reply.notes == ["asked again for stars"]
    assert reply.usage["calls"] == 2
    assert reply.usage["prompt_tokens"] == 200


def test_only_one_repair_is_asked_for_and_the_usable_part_stays():
    with judge_server(lambda asked: completion(GOOD | {"stars": "many"})) as server:
        reply = ask(llm(server))
    assert server.calls == 2
    assert reply.value is None
    assert reply.data["why"] == "clear"
    assert reply.problem == "The reply lacks stars even when asked again."


def test_a_repair_that_fails_loses_nothing():
    with judge_server(then(completion(GOOD | {"stars": "many"}), refused(401))) as server:
        reply = ask(llm(server))
    assert reply.data["tags"] == ["short"]
    assert "the repair failed" in reply.notes[0]
    assert len(reply.raw) == 1


def test_the_caller_may_decide_what_can_be_used():
    with judge_server(lambda asked: completion({"why": "clear"})) as server:
        reply = ask(llm(server), wrong=lambda data: [] if "why" in data else ["why"])
    assert server.calls == 1
    assert (reply.value, reply.data) == (None, {"why": "clear"})


# Servers that know less


def rejecting(*formats):
    def reply(asked):
        return refused(400, f"{asked.format} is not supported") if asked.format in formats else completion(GOOD)

    return reply


@pytest.mark.parametrize(
    ("formats", "how", "calls"), [(["json_schema"], "json_object", 2), (["json_schema", "json_object"], "text", 3)]
)
def test_a_server_that_knows_less_is_asked_for_less_from_then_on(formats, how, calls):
    with judge_server(rejecting(*formats)) as server:
        client = llm(server)
        for attempt in (0, 1):
            assert ask(client, purpose=f"rating {attempt}").value
            assert (server.asked[-1].format, server.calls) == (how, calls + attempt)
        system = server.asked[-1].body["messages"][0]
    assert system["role"] == "system"
    assert '"stars"' in system["content"]


def test_a_server_that_takes_no_temperature_is_sent_none_from_then_on():
    def reply(asked):
        return refused(400, "'temperature' is not allowed") if "temperature" in asked.body else completion(GOOD)

    with judge_server(reply) as server:
        client = llm(server)
        ask(client)
        ask(client, purpose="other")
        assert ["temperature" in asked.body for asked in server.asked] == [True, False, False]
        assert server.asked[-1].format == "json_schema"


def test_what_is_rejected_for_another_reason_is_not_remembered():
    with judge_server(then(*[refused(400)] * 5, completion(GOOD))) as server:
        client = llm(server)
        with pytest.raises(LlmError, match="does not take the request"):
            ask(client)
        ask(client)
        assert server.asked[-1].format == "json_schema"


# Words


def test_words_come_as_they_are_written():
    with judge_server(lambda asked: streamed("Two", " litre", " jugs.")) as server:
        shown = []
        reply = llm(server).text(ASKED, purpose="answer", on_text=shown.append)
    assert shown == ["Two", " litre", " jugs."]
    assert (reply.text, reply.problem) == ("Two litre jugs.", "")
    assert reply.usage == {"calls": 1, "prompt_tokens": 100, "completion_tokens": 10, "cached_tokens": 0}


def test_a_server_that_accepts_no_stream_gives_its_words_at_once():
    def reply(asked):
        return refused(400, "stream_options?") if "stream_options" in asked.body else completion("Two.")

    with judge_server(reply) as server:
        shown = []
        assert llm(server).text(ASKED, purpose="answer", on_text=shown.append).text == "Two."
    assert shown == ["Two."]


def test_half_a_character_is_replaced_when_it_arrives():
    with judge_server(then(completion("a\ud800"), streamed("b\ud800"))) as server:
        client, shown = llm(server), []
        assert client.text(ASKED, purpose="answer").text == "a\ufffd"
        assert client.text(ASKED, purpose="answer", on_text=shown.append).text == "b\ufffd"
    assert shown == ["b\ufffd"]


def test_a_stream_that_breaks_off_is_an_error_that_keeps_what_came():
    broken = Answer(pieces=(*streamed("Two", " litres").pieces[:1], "data: {\n\n"))
    with judge_server(lambda asked: broken) as server, pytest.raises(LlmError) as caught:
        llm(server).text(ASKED, purpose="answer", on_text=lambda text: None)
    assert caught.value.raw == "Two"


def test_a_reader_that_leaves_gives_its_turn_back():
    def leave(text):
        raise KeyboardInterrupt

    with judge_server(lambda asked: streamed("One", " two", " three", wait=0.01)) as server:
        client = llm(server, limits=Limits(concurrency=1))
        with pytest.raises(KeyboardInterrupt):
            client.text(ASKED, purpose="answer", on_text=leave)
        assert client.text(ASKED, purpose="answer", on_text=lambda text: None).text == "One two three"


# The cache


@pytest.fixture
def cache(tmp_path):
    return ReplyCache(tmp_path / "data" / "replies.sqlite")


def test_the_same_question_is_asked_once(cache):
    with judge_server(lambda asked: completion(GOOD)) as server:
        first = ask(llm(server, cache=cache))
        again = ask(llm(server, cache=cache))
    assert server.calls == 1
    assert again.value == first.value
    assert again.raw == first.raw
    assert again.usage == {"calls": 0, "from_cache": 1}


class Longer(Rating):
    more: str


@pytest.mark.parametrize("other", ["model", "purpose", "schema", "messages"])
def test_everything_that_shapes_a_reply_makes_it_another_question(cache, other):
    with judge_server(lambda asked: completion(GOOD | {"more": "x"})) as server:
        ask(llm(server, cache=cache))
        client = llm(server, cache=cache, **({"model": "another"} if other == "model" else {}))
        messages = [*ASKED, Message(role="user", content="!")] if other == "messages" else ASKED
        client.ask(messages, Longer if other == "schema" else Rating, purpose="p" if other == "purpose" else "rating")
    assert server.calls == 2


def test_a_run_that_is_made_again_reads_its_own_replies_alone(cache):
    with judge_server(lambda asked: completion(GOOD)) as server:
        first = llm(server, cache=cache)
        for attempt in (0, 1, 1, 2, 0):
            ask(first.for_run("r", None, attempt=attempt))
    assert server.calls == 3


def test_words_are_kept_too_however_they_came(cache):
    with judge_server(lambda asked: streamed("Two", " litres.")) as server:
        llm(server, cache=cache).text(ASKED, purpose="answer", on_text=lambda text: None)
        client, shown = llm(server, cache=cache), []
        assert client.text(ASKED, purpose="answer").text == "Two litres."
        client.text(ASKED, purpose="answer", on_text=shown.append)
    assert (server.calls, shown) == (1, ["Two litres."])


def test_a_cache_that_cannot_be_read_is_said_before_anything_is_paid_for(tmp_path):
    (tmp_path / "replies.sqlite").write_bytes(b"no database" * 500)
    with judge_server(lambda asked: completion(GOOD)) as server:
        client = llm(server, cache=ReplyCache(tmp_path / "replies.sqlite"))
        with pytest.raises(StoreError, match=r"replies\.sqlite does not work"):
            ask(client)
        assert server.calls == 0


# Keys and counts


@pytest.mark.parametrize("key", ["", "  ", "sk-1 2", "sk-\u00e9", "sk-\n", "Bearer\tx"])
def test_a_key_that_cannot_be_one_is_refused_and_not_repeated(key):
    with pytest.raises(SettingsError, match="characters that no key can have") as caught:
        Llm(MODEL, key)
    assert not key.strip() or key.strip() not in str(caught.value)


@pytest.mark.parametrize(("text", "count"), [("", 0), ("a", 1), ("four", 1), ("eight ch", 2), ("水水", 2), ("ab水", 2)])
def test_tokens_are_estimated(text, count):
    assert estimate_tokens(text) == count


def test_usages_add_up_and_what_one_does_not_know_the_sum_does_not():
    known = {"calls": 1, "prompt_tokens": 10, "cost": 0.5}
    assert total_usage([known, known]) == {"calls": 2, "prompt_tokens": 20, "cost": 1.0}
    unknown = {"calls": 1, "prompt_tokens": 10, "estimated_cost": 0.2}
    assert total_usage([known, unknown]) == {"calls": 2, "prompt_tokens": 20, "estimated_cost": 0.7}
    assert total_usage([known, {"calls": 0, "from_cache": 1}]) == known | {"from_cache": 1}
    assert total_usage([]) == {}
