"""Who is let in, who waits, and who is told to come again."""

import asyncio
import threading
import time

import pytest

from trace_core.api.gate import Busy, Gate, Line


def test_one_more_than_the_gate_holds_is_told_to_come_again():
    gate = Gate(at_once=2)
    with gate.enter(), gate.enter():
        with pytest.raises(Busy) as busy, gate.enter():
            pass
        assert busy.value.retry_after >= 1
    with gate.enter():
        pass


def test_one_address_never_takes_every_place():
    gate = Gate(at_once=3, of_one=2)
    with gate.enter("one"), gate.enter("one"):
        with pytest.raises(Busy), gate.enter("one"):
            pass
        with gate.enter("other"):
            pass
    with gate.enter("one"):
        pass


def test_a_job_gives_what_it_returns_and_raises_what_it_raises():
    line = Line("test", 1)
    assert asyncio.run(line.run(lambda: 7, 5)) == 7
    with pytest.raises(ZeroDivisionError):
        asyncio.run(line.run(lambda: 1 / 0, 5))


def test_a_job_that_works_too_long_is_a_time_out():
    ended = threading.Event()
    with pytest.raises(TimeoutError):
        asyncio.run(Line("test", 1).run(lambda: ended.wait(0.3), 0.05))


def test_a_job_that_only_waited_is_told_to_come_again():
    async def two():
        line, done = Line("test", 1, longest_wait=0.05), threading.Event()
        first = asyncio.create_task(line.run(done.wait, 5))
        await asyncio.sleep(0.02)
        with pytest.raises(Busy):
            await line.run(lambda: None, 5)
        done.set()
        await first

    asyncio.run(two())


def test_time_to_work_begins_with_the_work():
    async def two():
        line = Line("test", 1)
        jobs = [line.run(lambda: time.sleep(0.3), 0.5) for _ in range(2)]
        await asyncio.gather(*jobs)

    asyncio.run(two())


def test_who_would_wait_too_long_is_not_let_in():
    async def many():
        line, done = Line("test", 1), threading.Event()
        line._mean = 8.0  # the last jobs were slow
        waiting = [asyncio.create_task(line.run(done.wait, 5)) for _ in range(2)]
        await asyncio.sleep(0.02)
        assert line.wait == 16
        with pytest.raises(Busy) as busy:
            await line.run(lambda: None, 5)
        assert busy.value.retry_after == 6
        done.set()
        await asyncio.gather(*waiting)
        assert line.wait < 8

    asyncio.run(many())


def test_time_spent_waiting_is_no_time_of_work():
    async def run():
        line = Line("test", 1)
        await asyncio.gather(*(line.run(lambda: time.sleep(0.05), 5) for _ in range(6)))
        return line._mean

    assert asyncio.run(run()) < 0.2
