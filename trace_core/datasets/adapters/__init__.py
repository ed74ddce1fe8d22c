"""The formats of tools that wrap their rows. To add one, name it here, with a function where no path says it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from trace_core.datasets.adapters import wrapped
from trace_core.datasets.documents import object_of, objects
from trace_core.datasets.files import Rows
from trace_core.datasets.names import ranks
from trace_core.datasets.paths import at
from trace_core.datasets.traces import Texts, is_carrier, trace_rows
from trace_core.errors import InputError
from trace_core.metrics import METRICS

Raw = Mapping[str, Any]
FIRST = 50
"""Rows by which a format and its columns are known."""
_DEEPEST = 2


@dataclass(frozen=True, slots=True)
class Adapter:
    """A tool's format. `keys` are paths that a row (or a file that is one object) has, `files` says what they are of.

    `rows` takes what the tool wrote and gives its rows, which are read by names.
    """

    name: str
    files: str
    keys: Sequence[str]
    rows: Callable[[Raw], Iterable[Any]]

    def recognizes(self, row: Any) -> bool:
        """Whether the row has the keys."""
        return isinstance(row, dict) and all(_has(row, key.split(".")) for key in self.keys)

    def read(self, written: Iterable[Any]) -> Rows:
        """The rows in what the tool wrote; an `InputError` for one that cannot be read."""
        for one in written:
            if self.recognizes(one):
                yield from self.rows(one)
            else:
                yield InputError(f"{self.name} writes no such row.") if isinstance(one, dict) else one


def _has(item: Any, parts: Sequence[str]) -> bool:
    for part in parts:
        item = dict(enumerate(item[:1])) if isinstance(item, list) else item
        key = int(part) if part.isdecimal() else part
        if not isinstance(item, dict) or key not in item:
            return False
        item = item[key]
    return True


def _listed(path: str) -> Callable[[Raw], Iterable[Any]]:
    return lambda whole: objects(at(whole, path))


def _expected(example: Raw) -> Iterable[Any]:
    """LangSmith's outputs of an example are the expected ones."""
    return [{"reference_outputs" if name == "outputs" else name: value for name, value in example.items()}]


ADAPTERS: tuple[Adapter, ...] = (
    Adapter("TRACE", "records (JSONL)", ("source_id", "documents", "response", "labels", "scores"),
            wrapped.trace_record),
    Adapter("TRACE", "rows of the four scores", tuple(METRICS), wrapped.scored),
    Adapter("Argilla", "records as JSON", ("fields", "responses"), wrapped.argilla),
    Adapter("Haystack", "outputs of a pipeline", ("answer_builder.answers",), wrapped.haystack),
    Adapter("Haystack", "an evaluation's report", ("run_name", "inputs", "results"),
            lambda report: wrapped.columns(object_of(report["inputs"])) or []),
    Adapter("Hugging Face's dataset server", "a page of rows", ("features", "rows.0.row"), _listed("rows[].row")),
    Adapter("InspectorRAGet", "experiment results", ("tasks.0.task_id", "models"), wrapped.inspector_raget),
    Adapter("Label Studio", "tasks as JSON", ("data", "annotations"), wrapped.label_studio),
    Adapter("Langfuse data sets", "items", ("input", "datasetId"), wrapped.langfuse_items),
    Adapter("LangSmith", "examples of a data set", ("inputs", "outputs", "dataset_id"), _expected),
    Adapter("OpenAI messages", "conversations, a row each", ("messages.0.role",), wrapped.conversation),
    Adapter("promptfoo", "results of an evaluation", ("results.results.0.vars",), wrapped.promptfoo),
    Adapter("RAGChecker", "inputs and results", ("results.0.query", "results.0.gt_answer"), _listed("results[]")),
    Adapter("SQuAD", "the data set's JSON", ("data.0.paragraphs",), wrapped.squad),
    Adapter("pandas and MLflow", "a table as JSON", ("columns", "data"), wrapped.table),
)  # fmt: skip
"""Every adapter; the first that recognizes a row reads the file."""
BY_NAMES = (
    "ARES", "Azure AI evaluation", "DeepEval", "LangChain", "LlamaIndex", "MLflow", "Phoenix", "RAGBench", "Ragas",
    "TruLens",
)  # fmt: skip
"""Tools whose rows are plain columns, read by the names that they give them."""


def adapter_of(row: Any) -> Adapter | None:
    """The adapter of the tool that wrote the row."""
    return next((one for one in ADAPTERS if one.recognizes(row)), None)


def unwrapped(rows: Rows, whole: bool, name: str, texts: Texts | None) -> tuple[str, Rows]:
    """The tool that wrote the rows (empty for none), and the rows in them. `whole`: the file is an object.

    Raises `InputError` where an object holds no rows.
    """
    first = list(islice(rows, FIRST))
    rows = chain(first, rows)
    if whole and not any(is_carrier(row) or adapter_of(row) for row in first):
        rows = iter(_rows_within(first[0], name))
        first = list(islice(rows, FIRST))
        rows = chain(first, rows)
    if any(map(is_carrier, first)):
        return "", trace_rows(rows, texts)
    adapter = adapter_of(next((row for row in first if isinstance(row, dict)), None))
    return (adapter.name, adapter.read(rows)) if adapter else ("", rows)


def _rows_within(whole: Raw, name: str) -> Iterable[Any]:
    """The rows of an object: itself where it has a question, else its columns, or its list of objects; of several
    lists, the one whose objects have a question.
    """
    if any(isinstance(value, str) and _asks(key) for key, value in whole.items()):
        return [whole]
    if not whole or str(whole.get("schema")).startswith("trace-run/"):
        raise InputError("This is no list of rows.", "A run file is read by `trace_core import`.", file=name)
    if (table := wrapped.columns(whole)) is not None:
        return table
    lists = dict(_lists(whole))
    asking = {path: rows for path, rows in lists.items() if any(_asks(key) for key in rows[0])}
    chosen = asking if len(lists) > 1 else lists
    if len(chosen) == 1:
        return next(iter(chosen.values()))
    if lists:
        hint = "Save the one with the rows as a file."
        raise InputError(f"It holds several lists: {', '.join(lists)}.", hint, file=name)
    if any(isinstance(value, str) for value in whole.values()):
        return [whole]
    raise InputError("This is no list of rows.", "Write the rows as one list.", file=name)


def _asks(key: Any) -> bool:
    return ranks(str(key), "question") is not None


def _lists(item: Raw, start: str = "", depth: int = 0) -> Iterator[tuple[str, list[Any]]]:
    for key, value in item.items():
        if isinstance(value, list) and value and len(objects(value)) == len(value):
            yield f"{start}{key}", value
        elif isinstance(value, dict) and depth < _DEEPEST:
            yield from _lists(value, f"{start}{key}.", depth + 1)
