"""For use in your own programs: data frames in and out, your own pipeline, scores from four numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from trace_core.datasets import Item, read_dataset
from trace_core.datasets.files import OpenFile
from trace_core.datasets.mapping import MappingSpec
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError
from trace_core.facts.records import Record, Scores
from trace_core.labeling import Labeler, make_labeler
from trace_core.metrics import METRICS, check_convention, scores_from
from trace_core.metrics.truth import checked_value
from trace_core.pipeline import Pipeline, Search, ask_collection, evaluate, label_all, parts_in
from trace_core.retrieval import embedder
from trace_core.runs.files.export import TABLE, table_row
from trace_core.runs.files.reader import read_record
from trace_core.runs.files.row_records import expecting, scores_record, to_record, unique_ids
from trace_core.settings import PACKAGED_MODEL

if TYPE_CHECKING:
    import pandas as pd

FRAME = "data frame"  # what errors call it
WHOLE = "record"  # the last column of `to_frame`: the whole record as JSON, the one that `from_frame` reads
Own = Callable[[str], tuple[Any, Any]]
"""A custom pipeline: a question → its documents and the answer, as `evaluate` takes them."""


def ask(source: Pipeline | Own, question: str, collection: str = "", **more: Any) -> Record:
    """Ask a collection, or your own function that returns documents and an answer; label and score the answer.

    >>> def mine(question):
    ...     return ["The tank holds 1.8 litres of water."], "The tank holds 1.8 litres of water."
    >>> ask(mine, "How much water does the tank hold?").scores.adherence
    1.0

    `more` are the options of `evaluate` or of asking a collection.
    """
    if isinstance(source, Pipeline):
        search = Search(collection, **{name: more.pop(name) for name in Search._fields if name in more})
        return ask_collection(source, question, search, **more)
    pair = source(question)
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        hint = "Return its documents and its answer: return documents, answer"
        raise InputError(f"Your pipeline must return two things, not {type(pair).__name__}.", hint)
    documents, answer = pair
    return evaluate(question, documents, answer, **more)


def scores(*four: float | None, convention: str = "trace", **by_name: float | None) -> Scores:
    """`Scores` from four numbers, in the metrics' order or by name; average, balance and consistency follow.

    Raises `InputError` for another name, a fifth number, and a value outside 0 to 1.

    >>> round(scores(0.95, 0.50, 0.85, 0.70).rmse_aggregation, 3)
    0.17
    """
    if len(four) > len(METRICS) or (strange := next((name for name in by_name if name not in METRICS), "")):
        what = f"There is no metric {strange!r}." if len(four) <= len(METRICS) else f"{len(four)} numbers were given."
        raise InputError(what, f"The four metrics are {', '.join(METRICS)}.")
    values = {**dict(zip(METRICS, four, strict=False)), **by_name}
    return scores_from({name: checked_value(value, name) for name, value in values.items()}, convention)


def from_frame(frame: pd.DataFrame, mapping: MappingSpec = None, *, convention: str = "trace") -> list[Record]:
    """The rows of a data frame as records; common column names of people and tools are recognized. Rows with labels are
    scored under `convention`, rows with the four metrics keep these as scores under it; the others are left for
    `label_frame`. The table of `to_frame` comes back as it was, each score under its own convention. Raises
    `InputError` for the first unusable row."""
    check_convention(convention)
    if (own := _own_records(frame, mapping)) is not None:
        return own
    return [
        expecting(scores_record(row, name, convention), row)
        if row.kind == "scores"
        else rescore(expecting(to_record(row, name), row), convention)
        for row, name in _named_items(frame, mapping)
    ]


def label_frame(
    frame: pd.DataFrame, *, labeler: str | Labeler = "local", convention: str = "trace", mapping: MappingSpec = None
) -> pd.DataFrame:
    """The frame's rows, labeled and scored, as the table that `to_frame` returns, with the frame's index.

    >>> import pandas as pd
    >>> rows = pd.DataFrame({"question": ["How much?"], "contexts": [["It holds 2 litres."]], "answer": ["2 litres."]})
    >>> label_frame(rows).adherence.tolist()
    [1.0]
    """
    labeler = make_labeler(labeler, embedder(PACKAGED_MODEL)) if isinstance(labeler, str) else labeler
    records = [rescore(record, convention) for record in label_all(_without_labels(frame, mapping), labeler)]
    return to_frame(records).set_index(frame.index)


def _without_labels(frame: pd.DataFrame, mapping: MappingSpec) -> list[Record]:
    if (own := _own_records(frame, mapping)) is not None:
        fresh: dict[str, Any] = {"labels": None, "raw_reply": None, "overrides": [], "uncorrected": None}
        return [r.model_copy(deep=True, update=fresh | {"cleaning": r.notes_on_answer}) for r in own]
    return [expecting(to_record(row, name, with_labels=False), row) for row, name in _named_items(frame, mapping)]


def to_frame(records: Iterable[Record]) -> pd.DataFrame:
    """Records as the table that `export --format csv` writes: one row per record, undefined scores NaN. The last
    column, `record`, has the whole record as JSON, from which `from_frame` reads it back."""
    import pandas as pd

    rows = [table_row(record) | {WHOLE: json.dumps(record.to_dict(), allow_nan=False)} for record in records]
    return pd.DataFrame(rows, columns=[*TABLE, WHOLE])


def _own_records(frame: pd.DataFrame, mapping: MappingSpec) -> list[Record] | None:
    """The records in a table of `to_frame`; `None` for any other frame. Raises `InputError` for a wrong row."""
    if mapping is not None or not {WHOLE, "convention", "undefined", *METRICS} <= set(frame.columns):
        return None
    return [read_record(str(text).encode(), FRAME, number) for number, text in enumerate(frame[WHOLE], start=1)]


def _named_items(frame: pd.DataFrame, mapping: MappingSpec) -> Iterable[tuple[Item, str]]:
    rows = ({str(k): _plain(v) for k, v in row.items()} for row in frame.to_dict("records"))
    dataset = read_dataset(OpenFile(rows), name=FRAME, mapping=mapping)
    if dataset.errors:
        raise dataset.errors[0]
    return zip(dataset.items, unique_ids(dataset.items), strict=True)


def _plain(cell: Any) -> Any:
    """The cell without numpy types, NaN and objects of retrievers."""
    if isinstance(cell, np.ndarray | list):
        return [_plain(item) for item in (cell.tolist() if isinstance(cell, np.ndarray) else cell)]
    cell = parts_in(cell.item() if isinstance(cell, np.generic) else cell)
    return None if isinstance(cell, float) and cell != cell else cell
