"""What a field holds, in the shape that a row takes: the texts of documents, a question, reference answers, names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from trace_core.datasets.cells import opened
from trace_core.datasets.names import ID_KEYS, INNER_KEYS, NAMES, SCORE_KEYS, TEXT_KEYS, TITLE_KEYS, plain_name, ranks
from trace_core.errors import InputError

Messages = list[tuple[str, str]]
"""Role (`user`, `assistant`, `tool`) and text of each message."""
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "model": "assistant",
          "tool": "tool", "function": "tool"}  # fmt: skip
_SEPARATORS = re.compile(r"[;|\n]")


def documents(value: Any) -> dict[str, Any]:
    """The documents in a value, as the fields of a row: texts, and ids, titles and scores where all have them.

    A value is a text, a list of texts or of objects with a text, or one such object; a text may be a whole list or
    object itself. Raises `InputError` for an object without a text.
    """
    value = opened(value)
    if value is None or isinstance(value, str):
        return {"documents": value if value is None else [value]}
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    if not isinstance(value, list):
        value = [value]
    if all(isinstance(item, str) and item[:1] not in ("{", "[") for item in value):
        return {"documents": value}
    parts = [document(item, number) for number, item in enumerate(value, start=1)]
    made: dict[str, Any] = {"documents": [part["text"] for part in parts]}
    for name, column in _COLUMNS.items():
        held = [part.get(name) for part in parts]
        if parts and None not in held:
            made[column] = held
    return made


_COLUMNS = {"id": "document_ids", "title": "document_titles", "score": "document_scores"}


def document(item: Any, number: int) -> dict[str, Any]:
    """Text, id, title and score of a document, as far as it has them. Raises `InputError` where it has no text."""
    held = opened(item) if isinstance(item, str) else item
    if isinstance(held, dict):
        made = parts_of(held)
        if isinstance(made["text"], str):
            return made
        if not isinstance(item, str):
            raise InputError(
                f"Document {number} has no text under a known name.", "Name it: --map documents=COLUMN[].NAME."
            )
    if not isinstance(item, str):
        raise InputError(f"Document {number} is not a text.", "Documents are texts, or objects with a text.")
    return {"text": item}


def parts_of(held: Mapping[str, Any]) -> dict[str, Any]:
    """Text (null where there is none), id, title and score of a document object, also of one that is wrapped."""
    for _ in range(3):
        text = first_of(held, TEXT_KEYS, str)
        inner = next((held[key] for key in INNER_KEYS if isinstance(held.get(key), dict)), None)
        if text is not None or inner is None:
            break
        held = {**held, **inner}
        held = {key: value for key, value in held.items() if value is not inner}
    made: dict[str, Any] = {"text": text}
    about = next(
        (found for key in ("metadata", "meta") if isinstance(found := opened_or_none(held.get(key)), dict)), {}
    )
    if (own := first_of(held, ID_KEYS, (str, int))) is not None:
        made["id"] = str(own)
    title = first_of(held, TITLE_KEYS[:1], str)
    if (title := title if title is not None else first_of(about, TITLE_KEYS, str)) is not None:
        made["title"] = title
    score = first_of(held, SCORE_KEYS, (int, float))
    if score is not None and not isinstance(score, bool):
        made["score"] = score
    return made


def opened_or_none(value: Any) -> Any:
    """The value, opened; null where it is damaged."""
    try:
        return opened(value)
    except InputError:
        return None


def first_of(held: Mapping[str, Any], keys: Iterable[str], kind: Any) -> Any:
    """The value of the first key that has that type; `pageContent` is `page_content`."""
    for key in keys:
        if isinstance(found := held.get(key), kind):
            return found
    if all(key.islower() for key in held):
        return None
    plain = {plain_name(key): value for key, value in held.items()}
    return next((plain[key] for key in keys if isinstance(plain.get(key), kind)), None)


def messages(value: Any) -> Messages:
    """The messages of people, models and tools in OpenAI's format and its relatives; none for anything else."""
    if isinstance(value, dict):
        value = next((value[key] for key in ("messages", "choices") if isinstance(value.get(key), list)), None)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    found: Messages = []
    for one in value if isinstance(value, list) else ():
        if isinstance(one, list | tuple) and len(one) == 2 and all(isinstance(part, str) for part in one):
            one = {"role": one[0], "content": one[1]}
        if not isinstance(one, dict):
            continue
        one = one["message"] if isinstance(one.get("message"), dict) else one
        one = one["data"] if isinstance(one.get("data"), dict) and "type" in one else one
        role = _ROLES.get(str(one.get("role") or one.get("type") or one.get("speaker") or "").lower())
        text = content_of(next((one[key] for key in ("content", "parts", "contents", "text") if one.get(key)), ""))
        if role and text:
            found.append((role, text))
    return found


def content_of(content: Any) -> str:
    """The text of a message's content: a text, or its parts of text."""
    if isinstance(content, str):
        return content
    texts = []
    for part in content if isinstance(content, list) else []:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and part.get("type", "text") in ("text", "output_text", "input_text"):
            texts.append(next((str(part[key]) for key in ("text", "content") if isinstance(part.get(key), str)), ""))
    return "\n".join(text for text in texts if text)


def last_of(value: Any, role: str) -> Any:
    """What that role said last, in a list of messages; of a list of one text, that text; anything else unchanged."""
    if isinstance(value, dict | list):
        if found := messages(value):
            return next((text for who, text in reversed(found) if who == role), None)
        if isinstance(value, list) and len(value) == 1:
            return value[0]
    return value


def reference(value: Any) -> Any:
    """One reference answer, or the list of acceptable ones."""
    value = opened(value)
    if isinstance(value, dict):
        value = next((value[key] for key in ("text", "answer", "value", "content") if key in value), value)
    if isinstance(value, list):
        value = [item.get("text") if isinstance(item, dict) else item for item in value if item is not None]
        return value or None
    return value


def names(value: Any) -> Any:
    """Ids or titles: a list, or a text with `;`, `|` or line breaks between them."""
    value = opened(value)
    if isinstance(value, str):
        return [part.strip() for part in _SEPARATORS.split(value) if part.strip()]
    if isinstance(value, int):
        return [str(value)]
    if isinstance(value, list):
        flat = [one for item in value for one in (item if isinstance(item, list) else [item])]
        return [first_of(one, (*ID_KEYS, *TITLE_KEYS), (str, int)) if isinstance(one, dict) else one for one in flat]
    return value


def named_text(held: Any, field: str) -> str:
    """The text in an input or output: itself, the part with a name of the field, or its only text."""
    if isinstance(held, str):
        return held.strip()
    if not isinstance(held, dict):
        return ""
    inner = next((held[key] for key in ("inputs", "kwargs") if isinstance(held.get(key), dict)), held)
    ranked = sorted((place, key) for key in inner if (place := _rank(str(key), field)) is not None)
    for _, key in ranked:
        if isinstance(inner[key], str):
            return str(inner[key]).strip()
        if isinstance(inner[key], dict) and (text := named_text(inner[key], field)):
            return text
    texts = [value for value in inner.values() if isinstance(value, str) and value.strip()]
    return texts[0].strip() if len(texts) == 1 and len(inner) == 1 else ""


@lru_cache(maxsize=10_000)
def _rank(key: str, field: str) -> int | None:
    place = ranks(key, field)
    return place if place is not None else len(NAMES[field]) if key in _PLAIN_KEYS else None


_PLAIN_KEYS = ("text", "content", "message")
