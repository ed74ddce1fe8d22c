"""Traces → rows: OTLP (OpenInference, OpenTelemetry GenAI), Phoenix, Langfuse, MLflow, LangSmith; a row a request."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from trace_core.datasets.documents import ABOUT_DOCUMENTS, as_columns
from trace_core.datasets.traces.join import OF_A_TRACE, rows_of
from trace_core.datasets.traces.spans import Span, is_carrier, spans_of
from trace_core.errors import InputError, TraceError

__all__ = ["OF_A_TRACE", "TOOLS", "Texts", "is_carrier", "trace_rows"]

Texts = Callable[[str, Sequence[str]], Mapping[str, str]]
"""A function: collection and ids → the texts of those that exist."""
TOOLS = tuple(
    "Langfuse, LangSmith, MLflow, OpenInference (OTLP JSON), OpenTelemetry GenAI (OTLP JSON), Phoenix".split(", ")
)
"""Whose traces are read."""
TURNS = 40
"""The latest turns that are kept of a conversation."""
BY_ID = "Its documents are named by their ids alone."


def trace_rows(rows: Iterable[Any], texts: Texts | None = None) -> Iterator[Any]:
    """A row per request, in the order of the traces; a request without a row is an `InputError`."""
    traces: dict[str, list[Span]] = {}
    results: list[Any] = []
    for place, row in enumerate(rows, start=1):
        spans = spans_of(row) if isinstance(row, dict) else None
        if spans is None:
            results.append(row if isinstance(row, InputError) else InputError(f"Row {place} of the file is no span."))
        for span in spans or ():
            traces.setdefault(span.trace or f"row {place}", []).append(span)
    results += [row for trace in traces.values() for row in rows_of(trace)]
    requests = [row for row in results if isinstance(row, dict)]
    _add_earlier_turns(requests)
    _look_up(requests, texts)
    return (_with_columns(row) if isinstance(row, dict) else row for row in results)


def _add_earlier_turns(rows: Iterable[dict[str, Any]]) -> None:
    """Give each row of a conversation the turns of its earlier requests, unless it brought its own."""
    talks: defaultdict[str, list[tuple[str, dict[str, str]]]] = defaultdict(list)
    for row in sorted((row for row in rows if "conversation" in row), key=lambda row: str(row["start"])):
        talk = talks[row["conversation"]]
        if turns := [turn for start, turn in talk if start < row["start"]]:
            row.setdefault("turns", turns[-TURNS:])
        speakers = (("user", row["question"]), ("assistant", row.get("response")))
        talk += [(row["start"], {"role": who, "text": text}) for who, text in speakers if text]


def _look_up(rows: Iterable[dict[str, Any]], texts: Texts | None) -> None:
    """Give the documents that spans name only by id their texts, or the reason why they have none."""
    groups: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for document in (document for row in rows for document in row["documents"] if document["text"] is None):
        groups[str(document.get("collection") or "")].append(document)
    for collection, documents in groups.items():
        by_id: Mapping[str, str] = {}
        why = f"The collection {collection!r} in Qdrant has no such id. " if collection else ""
        try:
            if texts and collection:
                by_id = texts(collection, list(dict.fromkeys(str(document.get("id")) for document in documents)))
        except TraceError as error:
            why = f"{error} "
        for document in documents:
            document |= {"text": by_id.get(str(document.get("id"))), "why": why}


def _with_columns(row: dict[str, Any]) -> Any:
    """The row with its documents as columns; an `InputError` where one has no text."""
    if (document := next((one for one in row["documents"] if one["text"] is None), None)) is not None:
        field = f"The field {document['unread']!r} of its span is empty or not read. " if document["unread"] else ""
        hint = f"{document['why']}{field}Record their texts, or connect the Qdrant that holds them."
        return InputError(BY_ID, hint, field=f"{OF_A_TRACE}{row.get('id', '')}")
    about = dict.fromkeys(ABOUT_DOCUMENTS.values())  # each row has the columns that a later one may fill
    return {name: value for name, value in row.items() if name != "start"} | about | as_columns(row["documents"])
