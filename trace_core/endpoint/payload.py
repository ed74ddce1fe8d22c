"""The content of a query in one form, whether it came as JSON or in plain language."""

from __future__ import annotations

from typing import Any

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from trace_core.errors import TraceError
from trace_core.facts.strict import Strict

MOST_TESTS = 50
ENGINES = ("native", "ragas")


class QueryError(TraceError):
    """A query that cannot be understood: why, and what was expected."""


def unclear(text: str) -> QueryError:
    """The error for a text of which nothing tells what part of the query it is."""
    return QueryError(f"It is unclear what {text[:40]!r} is.", "Put a label before it: Question: Contexts: Answer:")


class Context(Strict):
    """One retrieved document."""

    id: str
    text: str


class Payload(Strict):
    """The canonical payload of seed 004. `None` and the empty list: not given."""

    tests: list[str]
    question: str | None = None
    contexts: list[Context] = Field(default_factory=list)
    answer: str | None = None
    ground_truth: str | list[str] | None = None
    relevant_context_ids: list[str] = Field(default_factory=list)
    extra: dict[str, Any] = Field(default_factory=dict)
    # Notes of reading, which no caller sends or receives: contexts came without ids; words in place of relevant ids.
    placed: SkipJsonSchema[bool] = Field(default=False, exclude=True)
    words: SkipJsonSchema[list[str]] = Field(default_factory=list, exclude=True)

    @property
    def unmatched(self) -> list[str]:
        """Relevant ids that match no context, where contexts came without ids, or words in place of ids.

        Nobody can say which contexts they mean.
        """
        ids = {context.id for context in self.contexts}
        return [name for name in self.relevant_context_ids if name not in ids] if self.placed else self.words

    @property
    def truths(self) -> list[str]:
        """The ground truths that are not blank."""
        given = [self.ground_truth] if isinstance(self.ground_truth, str) else self.ground_truth or []
        return [truth for truth in given if truth.strip()]

    @property
    def engine(self) -> str:
        """The engine that computes: `native` or `ragas`."""
        return str(self.extra.get("engine") or ENGINES[0])

    @property
    def labeler(self) -> str | None:
        """The labeler requested by name."""
        return self.extra.get("labeler")

    def lacks(self, name: str) -> bool:
        """Whether a parameter is absent, empty, blank, or refers to something that does not exist."""
        if name == "ground_truth":
            return not self.truths
        if name == "relevant_context_ids" and self.unmatched:
            return True
        value = getattr(self, name)
        return not (value.strip() if isinstance(value, str) else value)
