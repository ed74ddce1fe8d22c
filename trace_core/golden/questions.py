"""Golden questions as data: read, checked, saved as a data set."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from pydantic import Field, ValidationError, field_validator

from trace_core.datasets import Item
from trace_core.errors import InputError
from trace_core.facts.strict import Strict, misfit_error
from trace_core.runs.files.row_records import save_rows
from trace_core.store.datasets import DatasetStore


class GoldenQuestion(Strict, frozen=True, str_strip_whitespace=True):
    """A question and its expected result. No expected documents means that the collection has no answer."""

    question: str = Field(min_length=1)
    expected_documents: list[str] = Field(default_factory=list)
    reference_answer: str | None = None
    category: str | None = None

    @field_validator("reference_answer", "category")
    @classmethod
    def _nothing_is_none(cls, text: str | None) -> str | None:
        return text or None

    @field_validator("expected_documents")
    @classmethod
    def _once(cls, names: list[str]) -> list[str]:
        return list(dict.fromkeys(name.strip() for name in names if name.strip()))


def read_questions(rows: Iterable[Mapping[str, Any]], file: str = "") -> tuple[list[GoldenQuestion], list[InputError]]:
    """The valid questions, and an error with row and field for each invalid one."""
    good: list[GoldenQuestion] = []
    bad: list[InputError] = []
    for number, row in enumerate(rows, start=1):
        try:
            good.append(GoldenQuestion.model_validate(row))
        except ValidationError as error:
            reason = misfit_error(error)
            reason.hint = "A golden question has question, expected_documents, reference_answer and category."
            reason.file, reason.row = file, number
            bad.append(reason)
    return good, bad


def save_questions(
    datasets: DatasetStore, name: str, questions: Sequence[GoldenQuestion], ids: Sequence[str | None] = ()
) -> str:
    """The id of the data set with these questions, created if necessary. `ids` are the rows' own ids, in order."""
    rows = [q.model_dump(exclude_none=True) | ({"id": i} if i else {}) for q, i in zip_longest(questions, ids)]
    return save_rows(datasets, name, [Item.model_validate(row) for row in rows])


def golden_of(datasets: DatasetStore, dataset_id: str) -> dict[str, GoldenQuestion]:
    """Record id → its golden question, in order, for the rows that name expected documents. A row without that field is
    no golden question; only an empty list means that the question has no answer."""
    questions = {}
    for row in datasets.rows(dataset_id):
        if row.row.get("expected_documents") is not None:
            good, _ = read_questions([row.row | {"reference_answer": _first(row.row.get("reference_answer"))}])
            if good:
                questions[row.record_id] = good[0]
    return questions


def _first(answers: object) -> str | None:
    texts = answers if isinstance(answers, list) else [answers]
    return next((answer for answer in texts if isinstance(answer, str) and answer.strip()), None)
