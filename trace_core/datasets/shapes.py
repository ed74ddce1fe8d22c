"""A cell in its field's shape: texts of documents out of objects, the person's last words out of a conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import chain
from typing import Any

from trace_core.datasets.calls import calls_of, retrieved
from trace_core.datasets.cells import has_a_sentence, holds_a_stop, parts_of
from trace_core.datasets.names import HOLDERS, WITHIN, first_of, plain_name
from trace_core.datasets.notations import printed_documents, value_of
from trace_core.datasets.speech import MODELS, PEOPLE, opened, said_by, speaker
from trace_core.datasets.words import holds_documents, is_text_key, tells_a_run
from trace_core.errors import InputError

TEXT_KEYS = ("page_content", "text", "content", "contents", "passage_text", "passage", "chunk_text", "chunk",
             "context", "snippet", "excerpt", "document", "body", "document_content", "search_context",
             "paragraph_text", "page_snippet", "page_result")  # fmt: skip
"""Keys of a document's text, the surest first: beside a snippet, `document` is a name."""
_LIST_KEYS = ("texts", "contents", "documents", "contexts", "passages", "hits", "matches", "points")
ID_KEYS = ("id", "id_", "doc_id", "document_id", "chunk_id", "context_id", "docid", "doc_uri", "document_document_id")
TITLE_KEYS = ("title", "file_name", "source", "doc_uri")
SCORE_KEYS = ("score", "relevance_score")
_INNER = ("kwargs", "node", "document", "doc", "chunk", "init_parameters", "payload", "_source", "data")
_METADATA_TEXTS = ("text", "page_content", "content", "chunk_text")
_ABOUT = {"title", "url", "source", "id", "metadata", "meta", "name", "score", "type"}
_MARKED = ("correct", "is_correct", "right", "is_right")
_ITSELF = ("text", "content", "value")
"""Keys of what an object is about."""
_EMPTY = ("[]", "{}")
"""What tables write for no answers."""
_NO_ANSWER = "No Answer Present."
"""MS MARCO, where nobody found an answer."""
_NUMBER = re.compile(r"\s*[+-]?[\d.,]{1,20}%?\s*")
_FILE = re.compile(r"\S{1,120}\.[A-Za-z]{2,5}")
_DOCUMENT_FILE = re.compile(
    r"[^\s.][^\s]{0,119}\.(?:pdf|docx?|odt|md|html?|txt|rtf|xlsx?|pptx?|csv)(?![\w])", re.IGNORECASE
)
_PLACE = 5
"""The most words of a file's name and a page or section."""
_ADDRESS = re.compile(r"https?://\S{1,2000}")
_ONE_WORD_ID = re.compile(r"(?=\S{0,60}\d)[\w:/#.-]{1,60}")
_ID_LIKE = re.compile(r"[A-Za-z]{1,12}[-_#:/.]\d{1,12}")
_GRADES = {
    "pass", "fail", "passed", "failed", "correct", "incorrect", "true", "false", "yes", "no", "good", "bad",
    "supported", "unsupported", "faithful", "unfaithful", "hallucinated", "relevant", "irrelevant", "factual",
    "accept", "accepted", "reject", "rejected", "ignore", "ignored",
}  # fmt: skip


def question(value: Any) -> Any:
    """The question; in a conversation, what the person said last."""
    return _text_in(said_by(opened(value), PEOPLE, WITHIN["question"]))


def response(value: Any) -> Any:
    """The answer; in a conversation, what the model said last."""
    found = _text_in(said_by(opened(value), MODELS, WITHIN["response"]))
    if isinstance(found, str) and found.strip() in _EMPTY:
        return None
    return found[0] if isinstance(found, list) and len(found) == 1 else found


def _text_in(held: Any) -> Any:
    """The text of an object that has it beside its language or its model; anything else unchanged."""
    return first_of(held, _ITSELF, str) or held if isinstance(held, dict) else held


