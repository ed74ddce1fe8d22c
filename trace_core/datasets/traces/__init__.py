"""Traces → rows: OTLP (OpenInference and OpenTelemetry GenAI), Phoenix, Langfuse, MLflow, LangSmith; a row a request.

Memory does not grow with the file: a trace counts as complete once none of its spans has come for a while.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
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
OPEN = 10_000
"""The most spans of unfinished traces that are kept."""
BLOCK = 1_000
"""Traces whose conversations and missing texts are handled together."""
TURNS = 40
"""The latest turns that are kept of a conversation."""
BY_ID = "Its documents are named by their ids alone."
Talks = dict[str, list[tuple[str, dict[str, str]]]]
"""Conversation → its latest turns, each with its time."""


def trace_rows(rows: Iterable[Any], texts: Texts | None = None) -> Iterator[Any]:
    """A row per request, in the order in which traces end; a request without a row is an `InputError`."""
    talks: Talks = {}
    traces = _traces(rows)
    while block := list(islice(traces, BLOCK)):
        made = [row for one in block for row in ([one] if isinstance(one, InputError) else rows_of(one))]
        good = [row for row in made if isinstance(row, dict)]
        _link(good, talks)
        _look_up(good, texts)
        yield from (_finished(row) if isinstance(row, dict) else row for row in made)


def _traces(rows: Iterable[Any]) -> Iterator[list[Span] | InputError]:
    unfinished: OrderedDict[str, list[Span]] = OrderedDict()
    count = 0
    for place, row in enumerate(rows, start=1):
        found = spans_of(row) if isinstance(row, dict) else None
        if found is None:
            yield row if isinstance(row, InputError) else InputError(f"Row {place} of the file is not a span.")
            continue
        for span in found:
            trace = span.trace or f"row {place}"
            unfinished.setdefault(trace, []).append(span)
            unfinished.move_to_end(trace)
            count += 1
        while count > OPEN and len(unfinished) > 1:
            spans = unfinished.popitem(last=False)[1]
            count -= len(spans)
            yield spans
    yield from unfinished.values()


def _link(rows: Sequence[dict[str, Any]], talks: Talks) -> None:
    """Give each row of a conversation the turns of its earlier requests, unless it brought its own."""
    for row in sorted((row for row in rows if "conversation" in row), key=lambda row: str(row["start"])):
        known = talks.get(row["conversation"], [])
        if before := [turn for start, turn in known if start < row["start"]]:
            row.setdefault("turns", before)
        speakers = (("user", row["question"]), ("assistant", row.get("response")))
        turns = [(row["start"], {"role": who, "text": text}) for who, text in speakers if text]
        talks[row["conversation"]] = [*known, *turns][-TURNS:]


def _look_up(rows: Iterable[dict[str, Any]], texts: Texts | None) -> None:
    """Give the documents that spans name only by id their texts, or the reason why they have none."""
    wanted: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for document in (document for row in rows for document in row["documents"] if document["text"] is None):
        wanted[str(document.get("collection") or "")].append(document)
    for collection, documents in wanted.items():
        known: Mapping[str, str] = {}
        why = f"The collection {collection!r} in Qdrant has no such id. " if collection else ""
        try:
            if texts and collection:
                known = texts(collection, list(dict.fromkeys(str(document.get("id")) for document in documents)))
        except TraceError as error:
            why = f"{error} "
        for document in documents:
            document |= {"text": known.get(str(document.get("id"))), "why": why}


def _finished(row: dict[str, Any]) -> Any:
    """The row with its documents as columns; an `InputError` where one has no text."""
    if (document := next((one for one in row["documents"] if one["text"] is None), None)) is not None:
        field = f"The field {document['unread']!r} of its span is empty or not read. " if document["unread"] else ""
        hint = f"{document['why']}{field}Record their texts, or connect the Qdrant that holds them."
        return InputError(BY_ID, hint, field=f"{OF_A_TRACE}{row.get('id', '')}")
    about = dict.fromkeys(ABOUT_DOCUMENTS.values())  # each row has the columns that a later one may fill
    return {name: value for name, value in row.items() if name != "start"} | about | as_columns(row["documents"])
