"""No regular expression backtracks: on any text of 10 kB, eight times the length takes about eight times as long."""

import re
import signal
import time
from contextlib import contextmanager, suppress
from functools import lru_cache

import pytest
from patterns import LENGTH, ROOT, Found, files_with_patterns, found_patterns, texts_for

QUADRATIC = re.compile("x*y")
"""The cheapest of its kind: it looks at 10 kB of "x" from each place anew."""


@lru_cache
def limit():
    """Half of the processor time of `QUADRATIC` on 10 kB, on this machine; a linear pattern needs a tenth of it."""
    return min(timed(QUADRATIC, "search", "x" * LENGTH) for _ in range(3)) / 2


@contextmanager
def at_most(seconds):
    def over(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def use(pattern, method, text):
    """Call the method; consume its results, if any."""
    if method in ("match", "fullmatch", "search"):
        getattr(pattern, method)(text)
    else:
        for _ in pattern.finditer(text):
            pass


def grows(pattern, method, text):
    """Whether the whole text takes far longer than its first eighth eight times: a quadratic pattern takes eight times
    as long. Both take about as long otherwise, so that a coarse clock and a busy machine tell on both alike.
    """
    seconds = []
    for part, times in ((text[: len(text) // 8], 8), (text, 1)):
        try:
            with at_most(100 * limit()):
                tries = [timed(pattern, method, part, times) for _ in range(5)]
        except TimeoutError:
            return True
        seconds.append(min(tries))
    return seconds[1] > 3 * seconds[0]


def timed(pattern, method, text, times=1):
    start = time.process_time()
    for _ in range(times):
        use(pattern, method, text)
    return time.process_time() - start


def in_time(pattern, method, text):
    """Whether it ends within the limit, or else takes time in proportion to the length."""
    with suppress(TimeoutError), at_most(limit()):
        use(pattern, method, text)
        return True
    return not grows(pattern, method, text)


def slow(found):
    for text in texts_for(found.pattern):
        for method in {"finditer" if m in ("sub", "subn", "split", "findall") else m for m in found.methods}:
            if not in_time(found.pattern, method, text):
                return f"{method} on {text[:30]!r} … {text[-10:]!r}"
    return None


@pytest.mark.parametrize("file", files_with_patterns(), ids=lambda file: str(file.relative_to(ROOT)))
def test_it_reads_10_kb_of_anything_in_a_moment(file):
    found = list(found_patterns(file))
    assert found or "re.compile(" not in file.read_text(encoding="utf-8")
    assert {one.place: told for one in found if (told := slow(one))} == {}


@pytest.mark.parametrize("pattern", [r"(a+)+b", r"\A\s*#\s+(.+?)\s*#*\s*\Z", r"x*y", r"(?:a|aa)+$"])
def test_a_pattern_that_backtracks_would_be_seen(pattern):
    assert slow(Found("here", re.compile(pattern), ("finditer",)))
