"""The formats of tools that wrap their rows. To add one, write its module and name it here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from trace_core.datasets.adapters import (
    argilla,
    haystack,
    hugging_face,
    inspector_raget,
    label_studio,
    langfuse_dataset,
    langsmith,
    openai_messages,
    promptfoo,
    ragchecker,
    squad,
    tables_in_json,
    trace_records,
)
from trace_core.datasets.adapters.base import Adapter, Numbered, objects
from trace_core.datasets.names import ranks
from trace_core.errors import InputError

ADAPTERS: tuple[Adapter, ...] = (
    trace_records.ADAPTER, trace_records.SCORES, argilla.ADAPTER, haystack.ADAPTER, haystack.EVALUATION,
    hugging_face.ADAPTER, inspector_raget.ADAPTER, label_studio.ADAPTER, langfuse_dataset.ADAPTER, langsmith.ADAPTER,
    openai_messages.ADAPTER, promptfoo.ADAPTER, ragchecker.ADAPTER, squad.ADAPTER, tables_in_json.ADAPTER,
)  # fmt: skip
"""Every adapter; the first that recognizes a row reads the file."""
BY_NAMES = (
    "ARES", "Azure AI evaluation", "DeepEval", "LangChain", "LlamaIndex", "MLflow", "Phoenix", "RAGBench", "Ragas",
    "TruLens",
)  # fmt: skip
"""Tools whose rows are plain columns, read by the names that they give them."""
_DEEPEST = 2

__all__ = ["ADAPTERS", "BY_NAMES", "Adapter", "adapter_of", "rows_within"]


def adapter_of(row: Any) -> Adapter | None:
    """The adapter of the tool that wrote the row."""
    return next((one for one in ADAPTERS if isinstance(row, dict) and one.recognizes(row)), None)


def rows_within(rows: Iterable[Numbered], name: str) -> Iterator[Numbered]:
    """The rows of a file that is one object: itself where it has a question, else its columns, or its list of objects.

    Of several lists, the one whose objects have a question. Raises `InputError` where that does not decide it.
    """
    rows = list(rows)
    if len(rows) != 1 or not isinstance(rows[0][1], dict) or any(_asks(k, v) for k, v in rows[0][1].items()):
        yield from rows
        return
    whole = rows[0][1]
    if not whole or str(whole.get("schema")).startswith("trace-run/"):
        raise InputError("This is no list of rows.", "A run file is read by `trace_core import`.", file=name)
    if (table := tables_in_json.columns(whole)) is not None:
        yield from enumerate(table, start=1)
        return
    lists = list(_lists(whole, "", 0))
    asking = [one for one in lists if any(ranks(str(key), "question") is not None for key in one[1][0])]
    chosen = asking if len(lists) > 1 else lists
    if not lists and not any(isinstance(value, str) for value in whole.values()):
        raise InputError("This is no list of rows.", "Write the rows as one list.", file=name)
    if len(chosen) > 1 or (lists and not chosen):
        names = ", ".join(path for path, _ in lists)
        raise InputError(f"It holds several lists: {names}.", "Save the one with the rows as a file.", file=name)
    yield from enumerate(chosen[0][1], start=1) if chosen else rows


def _asks(key: Any, value: Any) -> bool:
    return isinstance(value, str) and ranks(str(key), "question") is not None


def _lists(held: dict[str, Any], start: str, depth: int) -> Iterator[tuple[str, list[Any]]]:
    for key, value in held.items():
        if isinstance(value, list) and value and len(objects(value)) == len(value):
            yield f"{start}{key}", value
        elif isinstance(value, dict) and depth < _DEEPEST:
            yield from _lists(value, f"{start}{key}.", depth + 1)
