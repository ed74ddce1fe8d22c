"""A JSON value → rows: an array wherever it is, columns instead of rows, SQuAD's paragraphs, InspectorRAGet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from trace_core.datasets.joins import (
    chat_of,
    exchanges_of,
    inspector_rows,
    is_inspector,
    is_of_slack,
    joined_lists,
    threads,
)
from trace_core.datasets.names import plain_name
from trace_core.datasets.notations import object_of, objects_of
from trace_core.datasets.speech import is_answer, is_asking
from trace_core.datasets.traces import is_carrier
from trace_core.datasets.words import asks, role_of
from trace_core.errors import InputError

_UNDER = (
    "data", "results", "rows", "records", "examples", "items", "samples", "test_cases", "goldens", "questions",
    "dataset", "instances", "entries", "predictions", "evaluations", "hits", "cases", "tasks", "tests",
)  # fmt: skip
_PLURALS = ("questions", "queries", "prompts")
_GROUPED = frozenset((*_UNDER, *_PLURALS, "qas", "qa", "qa_pairs"))
_KINDS = ("record", "record_type", "row_type", "type", "kind")
_FRAMES = frozenset(("header", "footer", "trailer", "summary", "metadata", "meta", "manifest"))
"""Kinds of records that are no rows."""


def is_frame(row: Any) -> bool:
    """Whether a record says that it stands around the rows: a header with the settings, a footer with the counts."""
    if not isinstance(row, dict) or _tells(row):
        return False
    return any(
        plain_name(key) in _KINDS and isinstance(kind, str) and kind.lower() in _FRAMES for key, kind in row.items()
    )


def rows_of(whole: Any, name: str) -> Iterator[tuple[int, Any]]:
    """The rows in the value, numbered from 1. Raises `InputError` where it has none."""
    if is_inspector(whole):
        return inspector_rows(whole, name)
    if isinstance(whole, dict) and str(whole.get("schema", "")).startswith("trace-run/"):
        raise InputError("This is a run, not a data set.", "Use `python -m trace_core import FILE`.", file=name)
    found = [whole] if is_carrier(whole) else _by_number(whole) or joined_lists(whole, name) or _rows(whole, 2)
    if found is None:
        raise InputError(
            "A list of rows was expected.", f"It may stand alone or under one of {', '.join(_UNDER[:6])}.", file=name
        )
    return iter(enumerate([*_ungrouped(found), *_unread(whole, found, name)], start=1))


def _ungrouped(found: list[Any]) -> list[Any]:
    """The rows in groups, such as suites of tests; rows that are not all groups stay."""
    groups = [_of_group(value) for value in found]
    return [row for rows in groups for row in rows] if all(groups) else found


def _of_group(value: Any) -> list[Any]:
    """The rows in an object that holds a list of them, each with what the object says of all: a passage, a name."""
    if not isinstance(value, dict) or is_carrier(value):
        return []
    lists = [key for key, held in value.items() if plain_name(key) in _GROUPED and _objects(held)]
    if len(lists) != 1 or not all(map(_asks, value[lists[0]])):
        return []
    shared = {key: held for key, held in value.items() if key != lists[0]}
    return [] if _asks(shared) else [{**shared, **_with_answer(row)} for row in value[lists[0]]]


def _with_answer(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row of a question; DROP's answer, a number, a date or parts of the passage, is the right one."""
    held = row.get("answer")
    if not isinstance(held, dict) or not {"number", "spans"} <= held.keys() <= {"number", "date", "spans"}:
        return row
    date = object_of(held.get("date"))
    said = " ".join(str(date[part]) for part in ("day", "month", "year") if date.get(part))
    rest = {key: value for key, value in row.items() if key != "answer"}
    return {**rest, "reference_answer": held["number"] or held["spans"] or said or None}


def _by_group(whole: Mapping[str, Any]) -> list[Any] | None:
    """The rows of one group per id, such as a passage with its questions; several, as one may be the whole file."""
    groups = [_of_group(value) for value in whole.values()]
    return [row for rows in groups for row in rows] if all(groups) and len(groups) > 1 else None


def _unread(whole: Any, found: list[Any], name: str) -> list[InputError]:
    """An error for each other list of rows, or of their answers, beside the one that is read."""
    lists = {key: value for key, value in whole.items() if _objects(value)} if isinstance(whole, dict) else {}
    if not any(value is found for value in lists.values()):
        return []
    return [
        InputError(f"The list {key!r} has rows, too, which are not read.", "Save it as a file of its own.", file=name)
        for key, value in lists.items()
        if value is not found and any(map(_tells, value))
    ]


