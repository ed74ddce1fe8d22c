"""A mapping that the judge proposes, from the columns' names and three rows; a person confirms it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from trace_core.datasets.mapping import ColumnMapping, path_in
from trace_core.errors import LabelingError, cut
from trace_core.llm import Llm
from trace_core.llm.prompts import MAPPING, Suggestion

_MEANINGS = {
    "question": "what was asked",
    "documents": "the texts that were retrieved for the question, which the answer was written from",
    "response": "the answer that the system under test gave",
    "reference_answer": "the right answer that people expect",
    "expected_documents": "ids or titles of the documents that should be retrieved",
    "id": "an id of the row",
    "category": "the kind of question",
}
_LONGEST = 300
"""Characters of a cell that the judge sees."""


def suggest(llm: Llm, mapping: ColumnMapping, sample: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Field → column, as the judge proposes; what it made up is left out. Raises `LlmError`, and `LabelingError` where
    nothing of its reply can be used."""
    rows = [{path: _short(mapping.cell(row, path)) for path in mapping.choices} for row in sample]
    messages = MAPPING.messages({"fields": _MEANINGS, "columns": list(mapping.choices), "rows": rows})
    reply = llm.ask(messages, Suggestion, purpose="trace-suggestion", expected_tokens=150)
    if reply.value is None:
        raise LabelingError(f"The judge's reply cannot be used. {reply.problem}", "Choose the columns yourself.")
    choices = {choice.field: choice.column for choice in reply.value.choices if choice.field in _MEANINGS}
    columns = {field: path for field, path in choices.items() if path_in(path, mapping.columns)}
    if not columns:
        raise LabelingError("The judge named no column of this file.", "Choose the columns yourself.")
    return columns


def _short(cell: Any) -> str:
    text = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False, default=str)
    return cut(text, _LONGEST)
