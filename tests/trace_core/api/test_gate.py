"""Who is let in, who waits, and who is told to come again."""

import asyncio
import threading
import time
from contextlib import nullcontext, suppress

import pytest

from trace_core.api.gate import Busy, Gate


@pytest.mark.parametrize(("limit", "other"), [("AT_ONCE", False), ("OF_ONE_ADDRESS", True)])
def test_one_more_than_may_be_inside_or_from_one_address_is_to_come_again(monkeypatch, limit, other):
    monkeypatch.setattr(f"trace_core.api.gate.{limit}", 2)
    gate = Gate()
    with gate.enter("one"), gate.enter("one"):
        with pytest.raises(Busy) as busy, gate.enter("one"):
            pass
        assert busy.value.retry_after >= 1
        with nullcontext() if other else pytest.raises(Busy), gate.enter("other"):
            pass
    with gate.enter("one"):
        pass


def test_a_job_that_works_too_long_is_a_time_out_and_keeps_its_thread_until_it_ends(monkeypatch):
    monkeypatch.setattr("trace_core.api.gate.LONGEST_WAIT", 0.05)

    async def two():
        gate, ended = Gate(), threading.Event()
        with pytest.raises(TimeoutError):
            await gate.run("local", ended.wait, 0.05)
        with pytest.raises(Busy):
            await gate.run("local", lambda: None, 5)
        ended.set()
        while True:
            with suppress(Busy):
                return await gate.run("local", lambda: 7, 60)

    assert asyncio.run(two()) == 7


def test_time_to_work_begins_with_the_work_and_kinds_do_not_wait_for_each_other():
    async def three():
        gate = Gate()
        jobs = [asyncio.create_task(gate.run("local", lambda: time.sleep(0.3), 1.1)) for _ in range(4)]
        await asyncio.sleep(0.02)
        await gate.run("parse", lambda: None, 60)
        assert not jobs[-1].done()
        await asyncio.gather(*jobs)

    asyncio.run(three())
