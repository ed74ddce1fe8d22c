"""Every regular expression in the source, and texts that make a backtracking pattern slow."""

from __future__ import annotations

import ast
import re
import re._constants as c
import re._parser as parser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice, product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LENGTH = 10_000
MOST_CHARACTERS = 5
"""The number of a pattern's characters that are paired with each other."""
METHODS = {"compile", "match", "search", "sub", "subn", "split", "findall", "finditer", "fullmatch"}
_CATEGORY = {
    c.CATEGORY_DIGIT: "1", c.CATEGORY_SPACE: " ", c.CATEGORY_WORD: "a",
    c.CATEGORY_NOT_DIGIT: "a", c.CATEGORY_NOT_SPACE: "a", c.CATEGORY_NOT_WORD: ".",
}  # fmt: skip
_STRANGER = "\x00"
"""A character that no pattern expects."""


@dataclass(frozen=True)
class Found:
    """A pattern, its place in the source, and the methods called on it."""

    place: str
    pattern: re.Pattern[str]
    methods: tuple[str, ...]


def source_files() -> list[Path]:
    return [ROOT / "app.py", *sorted((ROOT / "trace_core").rglob("*.py")), *sorted((ROOT / "pages").rglob("*.py"))]


def files_with_patterns() -> list[Path]:
    return [file for file in source_files() if re.search(r"\bre\.", file.read_text(encoding="utf-8"))]


