"""How much each visitor of the public demo may do, and what they are not told."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pages.components.shared.visitors import Limiter, without_places
from trace_core.settings import Settings


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_each_visitor_may_begin_so_often(clock: Clock) -> None:
    limiter = Limiter(2, 10, 60, clock)
    assert [limiter.wait("a") for _ in range(2)] == [0, 0]
    assert limiter.wait("a") == 60


def test_another_visitor_is_not_held_up(clock: Clock) -> None:
    limiter = Limiter(1, 10, 60, clock)
    limiter.wait("a")
    assert limiter.wait("b") == 0


def test_all_together_may_begin_so_often(clock: Clock) -> None:
    limiter = Limiter(2, 3, 60, clock)
    assert [limiter.wait(who) for who in "abc"] == [0, 0, 0]
    assert limiter.wait("d") == 60


def test_a_visitor_may_begin_again_when_the_oldest_is_over(clock: Clock) -> None:
    limiter = Limiter(1, 10, 60, clock)
    limiter.wait("a")
    clock.now = 45
    assert limiter.wait("a") == 15
    clock.now = 60
    assert limiter.wait("a") == 0


def test_a_refusal_does_not_count(clock: Clock) -> None:
    limiter = Limiter(1, 10, 60, clock)
    limiter.wait("a")
    for clock.now in range(1, 60):
        assert limiter.wait("a") > 0
    clock.now = 60
    assert limiter.wait("a") == 0


def test_many_at_once_are_counted_right() -> None:
    limiter = Limiter(100, 7)
    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(limiter.wait, "abcdefgh" * 5))
    assert waits.count(0) == 7


def test_folders_and_servers_of_the_host_are_not_told(tmp_path: Path) -> None:
    settings = Settings(TRACE_DATA_DIR=tmp_path, QDRANT_URL="https://u:p@cluster.example:6333", _env_file=None)
    said = f"embedded, {tmp_path}/qdrant; Qdrant at https://cluster.example:6333 does not answer; {Path.home()}/x"
    assert without_places(said, settings) == (
        "embedded, (a folder)/qdrant; Qdrant at (a server) does not answer; (a folder)/x"
    )
