"""What an answerer is: a question and documents in, an answer with its sources out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from trace_core.facts.records import Document

OnText = Callable[[str], None]
"""Called with each piece of the answer as it comes; may raise to stop the work."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, the ids of the documents it was taken from, and whether it declines.

    `usage` is what it cost; `notes` say what a reader should know of how it came about.
    """

    text: str
    citations: list[str]
    refused: bool = False
    usage: Mapping[str, float] = field(default_factory=dict)
    notes: Sequence[str] = ()


class Answerer(Protocol):
    """Answers a question from documents that are already split into sentences."""

    @property
    def name(self) -> str:
        """Names the generator in the record."""

    def answer(self, question: str, documents: Sequence[Document], on_text: OnText | None = None) -> Answer:
        """Answer from the documents alone. Raises `ModelError` or `LlmError`."""
