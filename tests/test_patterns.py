"""No regular expression backtracks: 20 kB of any text take at most a third of a second of processor time."""

import re
import signal
from contextlib import contextmanager

import pytest
from patterns import ROOT, Found, found_patterns, source_files, texts_for

SECONDS = 0.16
"""Processor time for a method on 20 kB: a linear one needs a tenth of it, a quadratic one seconds."""
FOUND = list(found_patterns())


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


def slow(found):
    for text in texts_for(found.pattern):
        for method in {"finditer" if m in ("sub", "subn", "split", "findall") else m for m in found.methods}:
            try:
                with at_most(SECONDS):
                    use(found.pattern, method, text)
            except TimeoutError:
                return f"{method} on {text[:30]!r} … {text[-10:]!r}"
    return None


@pytest.mark.parametrize("found", FOUND, ids=[one.place for one in FOUND])
def test_it_reads_20_kb_of_anything_in_a_moment(found):
    assert slow(found) is None


def test_each_file_that_compiles_one_is_among_them():
    compiles = {file for file in source_files() if "re.compile(" in file.read_text(encoding="utf-8")}
    assert {str(file.relative_to(ROOT)) for file in compiles} <= {one.place.rpartition(":")[0] for one in FOUND}


@pytest.mark.parametrize("pattern", [r"(a+)+b", r"\A\s*#\s+(.+?)\s*#*\s*\Z", r"x*y", r"(?:a|aa)+$"])
def test_a_pattern_that_backtracks_would_be_seen(pattern):
    assert slow(Found("here", re.compile(pattern), ("finditer",)))