def found_patterns(file: Path) -> Iterator[Found]:
    """Each pattern of a file; a pattern built from anything but its module's names cannot be read, and fails."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    calls = [node for node in nodes if isinstance(node, ast.Call) and _of_re(node)]
    names = _names(file) if calls else {}
    for call in calls:
        place = f"{file.relative_to(ROOT)}:{call.lineno}"
        method = call.func.attr  # type: ignore[attr-defined]
        for pattern in _patterns(call, names):
            uses = _uses(nodes, call) if method == "compile" else {method}
            yield Found(place, pattern, tuple(sorted(uses - {"compile"})) or ("match", "finditer"))


def _of_re(call: ast.Call) -> bool:
    func = call.func
    return (
        isinstance(func, ast.Attribute)
        and isinstance(func.value, ast.Name)
        and func.value.id == "re"
        and func.attr in METHODS
    )


def _names(file: Path) -> dict[str, Any]:
    parts = file.relative_to(ROOT).with_suffix("").parts
    if parts[0] == "pages" and len(parts) == 2:
        return {"re": re}  # importing a page would run it
    return vars(import_module(".".join(parts)))


def _patterns(call: ast.Call, names: dict[str, Any]) -> Iterator[re.Pattern[str]]:
    flags = [*call.args[1:2]] if call.func.attr == "compile" else []  # type: ignore[attr-defined]
    flags += [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    flag = _value(flags[0], names) if flags else 0
    for one in _bindings(call, names):
        value = _value(call.args[0], names | one)
        yield value if isinstance(value, re.Pattern) else re.compile(value, flag)


def _bindings(call: ast.Call, names: dict[str, Any]) -> list[dict[str, Any]]:
    """One pattern per quotation mark where it is made for both."""
    free = (
        {node.id for node in ast.walk(call.args[0]) if isinstance(node, ast.Name)} - set(names) - set(dir(__builtins__))
    )
    return [dict.fromkeys(free, quote) for quote in "\"'"] if free & {"q", "quote"} else [{}]


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "pattern", "eval"), dict(names))


def _uses(nodes: Sequence[ast.AST], call: ast.Call) -> set[str]:
    """The methods called on the pattern's variable in this module; none where it has no variable of its own."""
    for node in nodes:
        if isinstance(node, ast.Assign) and any(child is call for child in ast.walk(node.value)):
            names = {child.id for target in node.targets for child in ast.walk(target) if isinstance(child, ast.Name)}
            if isinstance(node.value, ast.Tuple) or len(names) != 1:
                return set()
            (name,) = names
            seen = [n for n in nodes if _is_name(n, name) and isinstance(n.ctx, ast.Load)]  # type: ignore[attr-defined]
            asked = [n for n in nodes if isinstance(n, ast.Compare) and _is_name(n.comparators[0], name)]
            called = [method for n in nodes if (method := _called(n, name))]
            return set(called) if len(seen) == len(called) + len(asked) else set()
    return set()


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _called(node: ast.AST, name: str) -> str | None:
    """The method name in `NAME.method(…)` and in `NAME[…].method(…)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    value = node.func.value
    return node.func.attr if _is_name(value.value if isinstance(value, ast.Subscript) else value, name) else None


def texts_for(pattern: re.Pattern[str]) -> Iterator[str]:
    """10 kB of each character in the pattern, of each pair of them, and of near matches."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE & ~re.DEBUG)
    characters = list(dict.fromkeys([*_characters(tree), " ", "\n", "a", "1", _STRANGER]))
    for one in characters[:40]:
        yield one * LENGTH
    pairs = [*dict.fromkeys([*_characters(tree)])][:MOST_CHARACTERS]
    for one, other in product(dict.fromkeys([*pairs, " ", "\n", "a", _STRANGER]), repeat=2):
        if one != other:
            yield (one + other) * (LENGTH // 2)
    for before, body in islice(_repeats(tree, ""), 60):
        yield before + body * (LENGTH // max(1, len(body))) + _STRANGER
        unit = before + body * 3
        yield unit * (LENGTH // max(1, len(unit)))
        yield before * 2 + (body * 40 + _STRANGER) * (LENGTH // max(1, 40 * len(body) + 1))
    example = _example(tree)
    if len(example) > 1:
        yield example[:-1] * (LENGTH // (len(example) - 1))
        yield example * (LENGTH // len(example))


def _characters(tree: Sequence[Any]) -> Iterator[str]:
    for op, value in tree:
        if op is c.LITERAL:
            yield chr(value)
        elif op is c.IN:
            yield _of_set(value)
        elif op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            yield from _characters(value[2])
        elif op is c.SUBPATTERN:
            yield from _characters(value[-1])
        elif op is c.ATOMIC_GROUP:
            yield from _characters(value)
        elif op in (c.ASSERT, c.ASSERT_NOT):
            yield from _characters(value[1])
        elif op is c.BRANCH:
            for branch in value[1]:
                yield from _characters(branch)


def _of_set(items: Sequence[Any]) -> str:
    """A character in the set."""
    if items[0][0] is c.NEGATE:
        shut = re.compile("".join(("[^", *map(_as_text, items[1:]), "]")))
        return next(one for one in "a .1\n-_=ä文\x00\t" if shut.match(one))
    op, value = items[0]
    return _CATEGORY.get(value, "a") if op is c.CATEGORY else chr(value if op is c.LITERAL else value[0])


def _as_text(item: Any) -> str:
    op, value = item
    if op is c.LITERAL:
        return re.escape(chr(value))
    if op is c.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    named = {c.CATEGORY_DIGIT: r"\d", c.CATEGORY_SPACE: r"\s", c.CATEGORY_WORD: r"\w"}
    return (
        named.get(value)
        or {c.CATEGORY_NOT_DIGIT: r"\D", c.CATEGORY_NOT_SPACE: r"\S", c.CATEGORY_NOT_WORD: r"\W"}[value]
    )


def _example(tree: Sequence[Any]) -> str:
    """A short text that the pattern matches, ignoring assertions."""
    return "".join(_example_of(op, value) for op, value in tree)


def _example_of(op: Any, value: Any) -> str:
    if op is c.LITERAL:
        return chr(value)
    if op is c.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if op is c.ANY:
        return "a"
    if op is c.IN:
        return _of_set(value)
    if op is c.BRANCH:
        return _example(value[1][0])
    if op is c.SUBPATTERN:
        return _example(value[-1])
    if op is c.ATOMIC_GROUP:
        return _example(value)
    if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
        return _example(value[2]) * max(value[0], 1 if value[1] else 0)
    return ""


def _repeats(tree: Sequence[Any], before: str) -> Iterator[tuple[str, str]]:
    """For each repetition: a text that precedes it, and one repeat."""
    for op, value in tree:
        if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            yield before, _example(value[2]) or "a"
            yield from _repeats(value[2], before)
        elif op is c.SUBPATTERN:
            yield from _repeats(value[-1], before)
        elif op is c.ATOMIC_GROUP:
            yield from _repeats(value, before)
        elif op is c.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, before)
        elif op in (c.ASSERT, c.ASSERT_NOT):
            yield from _repeats(value[1], before)
        before += _example_of(op, value)
