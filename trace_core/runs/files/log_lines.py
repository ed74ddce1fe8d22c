"""A line of the query log, read back as a record: document ids without texts, and scores without labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict, Field, field_validator

from trace_core.datasets.rows import Score
from trace_core.datasets.scores import given_scores
from trace_core.errors import InputError
from trace_core.facts.records import Document, Golden, Record, Response, Retrieval, Scores
from trace_core.facts.strict import Strict
from trace_core.metrics import CONVENTIONS
from trace_core.runs.files.exported import beyond_golden, first_reference

LOG = {"query", "retrieved_ids", "answer", "citations", "trace_scores"}
"""The fields that every line has."""


class _Line(Strict):
    """The fields that are read. Each has the name that it has in the file, so that errors name it."""

    model_config = ConfigDict(extra="ignore")

    query: str
    retrieved_ids: list[str]
    answer: str | None
    citations: list[str]
    trace_scores: dict[str, Score]
    convention: str | None = None
    undefined: dict[str, str] = Field(default_factory=dict)
    cleaning: list[str] = Field(default_factory=list)
    retrieval_confidence: float | None = None
    retrieval_action: str | None = None
    token_usage: dict[str, float] = Field(default_factory=dict)
    expected_documents: list[str] | None = None
    reference_answer: str | list[str] | None = None
    category: str | None = None
    document_recall: float | None = None
    document_precision: float | None = None

    @field_validator("citations", "trace_scores", "undefined", "cleaning", "token_usage", mode="before")
    @classmethod
    def _nothing(cls, value: Any, info: Any) -> Any:
        """Null is none of them."""
        return value if value is not None else [] if info.field_name in ("citations", "cleaning") else {}


def record_of_log(row: Mapping[str, Any], number: int, convention: str) -> Record:
    """The record of the `number`-th line, with scores under the convention that it names, else under `convention`.

    Raises `ValidationError` for a field of the wrong type, `InputError` for an unknown convention.
    """
    line = _Line.model_validate(row)
    return Record(
        id=str(number),
        question=line.query,
        documents=[Document(id=name, rank=rank, text="") for rank, name in enumerate(line.retrieved_ids, start=1)],
        response=None if line.answer is None else Response(text=line.answer, citations=line.citations),
        scores=_scores(line, convention),
        retrieval=retrieval_of(line.retrieval_confidence, line.retrieval_action, len(line.retrieved_ids)),
        usage=line.token_usage,
        cleaning=line.cleaning,
        golden=_golden(line),
        fields=beyond_golden(line.model_dump()),
    )


def _scores(line: _Line, convention: str) -> Scores:
    scores = given_scores(line.trace_scores, known_convention(line.convention) or convention)
    scores.undefined = {name: line.undefined.get(name, reason) for name, reason in scores.undefined.items()}
    return scores


def _golden(line: _Line) -> Golden | None:
    if line.expected_documents is None:
        return None
    held = line.model_dump(include=set(Golden.model_fields))
    return Golden(**held | {"reference_answer": first_reference(line.reference_answer)})


def known_convention(named: str | None, field: str = "convention") -> str | None:
    """The convention of that name. Raises `InputError` for an unknown one, naming the field."""
    if named is not None and named not in CONVENTIONS:
        raise InputError(f"There is no convention {named!r}.", f"There are {', '.join(CONVENTIONS)}.", field=field)
    return named


def retrieval_of(confidence: float | None, action: str | None, documents: int) -> Retrieval | None:
    """What is known of a retrieval whose collection is not; `None` where nothing is."""
    if confidence is None and action is None:
        return None
    return Retrieval(collection="", top_k=documents, confidence=confidence, action=action)
