"""What an answerer is: a question and documents in, an answer with its sources out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from trace_core.facts.records import Document
from trace_core.llm.messages import OnText as OnText


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, the ids of its source documents, whether it declines, what it cost, and notes on how it was made."""

    text: str
    citations: list[str]
    declines: bool = False
    usage: Mapping[str, float] = field(default_factory=dict)
    notes: Sequence[str] = ()


class Answerer(Protocol):
    """Answers a question from documents that are already split into sentences."""

    @property
    def name(self) -> str:
        """The name of the generator in the record."""

    def answer(self, question: str, documents: Sequence[Document], on_text: OnText | None = None) -> Answer:
        """Answer from the documents only. Raises `ModelError` or `LlmError`."""
