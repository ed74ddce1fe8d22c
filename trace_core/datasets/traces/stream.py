"""Spans in file order → traces → rows, a few thousand at a time, so that memory does not grow with the file.

The spans of a trace may lie apart; a trace counts as complete once none of its spans has come for a while.

"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from trace_core.datasets.traces import langfuse, langsmith, mlflow, otlp, phoenix
from trace_core.datasets.traces.join import NoRow, rows_of
from trace_core.datasets.traces.span import Raw, Span
from trace_core.datasets.traces.steps import columns_of
from trace_core.errors import InputError, TraceError

Numbered = tuple[int, Any]
Texts = Callable[[str, Sequence[str]], Mapping[str, str]]
"""A function: collection and ids → the texts of those that exist."""
OPEN = 10_000
"""The most spans of unfinished traces that are kept."""
BLOCK = 1_000
"""Traces whose conversations and missing texts are handled together."""
CONVERSATIONS, TURNS = 5_000, 40
"""Conversations kept across blocks, and turns kept of each."""
OF_A_TRACE = "trace "
"""The field of an error that says why a trace is no row begins like this; the trace's id follows."""
BY_ID = "Its documents are named by their ids alone"

_READERS = (phoenix, otlp, mlflow, langfuse, langsmith)
Talks = OrderedDict[str, list[tuple[str, list[dict[str, str]]]]]
"""Conversation → the time and the turns of each of its traces."""


def reader_of(row: Raw) -> Callable[[Raw], Iterator[Span]] | None:
    """How to read the row's spans; null where it has none."""
    return next((tool.spans for tool in _READERS if tool.is_of(row)), None)


def spans_of(row: Raw) -> Iterator[Span] | None:
    """The spans of a row in a file of traces, in their order; null where the row is something else."""
    if read := reader_of(row):
        return read(row)
    if langsmith.is_part(row):
        return langsmith.spans(row)
    return iter(()) if any(key in row for key in otlp.BESIDE) else None


def trace_rows(rows: Iterable[Numbered], name: str, texts: Texts | None = None) -> Iterator[Numbered]:
    """A row per request, numbered in the order in which traces end; a request without a row is an `InputError`."""
    talks: Talks = OrderedDict()
    number = 0
    traces = _traces(rows)
    while block := list(islice(traces, BLOCK)):
        made = [(*one, spans) for spans in block for one in _rows(spans)]
        rows = [row for _, row, _ in made]
        _link(rows, [start for start, *_ in made], talks)
        found = _looked_up(rows, texts)
        for _, one, spans in made:
            number += 1
            yield number, _numbered(_complete(one, found), spans, name, number)


def _traces(rows: Iterable[Numbered]) -> Iterator[list[Span] | InputError]:
    """The spans of each trace; for an unreadable row its error."""
    held: OrderedDict[str, list[Span]] = OrderedDict()
    count = 0
    for place, row in rows:
        if isinstance(row, InputError):
            yield row
            continue
        found = spans_of(row) if isinstance(row, dict) else None
        if found is None:
            yield InputError(f"Row {place} of the file is not a span.")
            continue
        for span in found:
            trace = span.trace or f"row {place}"
            held.setdefault(trace, []).append(span)
            held.move_to_end(trace)
            count += 1
        while count > OPEN and len(held) > 1:
            spans = held.popitem(last=False)[1]
            count -= len(spans)
            yield spans
    yield from held.values()


def _rows(spans: Sequence[Span] | InputError) -> list[tuple[str, Any]]:
    if isinstance(spans, InputError):
        return [("", spans)]
    return [(start, InputError(str(one)) if isinstance(one, NoRow) else one) for start, one in rows_of(spans)]


def _numbered(one: Any, spans: Any, name: str, number: int) -> Any:
    if not isinstance(one, InputError):
        return one
    field = one.field or (f"{OF_A_TRACE}{spans[0].trace}" if isinstance(spans, list) else "")
    return InputError(one.message, one.hint, file=name, row=number, field=field)


def _link(made: Sequence[Any], starts: Sequence[str], talks: Talks) -> None:
    """Give each row of a conversation the turns of its earlier requests, unless it brought its own."""
    linked = [i for i, row in enumerate(made) if isinstance(row, dict) and row.get("conversation")]
    for start, i in sorted((starts[i], i) for i in linked):
        row, conversation = made[i], made[i]["conversation"]
        before = [one for one in talks.get(conversation, []) if one[0] < start]
        if before and "turns" not in row:
            row["turns"] = [turn for _, turns in before for turn in turns][-TURNS:]
        turns = [{"role": "user", "text": row["question"]}]
        turns += [{"role": "assistant", "text": row["response"]}] if "response" in row else []
        talks[conversation] = [*before, (start, turns)][-TURNS:]
        talks.move_to_end(conversation)
        while len(talks) > CONVERSATIONS:
            talks.popitem(last=False)


def _lacking(row: Any) -> list[dict[str, Any]]:
    return [one for one in row.get("documents", ()) if one["text"] is None] if isinstance(row, dict) else []


def _looked_up(made: Sequence[Any], texts: Texts | None) -> dict[str, Mapping[str, str] | str]:
    """By collection: the texts of the documents named only by id, or why there are none."""
    wanted: dict[str, dict[str, None]] = {}
    for row in made:
        for one in _lacking(row):
            ids = [str(one[key]) for key in ("id", "point") if one.get(key) is not None]
            wanted.setdefault(str(one.get("collection") or ""), {}).update(dict.fromkeys(ids))
    found: dict[str, Mapping[str, str] | str] = {}
    for collection, named in wanted.items():
        try:
            found[collection] = texts(collection, list(named)) if texts and collection else {}
        except TraceError as error:
            found[collection] = str(error)
    return found


def _complete(row: Any, found: Mapping[str, Mapping[str, str] | str]) -> Any:
    for one in _lacking(row):
        collection = str(one.get("collection") or "")
        known = found[collection]
        if isinstance(known, str):
            return InputError(f"{BY_ID}, and {collection!r} cannot be read.", known)
        text = known.get(str(one.get("id")), known.get(str(one.get("point"))))
        if text is None:
            where = f"{collection!r} in Qdrant holds no {one.get('id')!r}. " if collection else ""
            where += f"The field {one['unread']!r} of its span is empty or not read. " if one.get("unread") else ""
            return InputError(f"{BY_ID}.", f"{where}Record their texts, or connect the Qdrant that holds them.")
        one["text"] = text
    return row | columns_of(row["documents"]) if isinstance(row, dict) and "documents" in row else row
