"""No regular expression backtracks: on any text of 3 kB, 16 times the length takes about 16 times as long."""

import ast
import re
import re._constants as c
import re._parser as parser
import signal
import time
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from itertools import islice, permutations
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = [
    file
    for file in [*sorted((ROOT / "trace_core").rglob("*.py")), *sorted((ROOT / "pages").rglob("*.py"))]
    if re.search(r"\bre\.", file.read_text(encoding="utf-8"))
]
ONCE = {"match", "fullmatch"}
METHODS = ONCE | {"search", "sub", "subn", "split", "findall", "finditer", "compile"}
REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
LENGTH = 3_000
STRANGER = "\x00"
"""A character that no pattern expects."""
QUADRATIC = re.compile("x*y")
"""The cheapest of its kind: it looks at 3 kB of "x" from each place anew."""


# The patterns of a file, and the methods called on each


def patterns(file):
    """(place, pattern, methods); a pattern that is built from anything but its module's names fails."""
    source = file.read_text(encoding="utf-8")
    nodes = list(ast.walk(ast.parse(source)))
    calls = [
        node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) in {f"re.{m}" for m in METHODS}
    ]
    parts = file.relative_to(ROOT).with_suffix("").parts
    # Importing a page would run it.
    names = vars(import_module(".".join(parts))) if calls and parts[:-1] != ("pages",) else {"re": re}
    variables = {node.value: ast.unparse(node.targets[0]) for node in nodes if isinstance(node, ast.Assign)}
    for function in (node for node in nodes if isinstance(node, ast.FunctionDef)):  # one that compiles at first use
        variables |= {node.value: f"{function.name}()" for node in function.body if isinstance(node, ast.Return)}
    for call in calls:
        method, place = call.func.attr, f"{file.relative_to(ROOT)}:{call.lineno}"
        uses = _uses(source, variables.get(call, "")) if method == "compile" else {method}
        try:
            value = eval(ast.unparse(call if method == "compile" else call.args[0]), dict(names))
            yield place, re.compile(value), uses
        except NameError:  # compiled for each row of a table
            (table,) = [name for value, name in variables.items() if call in ast.walk(value)]
            yield from ((f"{place} {one.pattern}", one, uses) for one, *_ in names[table])


def _uses(source, name):
    """Both kinds, where the pattern has no variable of its own or is used in another way than by calling it."""
    word = name.removesuffix("()")
    uses = re.findall(rf"\b{re.escape(name)}\.(\w+)\(", source) if word.isidentifier() else []
    return set(uses) if uses and len(re.findall(rf"\b{word}\b", source)) == len(uses) + 1 else {"match", "finditer"}


# Texts on which a pattern that backtracks is slow


