"""How long a caller waits: whatever is asked for it ends with that, however many requests it takes."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_end: ContextVar[float] = ContextVar("end", default=math.inf)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Requests that are sent within the block are over when it is so old; none is sent after that."""
    token = _end.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _end.reset(token)


def seconds_left() -> float:
    """Infinite where nobody said `at_most`."""
    return _end.get() - time.monotonic()
