"""OpenAI messages: a conversation a row; its last question and answer, and what tools gave in between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import Adapter, Raw
from trace_core.datasets.documents import documents, messages, opened_or_none
from trace_core.errors import InputError


def _rows(row: Raw) -> Iterator[dict[str, Any]]:
    talk = messages(row["messages"])
    asked = max((place for place, (who, _) in enumerate(talk) if who == "user"), default=0)
    after = talk[asked + 1 :]
    texts = [one for who, text in after if who == "tool" for one in _documents(text)]
    made = {
        "question": talk[asked][1] if talk else None,
        "documents": texts or None,
        "response": next((text for who, text in reversed(after) if who == "assistant"), None),
        "turns": [{"role": who, "text": text} for who, text in talk[:asked] if who != "tool"] or None,
    }
    yield {name: value for name, value in row.items() if name != "messages"} | {k: v for k, v in made.items() if v}


def _documents(text: str) -> list[Any]:
    """The documents in a tool's reply that is a JSON list of them; else the reply itself."""
    found = opened_or_none(text)
    try:
        return documents(found)["documents"] if isinstance(found, list) and found else [text]
    except InputError:
        return [text]


ADAPTER = Adapter("OpenAI messages", "conversations, a row each", ("messages.0.role",), rows=_rows)
