"""The parts of a query in objects within its object: what tools call a run, a record, a response or a sample."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from trace_core.endpoint.payload import QueryError
from trace_core.endpoint.reading.language.words import field_named, plain_key
from trace_core.endpoint.reading.shapes.wanted import told_tests

_HOLDERS = frozenset(
    "inputs input data outputs output result sample case item example row record payload fields kwargs vars rets "
    "attributes retrieval retriever search generation generator".split()
)
"""Keys of objects that hold parts of the query."""
_SETTINGS = frozenset(
    "request config configuration settings setup options extra params parameters job run spec evaluation task".split()
)
"""Keys of objects beside the sample that may name the tests."""
_AROUND_A_TEXT = frozenset("node document doc chunk passage entity source _source".split())
"""The same in an item of a list of contexts."""
_BESIDE = frozenset(
    "metadata meta config configuration settings options extra params parameters previous prior old earlier baseline "
    "history memory other another judge template few_shot few_shots schema usage".split()
)
"""Keys of objects that are about the sample, or hold another one."""
_RIGHT = ("reference", "expected", "gold", "target")
_IDS = re.compile(
    r"(?:(?:retrieved|found|returned|top|hit)_)?"
    r"(?:(?:contexts?|chunks?|docs?|documents?|passages?|texts?|sources?|nodes?|hits?|snippets?)_)?(?:ids|identifiers)"
)
_DEEPEST, _FEW = 4, 2
_PARTS = frozenset(("question", "contexts", "answer", "ground_truth"))
_LISTS = ("contexts", "relevant_context_ids")


def unnested(given: Mapping[str, Any], depth: int = _DEEPEST) -> dict[str, Any]:
    """The parts of the query, those from the objects within it as well.

    Raises `QueryError` where two objects differ in a part, and where a list holds several samples.
    """
    found: dict[str, Any] = {}
    alone = _PARTS.isdisjoint(field_named(key) for key, value in given.items() if value is not None)
    for key, value in given.items():
        for name, part in (_inner(key, value, alone, depth) if depth else {key: value}).items():
            if found.get(name, part) != part and field_named(name) and part is not None and found[name] is not None:
                raise QueryError(f"Two objects give the {field_named(name)}, and differ.", "Give one of them.")
            found[name] = part
    if alone and depth and not _PARTS.isdisjoint(map(field_named, found)):
        _hold_others(given, depth)
    return found if any(field_named(name) == "tests" for name in found) else found | _tests_beside(given)


def _tests_beside(given: Mapping[str, Any]) -> dict[str, Any]:
    """The tests that an object about the query names: `{"request": {"tests": […]}, "sample": {…}}`.

    Raises `QueryError` where two such objects differ.
    """
    objects = [held for key, held in given.items() if plain_key(key) in _SETTINGS and isinstance(held, Mapping)]
    named = [value for held in objects for key, value in held.items() if field_named(key) == "tests"]
    named = named or [value for held in objects if (value := told_tests(held))]
    if any(value != named[0] for value in named):
        raise QueryError("Two objects name tests, and differ.", "Give tests once.")
    return {"tests": named[0]} if named else {}


def _hold_others(given: Mapping[str, Any], depth: int) -> None:
    """Raise where a part stands in another object than the sample: `{"a": {"question": …, "answer": …}, "b": {…}}`."""
    strange = [
        value
        for key, value in given.items()
        if isinstance(value, dict) and field_named(key) is None and plain_key(key) not in (*_BESIDE, *_HOLDERS)
    ]
    held = [{field_named(name) for name in unnested(value, depth - 1)} & _PARTS for value in strange]
    if len([fields for fields in held if fields]) > 1:
        raise QueryError("The query holds more than one sample: send one.")


def of_item(item: Mapping[str, Any], depth: int = _DEEPEST) -> dict[str, Any]:
    """The keys of one of several contexts, by their plain names, those of objects within it and its metadata too."""
    plain: dict[str, Any] = {}
    for key, value in item.items():
        name = plain_key(key)
        holds = isinstance(value, Mapping) and depth and (name in _HOLDERS or name in _AROUND_A_TEXT)
        plain |= of_item(value, depth - 1) if holds else {name: value}
    about = plain.get("metadata")
    return {**(about if isinstance(about, Mapping) else {}), **plain}


def lists_ids(key: str) -> bool:
    """Whether the key is that of the contexts' ids in a list beside them: `chunk_ids`."""
    return _IDS.fullmatch(plain_key(key)) is not None


