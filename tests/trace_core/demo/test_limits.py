"""How much each visitor of the public demo, and all together, may do."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from trace_core.demo.limits import LONGEST, SENTENCES, VisitorLimiter, check_length, check_sentence_count, in_demo
from trace_core.errors import InputError
from trace_core.settings import Settings


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_each_visitor_and_all_together_may_begin_so_often(clock: Clock) -> None:
    limiter = VisitorLimiter(2, 3, 60, clock)
    assert [limiter.wait("a") for _ in range(3)] == [0, 0, 60]
    assert [limiter.wait(who) for who in "bc"] == [0, 60]


def test_a_visitor_may_begin_again_after_the_oldest_and_refusals_do_not_count(clock: Clock) -> None:
    limiter = VisitorLimiter(1, 10, 60, clock)
    limiter.wait("a")
    for clock.now in range(1, 60):
        assert limiter.wait("a") == 60 - clock.now
    clock.now = 60
    assert limiter.wait("a") == 0


def test_many_at_once_are_counted_right() -> None:
    limiter = VisitorLimiter(100, 7)
    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(limiter.wait, "abcdefgh" * 5))
    assert waits.count(0) == 7


def test_texts_are_counted_in_characters_and_in_sentences() -> None:
    ordinary = ["The tank holds two litres of water and is made of steel. " * 300]
    check_length(ordinary)
    check_sentence_count(ordinary)
    with pytest.raises(InputError, match="20,000 characters at once, these are 20,001"):
        check_length(["x" * LONGEST, "y"])
    check_sentence_count(["It is so. " * (SENTENCES // 2)] * 2)
    with pytest.raises(InputError, match="400 sentences at once, these are 401"):
        check_sentence_count(["It is so. " * (SENTENCES // 2)] * 2 + ["One."])


def test_a_visitors_query_uses_nothing_of_the_owners() -> None:
    judge = {"OPENAI_API_KEY": "sk-owner", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "TRACE_LABELER": "gpt"}
    owners = Settings(TRACE_RAGAS_PYTHON="/bin/python", _env_file=None, **judge)
    used = in_demo(owners)
    assert (used.openai_api_key, used.openai_base_url, used.ragas_python, used.labeler) == (None, None, None, "local")
    assert used.max_body < owners.max_body
