"""A JSON value → rows: an array wherever it is, columns instead of rows, SQuAD's paragraphs, InspectorRAGet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from trace_core.datasets.inspector import inspector_rows, is_inspector
from trace_core.datasets.names import DOCUMENT_NAMES, QUESTION_NAMES, plain_name
from trace_core.datasets.traces import is_carrier
from trace_core.errors import InputError

_UNDER = (
    "data", "results", "rows", "records", "examples", "items", "samples", "test_cases", "goldens", "questions",
    "dataset", "instances", "entries", "predictions", "evaluations", "hits", "cases", "tasks",
)  # fmt: skip
_INSIDE = (("row_idx", "row"), ("type", "init_parameters"), ("_index", "_source"))
"""Keys that hold the whole row, each after a key that stands beside it."""
_HOLDERS = ("data", "fields", "record", "example", "item", "state")
"""Keys under which a labeling tool puts the row that it shows to people."""
_SPAN, _POSITION = "context_span_id", "document_position"


def rows_of(whole: Any, name: str) -> Iterator[tuple[int, Any]]:
    """The rows in the value, numbered from 1. Raises `InputError` where it has none."""
    if is_inspector(whole):
        return inspector_rows(whole, name)
    if isinstance(whole, dict) and str(whole.get("schema", "")).startswith("trace-run/"):
        raise InputError("This is a run, not a data set.", "Use `python -m trace_core import FILE`.", file=name)
    found = [whole] if is_carrier(whole) else _rows(whole, 2)
    if found is None:
        raise InputError(
            "A list of rows was expected.", f"It may stand alone or under one of {', '.join(_UNDER[:6])}.", file=name
        )
    return iter(enumerate(found, start=1))


def rows_of_list(elements: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """The rows in the elements of a list, numbered anew where an element holds several."""
    elements = iter(elements)
    first = next(elements, None)
    if first is None:
        return iter(())
    every = chain([first], elements)
    if _is_squad([first[1]]):
        return _of_articles(every)
    return every


def _of_articles(elements: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    number = 0
    for _, value in elements:
        for row in _squad([value]) if _is_squad([value]) else [value]:
            yield (number := number + 1), row


def _rows(whole: Any, depth: int) -> list[Any] | None:
    if isinstance(whole, list):
        return _squad(whole) if _is_squad(whole) else whole
    if not isinstance(whole, dict) or not depth:
        return None
    for read in (_split, _columns, _by_key):
        if (found := read(whole)) is not None:
            return found
    if _asks(whole):
        return [whole]
    names = {plain_name(key): key for key in whole}
    for under in _UNDER:
        if under in names and (found := _rows(whole[names[under]], depth - 1)) is not None:
            return found
    lists = [value for value in whole.values() if _objects(value)]
    if lists:
        return _rows(lists[0], depth - 1) if len(lists) == 1 else None
    inside = [rows for value in whole.values() if isinstance(value, dict) and (rows := _rows(value, depth - 1))]
    return inside[0] if len(inside) == 1 else None


def _objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _asks(row: Mapping[str, Any]) -> bool:
    """Whether the row has a column of questions."""
    return any(plain_name(key) in QUESTION_NAMES for key in row)


def unwrapped(row: Any) -> Any:
    """The row within what a tool puts around it.

    The Hugging Face dataset server sends `{"row_idx": 0, "row": {…}}`, Haystack dumps an object as its type and
    `init_parameters`, Elasticsearch puts a document under `_source`, Label Studio a row under `data`, Argilla under
    `fields`, OpenAI's evals an item beside its `sample`, MongoDB an id into `{"$oid": …}`, RAGFlow the chunks into
    the `reference`, chat logs the context into the last message; Amazon Bedrock evaluates `conversationTurns`.
    """
    if not isinstance(row, dict):
        return row
    for beside, inside in _INSIDE:
        if beside in row and isinstance(row.get(inside), dict):
            return row[inside]
    if isinstance(row.get("datasource_item"), dict) and isinstance(row.get("sample"), dict):
        said = row["sample"].get("output")
        return {**row["datasource_item"], "response": _held(said[-1:] if isinstance(said, list) else said)}
    if isinstance(key := row.get("_id"), dict) and isinstance(key.get("$oid"), str):
        return {**row, "_id": key["$oid"]}
    if isinstance(cited := row.get("reference"), dict) and isinstance(cited.get("chunks"), list) and _lacks(row):
        return {**{name: held for name, held in row.items() if name != "reference"}, "documents": cited["chunks"]}
    messages = row.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    if isinstance(last, dict) and isinstance(last.get("context"), list) and _lacks(row):
        return {**row, "documents": last["context"]}
    turns = row.get("conversationTurns")
    if isinstance(turns, list) and turns and all(isinstance(turn, dict) for turn in turns):
        return _of_turns(row, turns)
    if not _asks(row) and not is_carrier(row):
        held = next((key for key in _HOLDERS if isinstance(row.get(key), dict) and _asks(row[key])), None)
        return row if held is None else {**{k: value for k, value in row.items() if k != held}, **row[held]}
    return row


def _lacks(row: Mapping[str, Any]) -> bool:
    """Whether no column of the row has a name of documents."""
    return all(plain_name(key) not in DOCUMENT_NAMES for key in row)


def _of_turns(row: Mapping[str, Any], turns: list[dict[str, Any]]) -> dict[str, Any]:
    """The last turn of a conversation as a row, and the earlier ones as its turns."""
    earlier: list[dict[str, Any]] = []
    for turn in turns[:-1]:
        said = (("user", turn.get("prompt")), ("assistant", turn.get("output")))
        earlier += [{"role": role, "text": text} for role, held in said if (text := _held(held)) is not None]
    last = turns[-1]
    output = last.get("output")
    passages = output.get("retrievedPassages", output.get("retrievedResults")) if isinstance(output, dict) else None
    found = passages.get("retrievalResults") if isinstance(passages, dict) else None
    right = last.get("referenceResponses")
    answers = [_held(one) for one in right] if isinstance(right, list) else []
    made = {
        **{key: held for key, held in row.items() if key != "conversationTurns"},
        "question": _held(last.get("prompt")),
        "documents": [_passage(one) for one in found] if isinstance(found, list) else None,
        "response": _held(output),
        "reference_answer": answers[0] if len(answers) == 1 else answers or None,
        "turns": earlier or None,
    }
    return {key: held for key, held in made.items() if held is not None}


def _passage(found: Any) -> Any:
    """A retrieved passage as the object of a document."""
    return {**found, "text": _held(found), "title": found.get("name")} if isinstance(found, dict) else found


def _held(value: Any) -> Any:
    """The text of `{"content": [{"text": …}]}`, or of such an object with fewer layers."""
    for _ in range(4):
        if isinstance(value, list):
            value = value[0] if len(value) == 1 else None
        elif isinstance(value, dict):
            value = value.get("text", value.get("content"))
    return value if isinstance(value, str) else None


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
    if not _asks(whole):
        return None
    lists = {str(key): value for key, value in whole.items() if isinstance(value, list)}
    asked = next(value for key, value in whole.items() if plain_name(key) in QUESTION_NAMES)
    if isinstance(asked, list) and len(lists) > 1 and all(isinstance(question, str) for question in asked):
        same = {key: value for key, value in lists.items() if len(value) == len(asked)}
        return [dict(zip(same, cells, strict=True)) for cells in zip(*same.values(), strict=True)]
    objects = {str(key): value for key, value in whole.items() if isinstance(value, dict)}
    if not isinstance(asked, dict) or not asked or len(whole) < 2 or len(objects) < len(whole):
        return None
    if any(value.keys() != asked.keys() for value in objects.values()):
        return None
    return [{key: value[row] for key, value in objects.items()} for row in asked]


def _by_key(whole: Mapping[str, Any]) -> list[Any] | None:
    """One object per row, keyed by number or id."""
    rows = list(whole.values())
    if len(rows) < 1 or not all(isinstance(row, dict) and _asks(row) for row in rows):
        return None
    return [{"id": str(key), **row} for key, row in whole.items()]


def _is_squad(whole: list[Any]) -> bool:
    return _objects(whole) and all(isinstance(article.get("paragraphs"), list) for article in whole)


def _squad(articles: list[Any]) -> list[Any]:
    """One row per question of each paragraph."""
    rows = []
    for article in articles:
        for paragraph in article["paragraphs"]:
            shared = {"context": paragraph.get("context"), "document_titles": [article.get("title")]}
            rows += [{**question, **shared} for question in paragraph.get("qas", [])]
    return [row if row["document_titles"] != [None] else row | {"document_titles": None} for row in rows]


def is_one_a_document(columns: Iterable[str]) -> bool:
    """Whether each retrieved document has its own row, as in Phoenix."""
    return {_SPAN, _POSITION} <= {plain_name(column) for column in columns}


def one_a_question(rows: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Merge consecutive rows of one span into one row with all its documents."""
    held: dict[str, Any] = {}
    first, span = 0, None
    for number, row in rows:
        names = {plain_name(key): key for key in row} if isinstance(row, dict) else {}
        if _SPAN not in names:
            yield number, row
            continue
        if held and row[names[_SPAN]] == span:
            held["documents"].append(row.get(names.get("reference", "")))
            continue
        if held:
            yield first, held
        first, span = number, row[names[_SPAN]]
        kept = {key: row[key] for plain, key in names.items() if plain not in (_POSITION, "reference")}
        held = {**kept, "documents": [row.get(names.get("reference", ""))]}
    if held:
        yield first, held
