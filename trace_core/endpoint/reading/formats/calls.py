"""A query in a Python program: the arguments of a call such as `evaluate(tests=[…], question="…")`, and its metrics."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from trace_core.endpoint.reading.language.names import canonical, is_name
from trace_core.endpoint.reading.language.plain_tests import names_before
from trace_core.endpoint.reading.language.text import LONGEST_LITERAL
from trace_core.endpoint.reading.language.words import field_named, plain_key

_CALL = re.compile(r"[A-Za-z_][\w.]{0,60}\(")
_COMMENT = re.compile(r"^[^\n#\"']{0,200}#([^\n]{1,400})$", re.MULTILINE)


def called(text: str) -> Mapping[str, Any] | None:
    """The arguments of the one call with parts of a query; `None` where the text is no such program.

    Names in the call stand for what the lines before assign to them; the function may be the test:
    `faithfulness(answer="…", …)`.
    """
    program = _parsed(text)
    if program is None:
        return None
    values = dict(_assigned(program))
    calls = [node for node in ast.walk(program) if isinstance(node, ast.Call) and node.keywords and not node.args]
    queries = [(call, given) for call in calls if any(map(field_named, given := _arguments(call, values)))]
    if len(queries) != 1:
        return None
    ((call, given),) = queries
    if any(field_named(key) == "tests" for key in given):
        return given
    tests = names_before(" ".join(_dotted(call.func))) or _metrics(program)
    return {**given, "tests": tests} if tests else None


def named_in_program(text: str) -> list[str] | None:
    """The tests that a program measures, or that its comments name; `None` where the text is no program."""
    program = _parsed(text)
    if program is None:
        return None
    return _metrics(program) or names_before("\n".join(_COMMENT.findall(text)), short=True)


def _parsed(text: str) -> ast.Module | None:
    if not _CALL.search(text) or len(text) > LONGEST_LITERAL:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _assigned(program: ast.Module) -> Iterator[tuple[str, Any]]:
    """The names that the program's own lines give to literals."""
    for line in program.body:
        if isinstance(line, ast.Assign) and len(line.targets) == 1 and isinstance(line.targets[0], ast.Name):
            with suppress(ValueError):
                yield line.targets[0].id, ast.literal_eval(line.value)


def _arguments(call: ast.Call, values: Mapping[str, Any]) -> dict[str, Any]:
    """The call's arguments; none where one of them is neither a literal nor a known name."""
    found: dict[str, Any] = {}
    for word in call.keywords:
        if isinstance(word.value, ast.Name) and word.value.id in values:
            found[word.arg or ""] = values[word.value.id]
            continue
        try:
            found[word.arg or ""] = ast.literal_eval(word.value)
        except ValueError:
            if field_named(word.arg) != "tests":
                return {}
            found[word.arg or ""] = [_test(item) for item in _items(word.value)]
    return found


def _metrics(program: ast.Module) -> list[str]:
    """The tests in the one list of metrics, else those that are called: `FaithfulnessMetric().measure(…)`.

    None where two lists differ.
    """
    nodes = list(ast.walk(program))
    listed = [[_test(item) for item in node.elts] for node in nodes if isinstance(node, ast.List)]
    lists = {tuple(names) for names in listed if any(map(is_name, set(names)))}
    if lists:
        return list(lists.pop()) if len(lists) == 1 else []
    calls = [_dotted(node.func) for node in nodes if isinstance(node, ast.Call)]
    tests = (canonical(_plain(name)) for names in calls for name in names if is_name(_plain(name)))
    return list(dict.fromkeys(tests))


def _items(given: ast.expr) -> list[ast.expr]:
    return given.elts if isinstance(given, ast.List | ast.Tuple | ast.Set) else [given]


def _test(item: ast.expr) -> str:
    """The name of a test that is given as an object: `Faithfulness()`, `metrics.context_recall`, `ToxicityMetric()`."""
    return _plain(item.value) if isinstance(item, ast.Constant) else _plain((_dotted(item) or [""])[-1])


def _plain(name: object) -> str:
    return plain_key(str(name)).removesuffix("_metric")


def _dotted(node: ast.expr) -> list[str]:
    """The names in `a.b.c`, or in a call of it, in order."""
    names: list[str] = []
    while isinstance(node, ast.Attribute | ast.Call):
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return [*([node.id] if isinstance(node, ast.Name) else []), *reversed(names)]
