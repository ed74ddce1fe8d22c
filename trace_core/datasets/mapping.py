"""Which column of a file is which field: guessed from names and a sample, changed by a person.

Beside RAGBench's own names (arXiv:2407.11005) the guesses know golden questions, Ragas' columns, the
`metrics` and `ground_truth_scores` of evaluation results, and what people commonly call these things.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trace_core.datasets.raw import json_cell
from trace_core.datasets.rows import LABEL_FIELDS, SCORE_FIELDS
from trace_core.errors import InputError

ALIASES: Mapping[str, tuple[str, ...]] = {
    "id": ("question_id", "example_id", "sample_id", "row_id", "uid", "_id"),
    "question": ("user_input", "query", "user_query", "input", "prompt"),
    "documents": ("retrieved_contexts", "contexts", "retrieved_documents", "context", "passages", "chunks"),
    "response": ("answer", "generated_answer", "model_response", "output", "prediction"),
    "reference_answer": (
        "reference", "ground_truth", "ground_truths", "expected_answer", "gold_answer", "reference_response",
    ),
    "expected_documents": ("reference_context_ids", "relevant_context_ids", "relevant_documents"),
    "document_ids": ("retrieved_context_ids", "context_ids", "retrieved_ids"),
    "document_titles": ("titles",),
    "category": ("question_type", "synthesizer_name"),
    "generation_model_name": ("model_name", "generator", "model", "model_id"),
    "metrics": ("predicted_scores", "trace_scores"),
    "ground_truth_scores": ("true_scores",),
}  # fmt: skip
"""Our field → what else it is called, the likeliest first; matched whatever the case and the word breaks."""
FIELDS: tuple[str, ...] = (
    *ALIASES, "documents_sentences", "response_sentences", *LABEL_FIELDS, "overall_supported", *SCORE_FIELDS.values(),
)  # fmt: skip
"""Everything that a column can be."""
STRUCTURED = frozenset({
    "documents", "document_ids", "document_titles", "documents_sentences", "response_sentences", "expected_documents",
    "metrics", "ground_truth_scores", *(name for name in LABEL_FIELDS if name.endswith(("s", "information"))),
})  # fmt: skip
"""Fields that hold lists or objects, which CSV writes as JSON."""
_TEXT_KEYS = ("text", "page_content", "content")
_PEOPLE = ("user", "human")


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Our fields → the file's columns; what no field names travels along under its own name."""

    columns: tuple[str, ...]
    fields: Mapping[str, str]

    @property
    def layout(self) -> str:
        """What the rows look like, in words."""
        if "metrics" in self.fields:
            return "scores with ground truth"
        if {"documents_sentences", *LABEL_FIELDS} & set(self.fields):
            return "RAGBench rows"
        if {"user_input", "retrieved_contexts"} & set(self.fields.values()):
            return "Ragas rows"
        if "expected_documents" in self.fields or ("reference_answer" in self.fields and "response" not in self.fields):
            return "golden questions"
        return "rows"

    @property
    def unused(self) -> list[str]:
        """Columns that are no field."""
        return [column for column in self.columns if column not in self.fields.values()]

    def changed(self, changes: Mapping[str, str | None]) -> ColumnMapping:
        """With other columns for some fields; `None` for a field that the file lacks.

        Raises `InputError` for a field or a column that does not exist.
        """
        for field, column in changes.items():
            if field not in FIELDS:
                raise InputError(f"There is no field {field!r}.", f"Fields are {', '.join(FIELDS)}.")
            if column is not None and column not in self.columns:
                raise InputError(f"There is no column {column!r}.", f"Columns are {', '.join(self.columns)}.")
        merged = {**self.fields, **changes}
        return replace(self, fields={field: column for field, column in merged.items() if column is not None})

    def apply(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """One row of the file under our names, texts and lists in the shapes that rows have here."""
        out = {name: row.get(name) for name in self.unused if name in row and name not in FIELDS}
        for field, column in self.fields.items():
            if column in row:
                out[field] = json_cell(row[column]) if field in STRUCTURED else row[column]
        out |= _question(out.get("question")) | _documents(out)
        return out


def guess_mapping(columns: Iterable[str], sample: Sequence[Mapping[str, Any]] = ()) -> ColumnMapping:
    """The likeliest mapping: a field's own name first, then its aliases in order.

    A column whose values in the `sample` rows cannot be what its name says is passed over.
    """
    named: dict[str, str] = {}
    for column in columns:
        named.setdefault(_plain(column), column)
    fields: dict[str, str] = {}
    for field in FIELDS:
        names = (field, *ALIASES.get(field, ()))
        fitting = (named[name] for name in names if name in named and _fits(field, named[name], sample))
        first = next((c for c in fitting if c not in fields.values()), None)
        if first is not None:
            fields[field] = first
    return ColumnMapping(tuple(columns), fields)


def _plain(column: str) -> str:
    """`Retrieved Contexts` and `retrievedContexts` → `retrieved_contexts`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column.strip())
    return re.sub(r"[\s\-.]+", "_", words).lower()


def _fits(field: str, column: str, sample: Sequence[Mapping[str, Any]]) -> bool:
    values = [value for row in sample if (value := row.get(column)) is not None]
    return not values or any(_TESTS.get(field, _anything)(value) for value in values)


def _anything(_: Any) -> bool:
    return True


def _is_list(value: Any) -> bool:
    return isinstance(json_cell(value), list)


def _is_object(value: Any) -> bool:
    return isinstance(json_cell(value), dict)


def _is_text(value: Any) -> bool:
    return isinstance(value, str | int | float)


_TESTS: Mapping[str, Callable[[Any], bool]] = {
    "question": lambda value: isinstance(value, str | list),
    "documents": _is_list,
    "response": _is_text,
    "reference_answer": lambda value: isinstance(value, str | list),
    "metrics": _is_object,
    "ground_truth_scores": _is_object,
    "category": _is_text,
    "generation_model_name": _is_text,
}


def _question(value: Any) -> dict[str, Any]:
    """Of a conversation (Ragas' `user_input` may be one): what the person said last."""
    if not isinstance(value, list):
        return {}
    said = [m.get("content") for m in value if isinstance(m, dict) and (m.get("type") or m.get("role")) in _PEOPLE]
    return {"question": said[-1]} if said else {}


def _documents(row: Mapping[str, Any]) -> dict[str, Any]:
    """Documents that are objects → their texts, ids and titles."""
    documents = row.get("documents")
    if not isinstance(documents, list) or not documents or not all(isinstance(d, dict) for d in documents):
        return {}
    key = next((key for key in _TEXT_KEYS if all(isinstance(d.get(key), str) for d in documents)), None)
    if key is None:
        return {}
    made: dict[str, Any] = {"documents": [d[key] for d in documents]}
    for field, name in (("document_ids", "id"), ("document_titles", "title")):
        if row.get(field) is None and all(isinstance(d.get(name), str | int) for d in documents):
            made[field] = [str(d[name]) for d in documents]
    return made