def of_one_row(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values of a frame of one row: `{"question": ["…"], "contexts": [["…", "…"]]}`; unchanged where it is none."""
    row = {key: value for key, value in given.items() if field_named(key) in {*_PARTS, *_LISTS} or lists_ids(key)}
    single = any(field_named(key) in ("question", "answer") for key in row)
    if not single or not all(isinstance(value, list) and len(value) == 1 for value in row.values()):
        return given
    return {**given, **{key: _of_cell(key, value) for key, value in row.items()}}


def _of_cell(key: str, cells: Sequence[Any]) -> Any:
    listed = field_named(key) in _LISTS or lists_ids(key)
    return cells if listed and not isinstance(cells[0], list) else cells[0]


def of_messages(value: Any) -> dict[str, Any]:
    """The parts of a conversation: the last question and answer, and what tools returned between them."""
    turns = [turn for turn in value if isinstance(turn, Mapping)] if isinstance(value, list) else []
    said = [(turn.get("role"), turn.get("content")) for turn in turns if isinstance(turn.get("content"), str)]
    asked = max((place for place, (role, _) in enumerate(said) if role == "user"), default=-1)
    if asked < 0:
        return {}
    after = said[asked + 1 :]
    answer = next((text for role, text in reversed(after) if role == "assistant"), None)
    return {
        "question": said[asked][1],
        "answer": answer,
        "contexts": [text for role, text in after if role == "tool"] or None,
    }


def _inner(key: str, value: Any, alone: bool, depth: int) -> dict[str, Any]:
    """The parts that a value holds, or the value under its own key.

    What an object with the right answers calls an answer is the ground truth.
    """
    field, plain = field_named(key), plain_key(key)
    if (one := _sample(key, value, alone, depth)) is not None:
        return one
    if not isinstance(value, dict):
        return {key: value}
    right = field == "ground_truth" or plain.startswith(_RIGHT)
    tests = field == "tests" and any(field_named(name) == "tests" for name in value)
    if not (right or tests or plain in _HOLDERS):
        return {key: value}
    inner = unnested(value, depth - 1)
    answer = {name for name in inner if field_named(name) == "answer"} if right else set()
    return {"ground_truth" if name in answer else name: part for name, part in inner.items()}


def _sample(key: str, value: Any, alone: bool, depth: int) -> dict[str, Any] | None:
    """The parts of the one sample that the value is, or lists; `None` where it is none.

    Where it does not stand `alone`, but beside parts of a query, only what is called an answer or tests may be one:
    `{"response": {"response": …, "source_nodes": […]}}`, `{"tests": [{"vars": …}]}`.
    """
    field = "answer" if plain_key(key) == "answers" else field_named(key)
    if plain_key(key) in _BESIDE or field not in (None, "answer", "tests") or (field is None and not alone):
        return None
    items = value if isinstance(value, list) else [value]
    held = [unnested(item, depth - 1) for item in items[:_FEW] if isinstance(item, dict)]
    samples = [one for one in held if len({field_named(name) for name in one} & _PARTS) >= _FEW]
    if not samples:
        return None
    if len(items) > 1:
        raise QueryError("The query holds more than one sample: send one.")
    (sample,) = samples
    written = sample.get("data") if field == "answer" else None
    return sample | ({"answer": written} if isinstance(written, str) else {})
