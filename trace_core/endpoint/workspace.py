"""The state shared by the tests of one query: its sentences, one labeling, and the embedding model."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from trace_core.endpoint.judge import LlmJudge
from trace_core.endpoint.payload import Payload
from trace_core.errors import CostlyError, LabelingError, TraceError
from trace_core.facts.labels import Labels
from trace_core.facts.records import Document, Record, Response
from trace_core.labeling import Labeler
from trace_core.llm import added
from trace_core.models.embedding import Embedder
from trace_core.pipeline import MOST_SENTENCES, check_sentences, label

LONGEST_EMBEDDED = 4000
"""Characters: the packaged model reads 256 tokens, which are never longer than this."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What tests compute with; `seconds` and `sentences` limit one query, `spent` is what a judge has cost before."""

    embedder: Embedder
    labeler: Labeler
    judge: LlmJudge | None = None
    seconds: float = 60.0
    sentences: int = MOST_SENTENCES
    spent: Mapping[str, float] = field(default_factory=dict)


class Workspace:
    """One query's texts, read once for all tests. Methods raise `TraceError`."""

    def __init__(self, payload: Payload, tools: Tools) -> None:
        self._payload, self._tools = payload, tools
        self.judge, self.labeler = tools.judge, tools.labeler.name
        self._deadline = time.monotonic() + tools.seconds
        self._labeled: tuple[Record, Labels] | TraceError | None = None

    def similarity(self, one: str, other: str) -> float:
        """Cosine of the two texts' vectors, in [−1, 1]; only the beginning of a long text is used."""
        self._check_time()
        first, second = self._tools.embedder.embed([one[:LONGEST_EMBEDDED], other[:LONGEST_EMBEDDED]])
        return min(1.0, max(-1.0, float(first @ second)))

    @property
    def usage(self) -> dict[str, float]:
        """What judging this query has cost; empty where no judge was asked."""
        outcome = self._labeled[0] if isinstance(self._labeled, tuple) else self._labeled
        made = outcome.usage if isinstance(outcome, Record | CostlyError) else {}
        return added([self._tools.spent, self._tools.judge.usage if self._tools.judge else {}, made])

    def labeled(self) -> tuple[Record, Labels]:
        """The query as a labeled record, and its labels: one labeling for all tests that need it."""
        if self._labeled is None:
            try:
                self._labeled = self._label()
            except TraceError as error:
                self._labeled = error
        if isinstance(self._labeled, TraceError):
            raise self._labeled
        return self._labeled

    def _label(self) -> tuple[Record, Labels]:
        payload = self._payload
        documents = [Document(id=c.id, rank=i + 1, text=c.text) for i, c in enumerate(payload.contexts)]
        response = Response(text=payload.answer or "")
        record = Record(id="trace", question=payload.question or "", documents=documents, response=response)
        check_sentences(record, self._tools.sentences)
        label(record, self._tools.labeler, lambda share: self._check_time())
        if record.error:
            raise LabelingError(record.error.message, record.error.hint, usage=record.usage)
        assert record.labels is not None  # noqa: S101  # else there is an error
        return record, record.labels

    def _check_time(self) -> None:
        if time.monotonic() > self._deadline:
            message = f"The query took longer than {self._tools.seconds:g} s."
            raise LabelingError(message, "Send fewer or shorter contexts.")
