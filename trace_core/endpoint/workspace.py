"""The state shared by the tests of one query: its sentences, one labeling, and the embedding model."""

import time
from dataclasses import dataclass

from trace_core.endpoint.judge import LlmJudge
from trace_core.endpoint.payload import Payload, TooMuch
from trace_core.errors import LabelingError, TraceError
from trace_core.facts.labels import Labels
from trace_core.facts.records import Document, Record, Response
from trace_core.labeling import Labeler
from trace_core.models.embedding import Embedder
from trace_core.pipeline import MOST_SENTENCES, check_sentences, label

MOST_CHARACTERS = 4000
"""Of a text that is embedded: the packaged model reads 256 tokens, which are never longer than this."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What tests compute with; `seconds` and `sentences` limit one query."""

    embedder: Embedder
    labeler: Labeler
    judge: LlmJudge | None = None
    seconds: float = 60.0
    sentences: int = MOST_SENTENCES


class Workspace:
    """One query's texts, read once for all tests. Methods raise `TraceError`."""

    def __init__(self, payload: Payload, tools: Tools) -> None:
        self._payload, self._tools = payload, tools
        self.judge, self.labeler = tools.judge, tools.labeler.name
        self._deadline = time.monotonic() + tools.seconds
        self._outcome: tuple[Record, Labels] | TraceError | None = None

    def similarity(self, one: str, other: str) -> float:
        """Cosine of the two texts' vectors, in [−1, 1]; only the beginning of a long text is used."""
        self._check_time()
        first, second = self._tools.embedder.embed([one[:MOST_CHARACTERS], other[:MOST_CHARACTERS]])
        return min(1.0, max(-1.0, float(first @ second)))

    def label(self) -> tuple[Record, Labels]:
        """The query as a labeled record, and its labels: one labeling for all tests that need it."""
        if self._outcome is None:
            try:
                self._outcome = self._label()
            except TraceError as error:
                self._outcome = error
        if isinstance(self._outcome, TraceError):
            raise self._outcome
        return self._outcome

    def _label(self) -> tuple[Record, Labels]:
        payload = self._payload
        documents = [Document(id=c.id, rank=i + 1, text=c.text) for i, c in enumerate(payload.contexts)]
        response = Response(text=payload.answer or "")
        record = Record(id="trace", question=payload.question or "", documents=documents, response=response)
        try:
            check_sentences(record, self._tools.sentences)
        except LabelingError as error:
            raise TooMuch(error.message, error.hint) from None
        label(record, self._tools.labeler, lambda share: self._check_time())
        if record.error:
            raise LabelingError(record.error.message, record.error.hint, usage=record.usage)
        assert record.labels is not None  # noqa: S101  # else there is an error
        return record, record.labels

    def _check_time(self) -> None:
        if time.monotonic() > self._deadline:
            message = f"The query took longer than {self._tools.seconds:g} s."
            raise LabelingError(message, "Send fewer or shorter contexts.")
