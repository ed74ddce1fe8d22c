"""A deadline for a caller, which covers all requests made on its behalf."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_end: ContextVar[float] = ContextVar("end", default=math.inf)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """End requests made within the block this long after its start, and send none after that."""
    token = _end.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _end.reset(token)


def seconds_left() -> float:
    """The seconds left; infinite without `at_most`."""
    return _end.get() - time.monotonic()
