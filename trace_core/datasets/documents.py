"""What a field holds, in the shape that a row takes: the texts of documents, a question, reference answers, names."""

import mimetypes
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from trace_core.datasets.cells import message_content, open_cell, open_or_none
from trace_core.datasets.names import INNER_KEYS, NAMES, SCORE_KEYS, plain_name, ranks
from trace_core.errors import InputError
from trace_core.facts.records import ID_KEYS, TEXT_KEYS, TITLE_KEYS

Turns = list[tuple[str, str]]
"""Role (`user`, `assistant`, `tool`) and text of each message."""
_SPEAKERS = {"user": "user human", "assistant": "assistant ai model", "tool": "tool function"}
_ROLES = {name: role for role, names in _SPEAKERS.items() for name in names.split()}
ABOUT_DOCUMENTS = {"id": "document_ids", "title": "document_titles", "score": "document_scores"}
"""A part of a document → the column of a row that holds those of its documents."""
_FILE_TYPES = frozenset((*mimetypes.MimeTypes(()).types_map[True], *(f".{end}" for end in "docx md pptx xlsx".split())))
_ID = re.compile(r"(?=\S*[\d_/\\:#@-]|\S+\.\S)[!-~]+(?<![.!?])")
_FILE = re.compile(r"(?:[^\n.]|\.(?=\S)){0,100}[^\s.](\.\w{1,8})\b[^\w\n]{0,3}(?:\w{0,10}[^\w\n]{0,3}\d+\)?)?")


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; none where there is no list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def object_of(value: Any) -> dict[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def first_of(item: Mapping[str, Any], keys: Iterable[str], kind: Any) -> Any:
    """The value of the first key that has that type."""
    return next((item[key] for key in keys if isinstance(item.get(key), kind)), None)


def _only(value: Any) -> Any:
    """The element of a list of one; any other value unchanged."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def documents(value: Any) -> dict[str, Any]:
    """The documents in a text, an object, or a list of them: texts, and ids, titles and scores where all have them.
    Raises `InputError` for an object without a text."""
    value = open_cell(value)
    if isinstance(value, dict) and parts_of(value)["text"] is None:
        lists = (part for key, part in value.items() if key == "citations" or ranks(key, "documents") is not None)
        value = next((part for part in lists if isinstance(part, list)), value)
    if value is None or isinstance(value, str):
        return {"documents": value if value is None else [value]}
    value = _only(value) if isinstance(_only(value), list) else value
    value = value if isinstance(value, list) else [value]
    if all(isinstance(item, str) and item[:1] not in ("{", "[") for item in value):
        return {"documents": value}
    return as_columns([_document(item, number) for number, item in enumerate(value, start=1)])


def as_columns(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Documents as the columns of a row: their texts, and what all of them have."""
    columns = {column: [part.get(name) for part in parts] for name, column in ABOUT_DOCUMENTS.items()}
    whole = {column: cells for column, cells in columns.items() if cells and None not in cells}
    return {"documents": [part["text"] for part in parts], **whole}


def _document(item: Any, number: int) -> dict[str, Any]:
    inner = open_cell(item)
    parts = parts_of(inner) if isinstance(inner, dict) else {"text": None}
    if parts["text"] is not None:
        return parts
    if item is None or isinstance(item, str):
        return {"text": item}
    if isinstance(item, dict):
        by_id = " or have it looked up by its id: --map document_ids=COLUMN --collection NAME."
        hint = f"Name it: --map documents=COLUMN[].NAME,{by_id}"
        raise InputError(f"Document {number} has no text under a known name.", hint)
    raise InputError(f"Document {number} is not a text.", "Documents are texts, or objects with a text.")


def parts_of(item: dict[str, Any]) -> dict[str, Any]:
    """Text (null where there is none), id, title and score of a document object, also of one that is wrapped."""
    item = _plain(item)
    while (text := first_of(item, TEXT_KEYS, str)) is None and (inner := first_of(item, INNER_KEYS, dict)) is not None:
        item = {key: value for key, value in {**item, **_plain(inner)}.items() if value is not inner}
    about = _plain(object_of(open_or_none(item.get("metadata") or item.get("meta"))))
    own_id, score = first_of(item, ID_KEYS, str | int), first_of(item, SCORE_KEYS, int | float)
    parts = {
        "id": None if own_id is None else str(own_id),
        "title": first_of(item, TITLE_KEYS[:1], str) or first_of(about, TITLE_KEYS, str),
        "score": None if isinstance(score, bool) else score,
    }
    return {"text": text} | {name: part for name, part in parts.items() if part is not None}


def _plain(item: dict[str, Any]) -> dict[str, Any]:
    """The object with `pageContent` as `page_content`."""
    return item if all(map(str.islower, item)) else {plain_name(key): value for key, value in item.items()}


def is_name(text: str) -> bool:
    """Whether a text is the name of a document (`manual.pdf, page 3`), its address or an id, which say nothing."""
    text = text.strip()
    file = _FILE.fullmatch(text)
    return bool(_ID.fullmatch(text)) or (file is not None and file[1].lower() in _FILE_TYPES)


def messages(value: Any) -> Turns:
    """The messages of people, models and tools in OpenAI's format and its relatives; none for anything else."""
    if isinstance(value, dict):
        lists = (value[key] for key in ("messages", "choices") if isinstance(value.get(key), list))
        value = next(lists, [value] if "role" in value else None)
    value = _only(value) if isinstance(_only(value), list) else value
    pairs = [_message(one) for one in value] if isinstance(value, list) else []
    return [(role, text) for role, text in pairs if role and text]


def _message(one: Any) -> tuple[str | None, str]:
    if isinstance(one, list | tuple) and len(one) == 2 and all(isinstance(part, str) for part in one):
        one = {"role": one[0], "content": one[1]}
    one = object_of(one)
    name = one["id"][-1] if one.get("type") == "constructor" and one.get("id") else one.get("class")
    for wrapper in ("message", "data", "kwargs"):
        one = object_of(one.get(wrapper)) or one
    # LangChain's classes are roles, too: `AIMessageChunk`.
    name = one.get("role") or one.get("type") or one.get("speaker") or name
    role = _ROLES.get(str(name).lower().removesuffix("chunk").removesuffix("message"))
    return role, _content(next((one[key] for key in ("content", "parts", "contents", "text") if one.get(key)), ""))


def _content(content: Any) -> str:
    if isinstance(content, str):
        return content
    texts = []
    for part in content.values() if isinstance(content, dict) else content or ():
        inner = object_of(object_of(part).get("message_content", part))
        is_text = inner.get("type", "text") in ("text", "output_text", "input_text")
        texts.append(part if isinstance(part, str) else first_of(inner, ("text", "content"), str) if is_text else None)
    return "\n".join(text for text in texts if text)


def last_text(talk: Turns, role: str) -> str:
    """The last message of that role; empty where there is none."""
    return next((text for who, text in reversed(talk) if who == role), "")


def text_of(value: Any, role: str, field: str) -> Any:
    """The last message of that role; of a list of one element, this; of an object, its text under a name of the field.
    Raises `InputError` for an object without such a text."""
    if talk := messages(value):
        return last_text(talk, role)
    value = _only(value)
    if not isinstance(value, dict):
        return value
    if text := named_text(value, field):
        return text
    hint = f"Name its part: --map {field}=COLUMN.NAME, one of {', '.join(map(str, value)) or 'none'}."
    raise InputError("This is an object without a text under a known name.", hint)


def reference(value: Any) -> Any:
    """One reference answer, or the list of acceptable ones."""
    value = open_cell(value)
    if isinstance(value, dict):
        lists = (value[key] for key in ("text", "answer") if isinstance(value.get(key), list))
        value = named_text(value, "reference_answer") or next(lists, value)
    if isinstance(value, list):
        return [item.get("text") if isinstance(item, dict) else item for item in value if item is not None] or None
    return value


def names(value: Any) -> Any:
    """Ids or titles: a list, or a text with `;`, `|` or line breaks between them."""
    value = open_cell(value)
    if isinstance(value, str):
        return [part.strip() for part in re.split(r"[;|\n]", value) if part.strip()]
    if isinstance(value, list):
        flat = [one for item in value for one in (item if isinstance(item, list) else [item])]
        return [first_of(one, (*ID_KEYS, *TITLE_KEYS), str | int) if isinstance(one, dict) else one for one in flat]
    return [str(value)] if isinstance(value, int) else value


def named_text(value: Any, field: str) -> str:
    """The text in an input or output: itself, the part with a name of the field, or its only text."""
    if isinstance(value, str):
        return message_content(value).strip()
    value = object_of(value)
    inner = first_of(value, ("inputs", "outputs", "kwargs"), dict) or value
    for _, key in sorted((place, key) for key in inner if (place := _rank(str(key), field)) is not None):
        if isinstance(inner[key], str | dict) and (text := named_text(inner[key], field)):
            return text
    only = next(iter(inner.values())) if len(inner) == 1 else None
    return only.strip() if isinstance(only, str) else ""


@lru_cache(maxsize=10_000)
def _rank(key: str, field: str) -> int | None:
    place = ranks(key, field)
    return len(NAMES[field]) if place is None and key in ("text", "content", "message", "value") else place
