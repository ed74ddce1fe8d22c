"""What a point's payload says: the chunk's text, id and title. Any payload is read by paths. A path joins keys with
dots, and `[]` stands for every item of a list: `doc.chunk.text`, `parts[].text`. An object that is stored as JSON text
is opened, as in LlamaIndex' nodes: `_node_content.text`."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from trace_core.facts.records import ID_KEYS, TEXT_KEYS, TITLE_KEYS, Document
from trace_core.facts.strict import valid_text

_DEEPEST = 6


def flat(payload: Mapping[str, Any] | None) -> dict[str, Any]:
    """A payload's values by their paths; texts in a list are joined: `{"a": {"b": ["x", "y"]}}` → `{"a.b": "x y"}`."""
    return {path: leaf for key, value in (payload or {}).items() for path, leaf in _leaves(str(key), value, _DEEPEST)}


def _leaves(path: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    inside = _object(value) if depth else None
    if inside is not None:
        for key, inner in inside.items():
            yield from _leaves(f"{path}.{key}", inner, depth - 1)
        if isinstance(value, str):
            yield path, value
    elif isinstance(value, list) and depth and any(isinstance(item, dict) for item in value):
        of_items: dict[str, list[Any]] = {}
        for item in value:
            for within, leaf in _leaves(f"{path}[]", item, depth - 1):
                of_items.setdefault(within, []).append(leaf)
        yield from ((within, _join(leaves)) for within, leaves in of_items.items())
    else:
        yield path, _join(value) if isinstance(value, list) else value


def _object(value: Any) -> dict[str, Any] | None:
    if isinstance(value, str) and value.startswith("{"):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    return value if isinstance(value, dict) else None


def _join(values: list[Any]) -> Any:
    return " ".join(values) if values and all(isinstance(value, str) for value in values) else values


def text_field(payloads: Iterable[Mapping[str, Any]]) -> str | None:
    """The path of the chunks' text in flat payloads, if any: of those with prose a usual name, else the longest. A text
    that many points repeat counts once. Without prose a usual name is enough."""
    values: dict[str, set[str]] = {}
    for payload in payloads:
        for path, value in payload.items():
            if isinstance(value, str) and value.strip():
                values.setdefault(path, set()).add(value.strip())
    length = {path: sum(len(text) for text in texts if is_prose(text)) for path, texts in values.items()}
    last = {path: path.rpartition(".")[2].removesuffix("[]") for path in values}

    def place(path: str) -> tuple[int, ...]:
        by_name = (0, path.count("."), TEXT_KEYS.index(last[path])) if last[path] in TEXT_KEYS else (1, 0, 0)
        return (not length[path], *by_name, -length[path])

    return min((path for path in values if length[path] or last[path] in TEXT_KEYS), key=place, default=None)


def is_prose(text: object) -> bool:
    """Whether it is a text of more than one word; a script beyond ASCII may have no spaces between words."""
    return isinstance(text, str) and not text.startswith("{") and (" " in text.strip() or not text.isascii())


def document(point_id: str, payload: Mapping[str, Any], field: str, score: float | None = None) -> Document:
    """The chunk in a flat payload, its text "" where the field has none; the rank is still to be set."""
    text = payload.get(field)
    return Document(
        id=first(payload, ID_KEYS) or point_id,
        rank=0,
        title=first(payload, TITLE_KEYS),
        text=str(valid_text(text)) if isinstance(text, str) else "",
        retrieval_score=score,
    )


def first(payload: Mapping[str, Any], fields: Sequence[str]) -> str | None:
    """The first of the fields that is not empty, at the top of a flat payload or in its metadata."""
    values = (payload.get(name) for field in fields for name in (field, f"metadata.{field}"))
    return next((str(value) for value in values if isinstance(value, str | int) and str(value).strip()), None)
