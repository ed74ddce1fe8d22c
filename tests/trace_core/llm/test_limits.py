"""Limits: a pace, a number at a time, a budget; against a real server, and by a clock of the test's own."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from judge_server import MODEL, Answer, completion, judge_server, priced, refused, then

from trace_core.errors import BudgetSpent, LlmError, SettingsError
from trace_core.llm import Limits, Llm, Message, ReplyCache
from trace_core.llm.limiter import Limiter, Patience

ASKED = [Message(role="user", content="?" * 400)]


def ask(llm, n=0):
    return llm.text(ASKED, purpose=f"p{n}", expected_tokens=100)


def ask_many(llm, count, workers=16):
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda n: ask(llm, n), range(count)))


# Pace


class Clock:
    """Time that passes when it is told to."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def due(limiter, clock, tokens_each, count):
    """When each of so many requests may go, in seconds from the first, if time passes only by waiting."""
    times = []
    for _ in range(count):
        clock.now = max(clock.now, limiter.due)
        limiter.acquire(tokens_each, Patience())
        times.append(clock.now - 1000)
        limiter.release()
    return times


def test_requests_and_tokens_a_minute_are_spaced_evenly():
    clock = Clock()
    assert due(Limiter(Limits(requests_per_minute=30), clock), clock, 0, 4) == pytest.approx([0, 2, 4, 6])
    clock = Clock()
    assert due(Limiter(Limits(tokens_per_minute=6000), clock), clock, 100, 3) == pytest.approx([0, 1, 2])


def test_a_short_pause_does_not_shorten_a_long_one():
    limiter = Limiter(Limits(), Clock())
    for seconds in (60, 1):
        limiter.pause(seconds)
    assert limiter.due == 1000 + 60


def test_idle_time_is_not_saved_up():
    clock = Clock()
    limiter = Limiter(Limits(requests_per_minute=60), clock)
    due(limiter, clock, 0, 1)
    clock.now += 100
    times = due(limiter, clock, 0, 4)
    assert times[-1] - times[0] >= 2


def test_no_more_requests_run_at_once_than_is_allowed():
    with judge_server(lambda asked: completion("x", wait=0.05)) as server:
        ask_many(server.llm(limits=Limits(concurrency=3)), 12)
    assert server.most_at_once == 3


# Too many requests


def test_a_429_makes_everyone_wait_as_long_as_the_server_asks():
    with judge_server(then(refused(429, headers={"Retry-After": "0.6"}), completion("x"))) as server:
        llm = server.llm(limits=Limits(concurrency=1))
        replies = ask_many(llm, 4, workers=4)
        first, *others = (asked.at for asked in server.asked)
    assert min(others) - first >= 0.55
    assert sum(reply.usage.get("rate_limited", 0) for reply in replies) == 1
    assert all(reply.text == "x" for reply in replies)


def test_a_server_that_wants_an_hour_is_not_waited_for():
    with judge_server(lambda asked: refused(429, "come back", headers={"Retry-After": "3600"})) as server:
        llm = server.llm()
        start = time.monotonic()
        for n in range(3):
            with pytest.raises(LlmError, match="takes no more requests"):
                ask(llm, n)
        assert time.monotonic() - start < 30
    assert server.calls == 3


# Budget

PRICE = {"input": 1000, "output": 10_000}
"""100 prompt and 10 completion tokens cost 0.2; 100 and 100 are expected: 1.1."""


def test_a_budget_stops_before_it_is_overspent_and_keeps_what_was_made():
    with judge_server(lambda asked: completion("x")) as server:
        llm = server.llm(prices=priced(**PRICE), limits=Limits(budget=2.0))
        made = [ask(llm, n) for n in range(5)]
        with pytest.raises(BudgetSpent, match="The budget of 2 does not allow another call: 1 was spent") as caught:
            ask(llm, 5)  # it is expected to end at 2.1
        assert llm.purse.expenses == pytest.approx(1.0)
    assert server.calls == 5
    assert all(reply.usage["cost"] == pytest.approx(0.2) for reply in made)
    assert "TRACE_BUDGET" in caught.value.hint


def test_what_was_spent_before_the_budget_stopped_a_retry_is_not_forgotten():
    with judge_server(lambda asked: Answer(reset=True)) as server:
        llm = server.llm(prices=priced(**PRICE), limits=Limits(budget=2.0))
        with pytest.raises(BudgetSpent) as caught:
            ask(llm)
    assert (server.calls, caught.value.usage) == (1, {"calls": 1, "estimated_cost": pytest.approx(1.1)})


def test_many_threads_together_do_not_overspend():
    def one(n):
        try:
            return ask(llm, n).text
        except BudgetSpent:
            return "stopped"

    with judge_server(lambda asked: completion("x", wait=0.02)) as server:
        llm = server.llm(prices=priced(**PRICE), limits=Limits(budget=5.0))
        with ThreadPoolExecutor(16) as pool:
            ends = list(pool.map(one, range(60)))
    assert llm.purse.expenses <= 5.0
    assert ends.count("x") == server.calls == 20
    assert ends.count("stopped") == 40


def test_a_budget_of_its_own_leaves_the_others_alone():
    with judge_server(lambda asked: completion("x")) as server:
        llm = server.llm(prices=priced(**PRICE))
        run = llm.for_run("r", 1.2)
        ask(run)
        with pytest.raises(BudgetSpent):
            ask(run, 1)
        assert ask(llm, 2).text == "x"
        assert (run.purse.expenses, llm.purse.expenses) == (pytest.approx(0.2), pytest.approx(0.2))


def test_what_a_run_pays_for_is_noted_at_once_whether_or_not_the_server_counts(tmp_path):
    cache = ReplyCache(tmp_path / "replies.sqlite")
    with judge_server(then(completion("x"), completion("y", usage=False), completion("z"))) as server:
        llm = server.llm(prices=priced(**PRICE), cache=cache)
        run = llm.for_run("r", 10)
        for n in (0, 1, 1):
            ask(run, n)
        ask(llm, 2)
    assert llm.charges("r") == (2, pytest.approx(0.2 + 1.1))
    assert llm.charges("other") == (0, 0)
    cache.close()


def test_a_call_of_unknown_cost_counts_as_what_it_was_expected_to_cost():
    with judge_server(lambda asked: completion("x", usage=False)) as server:
        llm = server.llm(prices=priced(**PRICE), limits=Limits(budget=2.0))
        assert ask(llm).usage == {"calls": 1, "estimated_cost": pytest.approx(1.1)}
        assert llm.purse.expenses == pytest.approx(1.1)


def test_a_server_that_cannot_be_reached_costs_nothing():
    llm = Llm(MODEL, "sk-test-0123456789", base_url="http://127.0.0.1:1/v1", prices=priced(**PRICE))
    with pytest.raises(LlmError, match="cannot be reached") as caught:
        ask(llm)
    assert (caught.value.usage["cost"], llm.purse.expenses) == (0, 0)


def test_a_budget_without_a_price_is_refused():
    with pytest.raises(SettingsError, match="price of gpt-test is not known"):
        Llm(MODEL, "sk-test-0123456789", limits=Limits(budget=1.0))
