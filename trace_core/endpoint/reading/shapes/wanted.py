"""The tests that an object names: in a list, in words, by flags, in a task, or under a key that may hold others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from trace_core.endpoint.payload import MOST_TESTS, QueryError
from trace_core.endpoint.reading.language.described import described
from trace_core.endpoint.reading.language.names import canonical, is_all, is_name, nearest, without_names
from trace_core.endpoint.reading.language.plain_tests import (
    all_wished,
    hold_list,
    hold_names,
    leaves_open,
    names_before,
    names_in,
    only_names,
)
from trace_core.endpoint.reading.language.requests import asks
from trace_core.endpoint.reading.language.roles import said_by
from trace_core.endpoint.reading.language.words import WISHES, field_named, plain_key
from trace_core.endpoint.reading.shapes.values import flag, wrong
from trace_core.endpoint.registry import TESTS

_MAY_NAME = WISHES | frozenset("evals feedbacks feedback_functions scorers extra_metrics assert asserts".split())
"""Keys that name tests only where they hold nothing but tests."""
_SKIPS = frozenset("skip skipped exclude excluded except without disabled ignore omit".split())
"""Keys of tests that are not to be run."""
_OTHER_TESTS = _SKIPS | frozenset(
    "previous prior last past old earlier done completed passed failed failing finished cached computed blocked "
    "missing rejected removed future later available supported known possible all default "
    "not no title name topic category tag tags label description source note notes".split()
)
"""Words of keys of tests that are not wanted now, or of something else."""
_TASKS = frozenset("task request command wish todo aufgabe tâche tarea compito tarefa opdracht".split())
"""Keys of a wish in words."""
_ON = frozenset("enabled enable active run selected use wanted include included".split())
_OFF = frozenset("disabled disable skip skipped exclude excluded ignore ignored".split())
"""Keys of flags in the settings of one test."""
_NAMES = ("name", "metric", "test", "type")
_MINUS = re.compile(r"\s{0,8}[-!~]\w")
_EXPECTED = "a list of names such as answer_accuracy"


def tests_of(value: object, beside: Mapping[str, Any]) -> list[str]:
    """The canonical names; none that a key `beside` them rules out. Raises `QueryError` where they are no names."""
    written = _written(value)
    skipped = _skipped(beside)
    named = (one for name in written for one in (TESTS if is_all(name) else [_named(name)]))
    names = [name for name in dict.fromkeys(named) if name not in skipped]
    if not names:
        raise QueryError("The query names no tests.", "All of them are ruled out.")
    if len(names) > MOST_TESTS:
        raise QueryError(f"The query names {len(names)} tests; at most {MOST_TESTS} are answered at once.")
    return names


def _written(value: object) -> list[str]:
    """The names as they are written."""
    if value is None or value == []:
        raise QueryError("The query names no tests.", f"tests must be {_EXPECTED}.")
    if isinstance(value, str):
        hold_list(value)
        marked = [_MINUS.match(item) is not None for item in re.split(r"[,\n]", value)]
        if any(marked) and not all(marked):  # those may be ruled out, or have bullets
            raise wrong("tests", _EXPECTED, value)
    listed = _listed(value)
    if listed is None:
        raise wrong("tests", _EXPECTED, value)
    if all(isinstance(name, str) and leaves_open(name) for name in listed):
        raise QueryError("The query names no tests.", f"tests must be {_EXPECTED}.")
    written: list[str] = []
    for i, name in enumerate(listed):
        if not isinstance(name, str) or not name.strip():
            raise wrong(f"tests[{i}]", "a name such as answer_accuracy", name)
        written.append(name)
    return written


def told_tests(given: Mapping[str, Any]) -> object:
    """What a key such as `evaluate_with` holds, if it is nothing but tests, or what a task asks for in words."""
    held = [value for key, value in given.items() if _may_name(key, value) and _only_tests(value)]
    tasks = [value for key, value in given.items() if plain_key(key) in _TASKS and isinstance(value, str)]
    if any(_listed(value) != _listed(held[0]) for value in held):
        raise QueryError("Two keys name tests, and differ.", "Give tests once.")
    return held[0] if held else next((names for task in tasks if (names := _asked(task))), None)


def _may_name(key: str, value: object) -> bool:
    """Whether the key, if its value is nothing but tests, names those that are wanted.

    A key of any name does where they stand there by their whole names, unless it speaks of others than these.
    """
    words = plain_key(key).split("_")
    said = said_by(" ".join(words))
    if plain_key(key) in _MAY_NAME or (said and said.field == "tests"):
        return _OTHER_TESTS.isdisjoint(words)
    names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    whole = bool(names) and all(isinstance(one, str) and _whole(one) for one in names)
    return whole and field_named(key) is None and _OTHER_TESTS.isdisjoint(words)


def _whole(names: str) -> bool:
    """Whether the text is nothing but names of tests, at least one of them a whole one, perhaps misspelled."""
    return (only_names(names) and without_names(names) != names) or nearest(names) is not None


def _asked(task: str) -> list[str]:
    """The tests that a sentence asks for; none of a sentence that asks for nothing."""
    names = names_before(task, short=True) if asks(task) else []
    if names:
        hold_names(task)
    return names or all_wished(task) or (described(task) if asks(task) or "?" in task else [])


def _only_tests(value: object) -> bool:
    listed = _listed(value)
    return bool(listed) and all(isinstance(name, str) and _known(name) for name in listed or ())


def _known(name: str) -> bool:
    return is_name(name) or is_all(name) or nearest(name) is not None


def _listed(value: object) -> list[object] | None:
    """The names as they are written; `None` where the value is no list of names, in words or by flags."""
    if isinstance(value, str):
        return list(names_in(value, listed=True)) or None
    if isinstance(value, Mapping):
        wanted = {name: _wants(settings) for name, settings in value.items()}
        return None if None in wanted.values() or not wanted else [name for name, wants in wanted.items() if wants]
    return [name for item in value for name in _of(item)] if isinstance(value, list) else None


def _of(item: object) -> list[object]:
    """The name of a test, which may stand in an object with its settings; none where these say no."""
    if not isinstance(item, Mapping):
        return [item]
    if len(item) == 1 and is_name(key := str(next(iter(item)))):
        return [key] if _wants(item[key]) is not False else []
    name = next((item[key] for key in _NAMES if key in item), item)
    return [name] if _enabled(item) else []


def _wants(settings: object) -> bool | None:
    """Whether a test is wanted, by a flag or its settings; `None` where the value is neither."""
    return _enabled(settings) if isinstance(settings, Mapping) else flag(settings)


def _enabled(settings: Mapping[str, Any]) -> bool:
    """Whether no flag in the settings of a test says that it is not to be run."""
    for key, value in settings.items():
        name = plain_key(key)
        if name in _ON or name in _OFF:
            said = flag(value, numbers=True)
            if said is None:
                raise wrong(name, "true or false", value)
            if said is (name in _OFF):
                return False
    return True


def _skipped(given: Mapping[str, Any]) -> set[str]:
    """The tests under a key that rules out nothing but tests."""
    held = [value for key, value in given.items() if not _SKIPS.isdisjoint(plain_key(key).split("_"))]
    held = [value for value in held if _only_tests(value)]
    return {canonical(str(name)) for value in held for name in _listed(value) or ()}


def _named(name: str) -> str:
    """The canonical name, that of a misspelled one as well; an unknown one in lower case, as one word."""
    known = canonical(name)
    return known if known in TESTS else nearest(name) or "_".join(name.lower().split())