def texts_for(pattern):
    """3 kB of each character in the pattern, of pairs of them, and of near matches."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE & ~re.DEBUG)
    characters = [*dict.fromkeys(_example([item]) for item in _leaves(tree))]
    yield from (one * LENGTH for one in [*characters[:40], " ", "\n", "a", "1", STRANGER])
    pairs = dict.fromkeys([*characters[:5], " ", "\n", "a", STRANGER])
    yield from ((one + other) * (LENGTH // 2) for one, other in permutations(pairs, 2))
    for before, body in islice(_repeats(tree, ""), 40):
        yield before + body * (LENGTH // len(body)) + STRANGER
        yield (before + body * 3) * (LENGTH // len(before + body * 3))
        yield before * 2 + (body * 40 + STRANGER) * (LENGTH // (40 * len(body) + 1))
    if len(example := _example(tree)) > 1:
        yield example[:-1] * (LENGTH // (len(example) - 1))
        yield example * (LENGTH // len(example))


def _inside(op, value):
    """The parts within one part of a pattern."""
    if op is c.BRANCH:
        return value[1]
    if op in REPEATS:
        return [value[2]]
    if op in (c.SUBPATTERN, c.ASSERT, c.ASSERT_NOT):
        return [value[-1]]
    return [value] if op is c.ATOMIC_GROUP else []


def _leaves(tree):
    for op, value in tree:
        if op in (c.LITERAL, c.IN):
            yield op, value
        for part in _inside(op, value):
            yield from _leaves(part)


def _example(tree):
    """A short text that the pattern matches, assertions aside."""
    return "".join(_example_of(op, value) for op, value in tree)


def _example_of(op, value):
    if op is c.LITERAL:
        return chr(value)
    if op is c.IN:
        shown = re.compile(_set(value))
        return next(one for one in map(chr, [*b"a .1\n-_=", *range(0x10000)]) if shown.match(one))
    if op in REPEATS:
        return _example(value[2]) * max(value[0], 1 if value[1] else 0)
    if op in (c.SUBPATTERN, c.BRANCH, c.ATOMIC_GROUP):
        return _example(_inside(op, value)[0])
    return "a" if op in (c.ANY, c.NOT_LITERAL) else ""


CATEGORIES = {
    c.CATEGORY_DIGIT: r"\d",
    c.CATEGORY_SPACE: r"\s",
    c.CATEGORY_WORD: r"\w",
    c.CATEGORY_NOT_DIGIT: r"\D",
    c.CATEGORY_NOT_SPACE: r"\S",
    c.CATEGORY_NOT_WORD: r"\W",
}


def _set(items):
    """The set of a pattern, in its own notation."""
    one = {
        c.NEGATE: lambda _: "^",
        c.CATEGORY: CATEGORIES.__getitem__,
        c.LITERAL: lambda code: re.escape(chr(code)),
        c.RANGE: lambda ends: "-".join(re.escape(chr(code)) for code in ends),
    }
    return "[" + "".join(one[op](value) for op, value in items) + "]"


def _repeats(tree, before):
    """For each repetition: a text that precedes it, and one repeat."""
    for op, value in tree:
        if op in REPEATS:
            yield before, _example(value[2]) or "a"
        for part in _inside(op, value):
            yield from _repeats(part, before)
        before += _example_of(op, value)


# The time that they take


@lru_cache
def limit():
    """Half of the time of `QUADRATIC` on 3 kB, on this machine; a linear pattern needs a third of it."""
    return min(timed(QUADRATIC, "search", "x" * LENGTH) for _ in range(10)) / 2


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


def timed(pattern, method, text, times=1):
    # Of this thread alone: what a test before it left running is no time of the pattern's.
    start = time.thread_time()
    for _ in range(times):
        if method in ONCE:
            getattr(pattern, method)(text)
        else:
            for _ in pattern.finditer(text):
                pass
    return time.thread_time() - start


def grows(pattern, method, text):
    """Whether the whole text takes four times as long as its first sixteenth sixteen times, which of a linear pattern
    take equally long: of a quadratic one sixteen times. A busy machine tells on both alike.
    """
    seconds = []
    for part, times in ((text[: len(text) // 16], 16), (text, 1)):
        try:
            with at_most(100 * limit()):
                seconds.append(min(timed(pattern, method, part, times) for _ in range(5)))
        except TimeoutError:
            return True
    return seconds[1] > 4 * seconds[0]


def slow(pattern, methods):
    """The first text on which the pattern takes too long, and longer than in proportion to the length."""
    for text in texts_for(pattern):
        text = text.encode() if isinstance(pattern.pattern, bytes) else text
        for method in {one if one in ONCE else "finditer" for one in methods}:
            # Measured, as a timer of the system ticks only every few milliseconds.
            with suppress(TimeoutError), at_most(100 * limit()):
                if timed(pattern, method, text) < limit():
                    continue
            if grows(pattern, method, text):
                return f"{method} on {text[:30]!r} … {text[-10:]!r}"
    return None


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_it_reads_3_kb_of_anything_in_a_moment(file):
    assert {place: text for place, pattern, methods in patterns(file) if (text := slow(pattern, methods))} == {}


@pytest.mark.parametrize("pattern", [r"(a+)+b", r"\A\s*#\s+(.+?)\s*#*\s*\Z", r"x*y", r"(?:a|aa)+$"])
def test_a_pattern_that_backtracks_would_be_seen(pattern):
    assert slow(re.compile(pattern), {"finditer"})