def rows_of_list(elements: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """The rows in the elements of a list, numbered anew where an element holds several."""
    elements = iter(elements)
    first = next(elements, None)
    if first is None:
        return iter(())
    every = chain([first], elements)
    if _is_squad([first[1]]) or _of_group(first[1]):
        return _of_articles(every)
    if is_of_slack(first[1]):
        return threads(every)
    if isinstance(first[1], dict) and first[1].get("type") == "header":
        return _of_tables(every)
    return every


def _of_articles(elements: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    number = 0
    for _, value in elements:
        for row in _squad([value]) if _is_squad([value]) else _of_group(value) or [value]:
            yield (number := number + 1), row


def _of_tables(elements: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """The rows of phpMyAdmin's tables, which stand beside a header."""
    tables = (value["data"] for _, value in elements if isinstance(value, dict) and isinstance(value.get("data"), list))
    return enumerate(chain.from_iterable(tables), start=1)


def _rows(whole: Any, depth: int) -> list[Any] | None:
    if isinstance(whole, list):
        return _squad(whole) if _is_squad(whole) else whole
    if not isinstance(whole, dict) or not depth:
        return None
    only = next(iter(whole.values())) if len(whole) == 1 else None
    if _objects(only) and not _is_row(whole):
        return _rows(only, depth - 1)
    for read in (_split, _columns, _by_key, _by_group):
        if (found := read(whole)) is not None:
            return found
    if _is_row(whole):
        return exchanges_of(whole)
    names = {plain_name(key): key for key in whole}
    for under in _UNDER:
        if under in names and (found := _rows(whole[names[under]], depth - 1)) is not None:
            return found
    lists = [value for value in whole.values() if _objects(value)]
    if lists:
        return _rows(lists[0], depth - 1) if len(lists) == 1 else None
    inside = [rows for value in whole.values() if isinstance(value, dict) and (rows := _rows(value, depth - 1))]
    return inside[0] if len(inside) == 1 else None


def _is_row(whole: Mapping[str, Any]) -> bool:
    """Whether the object is a row: it has a question, or is the conversation of a person with a model."""
    _, messages = chat_of(whole)
    asked = (asks(key) and not (_objects(value) or _holds_rows(value)) for key, value in whole.items())
    return any(asked) or (any(map(is_asking, messages)) and any(map(is_answer, messages)))


def _objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _asks(row: Mapping[str, Any]) -> bool:
    """Whether the row has a column of questions."""
    return any(map(asks, row))


def _tells(row: Mapping[str, Any]) -> bool:
    """Whether the row has a question, an answer or documents."""
    return any(asks(key) or role_of(key) in ("answer", "response", "documents") for key in row)


def _split(whole: Mapping[str, Any]) -> list[Any] | None:
    """pandas' `orient="split"`: names once, then rows of cells."""
    columns, data = whole.get("columns"), whole.get("data")
    if not isinstance(columns, list) or not isinstance(data, list):
        return None
    if not all(isinstance(row, list) and len(row) == len(columns) for row in data):
        return None
    return [dict(zip(map(str, columns), row, strict=True)) for row in data]


def _columns(whole: Mapping[str, Any]) -> list[Any] | None:
    """One list per column, as `Dataset.from_dict` takes them, or pandas' object per column."""
    asked = _questions(whole)
    if asked is None or _objects(whole.get("tests")):  # promptfoo's prompts are templates
        return None
    lists = {str(key): value for key, value in chain(_inner(whole), whole.items()) if isinstance(value, list)}
    if isinstance(asked, list) and asked and len(lists) > 1 and all(isinstance(question, str) for question in asked):
        same = {_single(key, lists): value for key, value in lists.items() if len(value) == len(asked)}
        return [dict(zip(same, cells, strict=True)) for cells in zip(*same.values(), strict=True)]
    objects = {str(key): value for key, value in whole.items() if isinstance(value, dict)}
    if not isinstance(asked, dict) or not asked or len(whole) < 2 or len(objects) < len(whole):
        return None
    if any(value.keys() != asked.keys() for value in objects.values()):
        return None
    return [{key: value[row] for key, value in objects.items()} for row in asked]


def _questions(columns: Mapping[str, Any]) -> Any:
    """The first value whose name is one of questions; of an only one that is an object, its only list of them."""
    found = [value for key, value in columns.items() if asks(key) or plain_name(key) in _PLURALS]
    if len(found) == 1 and isinstance(found[0], dict):
        inside = [value for key, value in found[0].items() if asks(key) or plain_name(key) in _PLURALS]
        found = inside if len(inside) == 1 and isinstance(inside[0], list) else found
    return found[0] if found else None


def _single(key: str, lists: Mapping[str, list[Any]]) -> str:
    """The name of one of the values in a list of Chroma's: its `answers` were given from the `documents` found."""
    found = "query_texts" in lists and "documents" in lists and "answer" not in lists
    texts = key == "answers" and all(isinstance(said, str | None) for said in lists[key])
    return "answer" if found and texts else key


def _by_number(whole: Any) -> list[Any] | None:
    """The rows of pandas' object per column, whose keys are numbers: no ids that other lists name."""
    columns = list(whole.values()) if isinstance(whole, dict) else []
    numbered = columns and all(isinstance(held, dict) and all(map(str.isdecimal, held)) for held in columns)
    return _columns(whole) if numbered else None


def _inner(whole: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The lists in the objects beside the questions: Chroma's `results`, whose ids are those of the documents, and
    the scores of each of Haystack's metrics.
    """
    for held in whole.values():
        if isinstance(held, dict):
            nested = "documents" in held and isinstance(held.get("ids"), list)
            for key, value in held.items():
                scores = object_of(value).get("individual_scores", value)
                yield "document_ids" if nested and key == "ids" else str(key), scores


def _by_key(whole: Mapping[str, Any]) -> list[Any] | None:
    """One object per row, keyed by number or id."""
    rows = list(whole.values())
    if len(rows) < 1 or not all(isinstance(row, dict) and _asks(row) for row in rows):
        return None
    return [{"id": str(key), **row} for key, row in whole.items()]


def _holds_rows(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and _by_key(value) is not None


def _is_squad(whole: list[Any]) -> bool:
    return _objects(whole) and all(isinstance(article.get("paragraphs"), list) for article in whole)


def _squad(articles: list[Any]) -> list[Any]:
    """One row per question of each paragraph."""
    rows = []
    for article in articles:
        for paragraph in objects_of(article["paragraphs"]):
            shared = {"context": paragraph.get("context"), "document_titles": [article.get("title")]}
            rows += [{**question, **shared} for question in objects_of(paragraph.get("qas"))]
    return [row if row["document_titles"] != [None] else row | {"document_titles": None} for row in rows]