def reference(value: Any) -> Any:
    """One right answer, or the list of acceptable ones."""
    value = listed(value)
    if isinstance(value, dict):
        said = next((value[key] for key in (*WITHIN["reference_answer"], *_ITSELF) if value.get(key) is not None), None)
        others = value.get("aliases")
        alike = [one for one in others if isinstance(one, str)] if isinstance(others, list) else []
        value = list(dict.fromkeys([said, *alike])) if isinstance(said, str) and isinstance(others, list) else said
    if isinstance(value, list):
        if len(value) and all(isinstance(item, dict) for item in value):
            if any(map(tells_a_run, chain.from_iterable(value))):
                return value  # the answers of several systems
            value = [item.get("text") for item in _right(value)]
        value = [item for item in value if item is not None]
        return None if value in ([], [_NO_ANSWER]) else value
    return None if value == _NO_ANSWER else value


def _right(choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The choices that are marked as right; all where none is marked."""
    marks = [next((held for key, held in one.items() if plain_name(key) in _MARKED), None) for one in choices]
    marked = all(isinstance(mark, bool | int) for mark in marks)
    return [one for one, mark in zip(choices, marks, strict=True) if mark] if marked else choices


def names(value: Any) -> Any:
    """Ids or titles: a list, one text, or several with a separator. For objects their ids; if none has a text, their
    titles.
    """
    value = listed(value)
    if isinstance(value, str):
        parts = re.split(r"[;|\n]", value)
        if len(parts) == 1 and "," in value and not re.search(r"[^,\s] +[^,\s]", value):
            parts = value.split(",")
        return [part.strip() for part in parts if part.strip()]
    if isinstance(value, int):
        return [str(value)]
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        ids = [first_of(item, ID_KEYS, (str, int)) for item in value]
        if None in ids and all(text_of(item) is None for item in value):
            ids = [title_of(item) for item in value]
        return value if None in ids else [str(i) for i in ids]
    nested = isinstance(value, list) and value and all(isinstance(item, list) for item in value)
    return [name for names in value for name in names] if nested else value


def documents(value: Any, *, barred: bool = False, lined: bool = False, lists: bool = False) -> dict[str, Any]:
    """The row fields that the cell fills: `documents`, and ids and titles where the cell has them.

    `barred`: a text with bars between its parts is several documents. `lined`: so is one whose lines are sentences;
    `lists`: so is a list.
    """
    value = listed(value)
    if isinstance(value, str):
        if _NUMBER.fullmatch(value):
            return {"documents": None}
        if printed := printed_documents(value):
            return _of_list(printed)
        parts = parts_of(value, lined=lined, listed=lists)
        return {"documents": value.split("|") if barred and "|" in value and len(parts) == 1 else parts}
    if calls := calls_of(value):
        value = retrieved(calls)
    elif isinstance(value, dict):
        value = _of_object(value)
    if not isinstance(value, list):
        return {"documents": value}
    if value and all(map(_is_scored, value)):
        value = [{"text": text, "score": score} for text, score in (sorted(pair, key=is_number) for pair in value)]
    elif len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    return _of_list([item for item in value if item is not None] or value)


def _is_scored(item: Any) -> bool:
    """Whether it is a text with its score: `["Open at nine.", 0.82]`."""
    pair = isinstance(item, list | tuple) and len(item) == 2
    return pair and sorted(map(is_number, item)) == [False, True] and any(isinstance(part, str) for part in item)


def is_number(value: Any) -> bool:
    """Whether the value is a number; yes and no are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def listed(value: Any) -> Any:
    """The cell's list or object, if it is one; a list of unquoted numbers or words stays a text.

    Raises `InputError` for a list that was cut when it was printed: `['a', ...]`.
    """
    said = value_of(value)
    if isinstance(said, list) and any(item is ... for item in said):
        raise InputError("This list was cut off when it was written.", "Write the file with all its elements.")
    if (
        isinstance(value, str)
        and isinstance(said, list)
        and not all(isinstance(i, str | dict | list | None) for i in said)
    ):
        return value
    return said


def _of_object(value: dict[str, Any]) -> Any:
    """One document, an object with a list per part, or texts by id."""
    inner = _inner(value)
    if first_of(inner, TEXT_KEYS, str) is not None:
        return [value]
    texts = first_of(value, (*TEXT_KEYS, *_LIST_KEYS), list)
    if texts is not None:
        if not all(isinstance(text, str) for text in texts):
            return texts
        parts = {key: given for key, given in value.items() if isinstance(given, list) and len(given) == len(texts)}
        rows = [dict(zip(parts, cells, strict=True)) for cells in zip(*parts.values(), strict=True)]
        found = [{**row, "text": text} for row, text in zip(rows, texts, strict=True)]
        return sorted(found, key=lambda row: row["rank"]) if _ranked(found) else found or texts
    if (asked := {key for key in value if plain_name(key) in WITHIN["question"]}) and len(value) > len(asked):
        return _of_object({key: held for key, held in value.items() if key not in asked})
    if value and all(isinstance(text, str) for text in value.values()) and not _ABOUT & set(value):
        return [{"id": key, "text": text} for key, text in value.items()]
    return value


def _ranked(rows: list[dict[str, Any]]) -> bool:
    """Whether each row has a rank of its own."""
    ranks = [row.get("rank") for row in rows]
    return all(isinstance(rank, int) for rank in ranks) and len(set(ranks)) == len(ranks) > 1


def _of_list(items: list[Any]) -> dict[str, Any]:
    items = [one for item in items for one in (isinstance(item, str) and printed_documents(item)) or [item]]
    if not any(isinstance(item, dict) for item in items):
        return {"documents": items}
    found = [one for item in items for one in _texts_of(item)]
    texts = [first_of(item, TEXT_KEYS, str) for item in found]
    if None in texts:
        return {"documents": items}  # checking the row reports which of them is not a text
    made: dict[str, Any] = {"documents": texts}
    ids = [first_of(item, ID_KEYS, (str, int)) for item in found]
    if None not in ids:
        made["document_ids"] = [str(i) for i in ids]
    titles = [title_of(item) for item in found]
    if None not in titles:
        made["document_titles"] = titles
    scores = [first_of(item, SCORE_KEYS, (int, float)) for item in found]
    if all(is_number(score) for score in scores):
        made["document_scores"] = scores
    return made


def _texts_of(item: Any) -> list[Mapping[str, Any]]:
    """The object of a document; of a source that lists its passages, one for each."""
    if not isinstance(item, dict):
        return [{"text": item}]
    passages = item.get("document")
    if isinstance(passages, list) and passages and all(isinstance(text, str) for text in passages):
        return [{"text": text} for text in passages]
    return [_named(_joined(_inner(item)))]


def _named(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """An object whose only text has its name in another language: `tekst`, `contenido`, `Auszug`."""
    if first_of(item, TEXT_KEYS, str) is not None:
        return item
    held_texts = [(key, held) for key, held in item.items() if isinstance(held, str)]
    texts = [held for key, held in held_texts if is_text_key(key)]
    texts = texts or [held for key, held in held_texts if holds_documents(key) and has_a_sentence(held)]
    return {**item, "text": texts[0]} if len(texts) == 1 else item


def _joined(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """An object whose content is a list of text parts, with their text."""
    parts = item.get("content")
    if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
        return item
    texts = [part.get("text") for part in parts]
    return {**item, "content": "\n".join(texts)} if all(isinstance(text, str) for text in texts) else item


def text_and_id(item: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The text and the id of a document object; null for what it has not."""
    text = first_of(item, TEXT_KEYS, str)
    if text is None:
        item = _named(_inner(item))
        text = first_of(item, TEXT_KEYS, str)
    own = first_of(item, ID_KEYS, (str, int))
    return text, None if own is None else str(own)


def text_of(item: Mapping[str, Any]) -> str | None:
    """The text of a document object; null where it has none."""
    return text_and_id(item)[0]


def _inner(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object with the text: a scored node with what its node holds, a dumped document's arguments, a vector
    database's point with its payload.
    """
    for _ in range(2):
        if first_of(item, TEXT_KEYS, str) is not None:
            return item
        key = next((key for key in _INNER if isinstance(item.get(key), dict)), "")
        if not key and isinstance(about := item.get("metadata"), dict) and first_of(about, _METADATA_TEXTS, str):
            key = "metadata"
        if not key:
            return item
        item = {**{name: value for name, value in item.items() if name != key}, **item[key]}
    return item


def title_of(item: Mapping[str, Any]) -> str | None:
    """The title of a document object, which may be in its metadata; null where it has none."""
    about: Mapping[str, Any] = next((item[key] for key in ("metadata", "meta") if isinstance(item.get(key), dict)), {})
    found: str | None = first_of(item, TITLE_KEYS[:1], str)
    return found if found is not None or not about else first_of(about, TITLE_KEYS, str)


def tool_texts(turns: list[Any]) -> list[Any]:
    """What tools gave after the last question of a conversation: texts, or documents as objects."""
    asked = max((n for n, turn in enumerate(turns) if speaker(turn) in PEOPLE), default=-1)
    given = [turn.get("content") for turn in turns[asked + 1 :] if speaker(turn) == "tool"]
    found = [_opened_list(text) for text in given if isinstance(text, str)]
    return [text for texts in found for text in texts]


def _opened_list(text: str) -> list[Any]:
    """The documents of a tool's reply that is a list of objects with texts in JSON; else the reply as the only one."""
    try:
        held = json.loads(text) if text[:1] in "[{" else None
    except (ValueError, RecursionError):
        return [text]
    if isinstance(held, dict):
        held = next((held[key] for key in (*_LIST_KEYS, "results") if isinstance(held.get(key), list)), None)
    read = isinstance(held, list) and held and all(isinstance(one, dict) and text_of(one) is not None for one in held)
    return list(held) if read and isinstance(held, list) else [text]


def alone(value: Any) -> Any:
    """The only element of a list, which R writes for a value; anything else unchanged."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def is_question(value: Any) -> bool:
    """Whether a cell may be a question."""
    return isinstance(question(value), str) and not _NUMBER.fullmatch(question(value))


def is_response(value: Any) -> bool:
    """Whether a cell may be an answer; a grade of an answer is not."""
    found = response(value)
    return isinstance(found, str | int | float) and not isinstance(found, bool) and not is_grade(value)


def is_grade(value: Any) -> bool:
    """Whether the cell is a word or number that grades."""
    return isinstance(value, bool) or (isinstance(value, str) and value.strip().lower() in _GRADES)


def is_reference(value: Any) -> bool:
    """Whether a cell may be right answers."""
    try:
        found = reference(value)
    except InputError:
        return False
    return isinstance(found, str | int | float) or (
        isinstance(found, list) and all(isinstance(item, str | int | float) for item in found)
    )


def is_documents(value: Any) -> bool:
    """Whether a cell may be the documents' texts: neither counts nor file names."""
    try:
        found = documents(value)["documents"]
    except InputError:
        return True  # the row reports what is wrong
    if not isinstance(found, list):
        return False
    return not found or not all(isinstance(text, str) and _is_name(text) for text in found)


def are_sentences(value: Any) -> bool:
    """Whether most of a cell's documents hold a sentence with its stop; names of sources do not."""
    try:
        found = documents(value)["documents"] or []
    except InputError:
        return True  # the row reports what is wrong
    if not isinstance(found, list):
        return False
    sentences = [isinstance(text, str) and _has_words(text) and holds_a_stop(text) for text in found]
    return 2 * sum(sentences) >= len(sentences)


def _has_words(text: str) -> bool:
    """Whether it has more than three words; Chinese and Japanese have no spaces between theirs."""
    return len(text.split()) > 3 or sum(c >= "\u3040" for c in text) > 6


def names_a_file(value: Any) -> bool:
    """Whether the cell is the name of a file, and a place in it at most: `manual.pdf p. 3`."""
    return isinstance(value, str) and len(value.split()) <= _PLACE and bool(_DOCUMENT_FILE.match(value.strip()))


def is_id(value: Any) -> bool:
    """Whether the cell is one word with a letter and a digit, as ids are: `VET-0031`."""
    return isinstance(value, str) and bool(_ID_LIKE.fullmatch(value.strip()))


def _is_name(text: str) -> bool:
    return bool(_FILE.fullmatch(text) or _ONE_WORD_ID.fullmatch(text) or _ADDRESS.fullmatch(text))


def decoded(column: str, cells: list[Any]) -> bool:
    """Whether every cell of a table's column is JSON, including quoted texts."""
    if plain_name(column) not in HOLDERS:
        return False
    texts = [cell for cell in cells if isinstance(cell, str)]
    return bool(texts) and all(text[:1] in '"{[' and _is_json(text) for text in texts)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
