"""Golden questions as data: read, checked, edited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ConfigDict, Field, ValidationError, field_validator

from trace_core.errors import InputError
from trace_core.facts.strict import Strict


class GoldenQuestion(Strict):
    """A question and its expected result. No expected documents means that the collection has no answer."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)

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

    def to_dict(self) -> dict[str, Any]:
        """The question as JSON, without absent fields."""
        return self.model_dump(exclude_none=True)


def read_questions(rows: Iterable[Mapping[str, Any]], file: str = "") -> tuple[list[GoldenQuestion], list[InputError]]:
    """The valid questions, and an error with row and field for each invalid one."""
    good: list[GoldenQuestion] = []
    bad: list[InputError] = []
    for number, row in enumerate(rows, start=1):
        try:
            good.append(GoldenQuestion.model_validate(row))
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            hint = "A golden question has question, expected_documents, reference_answer and category."
            bad.append(InputError(f"{first['msg']}.", hint, file=file, row=number, field=field))
    return good, bad
